# `run --from`: a run goes on where another ended.
. "$SOURCE_DIR/tests/cli/expect"
skater=$examples/skater/skater.lia

state_of() { sed -n 's/.*"state": {\([^}]*\)}.*/\1/p' "$1"; }

# to the last bit
try run "$skater" --until 5 --json
cp out half.json
try run "$skater" --from half.json --until 5 --json
expect_code 0
expect_no_err
expect "the same state" test "$(state_of half.json)" = "$(state_of out)"
expect_out '"t": 5, "steps": 0'

# two halves are the whole
try run "$skater" --json
cp out whole.json
try run "$skater" --from half.json --json
expect_code 0
expect_out '"t": 10, '
expect_no_err
{ state_of whole.json; state_of out; } | tr -d '",' | tr ':' ' ' >both
expect "within 1e-11" awk 'NR == 1 { split($0, a) } NR == 2 { n = split($0, b)
    for (i = 2; i <= n; i += 2) { d = a[i] - b[i]; if (d > 1e-11 || d < -1e-11 || a[i - 1] != b[i - 1]) exit 1 }
    if (n != 16) exit 1 }' both
try run "$skater" --from half.json
expect_out "t = 5..10"
expect_out "start: from half.json, at t = 5; works are counted from there"
rm -f skater.svg
try run "$skater" --from half.json -o rest.csv --quiet
expect_code 0
expect "rows from t = 5 on" sh -c 'sed -n 2p rest.csv | grep -q "^5,"'
rm -f rest.csv rest.svg

# a state from a pipe, and from an event
tried="liaison run --json | liaison run --from -"
"$LIAISON" run "$skater" --until 5 --json | "$LIAISON" run "$skater" --from - --until 5 --json >out 2>err
code=$?
expect_code 0
expect "the same state" test "$(state_of half.json)" = "$(state_of out)"
try run - --from -
expect_code 1
expect_err "cannot both come from standard input"

# the end of the run, and behind it
try run "$skater" --from whole.json
expect_code 0
expect_out "nothing is left to run (--until T goes on)"
try run "$skater" --until 20 --json
cp out late.json
try run "$skater" --from late.json
expect_code 1
expect_err "E0317"
expect_err "say how far to go: --until T"
try run "$skater" --from late.json --until 21 --json
expect_code 0
expect_out '"t": 21, '

# written by hand: what is missing is said and found
echo '{"x": 1, "x'"'"'": 2, "t": 3}' >hand.json
try run "$skater" --from hand.json --until 3 --json
expect_code 0
expect_err "hand.json: warning W0315"
expect_err "missing: y, theta, s, y', theta', s'"
expect_out '"state": {"x": 1, '
try run "$skater" --from hand.json --until 3 --json --quiet
expect_no_err

# values of a file are data, what the model says beside them are guesses; angular velocities too
cat >roll.lia <<'EOF'
model roll
coordinate x, y : line
coordinate g : rotation
body ball: mass 1, inertia 0.004, position [x, y, 0.1], attitude g
constraint rolling: velocity(ball, [x, y, 0]) = 0
start x' = 0.2, y' = 0, omega(g) = [0, 2, 5]
run t = 0..1
EOF
echo '{"x'"'"'": 3, "y'"'"'": 1}' >hand.json
try run roll.lia --from hand.json --until 0 --json
expect_code 0
expect "velocities of the file, omega that rolls with them, the spin of the model" grep -q "\"x'\": 3, \"y'\": 1, \"g'.x\": -10, \"g'.y\": 30, \"g'.z\": 5}" out
echo '{"g'"'"'.x": 1, "g'"'"'.y": 0, "g'"'"'.z": 7}' >hand.json
try run roll.lia --from hand.json --until 0 --json
expect_code 0
expect "the angular velocity of the file, velocities that roll with it" grep -q "\"y'\": -0.1[0-9]*, \"g'.x\": 1, \"g'.y\": 0, \"g'.z\": 7}" out
echo '{"g'"'"'.z": 7}' >hand.json
try run roll.lia --from hand.json --until 0 --json
expect_code 1
expect_err "E0318"
expect_err "only 1 of the 3 numbers of the angular velocity of 'g' is given"
rm -f roll.lia

# a state of another model with the same names is taken, and said to be one
sed 's/^model skater/model other/' "$skater" >other.lia
try run other.lia --from half.json
expect_code 0
expect_out "start: from half.json, a state of the model 'skater', at t = 5"
rm -f other.lia other.svg

# what is wrong is told with its place
printf '{"state": {"x": 1,\n  "hight": 2}}' >wrong.json
try run "$skater" --from wrong.json
expect_code 1
expect_err "wrong.json:2:3: error E0312: the model 'skater' has no coordinate or velocity 'hight'"
expect_no_out
printf '{"state": {"x": 1,\n  }}' >wrong.json
try run "$skater" --from wrong.json
expect_code 1
expect_err "wrong.json:2:3: error E0310: this is not JSON"
try run "$skater" --from nowhere.json
expect_code 1
expect_err "nowhere.json: error E0316: the file cannot be read: No such file or directory"
# a driven coordinate that is not where its operator has it
sed 's/"s": [^,]*/"s": 0.5/' half.json >wrong.json
try run "$skater" --from wrong.json
expect_code 1
expect_err "the start contradicts 'twist'"
finish
