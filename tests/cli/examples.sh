# Every example is a correct model, runs as written to its end or to the event that it says stops
# it, and says so as JSON; it stands in the index and has a page that tells what it is checked
# against.
set -u
cd "$SOURCE_DIR" || exit 1
[ -n "$LIAISON" ] && [ -x "$LIAISON" ] || { echo "no program yet"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0
for model in examples/*/*.lia; do
    status=$(sed -n 's/^# expect status //p' "$model")
    if ! "$LIAISON" check "$model" >"$scratch/out" 2>&1; then
        echo "$model: check says"
        cat "$scratch/out"
        failed=$((failed + 1))
    elif ! "$LIAISON" run "$model" --json >"$scratch/out" 2>"$scratch/err" || ! grep -q "\"status\": *\"${status:-done}\"" "$scratch/out"; then
        echo "$model: run says"
        cat "$scratch/out" "$scratch/err"
        failed=$((failed + 1))
    else
        passed=$((passed + 1))
    fi
done
for folder in examples/*/; do
    name=$(basename "$folder")
    if grep -q "($name)" examples/README.md && [ -f "$folder$name.lia" ] &&
        grep -q '^\*\*Checked against\*\*' "$folder/README.md"; then
        passed=$((passed + 1))
    else
        echo "$folder: not in examples/README.md, no $name.lia, or its README.md does not say what it is checked against"
        failed=$((failed + 1))
    fi
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
