# Threads that share systems, under the thread sanitizer: tests/api/test_threads.c and the program
# of docs/api.md with four threads.
set -e
cmake --preset tsan >/dev/null
cmake --build --preset tsan -j "$(nproc)" --target api-test_threads liaison_static
TSAN_OPTIONS=halt_on_error=1 build/tsan/tests/api-test_threads
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
awk '/^```c threads\.c$/ { inside = 1; next } /^```/ { inside = 0 } inside' docs/api.md >"$scratch/threads.c"
[ -s "$scratch/threads.c" ]
archive=$(find build/tsan -name libliaison.a)
cc -std=c17 -g -fsanitize=thread -Iinclude "$scratch/threads.c" "$archive" -lm -pthread -o "$scratch/threads"
TSAN_OPTIONS=halt_on_error=1 "$scratch/threads"
