# Every fuzzing program: FUZZ_RUNS executions of the readers (model texts, states, checkpoints)
# together, and FUZZ_SECONDS of models that run. What is found is kept in build/fuzz/found.
# Executions go in rounds; those that have passed with this very program are remembered in
# build/verify, and what was learnt stays in build/fuzz/corpus: what was ended goes on.
set -u
make fuzz product || exit 1
mkdir -p build/fuzz/found build/verify
runs=${FUZZ_RUNS:-10000000}
failed=0

# What to begin with: every model there is, or a state of the model that is in the program.
seed_corpus() {
    mkdir -p "build/fuzz/corpus/$1"
    case $1 in
    fuzz_parse | fuzz_model) find examples tests -name '*.lia' -size -20k -exec cp {} "build/fuzz/corpus/$1/" \; ;;
    fuzz_state)
        sed -n 's/^ *\(static const char text\[\] = \)*"\(.*\)\\n";*$/\2/p' tests/motion/fuzz_state.c >build/fuzz/state.lia
        build/liaison run build/fuzz/state.lia --json >"build/fuzz/corpus/$1/state.json" ;;
    esac
}

# The words of the language: a fuzzing program does not find them by itself.
grep -rhoE '"[A-Za-z_]{1,16}"' src/lang src/expr/graph/ops.def | sort -u >build/fuzz/words

# fuzz NAME OPTION...
fuzz() {
    name=$1
    shift
    case $name in fuzz_parse | fuzz_model) set -- "$@" -dict=build/fuzz/words ;; esac
    build/fuzz/fuzzers/"$name" "$@" -entropic=0 -timeout=60 -rss_limit_mb=2048 -print_final_stats=1 \
        -artifact_prefix="build/fuzz/found/$name-" "build/fuzz/corpus/$name" 2>"build/fuzz/$name.log"
}

# in_rounds NAME RUNS ROUND
in_rounds() {
    size=$(($2 < $3 ? $2 : $3))
    rounds=$((($2 + size - 1) / size))
    passed=build/verify/$1-$size-$(sha256sum <"build/fuzz/fuzzers/$1" | cut -c 1-16)
    touch "$passed"
    round=$(wc -l <"$passed")
    while [ "$round" -lt "$rounds" ]; do
        round=$((round + 1))
        # most with short texts, which are many times as fast
        length=300
        [ "$1" = fuzz_parse ] && [ $((round % 5)) -gt 0 ] || length=0 # 0: as long as there are any
        fuzz "$1" -runs="$size" -seed="$round" -max_len=$length || return 1
        sed -n 's/^stat::number_of_executed_units: *//p' "build/fuzz/$1.log" >>"$passed"
    done
    echo "$1: $(awk '{ n += $1 } END { print n }' "$passed") executions"
}

for fuzzer in build/fuzz/fuzzers/fuzz_*; do
    name=$(basename "$fuzzer")
    seed_corpus "$name" || exit 1
    case $name in
    fuzz_parse) in_rounds "$name" $((runs / 2)) 100000 ;;
    fuzz_state) in_rounds "$name" $((runs / 2 - runs / 500)) 500000 ;;
    fuzz_checkpoint) in_rounds "$name" $((runs / 500)) 2000 ;;
    *) fuzz "$name" -max_total_time="${FUZZ_SECONDS:-300}" && echo "$name: $(grep number_of_executed_units "build/fuzz/$name.log")" ;;
    esac || { tail -n 40 "build/fuzz/$name.log"; failed=1; }
done
exit $failed
