# What `run` writes: the summary, JSON, CSV, pictures; where, and when.
. "$SOURCE_DIR/tests/cli/expect"
skater=$examples/skater/skater.lia

# the summary, and the picture by the model's name in the current folder
try run "$skater"
expect_code 0
expect_no_err
expect_out "skater: Skater with a twisting torso"
expect_out "state at t = 10"
expect_out "twist"
expect_out "momentum(turn)"
expect_out "done at t = 10"
expect_out "wrote skater.svg"
expect_out "x in m"
expect "a picture file" grep -q "</svg>" skater.svg
expect "no colours in a file" sh -c '! grep -q "$(printf "\033")" out'
rm -f skater.svg
(LANG=C && export LANG && "$LIAISON" run "$skater") >out 2>err
expect "plain ASCII where the locale is" sh -c '! LC_ALL=C grep -q "[^ -~]" out'
rm -f skater.svg

# JSON: one object and nothing else, no files
try run "$skater" --json
expect_code 0
expect_no_err
expect "one object" sh -c 'head -c 1 out | grep -q "{" && tail -n 1 out | grep -q "}\$"'
for key in model status t steps seconds setup_seconds state observe force power work residual balance regularity unique conserved events; do
    expect_out "\"$key\": "
done
expect_out '"model": "skater", "status": "done", "t": 10, '
expect_out '"unique": {"blade": true}'
expect_out '"force": {"blade": ['
expect "no files" sh -c '! ls *.svg *.csv 2>/dev/null'
if command -v python3 >/dev/null 2>&1; then
    expect "JSON that others read" python3 -c 'import json; d = json.load(open("out")); assert list(d)[:3] == ["model", "status", "t"]'
fi

# quiet: nothing at all
try run "$skater" --quiet
expect_code 0
expect_no_out
expect_no_err
expect "no files" sh -c '! ls *.svg *.csv 2>/dev/null'

# CSV in a file, the picture beside it
mkdir folder
try run "$skater" -o folder/result.csv --samples 11
expect_code 0
expect_out "wrote folder/result.csv, folder/result.svg"
expect "header and rows" test "$(wc -l <folder/result.csv)" = 12
expect "t first, then positions and velocities" sh -c "head -n 1 folder/result.csv | grep -q \"^t,x,y,theta,s,x',y',theta',s',energy,\""
expect "nothing else in the folder" test "$(ls folder | wc -l)" = 2
try run "$skater" -o folder/quiet.csv --quiet --every 0.5
expect_no_out
expect "a row each 0.5" test "$(wc -l <folder/quiet.csv)" = 22
expect "a picture was asked for by -o" test -e folder/quiet.svg
try run "$skater" -o folder/json.csv --json
expect_out '"status": "done"'
expect "files beside JSON" test -e folder/json.csv -a -e folder/json.svg

# CSV on standard output, and nothing else there
try run "$skater" -o - --samples 5
expect_code 0
expect_no_err
expect "five rows" test "$(wc -l <out)" = 6
expect "numbers only" sh -c "! tail -n +2 out | tr ',' '\n' | LC_ALL=C grep -q '[^-+.e0-9]'"
expect "no picture" test ! -e skater.svg

# the model from standard input
"$LIAISON" run - --json <"$skater" >out 2>err
code=$?
expect_code 0
expect_out '"model": "skater"'

# both ways give the same motion
"$LIAISON" run "$skater" -o - --samples 3 --no-eliminate >out 2>err
code=$?
expect_code 0

# check and dump
try check "$examples"/*/*.lia
expect_code 0
expect_no_err
expect "one line each" test "$(wc -l <out)" = "$(ls "$examples"/*/*.lia | wc -l)"
try check --quiet "$skater"
expect_code 0
expect_no_out
for stage in lang expr mechanics tape; do
    try dump "$skater" --stage=$stage
    expect_code 0
    expect "the blade has its line" grep -q "^constraint blade: " out
    expect "so has the operator" grep -q "^operator twist: " out
    expect_no_err
done
try dump "$skater" --stage=lnag
expect_code 1
expect_err "did you mean 'lang'?"
try dump "$skater"
expect_code 1
expect_err "which stage?"

# What is made of multipliers that are not unique is marked wherever it appears; what is unique all
# the same is not.
cat >twice.lia <<'EOF'
model twice
coordinate x, y, s : line in m
kinetic (x'^2 + y'^2 + s'^2)/2
potential 9.81*y
constraint rod: x^2 + y^2 = 1
constraint again: 2*x^2 + 2*y^2 = 2
operator lift: s = sin(t)
observe share = force(rod)
observe whole = force(rod) + 2*force(again)
start x = 1, y = 0
run t = 0..1, samples 3
plot t: force(rod), whole
EOF
try run twice.lia -o twice.csv
expect_code 0
expect "beside the number" grep -q "share  *[-0-9.e]*  *not unique" out
expect "beside the force" grep -q "rod  *constraint .* not unique" out
expect_out "a force(rod) (not unique)  b whole"
expect "a unique observable is not marked" sh -c '! grep -q "whole.*not unique" out'
expect "the operator is not marked" sh -c '! grep -q "lift.*not unique" out'
expect "marks behind all columns" sh -c 'head -n 1 twice.csv | grep -q "power(lift),unique(share),unique(force(rod)),unique(force(again))\$"'
expect "marks at each sample" sh -c 'tail -n +2 twice.csv | grep -c ",0,0,0\$" | grep -qx 3'
expect "the picture says so" grep -q "force(rod) (not unique)" twice.svg
try run twice.lia --json
expect_out '"unique": {"rod": false, "again": false}, "not_unique": ["share", "force(rod)", "force(again)"]'
try run twice.lia -o twice.html
expect "the page knows" grep -q '"name": "force(rod)", "unique": false' twice.html
expect "the page knows what is" sh -c '! grep -q "\"name\": \"whole\", \"unique\"" twice.html'
try explain twice.lia
expect_out "its forces are not unique"
try explain twice.lia --json
expect_out '"unique": false'
rm -f twice.lia twice.csv twice.svg twice.html

# Events have a file of their own, beside the CSV.
cat >ball.lia <<'MODEL'
coordinate z : line
kinetic z'^2/2
potential 10*z
contact floor: z >= 0 restitution 0.5
event high: z' = 0 falling
start z = 5
run t = 0..1.8
MODEL
try run ball.lia -o ball.csv
expect_code 0
expect_out "wrote ball.csv, ball-events.csv"
expect "their columns" sh -c "head -n 1 ball-events.csv | grep -qx \"t,kind,name,direction,impulse,energy,z,z'\""
expect "the impact: sqrt(2 h/g) = 1, P = 15, loss 37.5" sh -c 'grep -q "^1,impact,floor,0,15,-37.5," ball-events.csv'
expect "the event of the model" grep -q "^1.5,user,high,-1,0,0," ball-events.csv
try run ball.lia -o - --quiet
expect "not with standard output" sh -c '! grep -q impact out'
rm -f ball.lia ball.csv ball-events.csv ball.svg
finish
