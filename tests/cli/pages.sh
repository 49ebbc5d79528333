# Pages for the browser: where they go, what is in them, who opens them.
. "$SOURCE_DIR/tests/cli/expect"
skater=$examples/skater/skater.lia

try run "$skater" -o page.html
if grep -q "makes no pages" err; then  # built without npm: it is said what is missing, and the rest works
    expect_code 1
    try view "$skater"
    expect_code 1
    expect_err "makes no pages"
    finish
    exit
fi
expect_code 0
expect_no_err
expect_out "wrote page.html"
expect "nothing else" test "$(ls | grep -v '^out$\|^err$\|^expect.log$')" = page.html
expect "one page" test "$(grep -c '^<!doctype html>' page.html)" = 1
expect "its data" grep -q '<script type="application/json" id="data">{"version": ' page.html
expect "nothing from elsewhere" sh -c '! grep -oE "(src|href)=\"?https?:" page.html'
expect "one that is small" test "$(wc -c <page.html)" -lt 1600000
try run "$skater" -o page.HTM --quiet
expect_no_out
expect "capitals too" test -s page.HTM
try run "$skater" -o nowhere/page.html
expect_code 1
expect_err "nowhere/page.html"
try run "$skater" -o . --quiet
expect_code 1

# a surface without end is not drawn
try run "$examples/torus/torus.lia" -D A=1e308 -o endless.html --quiet
expect "no number out of range" sh -c '! grep -q "runtime error" err'

# view: a temporary place, and the browser that was asked for
mkdir tmp
printf '#!/bin/sh\necho "$1" >"%s/opened"\n' "$scratch" >browser
chmod +x browser
TMPDIR=$scratch/tmp BROWSER=$scratch/browser
export TMPDIR BROWSER
try view "$skater" -D m=50 --until 2
expect_code 0
expect_no_err
expect_out "opened with $scratch/browser"
for i in 1 2 3 4 5 6 7 8 9 10; do
    [ -s opened ] || sleep 0.2
done
expect "it was opened" grep -q "^$scratch/tmp/liaison-[A-Za-z0-9]*/skater.html\$" opened
expect "and it is there" test -s "$(cat opened)"
expect "with that end" grep -q '"status": "done", "t": 2, ' "$(cat opened)"
BROWSER=no-such-browser
try view "$skater" --quiet
expect_code 0
expect_out "open $scratch/tmp/"
try view
expect_code 1
expect_err "which model?"
rm -rf tmp/*
try view nowhere.lia
expect_code 1
expect "nothing is left behind" test -z "$(ls tmp)"
try view - --quiet
expect_code 1
TMPDIR=$scratch/nowhere
try view "$skater"
expect_code 1
expect_err "nowhere"

# a motion that could not go on has a page too
printf "coordinate x : line\nkinetic x'^2\npotential -x^3\nstart x = 1\nrun t = 0..100\n" >wall.lia
try run wall.lia -o wall.html
expect_code 2
expect "what was reached" grep -q '"status": "failed"' wall.html
finish
