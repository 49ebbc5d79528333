# When something is wrong outside or inside: a clean message, the right code, nothing half written.
. "$SOURCE_DIR/tests/cli/expect"
skater=$examples/skater/skater.lia puck=$examples/puck/puck.lia

# the model
for command in run check "dump --stage=lang"; do
    # shellcheck disable=SC2086
    try $command no-such-model.lia
    expect_code 1
    expect_err "no-such-model.lia"
    expect_no_out
    # shellcheck disable=SC2086
    try $command .
    expect_code 1
    expect_err "irectory"
    expect_no_out
done
echo 'model broken
coordinate x : lime
kinetic x^2 +' >broken.lia
for command in run check; do
    try $command broken.lia
    expect_code 1
    expect_err "broken.lia:2:"
    expect_err "broken.lia:3:"
    expect_no_out
done
try run broken.lia --json
expect_code 1
expect_no_out
try check "$skater" broken.lia
expect_code 1
expect_out "no mistakes in 'skater'"
try run "$skater" -D nobody=3
expect_code 1
expect_err "nobody"

# a picture or a document is not what -o of run writes
for kind in svg png pdf tex; do
    try run "$skater" -o "x.$kind"
    expect_code 1
    expect_err "-o writes OUT.csv or OUT.html"
    expect_no_out
    expect "nothing is written" test ! -e "x.$kind"
done

# a dissipation that drives is said, and the run goes on
echo 'model driven
coordinate x : line
kinetic x'"'"'^2/2
dissipation -x'"'"'^2
start x'"'"' = 1
run t = 0..1' >driven.lia
try run driven.lia
expect_code 0
expect_err "driven.lia:4:13: warning W0411: the dissipation feeds energy in"
sed 's/-x/x/; s/0[.][.]1/1..0/' driven.lia >drag.lia
try run drag.lia
expect_code 0
expect_no_err

# a position that leaps: the state is the one before, and its energy belongs to it
echo 'model leap
coordinate s, x : line
kinetic (s'"'"'^2 + x'"'"'^2)/2
potential 5*(x - s)^2
operator drive: s = if(t < 1, 0, 1)
run t = 0..2' >leap.lia
try run leap.lia --json
expect_code 2
expect_out '"state": {"s": 0, "x": 0,'
expect_out '"potential": 0'

# the motion cannot go on: 2, and what was reached is written
try run "$puck" --until 2 --json
expect_code 2
expect_out '"status": "failed", "reason": {"code": "E'
expect_err "puck.lia:"
try run "$puck" --until 2 -o puck.csv --quiet
expect_code 2
expect_err "puck.lia:"
expect "what was reached is written" sh -c 'tail -n 1 puck.csv | grep -q "^0\.67957866"'
try run "$puck" --until 2
expect_code 2
expect_out "failed at t = 0.6795786612 with E0404"
expect_err "error E0404"
expect "said once" sh -c '! grep -q "error E0404" out'

# the output
mkdir folder
echo old >folder/kept.csv
for path in no/such/folder.csv folder /dev/full; do
    [ -e /dev/full ] || [ $path != /dev/full ] || continue
    try run "$skater" --quiet -o $path
    expect_code 1
    expect_err "liaison: $path: "
    expect_no_out
done
expect "the device is still one" test ! -e /dev/full -o -c /dev/full
if [ "$(id -u)" != 0 ]; then
    chmod a-w folder folder/kept.csv
    try run "$skater" --quiet -o folder/new.csv
    expect_code 1
    expect_err "ermission"
    try run "$skater" --quiet -o folder/kept.csv
    expect_code 1
    expect "the old file is as it was" grep -qx old folder/kept.csv
    chmod u+w folder folder/kept.csv
fi
if [ -e /dev/full ]; then
    for options in "" "--json" "-o -"; do
        tried="liaison run $options >/dev/full"
        # shellcheck disable=SC2086
        "$LIAISON" run "$skater" $options >/dev/full 2>err
        code=$?
        expect_code 1
        expect_err "standard output"
    done
    "$LIAISON" help >/dev/full 2>err
    code=$?
    expect_code 1
fi
tried="liaison run -o - | head -n 1"
{
    "$LIAISON" run "$skater" -o - --samples 20000 2>err
    echo $? >code
} | head -n 1 >/dev/null
code=$(cat code)
expect_code 141 # SIGPIPE, as of other programs
expect_no_err
for options in "--json" "-o beside.csv" ""; do
    tried="liaison run $options | true"
    # shellcheck disable=SC2086
    { sleep 0.3; "$LIAISON" run "$skater" $options 2>err; echo $? >code; } | true
    code=$(cat code)
    expect_code 141
    expect_no_err
done
expect "the file is there all the same" test -s beside.csv
tried="liaison run >&-"
"$LIAISON" run "$skater" --json >&- 2>err
code=$?
expect_code 1
expect_err "standard output"
expect "nothing left behind" sh -c '! ls *.tmp folder/*.tmp 2>/dev/null'

# a run that cannot begin shows its start and the verdict, no zeros in place of what is not known
cat >stuck.lia <<'END'
coordinate x, y : line
kinetic 1/2*x'^2
potential y
start x = 2, x' = 3
run t = 0..1
END
try run stuck.lia
expect_code 2
expect_out "x         2         3"
expect "nothing observed" sh -c '! grep -q -e observed -e nan out'
try run stuck.lia --json
expect_out '"x": 2'
expect_out '"energy": null'
rm -f stuck.lia

# a body that comes to rest still turns: its last row has the angular velocity
cat >stop.lia <<'END'
model stopspin "a sliding ball in space that spins; friction until it stops"
parameter m = 1
body b: mass m, inertia [0.1, 0.2, 0.3], free
constraint floor: b.position.z = 0
  force d(b.position.z) - 0.3*(b.position.x'*d(b.position.x) + b.position.y'*d(b.position.y))/hypot(b.position.x', b.position.y')
gravity [0, 0, -9.81]
start b.position.x' = 2, omega(b.attitude) = [0, 0, 5]
run t = 0..2
END
try run stop.lia --json
expect_code 2
expect "it turns at 5 rad/s" sh -c "grep -o \"attitude'.z\\\": [0-9.]*\" out | awk '{ exit !(\$2 > 4.999999999 && \$2 < 5.000000001) }'"
rm -f stop.lia
finish
