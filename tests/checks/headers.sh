# Each public header compiles alone, as C and as C++, and every function it declares can be linked
# from both.
set -u
shared=$OUTPUT_DIR/libliaison.so
ls "$SOURCE_DIR"/include/liaison/*.h >/dev/null 2>&1 || { echo "no public header yet"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0
CXX=${CXX:-g++}
command -v "$CXX" >/dev/null 2>&1 || CXX=

all=
for header in "$SOURCE_DIR"/include/liaison/*.h; do
    include="#include <liaison/$(basename "$header")>"
    all="$all$include
"
    echo "$include" >"$scratch/alone.c"
    "$CC" -std=c17 -pedantic-errors -Wall -Wextra -Werror -I"$SOURCE_DIR/include" -fsyntax-only "$scratch/alone.c" || failed=1
    if [ -n "$CXX" ]; then
        cp "$scratch/alone.c" "$scratch/alone.cpp"
        "$CXX" -std=c++17 -Wall -Wextra -Werror -I"$SOURCE_DIR/include" -fsyntax-only "$scratch/alone.cpp" || failed=1
    fi
done

# The linker's list holds every declared function. While folders of src are still empty some are not
# there.
if [ -e "$shared" ] && [ $failed = 0 ]; then
    nm -D --defined-only "$shared" | awk '{ print $3 }' | sort >"$scratch/defined"
    sed -n 's/^ *\(lia_[a-z0-9_]*\);$/\1/p' "$BUILD_DIR/exports.map" | sort >"$scratch/declared"
    missing=$(comm -23 "$scratch/declared" "$scratch/defined")
    {
        echo "$all"
        echo "typedef void (*Any)(void);"
        echo "Any volatile every[] = {"
        comm -12 "$scratch/declared" "$scratch/defined" | sed 's/.*/    (Any)&,/'
        echo "    0};"
        echo "int main(void) { return every[0] == 0; }"
    } >"$scratch/every.c"
    cp "$scratch/every.c" "$scratch/every.cpp"
    "$CC" -std=c17 -I"$SOURCE_DIR/include" -o "$scratch/every_c" "$scratch/every.c" "$shared" || failed=1
    [ -z "$CXX" ] || "$CXX" -std=c++17 -I"$SOURCE_DIR/include" -o "$scratch/every_cpp" "$scratch/every.cpp" "$shared" ||
        { echo 'seen from C++ (extern "C" missing?)'; failed=1; }
    if [ -n "$missing" ]; then
        # one line
        echo "declared, not defined:" $missing
        ls "$SOURCE_DIR"/src/motion/*/*.c "$SOURCE_DIR"/src/output/*/*.c >/dev/null 2>&1 || exit $((failed ? 1 : 77))
        failed=1
    fi
fi
exit $failed
