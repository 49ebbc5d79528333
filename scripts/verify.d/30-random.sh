# Randomised tests with more of everything: programs named *random* multiply their counts by LIAISON_CAMPAIGN.
set -e
find tests -name 'test_*random*.c' | grep -q . || { echo "no randomised tests yet"; exit 0; }
make release
LIAISON_CAMPAIGN=${LIAISON_CAMPAIGN:-20} TEST_TIMEOUT=7200 TESTS=random scripts/run-tests build/release
