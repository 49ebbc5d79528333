# Files that are written: never one that the run reads, links are followed, nothing is left over.
. "$SOURCE_DIR/tests/cli/expect"
cp "$examples/skater/skater.lia" x.lia
cp x.lia model.kept
try run x.lia --json
cp out state.json
cp out state.kept

# the model, or the state, by any path, for any output: left as it is, said before the run
ln x.lia hard.csv && ln -s x.lia soft.csv && ln -s soft.csv far.csv && mkdir folder && ln -s ../x.lia folder/up.html
ln state.json state.csv && ln -s state.json state.svg
for command in "run x.lia -o x.lia" "run x.lia -o ./x.lia" "run x.lia -o $scratch/x.lia" "run ./x.lia -o x.lia" \
    "run x.lia -o hard.csv" "run hard.csv -o x.lia" "run x.lia -o soft.csv" "run far.csv -o soft.csv" \
    "run x.lia -o far.csv" "run x.lia -o folder/up.html" "run folder/up.html -o folder/../hard.csv" \
    "picture x.lia -o x.lia" "picture x.lia -o hard.csv" "picture x.lia --distribution x,y -o soft.csv" \
    "run x.lia --from state.json --until 12 -o state.csv" "run x.lia --from state.csv --until 12 -o state.csv" \
    "picture x.lia --from state.json --until 12 -o state.svg" "picture x.lia --from state.json --until 12 -o state.json"; do
    # shellcheck disable=SC2086
    try $command
    expect_code 1
    expect_err "is read by this run: it is left as it is"
    expect_no_out
    cmp -s x.lia model.kept && cmp -s state.json state.kept || expect "the model and the state as they were" false
done
expect "the links as they were" test -L soft.csv -a -L far.csv -a -L folder/up.html -a -L state.svg
tried="liaison run - -o x.lia <x.lia"
"$LIAISON" run - -o x.lia <x.lia >out 2>err
code=$?
expect_code 1
expect_err "is read by this run"
tried="liaison run x.lia -o - >>x.lia"
"$LIAISON" run x.lia -o - >>x.lia 2>err
code=$?
expect_code 1
expect_err "standard output: is read by this run"
tried="liaison run x.lia --from - -o state.json <state.json"
"$LIAISON" run x.lia --until 12 --from - -o state.csv <state.json >out 2>err
code=$?
expect_code 1
expect "the model and the state are as they were" sh -c 'cmp x.lia model.kept && cmp state.json state.kept'

