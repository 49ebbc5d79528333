# 100,000 mutated models through check, run, explain and page under the sanitizers, with budgets: no crash, no leak, no hang. MUTANTS
# is another number of them, MUTANTS_FIRST where to begin; what fails is kept in build/mutants.
set -e
make asan
mkdir -p build/mutants
export ASAN_OPTIONS=quarantine_size_mb=16:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1
build/asan/tests/mutants-test_mutants "${MUTANTS:-100000}" "${MUTANTS_FIRST:-1}" build/mutants 2>build/mutants/stderr ||
    { grep -E 'ERROR|SUMMARY|runtime error' build/mutants/stderr | sort | uniq -c | head -n 40; exit 1; }
