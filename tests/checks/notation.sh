# docs/notation.md and the code say the same. A line that names a header in backticks (`src/....h`)
# says where the fields of the rows below it stand; the last cell of a row holds them, as
# `w->field`. Each must be declared there; of `w->struct.field` the second one in a header of the
# same folder.
set -u
cd "$SOURCE_DIR" || exit 1
scratch=$(mktemp)
trap 'rm -f "$scratch"' EXIT
awk -F'|' '
    !/^\|/ && match($0, /`src\/[a-z_\/]*\.h`/) { header = substr($0, RSTART + 1, RLENGTH - 2) }
    /^\|/ && NF >= 6 {
        cell = $(NF - 1)
        while (match(cell, /->[A-Za-z_][A-Za-z0-9_.]*/)) {
            count = split(substr(cell, RSTART + 2, RLENGTH - 2), names, ".")
            rooms = header; sub(/[^\/]*$/, "*.h", rooms)
            print header, names[1]
            if (count > 1) print rooms, names[2]
            cell = substr(cell, RSTART + RLENGTH)
        }
    }' docs/notation.md >"$scratch"
[ -s "$scratch" ] || { echo "docs/notation.md has no rows with fields"; exit 1; }
passed=0 failed=0
while read -r header field; do
    case $header in *'*.h') set -- $header ;; *) set -- "$header" ;; esac
    if [ ! -e "$1" ]; then
        # the folder is still empty: its turn comes later
        ls "$(dirname "$header")"/*.c >/dev/null 2>&1 || continue
        echo "docs/notation.md speaks of $header, which is not there"
        failed=$((failed + 1))
    elif sed 's|//.*||' "$@" | grep -qE "[ *,]$field *(\[[^]]*\])* *[,;]"; then
        passed=$((passed + 1))
    else
        echo "docs/notation.md: no field '$field' in $header"
        failed=$((failed + 1))
    fi
done <"$scratch"
[ $((passed + failed)) != 0 ] || { echo "the headers named in docs/notation.md are not there yet"; exit 77; }
echo "$passed passed, $failed failed"
[ $failed = 0 ]
