# What the documentation shows is true: every ```lia block of README.md and docs/*.md is a correct model, and evaluates its start
# where it has one; every relative link of every Markdown file leads somewhere, to a heading too.
set -u
cd "$SOURCE_DIR" || exit 1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0

# ---- models: one file each, PAGE-LINE.lia
if [ -n "${LIAISON:-}" ] && [ -x "$LIAISON" ]; then
    for page in README.md docs/*.md; do
        awk -v stem="$scratch/$(basename "$page" .md)" -v page="$page" '
            !inside && /^```/ { inside = 1; model = $0 == "```lia"; if (model) { file = stem "-" NR ".lia"; printf "" > file }; next }
            inside && /^```/ { inside = 0; if (model) close(file); next }
            inside && model { print > file }
            END { if (inside) print page ": a block is not closed" }' "$page" >>"$scratch/open"
    done
    for model in "$scratch"/*.lia; do
        [ -e "$model" ] || continue
        name=$(basename "$model" .lia)
        if ! "$LIAISON" check "$model" >"$scratch/out" 2>&1; then
            echo "$name: check says"
            cat "$scratch/out"
            failed=$((failed + 1))
        elif grep -q '^start' "$model" &&
            ! "$LIAISON" run "$model" --until 0 --json >"$scratch/out" 2>&1; then
            echo "$name: run says"
            cat "$scratch/out"
            failed=$((failed + 1))
        else
            passed=$((passed + 1))
        fi
    done
    if [ -s "$scratch/open" ]; then
        cat "$scratch/open"
        failed=$((failed + 1))
    fi
    [ $passed -gt 0 ] || { echo "no models in the documentation"; failed=$((failed + 1)); }
fi

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

echo "$passed passed, $failed failed"
[ $failed = 0 ]
