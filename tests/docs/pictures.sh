# The pictures of the documentation are what the program draws today: the same text, and numbers
# within a quarter of a pixel (the last digit may be another one on another machine). They are
# well-formed.
set -u
cd "$SOURCE_DIR" || exit 1
[ -n "${LIAISON:-}" ] && [ -x "$LIAISON" ] || { echo "no program yet"; exit 77; }
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0
scripts/pictures "$LIAISON" "$scratch" || exit 1
for picture in docs/pictures/*.svg; do
    new=$scratch/$(basename "$picture")
    # one token a line, numbers marked
    for file in "$picture" "$new"; do
        sed 's/-\{0,1\}[0-9][0-9]*\(\.[0-9]*\)\{0,1\}/\n=&\n/g' "$file" >"$scratch/$(basename "$file").$(basename "$(dirname "$file")")"
    done
    if awk 'NR == FNR { a[FNR] = $0; n = FNR; next }
        { m = FNR; x = a[FNR]
          if (x ~ /^=/ && $0 ~ /^=/) { d = substr(x, 2) - substr($0, 2); if (d > 0.25 || d < -0.25) { print FNR ": " x " " $0; bad = 1 } }
          else if (x != $0) { print FNR ": " x " | " $0; bad = 1 }
          if (bad) exit }
        END { exit bad || n != m }' "$scratch/$(basename "$picture").pictures" "$scratch/$(basename "$new").$(basename "$scratch")"; then
        passed=$((passed + 1))
    else
        echo "$picture is not what the program draws: run scripts/pictures"
        failed=$((failed + 1))
    fi
    if command -v python3 >/dev/null 2>&1; then
        if python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' "$picture"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
    fi
done
[ $passed -gt 0 ] || failed=1
echo "$passed passed, $failed failed"
[ $failed = 0 ]
