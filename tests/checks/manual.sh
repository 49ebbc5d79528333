# The manual is true: docs/commands.md knows every command and option of the program, and no others;
# the pages are ones that troff reads without a word.
set -u
cd "$SOURCE_DIR" || exit 1
[ -n "${LIAISON:-}" ] && [ -x "$LIAISON" ] || { echo "no program yet"; exit 77; }
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0
expect() {
    sentence=$1
    shift
    if "$@" >"$scratch/log" 2>&1; then passed=$((passed + 1)); else
        echo "$sentence"
        head -n 5 "$scratch/log"
        failed=$((failed + 1))
    fi
}
page=docs/commands.md
sed -n 's/^LIA_OPTION([A-Z_]*, "\([a-z-]*\)".*/\1/p' src/cli/options.def >"$scratch/options"
while read -r option; do
    expect "--$option is not on $page" grep -q -e "^|.*\`--$option[ \`]" $page
done <"$scratch/options"
grep -oE -e '--[a-z][a-z-]+' $page | sort -u | sed 's/^--//' >"$scratch/told"
expect "options on $page that the program does not have" sh -c "! grep -vxFf '$scratch/options' '$scratch/told'"
sed -n 's/^LIA_COMMAND([A-Z]*, "\([a-z]*\)".* lia_cmd_\([a-z]*\)).*/\1 \2/p' src/cli/commands/commands.def >"$scratch/commands"
while read -r command function; do
    if [ "$function" = later ]; then
        expect "$command is not told to come later" grep -q "\`$command\`.*" $page
    else
        expect "$command has no section on $page" grep -qx "### $command" $page
        expect "$command is not in the synopsis" grep -q "^liaison $command\b" $page
    fi
done <"$scratch/commands"

# Every option of every command is in its help and in its section of the manual.
"$LIAISON" help commands --man | sed 's/\\-/-/g; s/\\&//g' >"$scratch/manual"
sed -n 's/^LIA_OPTION([A-Z_]*, "\([a-z-]*\)", [^,]*, "[^"]*", \(.*\), ".*")$/\1 \2/p' src/cli/options.def >"$scratch/of"
expect "options that the check does not see" [ "$(wc -l <"$scratch/of")" = "$(wc -l <"$scratch/options")" ]
expect "no commands are found" [ "$(wc -l <"$scratch/commands")" -gt 10 ]
while read -r command function; do
    [ "$function" = later ] && continue
    "$LIAISON" help "$command" >"$scratch/help" 2>&1
    awk -v name="$command" '/^\.S[SH]/ { inside = $0 ~ "^\\.SS \"?" name "\"?$" } inside' "$scratch/manual" >"$scratch/section"
    while read -r option of; do
        case "$of" in *"IN($(echo "$command" | tr a-z A-Z))"* | *EVERYWHERE*)
            expect "liaison help $command: --$option is missing" grep -q -e "--$option\b" "$scratch/help"
            expect "manual, $command: --$option is missing" grep -q -e "--$option\b" "$scratch/section" ;;
        esac
    done <"$scratch/of"
done <"$scratch/commands"

for name in commands language errors modelling; do
    "$LIAISON" help $name --man >"$scratch/$name.man" || failed=$((failed + 1))
    expect "$name: a title" grep -q '^\.TH LIAISON' "$scratch/$name.man"
    if command -v groff >/dev/null 2>&1; then
        expect "$name: troff complains" sh -c "[ -z \"\$(groff -man -Kutf8 -Tutf8 -ww -z '$scratch/$name.man' 2>&1)\" ] || { groff -man -Kutf8 -Tutf8 -ww -z '$scratch/$name.man'; false; }"
    fi
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
