# Shows which files clang-format would lay out differently. Shown, not enforced: versions differ in details, and a table in
# a source may be better as it stands.
set -u
cd "$SOURCE_DIR" || exit 1
command -v clang-format >/dev/null 2>&1 || { echo "clang-format is not installed"; exit 77; }
differ=$(find include src tests bench -name '*.[ch]' | sort | while read -r file; do
    clang-format --dry-run --Werror "$file" >/dev/null 2>&1 || echo "$file"
done)
[ -n "$differ" ] || exit 0
echo "$differ"
echo "$(echo "$differ" | wc -l) files differ from clang-format's layout (make format)"
exit 77
