# Thresholds stand in src/base/numeric/thresholds, one table for each folder: each is used, each
# says what it is relative to and why it has that size, and in the folders below no other 1e-N is
# left in the code.
set -u
cd "$SOURCE_DIR" || exit 1
table=src/base/numeric/thresholds
folders="src/base src/expr src/lang src/mechanics src/motion src/geometry src/study src/output"
passed=0 failed=0
fail() {
    echo "$1"
    failed=$((failed + 1))
}
# the rows, one a line: strings in several pieces are put together
rows=$(cat "$table"/*.def | grep -v '^ *//' | tr '\n' ' ' | sed 's/LIA_THRESHOLD(/\n&/g' | sed 's/"  *"//g')
names=$(echo "$rows" | sed -n 's/^LIA_THRESHOLD(\([A-Z0-9_]*\),.*/\1/p')
for folder in $folders; do
    name=$(basename "$folder")
    [ ! -f "$table/$name.def" ] || grep -q "thresholds/$name.def" "$table.def" || fail "$table.def leaves $name.def out"
done
[ -n "$names" ] || fail "$table has no rows"
for name in $names; do
    if ! grep -rqw "LIA_$name" src --include='*.c' --include='*.h'; then
        fail "$name is not used"
    elif ! echo "$rows" | grep -qE "^LIA_THRESHOLD\($name, [-+*/ .0-9eA-Z_()]+, +\"[^\"]{1,}\", +\"[^\"]{10,}\"\) *$"; then
        fail "$name does not say what it is relative to and why it has that size"
    else
        passed=$((passed + 1))
    fi
done
twice=$(echo "$names" | sort | uniq -d)
[ -z "$twice" ] || fail "more than one row: $twice"
# nanoseconds are no threshold; comments and strings are no code
# shellcheck disable=SC2086
nameless=$(find $folders -name '*.[ch]' -exec grep -nHE '\b[0-9.]+[eE]-[0-9]+' {} + |
    sed -E 's,//.*,,; s/"([^"\\]|\\.)*"//g' | grep -E ':.*:.*\b[0-9.]+[eE]-[0-9]+' | grep -v 'tv_nsec')
[ -z "$nameless" ] || fail "thresholds without a row in $table:
$nameless"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
