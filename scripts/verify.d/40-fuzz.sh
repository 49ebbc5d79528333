# Every fuzzing program for FUZZ_SECONDS; what it finds is kept in build/fuzz/found.
set -e
make fuzz
mkdir -p build/fuzz/found
failed=0
for fuzzer in build/fuzz/fuzzers/fuzz_*; do
    [ -x "$fuzzer" ] || { echo "no fuzzing programs yet"; exit 0; }
    name=$(basename "$fuzzer")
    mkdir -p "build/fuzz/corpus/$name"
    # begin with every model there is
    find examples tests -name '*.lia' -size -20k -exec cp {} "build/fuzz/corpus/$name/" \;
    "$fuzzer" -max_total_time="${FUZZ_SECONDS:-300}" -timeout=20 -rss_limit_mb=2048 -print_final_stats=1 \
        -artifact_prefix="build/fuzz/found/$name-" "build/fuzz/corpus/$name" 2>"build/fuzz/$name.log" ||
        { tail -n 40 "build/fuzz/$name.log"; failed=1; }
    grep 'number_of_executed_units' "build/fuzz/$name.log" || true
done
exit $failed
