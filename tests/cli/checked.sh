# `run --check`: a second run with shorter steps and another order; only digits that agree are
# shown.
. "$SOURCE_DIR/tests/cli/expect"
skater=$examples/skater/skater.lia
pendulum=$examples/double_pendulum/double_pendulum.lia

# a regular motion: all digits agree, and stand as without
try run "$skater"
cp out plain
try run "$skater" --check
expect_code 0
expect_no_err
expect_out "by a second run of order 22 with steps half as long: "
expect_out "the two runs agree within "
expect_out "position  +-"
for number in 1.327271033 2.394398677 8.10785752 68.71187494 -52.09447; do
    expect_out "$number "
    expect "$number without it too" grep -qF -e "$number" plain
done
expect "without it no word of it" sh -c '! grep -e "+-" -e checked plain'

# chaos: from when on, and no digits
try run "$pendulum" --check --until 60
expect_code 0
expect_no_err
expect_out "the two runs part from t = 1"
expect_out "differences grow like"
expect_out "by 1e-9 from t = "
expect_out "they differ by 1e-12 from t = "
expect "no digit of the angles" grep -qE '^  q1 +~ ' out
expect "the energy keeps its digits" grep -qE '^  energy +16.0240198 ' out

# long before that they agree
try run "$pendulum" --check --until 3 --tolerance 1e-12
expect_code 0
expect_no_err
expect_out "the two runs agree within "

# steps that are too long for the tolerance somebody wants: a warning
cat >coarse.lia <<'END'
coordinate q : circle
kinetic q'^2/2
potential -cos(q)
start q = 2
run t = 0..50, tolerance 1e-3
END
try run coarse.lia --check
expect_code 0
expect_err "coarse.lia:5:1: warning W0414: the same run with shorter steps goes elsewhere from t = 0."
expect_out "the two runs part from t = 0."
{ cat coarse.lia; echo "event down: q = 0 falling"; } >events.lia
try run events.lia --check --tolerance 1e-12
expect_code 0
expect_no_err
expect_out "the same events, their times within "

# JSON: the numbers as they are, and their differences
try run coarse.lia --check --json
expect_code 0
expect_err "W0414"
for key in verdict order steps t largest parts rate lost state observe force power work events other_events; do
    expect_out "\"$key\": "
done
if command -v python3 >/dev/null 2>&1; then
    cp out checked.json
    try run coarse.lia --json --tolerance 1e-13
    expect "the differences are the errors" python3 -c '
import json
a, b = json.load(open("checked.json")), json.load(open("out"))
k = a["check"]
assert k["verdict"] == "differs" and 0 < k["parts"] < 5 and k["rate"] is None
for x in ("q", "q\x27"):
    error = b["state"][x] - a["state"][x]
    assert abs(k["state"][x] - error) < 0.05 * abs(error), x
assert k["events"] == [] and k["other_events"] == 0
assert "check" not in b'
fi

# what else a run writes
try run "$skater" --check -o out.csv
expect_code 0
expect "a CSV" test -s out.csv
"$LIAISON" run "$skater" -o alone.csv --quiet
expect "the same CSV" cmp out.csv alone.csv
try run "$skater" --check --quiet
expect_code 0
expect_no_out
if "$LIAISON" run "$skater" -o alone.html --quiet 2>/dev/null; then
    try run "$skater" --check -o out.html
    expect_code 0
    expect "a page" test -s out.html
fi

# a motion that fails fails alike; budgets
try run "$examples/puck/puck.lia" --check --until 2
expect_code 2
expect_out "by a second run"
try run "$skater" --check --steps 2
expect_code 3
expect_out "not checked: there was no second run"
try run "$pendulum" --check --until 1e6 --steps 1000
expect_code 3
try run "$pendulum" --check --until 60 --steps 1100
expect_code 0
"$LIAISON" run "$pendulum" --check --until 300 --time 1e-9 >out 2>err
expect "nothing was reached" test $? = 3
try run "$skater" --check --checkpoint a.check
expect_code 0
try run "$skater" --check --resume a.check
expect_code 0
expect_out "the two runs agree within "

# columns that are too narrow for differences
COLUMNS=40 "$LIAISON" run "$skater" --check >out 2>err
expect "no differences there" sh -c '! grep -qF "+-" out'

try compare "$skater" "$skater" --check
expect_code 1
expect_err "'--check' is an option of 'liaison run'"
finish
