# Checkpoints: a run that was killed, or stopped, goes on and gives the same bytes; what is no
# checkpoint of the run is refused.
. "$SOURCE_DIR/tests/cli/expect"
skater=$examples/skater/skater.lia
plain() { sed 's/"seconds": [^,]*, "setup_seconds": [^,]*,//' "$1"; }

cat >long.lia <<'END'
model long "three springs, hard and soft, and a wall"
coordinate x, y, z : line
kinetic (x'^2 + y'^2 + z'^2)/2
potential 50*(x^2 + 2*y^2 + 3*z^2)/2 + x^4/4 + abs(y)/10 + cos(x - z)
constraint tie: z = x*y
event middle: x = 0
start x = 1, y = 0.5, x' = 0.3
run t = 0..300, samples 200
END
began=$(date +%s%N)
try run long.lia --json -o whole.csv
expect_code 0
took=$(($(date +%s%N) - began))
part() { awk -v t="$took" -v p="$1" 'BEGIN { printf "%.3f", t*p/1e9 }'; } # of the time it takes
cp out whole.json
rm -f ./*.svg

# stopped by a budget of steps, by a signal, by one of time
try run long.lia --json --steps 100 --checkpoint run.check
expect_code 3
try run long.lia --json --resume run.check -o again.csv
expect_code 0
expect_no_err
plain out >again.json
plain whole.json >wanted.json
expect "the same result" cmp again.json wanted.json
expect "the same samples" cmp again.csv whole.csv
try run long.lia --json --steps 100 --resume run.check
expect_code 3
expect_out '"steps": 100'
rm -f run.check again.csv
tried="kill -TERM"
"$LIAISON" run long.lia --quiet --checkpoint run.check >out 2>err &
victim=$!
sleep "$(part 0.4)"
kill -TERM $victim 2>/dev/null
wait $victim
try run long.lia --json --resume run.check -o again.csv
expect_code 0
plain out >again.json
expect "the same result" cmp again.json wanted.json

# killed at any instant, again and again, with one command for all
for round in 1 2; do
    rm -f run.check again.csv
    code=1
    for pause in 0.3 0.1 0.45 0.2; do
        "$LIAISON" run long.lia --quiet --checkpoint run.check --checkpoint-every 0.01 --resume run.check >out 2>err &
        victim=$!
        sleep "$(part $pause)"
        kill -9 $victim 2>/dev/null
        wait $victim 2>/dev/null
    done
    try run long.lia --json --checkpoint run.check --resume run.check -o again.csv
    expect_code 0
    plain out >again.json
    expect "the same result" cmp again.json wanted.json
    expect "the same samples" cmp again.csv whole.csv
    expect "nothing is left over" sh -c '! ls *.tmp'
done

# a run that is over gives its result at once; the same with another place for the file
try run long.lia --json --resume run.check -o again.csv
expect_code 0
plain out >again.json
expect "the same result" cmp again.json wanted.json
try run "$skater" --checkpoint new.check --resume new.check --until 1
expect_code 0
expect_err "new.check is not there yet: the run begins at its start"
try run "$skater" --checkpoint new.check --resume new.check --until 1
expect_code 0
expect_no_err

# of another model, other values, other options; no checkpoint, not all of one
try run "$skater" --resume run.check
expect_code 1
expect_err "error E0322: the checkpoint 'run.check' is of another model"
expect_no_out
try run "$skater" --until 1 -D m=61 --resume new.check
expect_err "error E0322"
try run "$skater" --until 1 --no-eliminate --resume new.check
expect_err "error E0322"
try run "$skater" --until 1 -D m=60 --resume new.check
expect_err "error E0322"
for options in "--until 2" "--until 1 --tolerance 1e-10" "--until 1 --samples 5" "--until 1 --every 0.1" "--until 1 --step-most 0.1"; do
    # shellcheck disable=SC2086
    try run "$skater" $options --resume new.check
    expect_code 1
    expect_err "is of a run with other options or another start"
done
"$LIAISON" run "$skater" --json --until 0 >state.json
try run "$skater" --until 1 --from state.json --resume new.check
expect_err "another start"
for file in missing.check "$skater" . /dev/null; do
    try run "$skater" --until 1 --resume "$file"
    expect_code 1
    expect_err "error E032"
done
head -c 500 new.check >part.check
try run "$skater" --until 1 --resume part.check
expect_err "error E0321: the checkpoint 'part.check' is not all there"

# the command line
try run "$skater" --checkpoint-every 3
expect_code 1
expect_err "'--checkpoint FILE'"
try run "$skater" --checkpoint -
expect_code 1
for output in new.check ./new.check "$scratch/fresh.check"; do
    try run "$skater" --checkpoint "$(basename $output)" -o "$output"
    expect_code 1
    expect_err "'-o' would replace the checkpoint"
done
cp "$skater" own.lia
try run own.lia --checkpoint own.lia
expect_code 1
expect_err "own.lia: is read by this run"
expect "the model is as it was" cmp own.lia "$skater"
try run "$skater" --checkpoint no/such/folder/c
expect_code 1
expect_err "no/such/folder/c"
(ulimit -f 1 && "$LIAISON" run "$skater" --quiet --checkpoint large.check) >out 2>err
code=$?
expect_code 1
expect_err "error E0323: the checkpoint 'large.check' cannot be written: File too large"
expect "nothing is left" sh -c '! ls large.check*'
finish
