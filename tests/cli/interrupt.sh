# Ctrl-C and kill stop a run cleanly: what was reached is told, and the code is 0.
. "$SOURCE_DIR/tests/cli/expect"
chain=$examples/chain/chain.lia

for signal in INT TERM; do
    tried="liaison run --until 1e9, then kill -$signal"
    "$LIAISON" run "$chain" --until 1e9 --samples 11 --json >out 2>err &
    pid=$!
    sleep 1
    kill -$signal $pid
    wait $pid
    code=$?
    expect_code 0
    expect_no_err
    expect_out '"status": "stopped", "reason": {'
done

# A portrait is made of many motions: one signal ends them all, and what there is is drawn.
cat >slow.lia <<'EOF'
coordinate q : circle
kinetic q'^2/2
potential -9.81*cos(q) - sum(i = 1..400, sin(q + 0.01*i))/400
start q = 1
run t = 0..500, samples 101
EOF
tried="liaison picture --portrait, then kill -INT"
"$LIAISON" picture slow.lia --portrait q -o slow.svg >out 2>err &
pid=$!
sleep 2
kill -INT $pid
begun=$(date +%s)
wait $pid
code=$?
expect_code 0
expect_no_err
expect_out 'wrote slow.svg'
expect "no more than 3 seconds behind the signal" test $(($(date +%s) - begun)) -le 3
finish
