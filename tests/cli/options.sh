# The command line: what is wrong is told, all of it, with what would have been right, and the code
# is 1.
. "$SOURCE_DIR/tests/cli/expect"
skater=$examples/skater/skater.lia

try
expect_code 1
expect_err "say what to do"
expect_no_out
try rnu "$skater"
expect_code 1
expect_err "unknown command 'rnu'; did you mean 'run'?"
try "$skater"
expect_code 1
expect_err "liaison run $skater"
try --json
expect_code 1
expect_err "a command comes first"
try run
expect_code 1
expect_err "which model?"
try run "$skater" "$skater"
expect_code 1
expect_err "one model at a time"

# all at once
try run "$skater" --util 3 --samples -4 --tolerance=x -Dm --jsn --until -o
expect_code 1
expect_err "unknown option '--util'; did you mean '--until'?"
expect_err "--samples wants a whole number"
expect_err "--tolerance wants a positive number, not 'x'"
expect_err "-D wants NAME=VALUE, not 'm'"
expect_err "did you mean '--json'?"
expect_err "'--until' wants a value: T"
expect_err "'-o' wants a value: OUT.csv"
expect_no_out

for wrong in --tolerance=0 --tolerance=-1 --tolerance=nan --samples=0 --samples=2.5 --samples=1e30 --every=0 --step-most=0 --step-most=-1 \
    --until=inf --until= -Dm=kg -D=3 -Dm= --json=1 --quiet=yes -x; do
    try run "$skater" "$wrong"
    expect_code 1
    expect_no_out
done
try run "$skater" --samples 3 --every 1
expect_code 1
expect_err "say the same thing twice"
try run "$skater" --stage=lang
expect_code 1
expect_err "'--stage' is an option of 'liaison dump'"
try run "$skater" --json -o -
expect_code 1
expect_err "both want standard output"
try run "$skater" -o page.h5
expect_code 1
expect_err "not in this version"
expect "no page" test ! -e page.h5
try run "$skater" -o page.json
expect_code 1
expect_err "--json > page.json"

# the ways to write an option
for way in "--until 2" "--until=2"; do
    # shellcheck disable=SC2086
    try run "$skater" --json $way
    expect_code 0
    expect_out '"t": 2, '
done
try run --json "$skater" --until=-2
expect_out '"t": -2, '
try run --json "$skater" --until -2
expect_out '"t": -2, '
for way in "-D m=30" "-Dm=30" "--define m=30" "--define=m=30" "-D m=99 -D m=30"; do
    # shellcheck disable=SC2086
    try run "$skater" --json $way --until 0
    expect_code 0
    expect_out '"p": 45'
done
cp "$skater" ./-model.lia
try run --json --until 0 -- -model.lia
expect_code 0
expect_no_err

# commands whose turn comes later
for command in sweep stability plan fit export studio; do
    try $command "$skater" --anything
    expect_code 1
    expect_err "'$command' is not in this version"
    expect_no_out
    try $command --help
    expect_code 0
done
# what is asked beyond what numbers hold is said
try run "$examples/discs/discs.lia" --tolerance 1e-30
expect_code 0
expect_out "tolerance 1e-30 is finer than numbers are: 1e-16 is used"
try run "$examples/discs/discs.lia" --tolerance 5
expect_out "tolerance 5 says nothing: 0.01 is used"
# Chetaev's rule for an equation that does not need it
printf '%s\n' 'model c' 'coordinate x, y : line' "kinetic (x'^2 + y'^2)/2" 'constraint rail: y = x^2 force chetaev' \
    "constraint knife: x' = 1 force chetaev" 'run t = 0..1' > chetaev.lia
try run chetaev.lia
expect_code 0
expect_out "'rail' is geometric: 'force chetaev' is the ideal force there"
expect_out "'knife' is linear in the velocities: 'force chetaev' is the ideal force there"
try explain chetaev.lia
expect_out "'rail' is geometric: 'force chetaev' is the ideal force there"
finish
