# `make install` gives a tree that works from where it lies: program, libraries, headers,
# pkg-config, CMake, man page.
set -u
[ -e "$OUTPUT_DIR/libliaison.so" ] || { echo "no library yet"; exit 77; }
ls "$SOURCE_DIR"/include/liaison/*.h >/dev/null 2>&1 || { echo "no public header yet"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix=$scratch/prefix
fail() {
    echo "$1"
    exit 1
}
cmake --install "$BUILD_DIR" --prefix "$scratch/first" >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
mv "$scratch/first" "$prefix" # it may be moved

[ -z "$LIAISON" ] || [ -x "$prefix/bin/liaison" ] || fail "no program"
for file in man/man1/liaison.1 man/man5/liaison-model.5 man/man7/liaison-errors.7 man/man7/liaison-modelling.7 \
    bash-completion/completions/liaison zsh/site-functions/_liaison fish/vendor_completions.d/liaison.fish \
    vim/vimfiles/syntax/liaison.vim liaison/vscode/package.json; do
    [ -s "$prefix/share/$file" ] || fail "no share/$file"
done

# a program of somebody else
if nm -D --defined-only "$OUTPUT_DIR/libliaison.so" | grep -qw lia_motion_run; then
    cp "$SOURCE_DIR/tests/checks/user.c" "$scratch/user.c"
else
    # the motion is not there yet: one call is enough
    {
        echo "#include <liaison/liaison.h>"
        name=$(nm -D --defined-only "$OUTPUT_DIR/libliaison.so" | awk '{ print $3; exit }')
        echo "int main(void) { void (*volatile call)(void) = (void (*)(void))$name; return call == 0; }"
    } >"$scratch/user.c"
fi

if command -v pkg-config >/dev/null 2>&1; then
    PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name liaison.pc)")
    export PKG_CONFIG_PATH
    # shellcheck disable=SC2046
    "$CC" -std=c17 -o "$scratch/user" "$scratch/user.c" $(pkg-config --cflags --libs liaison) -lm || fail "pkg-config: does not build"
    LD_LIBRARY_PATH=$(pkg-config --variable=libdir liaison) "$scratch/user" || fail "pkg-config: does not run"
fi

mkdir "$scratch/project"
cp "$scratch/user.c" "$scratch/project"
cat >"$scratch/project/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(user C)
find_package(liaison 0.1 REQUIRED)
add_executable(with_shared user.c)
target_link_libraries(with_shared liaison::liaison m)
add_executable(with_static user.c)
target_link_libraries(with_static liaison::static)
CMAKE
{
    cmake -S "$scratch/project" -B "$scratch/project/build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$CC" &&
        cmake --build "$scratch/project/build"
} >"$scratch/log" 2>&1 || { cat "$scratch/log"; fail "find_package: does not build"; }
"$scratch/project/build/with_shared" && "$scratch/project/build/with_static" || fail "find_package: does not run"
