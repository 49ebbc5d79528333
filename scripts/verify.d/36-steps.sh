# Random models with corners that lie in each other: the motion is the same with steps of other
# lengths. STEPS says which.
set -e
make product
if command -v python3 >/dev/null; then
    python3 tests/steps/compare.py build/liaison "${STEPS:-1..500}"
    # several things at one instant: contacts without a load, pins and blocks whose load vanishes
    # and comes back
    for area in press pin rub; do
        python3 tests/steps/compare.py build/liaison "${CORNER_STEPS:-1..100}" $area
    done
else
    echo "left out: python3 is not installed"
fi
