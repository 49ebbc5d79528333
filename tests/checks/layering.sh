# A folder of src uses only folders before it in the way of the data. Two looks at it: what the
# files include, and whether each folder links as a shared object against the earlier ones alone.
# The program uses the public functions alone.
set -u
cd "$SOURCE_DIR" || exit 1
folders="base expr lang mechanics motion geometry study output"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0

fail() {
    echo "$1"
    failed=1
}

# includes: "folder/file.h" with a folder that comes later
later="$folders cli"
for folder in $folders; do
    later=${later#"$folder "}
    for below in $later; do
        found=$(grep -rnE "#include *[\"<](\.\./)*$below/" "src/$folder" 2>/dev/null) &&
            fail "src/$folder includes from src/$below, which comes later:
$found"
    done
done
found=$(grep -rnE "#include *\"(\.\./)*($(echo "$folders" | tr ' ' '|'))/" src/cli 2>/dev/null) &&
    fail "src/cli uses the public headers only, <liaison/...>:
$found"
found=$(grep -rnE "#include *\"(\.\./)*(src|tests|bench|examples)/" src include 2>/dev/null) && fail "$found"

# links
earlier=
for folder in $folders; do
    objects=$(find "$BUILD_DIR/CMakeFiles/liaison_$folder.dir" -name '*.o' 2>/dev/null)
    # objects of sources that are gone do not count
    kept=
    for object in $objects; do
        source=src/${object#*liaison_"$folder".dir/src/}
        [ -e "${source%.o}" ] && kept="$kept $object"
    done
    [ -n "$kept" ] || continue
    # shellcheck disable=SC2086
    if ! "$CC" -shared -o "$scratch/lib$folder.so" $kept -Wl,--no-undefined -Wl,--allow-shlib-undefined $earlier -lm \
        2>"$scratch/errors"; then
        fail "src/$folder does not link against the folders before it:
$(grep 'undefined reference' "$scratch/errors" | sed 's/^[^ ]*ld: //; s/.*\/src\//src\//' | sort -u | head -20)"
        # go on with it all the same, so that the others are judged for themselves
        "$CC" -shared -o "$scratch/lib$folder.so" $kept 2>/dev/null
    fi
    earlier="$earlier $scratch/lib$folder.so"
done
if [ -d "$BUILD_DIR/CMakeFiles/liaison_cli.dir" ] && [ -e "$OUTPUT_DIR/libliaison.so" ]; then
    # shellcheck disable=SC2046
    "$CC" -o "$scratch/program" $(find "$BUILD_DIR/CMakeFiles/liaison_cli.dir" -name '*.o') \
        -L"$OUTPUT_DIR" -lliaison -lm 2>"$scratch/errors" ||
        fail "src/cli needs more than the public functions:
$(grep 'undefined reference' "$scratch/errors" | sed 's/.*undefined/undefined/' | sort -u | head -20)"
fi
exit $failed
