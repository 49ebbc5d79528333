# Every fuzzing program: FUZZ_RUNS executions of the readers (model texts, states, checkpoints) together, and FUZZ_SECONDS of models
# that run. What is found is kept in build/fuzz/found.
set -e
make fuzz
mkdir -p build/fuzz/found
failed=0
runs=${FUZZ_RUNS:-10000000}
for fuzzer in build/fuzz/fuzzers/fuzz_*; do
    [ -x "$fuzzer" ] || { echo "no fuzzing programs yet"; exit 0; }
    name=$(basename "$fuzzer")
    case $name in
    fuzz_parse) limit=-runs=$((runs / 2)) ;;
    fuzz_state) limit=-runs=$((runs / 2 - runs / 500)) ;;
    fuzz_checkpoint) limit=-runs=$((runs / 500)) ;;
    *) limit=-max_total_time=${FUZZ_SECONDS:-300} ;;
    esac
    mkdir -p "build/fuzz/corpus/$name"
    # begin with every model there is
    find examples tests -name '*.lia' -size -20k -exec cp {} "build/fuzz/corpus/$name/" \;
    "$fuzzer" "$limit" -timeout=60 -rss_limit_mb=2048 -print_final_stats=1 \
        -artifact_prefix="build/fuzz/found/$name-" "build/fuzz/corpus/$name" 2>"build/fuzz/$name.log" ||
        { tail -n 40 "build/fuzz/$name.log"; failed=1; }
    echo "$name: $(grep 'number_of_executed_units' "build/fuzz/$name.log" || true)"
done
exit $failed
