# The site of examples and documentation: some examples, all pages, every link.
set -u
[ -n "${LIAISON:-}" ] && [ -x "$LIAISON" ] || { echo "no program yet"; exit 77; }
command -v node >/dev/null 2>&1 || { echo "node is not installed: the gallery was not tested"; exit 77; }
[ -s "$WEB_DIR/page.html" ] || { echo "the page was not bundled (npm): the gallery was not tested"; exit 77; }
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0
expect() {
    name=$1
    shift
    if "$@" >"$scratch/log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $name"
        tail -n 20 "$scratch/log"
    fi
}
LIAISON_PICTURES=no
export LIAISON_PICTURES
expect "it is built, and no link leads nowhere" node "$SOURCE_DIR/web/gallery.mjs" "$WEB_DIR" "$scratch/site" skater hamster
expect "a card for each" test "$(grep -c 'class="card"' "$scratch/site/index.html")" = 2
expect "a picture of the plot" test -s "$scratch/site/examples/skater/skater.svg"
expect "the motion" grep -q 'id="data"' "$scratch/site/examples/skater/skater.html"
expect "the words about it" grep -q '<iframe src="skater.html' "$scratch/site/examples/skater/index.html"
for page in "$SOURCE_DIR"/docs/*.md; do
    expect "docs/$(basename "$page")" test -s "$scratch/site/docs/$(basename "$page" .md).html"
done
expect "code of others is no code here" sh -c "! grep -rlE '(src|href)=\"https?:[^\"]*\\.(js|css)' '$scratch/site' --include=index.html"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
