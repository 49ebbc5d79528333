# The whole suite, built by the other compiler, with assertions.
set -e
make clang
exec scripts/run-tests build/clang
