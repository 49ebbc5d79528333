# Every relative link of every Markdown file leads somewhere, to a heading too; every picture is
# there.
set -u
cd "$SOURCE_DIR" || exit 1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0

# ---- links: [text](target) outside of code; what has a scheme is left alone
find . -path ./.git -prune -o -path ./build -prune -o -name '*.md' -print | sort >"$scratch/pages"
while read -r page; do
    awk '/^```/ { code = !code; next }
         code || /^    / { next }
         { gsub(/`[^`]*`/, "")
           while (match($0, /\]\([^) ]+\)/)) {
               print substr($0, RSTART + 2, RLENGTH - 3)
               $0 = substr($0, RSTART + RLENGTH) } }' "$page" >"$scratch/links"
    while read -r link; do
        case $link in *://* | mailto:*) continue ;; esac
        target=${link%%#*} anchor=
        case $link in *"#"*) anchor=${link#*#} ;; esac
        file=$page
        [ -z "$target" ] || file=$(dirname "$page")/$target
        if [ ! -e "$file" ]; then
            echo "$page: $link leads nowhere"
            failed=$((failed + 1))
            continue
        fi
        # a heading as it is named in links: small letters, no punctuation, dashes for spaces
        if [ -n "$anchor" ] && ! awk '/^```/ { code = !code }
                !code && /^#+ / { sub(/^#+ /, ""); s = tolower($0); gsub(/[^a-z0-9 _-]/, "", s); gsub(/ /, "-", s); print s }' \
                "$file" | grep -qx -- "$anchor"; then
            echo "$page: there is no heading for $link"
            failed=$((failed + 1))
            continue
        fi
        passed=$((passed + 1))
    done <"$scratch/links"
done <"$scratch/pages"

[ $passed -gt 0 ] || { echo "no links at all"; failed=1; }
echo "$passed passed, $failed failed"
[ $failed = 0 ]
