# Every test fails where a file that it names as its subject does nothing
# (tests/checks/subjects.sh): the file is replaced by one whose functions return 0 and whose tables
# are empty, and the test is linked with that. SUBJECTS is a pattern for some of them
# ("motion/contact/.* tests/contact").
set -u
make release || exit 1
root=$PWD tests=$PWD/build/release/tests scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export SOURCE_DIR="$root" BUILD_DIR="$root/build/release" LIAISON="$root/build/liaison" OUTPUT_DIR="$root/build"
find tests -name 'test_*.c' | sort | xargs awk '
    FNR > 40 { next }
    sub(/^\/\/ Tests: /, "") { for (i = split($0, file, /, */); i > 0; i--) print file[i], FILENAME }
    sub(/^\/\/ By law: /, "") { sub(/:.*/, ""); print $0, FILENAME }' |
    grep -e "${SUBJECTS:-.}" >"$scratch/pairs"
passed=0 failed=0
while read -r file test; do
    target=${test#tests/}
    target=$(echo "${target%.c}" | tr / -)
    # returned where a number, a pointer or a double is expected: 0
    echo 'typedef struct Nothing { long x; double y; } Nothing;' >"$scratch/nothing.c"
    nm -g --defined-only "$BUILD_DIR/CMakeFiles/liaison_${file%%/*}.dir/src/$file.o" | awk '
        NF == 3 && $2 == "T" { print "Nothing " $3 "(void) { return (Nothing){0, 0}; }" }
        NF == 3 && $2 != "T" { print "char " $3 "[65536];" }' >>"$scratch/nothing.c"
    cc -w -fno-builtin -c "$scratch/nothing.c" -o "$scratch/nothing.o" || exit 1
    link=$(sed "s# [^ ]*liaison_hooked.dir/__/src/$file\.o##; s# -o [^ ]*# $scratch/nothing.o -o $scratch/test#" \
        "$tests/CMakeFiles/$target.dir/link.txt")
    if ! (cd "$tests" && eval "$link") >"$scratch/log" 2>&1; then
        head -n 3 "$scratch/log"
        failed=$((failed + 1))
    elif (cd "$tests" && timeout -k 5 120 "$scratch/test") >"$scratch/log" 2>&1 </dev/null; then
        echo "$test passes though $file does nothing"
        failed=$((failed + 1))
    else
        passed=$((passed + 1))
    fi
done <"$scratch/pairs"
echo "$passed subjects without which their test fails, $failed with which nothing changes"
[ $failed = 0 ]
