# The page in a real browser: examples open from a file, play, and show what the CSV says
# (page.mjs).
set -u
[ -n "${LIAISON:-}" ] && [ -x "$LIAISON" ] || { echo "no program yet"; exit 77; }
command -v node >/dev/null 2>&1 || { echo "node is not installed: the page was not tested"; exit 77; }
[ -s "$WEB_DIR/page.html" ] || { echo "the page was not bundled (npm): it was not tested"; exit 77; }
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
    { echo "no chromium here: the page was not tested"; exit 77; }
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
BROWSER_PATH=$browser SCRATCH=$scratch HOME=$scratch exec_dir=$WEB_DIR
export BROWSER_PATH SCRATCH HOME
node "$SOURCE_DIR/tests/web/page.mjs" "$exec_dir"
