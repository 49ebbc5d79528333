# No message proposes what this version lacks: commands, options, statements, functions, joints and
# shapes that texts of the sources, docs/errors.md and the program's own "did you mean" name are
# there.
set -u
cd "$SOURCE_DIR" || exit 1
[ -n "${LIAISON:-}" ] && [ -x "$LIAISON" ] || { echo "no program yet"; exit 77; }
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0
fail() {
    echo "$1"
    failed=$((failed + 1))
}
# known WHAT FILE: each line of $scratch/words must be a line of FILE
known() {
    sort -u "$scratch/words" >"$scratch/sorted"
    [ -s "$scratch/sorted" ] || fail "$1: nothing was found to look at"
    while read -r word; do
        if grep -qxF -e "$word" "$2"; then passed=$((passed + 1)); else fail "$1: '$word'"; fi
    done <"$scratch/sorted"
}

sed -n 's/^LIA_OPTION([A-Z_]*, "\([a-z-]*\)".*/--\1/p' src/cli/options.def >"$scratch/options"
sed -n 's/^LIA_COMMAND([A-Z]*, "\([a-z]*\)".* lia_cmd_\([a-z]*\)).*/\1 \2/p' src/cli/commands/commands.def >"$scratch/all"
awk '$2 != "later" { print $1 }' "$scratch/all" >"$scratch/commands"
awk '$2 == "later" { print $1 }' "$scratch/all" >"$scratch/later"
sed -n 's/^LIA_KEYWORD([A-Z]*, "\([a-z]*\)")/\1/p' src/lang/syntax/keywords.def >"$scratch/statements"
sed -nE 's/^LIA_(FUNCTION|BUILTIN|JOINT|SURFACE)\([A-Z0-9_]*, "*([A-Za-z0-9_]*).*/\2/p' src/expr/graph/ops.def src/lang/elaborate/builtin.def \
    src/lang/bodies/joints/joints.def src/lang/bodies/surfaces/surfaces.def >"$scratch/functions"

# the texts of the sources, one a line, without comments and includes; and the page of errors
grep -rhvE '^ *//|^#include' src --include='*.c' --include='*.h' --include='*.def' | sed 's/ \/\/ .*//' |
    grep -oE '"([^"\\]|\\.)*"' >"$scratch/texts"
# (E0180 is about what is refused)
awk '/^### / { refused = /E0180/ } !refused' docs/errors.md >>"$scratch/texts"

# 'liaison run FILE'; the first words of a checkpoint are no command
grep -v '"liaison checkpoint' "$scratch/texts" | grep -oE "(^|[^_a-z-])liaison [a-z]+" | sed 's/.*liaison //' >"$scratch/words"
known "a command that is not there" "$scratch/commands"
grep -oE -e "(^|[ '(\`,=])--[a-z][a-z-]+" "$scratch/texts" | grep -oE -e '--[a-z-]*[a-z]' >"$scratch/words"
known "an option that is not there" "$scratch/options"
# 'operator NAME: ...', 'start x = 1', `constraint c: x = 0`: a word, a name, and what makes it a
# statement
grep -oE "['\`][a-z]+ [A-Za-z][A-Za-z0-9_]*'?( =|:| ~)" "$scratch/texts" | sed "s/^['\`]\([a-z]*\) .*/\1/" >"$scratch/words"
known "a statement that is not there" "$scratch/statements"
grep -oE "^LIA_SLIP\((CALL|JOINT|SHAPE).*" src/lang/syntax/slips.def | sed 's/^[^,]*, "[^"]*", //' |
    grep -oE "['a-z_0-9]+\(|(is|are) '[a-z_]+'" | sed "s/^[a-z]* '/'/" | tr -d "'(" >"$scratch/words"
known "a function, joint or shape that is not there" "$scratch/functions"

# what the program proposes for words near those that come later
while read -r word; do
    for said in "$("$LIAISON" "${word}s" 2>&1)" "$("$LIAISON" help "${word}s" 2>&1)"; do
        case $said in
        *"did you mean '$word'"*) fail "'${word}s' leads to '$word', which is not in this version" ;;
        *) passed=$((passed + 1)) ;;
        esac
    done
done <"$scratch/later"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
