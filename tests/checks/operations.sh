# An operation of formulas is a file of src/expr/ops and a row of ops.def. What is forgotten does
# not compile: here it is forgotten on purpose, part by part.
set -u
cd "$SOURCE_DIR" || exit 1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0
compiles() { "$CC" -std=c17 -D_POSIX_C_SOURCE=200809L -Iinclude -Isrc -Werror -fsyntax-only "$1" 2>"$scratch/errors"; }

# operation EXPECTED WHAT ARGUMENTS: a file of ops/ with these parts
operation() {
    sed '/^LIA_OP_KIND(/,$d' src/expr/ops/transcendental/exp.c >"$scratch/op.c"
    echo "LIA_OP_KIND($3);" >>"$scratch/op.c"
    said=no
    compiles "$scratch/op.c" && said=yes
    if [ $said = "$1" ]; then passed=$((passed + 1)); else
        echo "an operation with $2: compiles: $said, expected: $1"
        cat "$scratch/errors"
        failed=$((failed + 1))
    fi
}
rest='LIA_GUARD_NONE, LIA_ALONE, "\\exp"'
operation yes "all its parts" "EXP, value, partial, series, tangent, image, $rest"
operation no "no derivative" "EXP, value, NULL, series, tangent, image, $rest"
operation no "no series" "EXP, value, partial, NULL, tangent, image, $rest"
operation no "no range" "EXP, value, partial, series, tangent, NULL, $rest"
operation no "one part less" "EXP, value, partial, series, tangent, $rest"
operation no "no way to print it" "EXP, value, partial, series, tangent, image, LIA_GUARD_NONE, LIA_ALONE"
operation no "a derivative in the place of its value" "EXP, partial, value, series, tangent, image, $rest"

# row EXPECTED WHAT ROW: the table of the language with this row for exp
row() {
    mkdir -p "$scratch/expr/graph"
    sed "s/^LIA_FUNCTION(EXP,.*/$3/" src/expr/graph/ops.def >"$scratch/expr/graph/ops.def"
    said=no
    "$CC" -std=c17 -D_POSIX_C_SOURCE=200809L -I"$scratch" -Iinclude -Isrc -Werror -fsyntax-only \
        src/lang/elaborate/builtin.c 2>"$scratch/errors" && said=yes
    if [ $said = "$1" ]; then passed=$((passed + 1)); else
        echo "a row with $2: compiles: $said, expected: $1"
        cat "$scratch/errors"
        failed=$((failed + 1))
    fi
}
row yes "all its words" 'LIA_FUNCTION(EXP, "exp", 1, PLAIN)'
row no "nothing of units" 'LIA_FUNCTION(EXP, "exp", 1)'
row no "a word for units that nobody knows" 'LIA_FUNCTION(EXP, "exp", 1, FANCY)'

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
