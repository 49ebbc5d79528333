# What the documentation shows is true: every ```lia block of README.md and docs/*.md is a correct
# model, and runs to its end where it has a start.
set -u
cd "$SOURCE_DIR" || exit 1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0
[ -n "${LIAISON:-}" ] && [ -x "$LIAISON" ] || { echo "no program yet"; exit 77; }

# one file each, PAGE-LINE.lia
for page in README.md docs/*.md; do
    awk -v stem="$scratch/$(basename "$page" .md)" -v page="$page" '
        !inside && /^```/ { inside = 1; model = $1 == "```lia"; if (model) { file = stem "-" NR ".lia"; printf "" > file }; next }
        inside && /^```/ { inside = 0; if (model) close(file); next }
        inside && model { print > file }
        END { if (inside) print page ": a block is not closed" }' "$page" >>"$scratch/open"
done
for model in "$scratch"/*.lia; do
    [ -e "$model" ] || continue
    name=$(basename "$model" .lia)
    # a control that the model leaves to a program is held
    held=$(sed -n 's/^control \([a-z_]*\)\( in [^=]*\)\{0,1\}$/-D \1=0/p' "$model")
    # shellcheck disable=SC2086
    if ! "$LIAISON" check "$model" >"$scratch/out" 2>&1; then
        echo "$name: check says"
        cat "$scratch/out"
        failed=$((failed + 1))
    elif grep -q '^start' "$model" && ! "$LIAISON" run "$model" $held --json >"$scratch/out" 2>&1; then
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

# every statement stands in a model of the page of the language
for word in $(sed -n 's/^LIA_KEYWORD([A-Z_]*, "\([a-z]*\)").*/\1/p' src/lang/syntax/keywords.def); do
    if cat "$scratch"/language-*.lia | grep -q "^$word "; then passed=$((passed + 1)); else
        echo "docs/language.md has no model with '$word'"
        failed=$((failed + 1))
    fi
done

echo "$passed passed, $failed failed"
[ $failed = 0 ]
