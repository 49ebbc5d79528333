# `compare`: two models, or one with other forces.
. "$SOURCE_DIR/tests/cli/expect"
discs=$examples/discs/discs.lia
skater=$examples/skater/skater.lia

try compare "$discs" --rule follow=ideal
expect_code 0
expect_no_err
expect_out "discs as written (a) and discs with follow=ideal (b)"
expect_out "they part at t = "
expect_out "force(follow)"
expect_out "energy  -  1.5 within"
expect_out "log10 of the largest difference"
expect_out "b: done at t = 10"
expect "no files" sh -c '! ls *.svg *.csv 2>/dev/null'

try compare "$skater" "$skater" --until 3
expect_code 0
expect_out "the same motion, to the last bit"
expect_out "t = 0..3"

# a motion that differs by rounding alone
printf '%s\n' 'coordinate x, y : line' "kinetic x'^2 + y'^2/2" 'potential x^2 + sin(y)' \
    'constraint c: x + y = 1' 'start x = 0.3' 'run t = 0..5' >one.lia
sed 's/x + y = 1/(x + y)^3 = 1/' one.lia >two.lia
try compare one.lia two.lia
expect_code 0
expect_out "the same motion"
expect "no picture of rounding" sh -c '! grep -q "log10 of the largest" out'

# other parameters are other models
sed 's/A2 = 2/A2 = 5/' "$discs" >heavy.lia
try compare "$discs" heavy.lia --json
expect_code 0
expect_out '"parts": null'
try compare "$discs" heavy.lia --json -D k=12 --samples 11
expect_out '"samples": 11'

# JSON: one object and nothing else
try compare "$discs" --rule follow=ideal --json
expect_code 0
expect_no_err
for key in a b t0 t samples parts state observe force power work conserved only_a only_b; do
    expect_out "\"$key\": "
done
expect_out '"label": "discs with follow=ideal"'
if command -v python3 >/dev/null 2>&1; then
    expect "closed forms" python3 -c '
import json, math
d = json.load(open("out"))
x = d["state"]["th1"]
assert abs(x["a"] - math.cos(10 * math.sqrt(3))) < 1e-11 and abs(x["b"] - math.cos(10)) < 1e-11
assert x["end"] == x["b"] - x["a"] and x["largest"] > 1.9
assert d["conserved"]["a"] == {} and abs(d["conserved"]["b"]["energy"]["value"] - 1.5) < 1e-12
assert abs(d["work"]["follow"]["b"]) < 1e-12 < d["work"]["follow"]["a"]
assert list(d["force"]) == ["follow"] and len(d["force"]["follow"]) == 1'
fi

# the command line
try compare
expect_code 1
expect_err "which models?"
try compare "$discs"
expect_code 1
expect_err "--rule NAME=ideal"
try compare "$discs" "$discs" "$discs"
expect_code 1
expect_err "one too many"
try compare "$discs" "$skater" --rule follow=ideal
expect_code 1
expect_err "give one file"
for wrong in --rule=follow --rule==ideal --rule=follow= --rule=follow=idael; do
    try compare "$discs" "$wrong"
    expect_code 1
    expect_no_out
done
expect_err "did you mean 'ideal'?"
try compare "$discs" --rule folow=ideal
expect_code 1
expect_err "E0231"
try run "$discs" --rule follow=ideal
expect_code 1
expect_err "'--rule' is an option of 'liaison compare'"

# mistakes of both models are told
echo "model a" >a.lia
echo "coordinate x : lin" >b.lia
try compare a.lia b.lia
expect_code 1
expect_err "a.lia"
expect_err "b.lia:1:"
expect_no_out

# a motion that cannot go on: what both have is compared, and the code is 2
cat >sticks.lia <<'MODEL'
model sticks
coordinate x, y, z : line
kinetic (x'^2 + y'^2 + z'^2)/2
potential 9.81*z
constraint floor: z = 0
  force d(z) - 0.3*(x'*d(x) + y'*d(y))/hypot(x', y')
start x' = 2
run t = 0..1
MODEL
try compare sticks.lia --rule floor=ideal
expect_code 2
expect_out "a: failed at t = 0.679"
expect_err "E0404"
try compare sticks.lia --rule floor=ideal --json
expect_code 2
expect_out '"status": "failed", "reason": {"code": "E0404"'
finish
