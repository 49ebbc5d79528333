# The tree speaks of itself alone and is finished as far as it goes: no paths of somebody's machine,
# no notes to self, no binaries, no files that belong to one editor or one build.
set -u
cd "$SOURCE_DIR" || exit 1
failed=0
show() {
    [ -z "$2" ] || { echo "$1:"; echo "$2" | head -20; failed=1; }
}
files() {
    find . -path ./.git -prune -o -path ./build -prune -o -type f -print
}
# the words are put together here so that this file does not hold them
paths='(^|[^A-Za-z0-9_.])/(home|root|Users|work)(/|\b)' notes='TO''DO|FIX''ME|XX''X|HA''CK'
list=$(files | grep -v '^\./tests/checks/tree\.sh$')
show "paths of a machine" "$(echo "$list" | tr '\n' '\0' | xargs -0 grep -nIE "$paths" 2>/dev/null)"
show "notes to self" "$(echo "$list" | tr '\n' '\0' | xargs -0 grep -nIwE "$notes" 2>/dev/null)"
show "binaries" "$(echo "$list" | grep -vE '\.(png|ico|woff2)$' | while read -r file; do
    [ ! -s "$file" ] || grep -qI . "$file" || case $file in ./tests/language/*) ;; *) echo "$file" ;; esac
done)"
show "left over from merging" "$(echo "$list" | tr '\n' '\0' | xargs -0 grep -lIE '^(<<<<<<<|>>>>>>>) ' 2>/dev/null)"
show "files without a closing newline" "$(echo "$list" | grep -E '\.(c|h|def|sh|md|cmake)$' | while read -r file; do
    [ ! -s "$file" ] || [ -z "$(tail -c 1 "$file")" ] || echo "$file"
done)"
show "sources without a licence line" "$(find src include -name '*.[ch]' -exec grep -L 'SPDX-License-Identifier: MIT' {} +)"
show "comparisons cast to int" "$(grep -rnE '\(int\)[^=]{1,60}[!=]= *\(int\)' tests --include='*.[ch]')"
show "lines above 100 columns" "$(LC_ALL=C.UTF-8 find src include -name '*.[ch]' -exec grep -HnE '^.{101,}' {} +)"
# comments everywhere else, but for what a test expects of a model, which is one line
show "comments above 100 columns" "$(echo "$list" | grep -E '\.(c|h|js|mjs|css|lia|sh|py|cmake)$|^\./scripts/' | tr '\n' '\0' |
    LC_ALL=C.UTF-8 xargs -0 grep -HnIE '^.{101,}' | grep -E '^[^:]*:[0-9]+: *(//|/\*|# )' |
    grep -vE '\.lia:[0-9]+:# (expect|help:|text:)')"
# pages, but for what is not wrapped: rows of tables, blocks that stand as they are, one long word
show "lines of pages above 100 columns" "$(echo "$list" | grep '\.md$' | while read -r file; do
    awk '/^ *(```|~~~)/ { block = !block } !block && !/^(\||    )/ && / / { print FILENAME ":" FNR ": " $0 }' "$file"
done | LC_ALL=C.UTF-8 grep -E '^[^:]*:[0-9]+: .{101,}')"
exit $failed
