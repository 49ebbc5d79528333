# A program with planted faults: `short` finds each of them, and none where there is none.
set -u
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
sanitize= faults="silent other crash file code"
[ "${SUITE:-}" != asan ] || { sanitize=-fsanitize=address,undefined && faults="$faults leak access"; }
"$CC" -O1 -g -fno-omit-frame-pointer -shared -fPIC -o "$scratch/shortage.so" "$SOURCE_DIR/tests/memory/shortage.c" -ldl &&
    "$CC" -std=c17 -g $sanitize -o "$scratch/planted" "$SOURCE_DIR/tests/memory/planted.c" 2>"$scratch/said" ||
    { cat "$scratch/said"; echo "what is to be run cannot be built"; exit 1; }
short() { "$SOURCE_DIR/tests/memory/short" "$scratch/shortage.so" 9 0 "$scratch/planted" "$1" >"$scratch/said" 2>&1; }
export ASAN_OPTIONS=symbolize=0 UBSAN_OPTIONS=symbolize=0
passed=0 failed=0
if SHORTAGE_MODE=0 short none; then
    passed=$((passed + 1))
else
    cat "$scratch/said"
    failed=$((failed + 1))
fi
for alone in 0 1; do
    for fault in $faults; do
        if SHORTAGE_MODE=0 SHORTAGE_ALONE=$alone short "$fault"; then
            echo "the fault '$fault' is not found"
            failed=$((failed + 1))
        else
            passed=$((passed + 1))
        fi
    done
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
