# Every C file of the tree is read by clang too, with the warnings of the build as errors, where
# clang is installed. Nothing is compiled: `make clang` does that.
set -u
command -v clang >/dev/null 2>&1 || { echo "clang is not installed"; exit 77; }
commands=$BUILD_DIR/compile_commands.json
[ -s "$commands" ] || { echo "there is no $commands"; exit 1; }
# one line for each command of the build, its file as the last word; what is named twice is read
# once
sed -n 's/^ *"command": "\(.*\)",$/\1/p' "$commands" | sed 's/\\\\\\"/\\"/g; s/^[^ ]*/clang -fsyntax-only/; s/ -o [^ ]*//; s/ -c / /' |
    awk '$NF ~ /\.c$/ && !seen[$NF]++' >"$BUILD_DIR/clang-commands"
count=$(wc -l <"$BUILD_DIR/clang-commands")
[ "$count" -gt 500 ] || { echo "only $count files to read"; exit 1; }
xargs -d '\n' -n 25 sh -c 'failed=0; for line; do eval "$line" || failed=1; done; exit $failed' sh <"$BUILD_DIR/clang-commands" ||
    exit 1
echo "clang has read $count files"
