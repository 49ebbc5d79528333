# Narrow features: models with known numbers, and 5,000 random ones against the second way with
# steps that cannot leap.
set -e
make release
narrow=build/release/tests/narrow-test_narrow
failed=0
"$narrow" --models || failed=1
"$narrow" --leaps 1..300 || failed=1
"$narrow" --seeds 1..$((5000 * ${LIAISON_CAMPAIGN:-1})) || failed=1
# conditions and events whose instants are known: even powers, products, poles
build/release/tests/motion-test_conditions 1..$((5000 * ${LIAISON_CAMPAIGN:-1})) || failed=1
exit $failed
