# Codes of diagnostics: each one in the sources has a line in docs/errors.md and a test that names
# it, and docs/errors.md has no others.
set -u
cd "$SOURCE_DIR" || exit 1
used=$(grep -rhoE '"[EW][0-9]{4}"' src --include='*.c' --include='*.h' --include='*.def' | tr -d '"' | sort -u)
[ -n "$used" ] || { echo "no codes yet"; exit 77; }
[ -e docs/errors.md ] || { echo "docs/errors.md is not there; codes in use:" $used; exit 1; }
passed=0 failed=0
fail() {
    echo "$1"
    failed=$((failed + 1))
}
for code in $used; do
    if ! grep -qE "^(#+ |\| *)?\`?$code\b" docs/errors.md; then
        fail "$code has no line in docs/errors.md"
    elif ! grep -rqw "$code" tests --include='*.lia' --include='*.c' --include='*.sh' --exclude-dir=checks; then
        fail "$code has no test"
    else
        passed=$((passed + 1))
    fi
done
for code in $(grep -oE '^(#+ |\| *)?`?[EW][0-9]{4}\b' docs/errors.md | grep -oE '[EW][0-9]{4}' | sort | uniq); do
    echo "$used" | grep -qx "$code" || fail "$code stands in docs/errors.md but nowhere in src"
done
twice=$(grep -oE '^(#+ |\| *)?`?[EW][0-9]{4}\b' docs/errors.md | grep -oE '[EW][0-9]{4}' | sort | uniq -d)
[ -z "$twice" ] || fail "more than one line in docs/errors.md:" $twice
echo "$passed passed, $failed failed"
[ $failed = 0 ]
