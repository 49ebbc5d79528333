# Hooks of tests (src/mechanics/test_hooks.h) are in the tests that use them, and in nothing that is
# shipped.
set -u
mark="compiled with hooks of tests"
passed=0 failed=0
for shipped in "$LIAISON" "$OUTPUT_DIR"/libliaison.a "$OUTPUT_DIR"/libliaison.so; do
    [ -e "$shipped" ] || continue
    if grep -aqF "$mark" "$shipped"; then
        echo "$shipped has hooks of tests in it"
        failed=$((failed + 1))
    else
        passed=$((passed + 1))
    fi
done
[ $passed -gt 0 ] || { echo "nothing to look at"; exit 77; }
# a test that could not fail would find no mark anywhere
if grep -aqF "$mark" "$BUILD_DIR/tests/motion-test_planted"; then
    passed=$((passed + 1))
else
    echo "motion/test_planted has no hooks"
    failed=$((failed + 1))
fi
echo "$passed passed, $failed failed"
[ $failed = 0 ]
