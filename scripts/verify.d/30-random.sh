# Randomised tests with more of everything: 20,000 random models by both ways, states of random
# systems, nearest starts.
set -e
make release
LIAISON_MODELS=${LIAISON_MODELS:-20000} LIAISON_CAMPAIGN=${LIAISON_CAMPAIGN:-20} TEST_TIMEOUT=7200 \
    TESTS='second|phase_space|test_nearest|test_turns' scripts/run-tests build/release
