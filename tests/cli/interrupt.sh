# The first Ctrl-C or kill ends any command within a second; what was reached is told, and the exit
# code says which signal.
. "$SOURCE_DIR/tests/cli/expect"
chain=$examples/chain/chain.lia

# after SECONDS SIGNAL ARGUMENTS...: run the program, send it the signal then; $code, and $late:
# milliseconds until it ended
now() { date +%s%3N; }
after() {
    pause=$1 signal=$2
    shift 2
    tried="liaison $*, then kill -$signal"
    "$LIAISON" "$@" >out 2>err &
    pid=$!
    sleep "$pause"
    begun=$(now)
    kill -"$signal" $pid
    wait $pid
    code=$?
    late=$(($(now) - begun))
}
expect_soon() { expect "ended within a second, not $late ms" test "$late" -le 1000; }

for signal in INT TERM; do
    after 0.5 $signal run "$chain" --until 1e9 --samples 11 --json
    expect_code $([ $signal = INT ] && echo 130 || echo 143)
    expect_soon
    # that the end is far is said after some steps: whether these were made depends on the machine
    expect "no error" sh -c '! grep -q error err'
    expect_out '"status": "stopped", "reason": {"code": "interrupt"'
done
after 0.3 TERM run "$chain" --until 1e9 --samples 11 -o reached.csv
expect_code 143
expect "what was reached is written" test -s reached.csv

# In the middle of deciding which contacts hold: what was reached before is kept.
for pause in 0.1 0.14 0.18; do
    after $pause TERM run "$examples/heap/heap.lia" -D N=10 --json
    expect_code 143
    expect_out '"status": "stopped", "reason": {"code": "interrupt"'
done

# A portrait is made of many motions: one signal ends them all, and what there is is drawn.
cat >slow.lia <<'EOF'
coordinate q : circle
kinetic q'^2/2
potential -9.81*cos(q) - sum(i = 1..400, sin(q + 0.01*i))/400
start q = 1
run t = 0..500, samples 101
EOF
after 1 INT picture slow.lia --portrait q -o slow.svg
expect_code 130
expect_soon
expect_no_err
expect_out 'wrote slow.svg'

# Where nothing is reached yet: waiting for a model, reading and building a large one, explaining.
mkfifo pipe
after 0.2 TERM check pipe
expect_code 143
expect_soon
expect_err 'interrupted before anything was reached'
cat >large.lia <<'EOF'
coordinate x : line
coordinate y : line
kinetic (x'^2 + y'^2)/2
potential sum(i = 1..700, j = 1..700, sin(i*x + j*y)/(i*j))
start x = 1
run t = 0..10
EOF
for pause in 0.1 0.5; do
    for command in check run explain; do
        after $pause INT $command large.lia
        expect_code 130
        expect_soon
        expect_err 'interrupted before anything was reached'
    done
done

# A pipe that nobody reads: the signal comes while some of the result was written, and what is left
# waits.
mkfifo full
sleep 60 <full &
holder=$!
after 1 TERM run "$examples/skater/skater.lia" --samples 60000 -o full
expect_code 143
expect_soon
"$LIAISON" run "$examples/skater/skater.lia" --samples 60000 -o - >full 2>err &
pid=$!
sleep 1
begun=$(now)
kill -TERM $pid
wait $pid
code=$?
late=$(($(now) - begun))
tried="liaison run -o - to a pipe that nobody reads, then kill -TERM"
expect_code 143
expect_soon
kill $holder
wait $holder 2>/dev/null

# A page has what 'explain' says. After a signal its formulas are given up, however long they are:
# this one is 2^64 sines.
{
    echo 'coordinate x : line'
    echo "kinetic x'^2/2"
    echo 'function f(a) = sin(a) + cos(a)'
    echo 'function g(a) = f(f(f(f(a))))'
    echo 'function h(a) = g(g(g(g(a))))'
    echo 'potential h(h(h(h(x))))'
    echo 'start x = 1'
    echo 'run t = 0..1'
} >deep.lia
if "$LIAISON" run "$examples/skater/skater.lia" -o try.html --quiet 2>/dev/null; then
    for pause in 0.05 0.1 0.2; do
        after $pause TERM run deep.lia -o deep.html --quiet
        expect_code 143
        expect_soon
    done
fi

# Inside one long step: 10000 coordinates.
cat >wide.lia <<'EOF'
parameter N = 10000
coordinate x[i = 1..N] : line
kinetic sum(i = 1..N, x[i]'^2)/2
potential sum(i = 2..N, (x[i] - x[i-1])^2 + (x[i] - x[i-1])^4)/2
start x[1] = 1
run t = 0..1e6, samples 2
EOF
after 1.5 TERM run wide.lia --quiet
expect_code 143
expect_soon
finish
