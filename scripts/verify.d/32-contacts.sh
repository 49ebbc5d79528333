# Random systems with contacts against the second way: none wrong, none stopped, few fragile.
set -e
make release
build/release/tests/contacts-test_contacts --seeds "${CONTACT_SEEDS:-1..500}"
build/release/tests/contacts-test_contacts --seeds "${ROUGH_SEEDS:-1000001..1000500}"
build/release/tests/rough-test_turning --seeds "${CONTACT_SEEDS:-1..500}"
