# Every .c file of src/mechanics and src/motion is the subject of a test, which says so near its
# top:
#
#   // Tests: mechanics/kkt/project.c, mechanics/kkt/rubbing.c
#   // By law: motion/run/long_run.c: what a run keeps does not grow with its length
#
# `Tests` calls the file: its object needs a function or table of that file's object. `By law` is
# for a file whose functions work on a run in its midst: the test has a law that the file keeps,
# which is written there. How many files have no more than that stands below, and may only become
# smaller. That a test fails where a file named by either line does nothing at all is what
# scripts/verify.d/75-subjects.sh looks at.
set -u
by_law_most=57
cd "$SOURCE_DIR" || exit 1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
[ -d "$BUILD_DIR/CMakeFiles/liaison_motion.dir" ] || { echo "no objects yet"; exit 77; }

# "FILE TEST how", from the lines
find tests -name 'test_*.c' | sort | xargs awk '
    FNR > 40 { next }
    sub(/^\/\/ Tests: /, "") { for (i = split($0, file, /, */); i > 0; i--) print file[i], FILENAME, "calls" }
    sub(/^\/\/ By law: /, "") {
        file[1] = $0; sub(/:.*/, "", file[1])
        law = $0; sub(/^[^:]*: */, "", law)
        print file[1], FILENAME, (split(law, word, " ") >= 4 ? "law" : "wordless")
    }' >"$scratch/lines"
# "FILE NAME": what another file could call
find src/mechanics src/motion -name '*.c' | sort | sed 's/^src\///' >"$scratch/files"
sed "s#\([^/]*\)/.*#$BUILD_DIR/CMakeFiles/liaison_\1.dir/src/&.o#" "$scratch/files" | xargs nm -gA --defined-only 2>/dev/null |
    sed 's#^.*\.dir/src/\(.*\)\.o:[^ ]* *. #\1 #' >"$scratch/defined"
# "TEST NAME": what a test needs from others
awk '{ print $2 }' "$scratch/lines" | sort -u | while read -r test; do
    name=${test#tests/} target=$(echo "${test#tests/}" | sed 's#/#-#g; s#\.c$##')
    echo "$BUILD_DIR/tests/CMakeFiles/$target.dir/$name.o"
done | xargs nm -uA 2>/dev/null | sed 's#^.*\.dir/\(.*\)\.o: *U #tests/\1 #' >"$scratch/needed"

awk -v most=$by_law_most '
    FILENAME ~ /files$/ { is[$1] = 1; order[++count] = $1; next }
    FILENAME ~ /defined$/ { of[$2] = $1; next }
    FILENAME ~ /needed$/ { built[$1] = 1; if ($2 in of) calls[of[$2] " " $1] = 1; next }
    function wrong(text) { print text; failed++ }
    !($1 in is) { wrong($2 " names " $1 ", which is not there"); next }
    $3 == "wordless" { wrong($2 ": no law of " $1); next }
    $3 == "law" { law[$1] = 1; passed++; next }
    !($2 in built) { wrong($2 " is not built"); next }
    !(($1 " " $2) in calls) { wrong($2 " calls nothing of " $1); next }
    { direct[$1] = 1; passed++ }
    END {
        for (i = 1; i <= count; i++) {
            if (order[i] in direct) continue
            if (order[i] in law) by_law++
            else wrong("src/" order[i] " is the subject of no test")
        }
        if (by_law > most) wrong(by_law " files are tested by law alone; there were " most)
        if (by_law < most) wrong("only " by_law " files are tested by law alone: set by_law_most in this check")
        print passed + 0 " passed, " failed + 0 " failed"
        exit failed > 0
    }' "$scratch/files" "$scratch/defined" "$scratch/needed" "$scratch/lines"
