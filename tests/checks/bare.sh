# A machine without node, without npm, or without the packages of the page: the page that stands in
# for the real one compiles, the program runs, and what it leaves out it says.
set -u
objects=$BUILD_DIR/CMakeFiles/liaison_cli.dir
[ -d "$objects" ] && [ -e "$OUTPUT_DIR/libliaison.a" ] || { echo "no program yet"; exit 77; }
cd "$SOURCE_DIR" || exit 1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0
expect() { # expect WHAT COMMAND...
    what=$1
    shift
    if "$@" >"$scratch/log" 2>&1; then
        passed=$((passed + 1))
    else
        echo "$what: not so"
        cat "$scratch/log"
        failed=$((failed + 1))
    fi
}

# an npm that finds nothing to fetch
mkdir "$scratch/bin" "$scratch/unfetched"
printf '#!/bin/sh\necho "no network"\nexit 1\n' >"$scratch/bin/npm"
chmod +x "$scratch/bin/npm"
expect "web/build.sh without packages" env PATH="$scratch/bin:$PATH" sh web/build.sh "$scratch/unfetched"
# the reasons that CMake knows of
for how in LIAISON_PAGE=OFF LIAISON_NODE=LIAISON_NODE-NOTFOUND LIAISON_NPM=LIAISON_NPM-NOTFOUND; do
    mkdir "$scratch/$how"
    expect "cmake/page.cmake, $how" \
        env -C "$scratch/$how" cmake "-D$how" -DLIAISON_NODE=node -DLIAISON_NPM=npm "-D$how" \
        -DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF -DCMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH=OFF \
        -P "$SOURCE_DIR/cmake/page.cmake"
done

find "$objects" -name '*.o' | grep -v '/page\.c\.o$' | sort | while read -r object; do
    source=${object#*.dir/}
    case $source in
    src/*) [ -e "${source%.o}" ] || continue ;; # a source that is gone does not count
    esac
    echo "$object"
done >"$scratch/objects"
model=examples/skater/skater.lia
for dir in "$scratch"/unfetched "$scratch"/LIAISON_*; do
    name=${dir##*/}
    expect "$name: a page is there" test -s "$dir/page.c"
    expect "$name: it compiles" "$CC" -std=c17 -Wall -Wextra -Werror -Iinclude -Isrc -c "$dir/page.c" -o "$dir/page.o"
    case $name in
    *NODE*) expect "$name: its reason" grep -q "node was not there" "$dir/page.c" ;;
    *NPM*) expect "$name: its reason" grep -q "npm was not there" "$dir/page.c" ;;
    esac
    [ "$name" = unfetched ] || [ "$name" = LIAISON_PAGE=OFF ] || continue
    expect "$name: it links" sh -c '"$1" -o "$2/liaison" $(cat "$3") "$2/page.o" "$4" -lm' sh \
        "$CC" "$dir" "$scratch/objects" "$OUTPUT_DIR/libliaison.a"
    expect "$name: runs" "$dir/liaison" run "$model" --quiet
    expect "$name: makes no page" sh -c '! "$1" run "$2" -o "$3/page.html" 2>"$3/said"' sh \
        "$dir/liaison" "$model" "$dir"
    expect "$name: says what is left out" grep -q "this program makes no pages: ..." "$dir/said"
    expect "$name: leaves nothing" test ! -e "$dir/page.html"
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
