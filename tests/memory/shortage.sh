# Memory that runs out, at some of the allocations of some commands: what was asked for, or "memory
# is out", exit 1 and no file. scripts/verify.d/60-memory.sh tries all commands on ten models.
set -u
[ -n "${LIAISON:-}" ] || { echo "no program yet"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
short=$SOURCE_DIR/tests/memory/short
"$CC" -O1 -g -fno-omit-frame-pointer -shared -fPIC -o "$scratch/shortage.so" "$SOURCE_DIR/tests/memory/shortage.c" -ldl ||
    { echo "the preloaded object cannot be built"; exit 1; }
passed=0 failed=0

# try FIRST SPREAD WORDS...
try() {
    first=$1 spread=$2
    shift 2
    if said=$("$short" "$scratch/shortage.so" "$first" "$spread" "$LIAISON" "$@"); then
        passed=$((passed + 1))
    else
        echo "$said"
        failed=$((failed + 1))
    fi
}

skater=$SOURCE_DIR/examples/skater/skater.lia
try 10 12 check "$skater"
try 10 12 run "$skater" -o out.csv
try 0 12 run "$skater" -o out.html --samples 50
try 0 8 run "$skater" --json
try 0 12 run "$SOURCE_DIR/examples/pickup/pickup.lia" -o out.csv
try 0 8 run "$skater" --check
try 0 16 explain "$skater" --at-start
try 0 8 explain "$skater" --latex
try 0 12 picture "$skater"
try 0 8 dump "$skater" --stage=tape
try 0 8 compare "$skater" "$skater"
try 0 8 holonomy "$SOURCE_DIR/examples/cat/cat.lia"
try 0 8 run "$SOURCE_DIR/examples/suslov_bracket/suslov_bracket.lia"
try 0 8 explain "$SOURCE_DIR/examples/suslov_bracket/suslov_bracket.lia" --at-start
try 0 12 reduce "$SOURCE_DIR/examples/cylinder/cylinder.lia" --by spin,around --reconstruct
try 12 0 help constraint
try 6 0 completion bash
echo "$passed passed, $failed failed"
[ $failed = 0 ]
