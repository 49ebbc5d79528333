# Memory that runs out while a program asks the library for numbers: evaluators, states, kept steps.
set -u
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
sanitize=
[ "${SUITE:-}" != asan ] || sanitize=-fsanitize=address,undefined
"$CC" -O1 -g -fno-omit-frame-pointer -shared -fPIC -o "$scratch/shortage.so" "$SOURCE_DIR/tests/memory/shortage.c" -ldl &&
    "$CC" -std=c17 -g $sanitize -I"$SOURCE_DIR/include" -o "$scratch/numbers" "$SOURCE_DIR/tests/memory/numbers.c" \
        "$OUTPUT_DIR/libliaison.a" -lm || { echo "what is to be run cannot be built"; exit 1; }
if "$SOURCE_DIR/tests/memory/short" "$scratch/shortage.so" 2 "${SHORTAGE_SPREAD:-60}" "$scratch/numbers" of models; then
    echo "1 passed, 0 failed"
else
    echo "0 passed, 1 failed"
    exit 1
fi
