# Random trees of bodies, joints, motors, springs and rods against Newton's and Euler's equations in
# joint coordinates, where Debian's python3-scipy is installed. TREES says which.
set -e
make product
export OPENBLAS_NUM_THREADS=1
if /usr/bin/python3 -c "import scipy" 2>/dev/null; then
    /usr/bin/python3 tests/trees/compare.py build/liaison "${TREES:-1..100}"
else
    echo "left out: python3-scipy is not installed"
fi
