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
finish
