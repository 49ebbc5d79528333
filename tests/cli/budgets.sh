# Budgets: --steps, --time and --memory end a command; what was reached is written, exit code 3.
. "$SOURCE_DIR/tests/cli/expect"
chain=$examples/chain/chain.lia

try run "$chain" --until 1e9 --steps 7 --json
expect_code 3
expect_no_err
expect_out '"status": "stopped", "reason": {"code": "steps", "text": "its budget of 7 steps was spent at t = '
expect_out '"steps": 7,'
cp out reached.json
try run "$chain" --until 1e9 --from reached.json --steps 1 --json
expect_code 3
expect_out '"steps": 1,'
try run "$chain" --steps 1000000 --quiet
expect_code 0
try compare "$chain" "$examples/double_pendulum/double_pendulum.lia" --until 1e9 --steps 20 --samples 11
expect "a comparison of two that were stopped, $code" test "$code" = 3

begun=$(date +%s%3N)
try run "$chain" --until 1e9 --samples 11 --time 0.5 -o time.csv
expect_code 3
expect_out 'its budget of time was spent at t = '
expect "what was reached is written" test -s time.csv
expect "in less than two seconds" test $(($(date +%s%3N) - begun)) -lt 2000

cat >large.lia <<'EOF'
coordinate x : line
coordinate y : line
kinetic (x'^2 + y'^2)/2
potential sum(i = 1..700, j = 1..700, sin(i*x + j*y)/(i*j))
run t = 0..10
EOF
for command in check run explain; do
    begun=$(date +%s%3N)
    try $command large.lia --time 0.3
    expect_code 3
    expect_err "'--time 0.3' was spent before anything was reached"
    expect "in less than two seconds" test $(($(date +%s%3N) - begun)) -lt 2000
    try $command large.lia --memory 100M
    expect_code 3
    expect_err "memory is out: the budget is spent"
    expect_err "'--memory 100M' was spent before anything was reached"
done

cat >oscillator.lia <<'EOF'
coordinate x : line
kinetic x'^2/2
potential x^2/2
start x = 1
run t = 0..1e5
EOF
try run oscillator.lia --samples 10000000 --memory 150M --json
expect_code 3
expect_no_err
expect_out '"reason": {"code": "memory", "text": "its budget of memory was spent at t = '

for wrong in "--time 0" "--time nan" "--time -1" "--steps 0" "--steps 1.5" "--memory 0" "--memory x" "--memory 5Q" "--memory -5M" "--memory M"; do
    try run "$chain" $wrong
    expect_code 1
    expect_err "${wrong%% *}"
done
try explain "$chain" --memory 2GB --time 1e300 --json
expect_code 0
finish
