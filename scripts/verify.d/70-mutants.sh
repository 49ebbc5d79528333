# 100,000 mutated models through check, run, explain and page under the sanitizers, with budgets: no
# crash, no leak, no hang. MUTANTS is another number of them, MUTANTS_FIRST where to begin; what
# fails is kept in build/mutants. They go by thousands; those that have passed with this very
# program and these models are remembered in build/verify: what was ended goes on.
set -u
make asan || exit 1
mkdir -p build/mutants build/verify
export ASAN_OPTIONS=quarantine_size_mb=16:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1
program=build/mutants/test_mutants
cp build/asan/tests/mutants-test_mutants $program || exit 1
first=${MUTANTS_FIRST:-1} end=$((${MUTANTS_FIRST:-1} + ${MUTANTS:-100000}))
passed=build/verify/mutants-$({ cat $program && find examples tests/refs tests/language -name '*.lia' | sort | xargs cat; } |
    sha256sum | cut -c 1-16)
touch "$passed"
: >build/mutants/stderr
good=0 bad=0
while [ "$first" -lt "$end" ]; do
    count=$((end - first < 1000 ? end - first : 1000))
    if grep -qx "$first $count" "$passed"; then
        good=$((good + count))
    elif said=$($program "$count" "$first" build/mutants "${VERIFY_CORES:-$(nproc)}" 2>>build/mutants/stderr); then
        echo "$first $count" >>"$passed"
        good=$((good + count))
    else
        echo "$said"
        bad=$((bad + 1))
    fi
    first=$((first + count))
done
[ $bad = 0 ] || grep -E 'ERROR|SUMMARY|runtime error' build/mutants/stderr | sort | uniq -c | head -n 40
echo "$good mutants passed, $bad thousands with failures"
[ $bad = 0 ]
