# Every example is a correct model, runs to its end as written, and says so as JSON.
set -u
cd "$SOURCE_DIR" || exit 1
[ -n "$LIAISON" ] && [ -x "$LIAISON" ] || { echo "no program yet"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0
for model in examples/*/*.lia; do
    if ! "$LIAISON" check "$model" >"$scratch/out" 2>&1; then
        echo "$model: check says"
        cat "$scratch/out"
        failed=$((failed + 1))
    elif ! "$LIAISON" run "$model" --json >"$scratch/out" 2>"$scratch/err" || ! grep -q '"status": *"done"' "$scratch/out"; then
        echo "$model: run says"
        cat "$scratch/out" "$scratch/err"
        failed=$((failed + 1))
    else
        passed=$((passed + 1))
    fi
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