# a picture by the model's name, or next to the CSV, that leads to the model
ln x.lia skater.svg
try run x.lia
expect_err "skater.svg: is read by this run: it is left as it is"
expect_out "done at t = 10"
try run skater.svg -o skater.csv
expect_code 1
expect_err "skater.svg: is read by this run: it is left as it is"
rm skater.svg skater.csv
ln x.lia skater-picture.svg
try picture x.lia
expect_code 1
expect_err "skater-picture.svg: is read by this run"
ln -s x.lia y.svg
try run x.lia -o y.csv
expect_code 1
expect_err "y.svg: is read by this run"
expect "the model is as it was" cmp x.lia model.kept
rm -f ./*.svg ./*.csv folder/*

# a link to a file is kept and its file written; one to what is not there is followed
echo old >folder/target.csv
ln -s folder/target.csv link.csv
try run x.lia -o link.csv --samples 5
expect_code 0
expect "the file, not the link" sh -c 'test -L link.csv && test "$(wc -l <folder/target.csv)" = 6'
rm folder/target.csv
ln -s link.csv second.csv
try run x.lia -o second.csv --samples 7
expect_code 0
expect "both links are still there" test -L link.csv -a -L second.csv
expect "the file they lead to is" sh -c 'test -f folder/target.csv && test "$(wc -l <folder/target.csv)" = 8'
rm -rf folder/* ./*.csv ./*.svg
ln -s "$scratch/folder/absolute.csv" link.csv
try run x.lia -o link.csv --quiet
expect "a link with the whole path" test -L link.csv -a -f folder/absolute.csv
ln -sf nowhere/target.csv link.csv
ln -s loop.csv loop.csv
for link in link loop; do
    try run x.lia -o $link.csv --quiet
    expect_code 1
    expect_err "liaison: $link.csv: "
    expect "$link is still a link" test -L $link.csv
done
ln -s folder/picture.svg skater-picture.svg
try picture x.lia
expect_code 0
expect "a picture through a link" test -L skater-picture.svg -a -f folder/picture.svg
expect "nothing else" test "$(find . -name '*.tmp' | wc -l)" = 0
rm -rf folder/* ./*.csv ./*.svg
long=$(printf '%0251d' 0).csv
try run x.lia -o "$long" --quiet
expect_code 0
expect "a name as long as can be" test -s "$long"
rm -f ./0*

# what programs leave that were killed is cleared by the next one, what others are writing is not
touch folder/out.csv.liaison-1-0.tmp folder/out.csv.liaison-99999999-12.tmp
touch folder/out.csv.liaison-mine.tmp folder/other.csv.liaison-1-0.tmp folder/out.csv.1-0.tmp
ln -s ../x.lia folder/out.csv.liaison-2-0.tmp
mkdir folder/out.csv.liaison-3-0.tmp
try run x.lia -o folder/out.csv --quiet
expect_code 0
expect "left over ones are gone" test ! -e folder/out.csv.liaison-1-0.tmp -a ! -e folder/out.csv.liaison-99999999-12.tmp
for other in out.csv.liaison-mine.tmp other.csv.liaison-1-0.tmp out.csv.1-0.tmp; do
    expect "$other is none" test -f folder/$other
done
expect "nor a link or a folder" test -L folder/out.csv.liaison-2-0.tmp -a -d folder/out.csv.liaison-3-0.tmp
rm -rf folder/*
if command -v flock >/dev/null 2>&1; then
    flock -o folder/out.csv.liaison-1-0.tmp sleep 5 &
    holder=$!
    while flock -n folder/out.csv.liaison-1-0.tmp true; do sleep 0.05; done
    try run x.lia -o folder/out.csv --quiet
    expect_code 0
    expect "one that somebody writes stays" test -f folder/out.csv.liaison-1-0.tmp
    kill $holder
    wait $holder 2>/dev/null
    while ! flock -n folder/out.csv.liaison-1-0.tmp true; do sleep 0.05; done
    try run x.lia -o folder/out.csv --quiet
    expect "until its writer is gone" test ! -e folder/out.csv.liaison-1-0.tmp
fi
tried="kill -9 while a file is written"
for round in 1 2; do
    rm -rf folder/*
    echo old >folder/out.csv
    "$LIAISON" run x.lia -o folder/out.csv --quiet --samples 60000 2>/dev/null &
    writer=$!
    for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        [ "$(ls folder | wc -l)" -gt 1 ] && break
        sleep 0.05
        [ $i != 20 ] || sleep 1
    done
    while [ "$(ls folder | wc -l)" = 1 ] && kill -0 $writer 2>/dev/null; do sleep 0.05; done
    kill -9 $writer 2>/dev/null && wait $writer 2>/dev/null
    expect "the old file, or all of the new one" sh -c 'grep -qx old folder/out.csv || test "$(wc -l <folder/out.csv)" = 60001'
    try run x.lia -o folder/out.csv --quiet --samples 3
    expect_code 0
    expect "nothing is left" sh -c '! ls folder/*.tmp'
done

# a limit on the size of files: a message, 1, no file
rm -rf folder/*
echo old >folder/old.csv
for output in new.csv old.csv; do
    tried="ulimit -f 1; liaison run -o folder/$output"
    (ulimit -f 1 && "$LIAISON" run x.lia -o folder/$output --quiet) >out 2>err
    code=$?
    expect_code 1
    expect_err "liaison: folder/$output: File too large"
done
expect "no file that was not there, the old one as it was" sh -c 'test "$(ls folder)" = old.csv && grep -qx old folder/old.csv'
(ulimit -f 1 && "$LIAISON" picture x.lia -o folder/new.svg) >out 2>err
code=$?
expect_code 1
expect "no picture" test ! -e folder/new.svg
(ulimit -f 1 && "$LIAISON" run x.lia -o folder/new.html) >out 2>err
code=$?
expect_code 1
expect "no page" sh -c 'test "$(ls folder)" = old.csv'
(ulimit -f 1 && "$LIAISON" run x.lia --json >folder/json) 2>err
code=$?
expect_code 1
expect_err "standard output"

# the folder of a page that was never written goes with the next one; a page stays
mkdir tmp tmp/liaison-abcdef tmp/liaison-ghijkl tmp/other-abcdef
touch tmp/liaison-ghijkl/x.html
if "$LIAISON" run x.lia --until 0.1 -o page.html --quiet 2>/dev/null; then
    TMPDIR=$scratch/tmp BROWSER=true "$LIAISON" view x.lia --until 0.1 --quiet >out 2>err
    code=$?
    expect_code 0
    expect "an empty one is gone" test ! -e tmp/liaison-abcdef
    expect "others stay" test -d tmp/other-abcdef -a -f tmp/liaison-ghijkl/x.html
    expect "and the new page" test "$(find tmp -name '*.html' | wc -l)" = 2
fi
finish
