# Help and version, of the program and of each command.
. "$SOURCE_DIR/tests/cli/expect"

for way in help --help -h; do
    try $way
    expect_code 0
    expect_no_err
    for command in run check dump help explain studio; do
        expect_out "  $command "
    done
done
try --version
expect_code 0
expect_out "liaison "
try run --version
expect_code 0
expect_out "liaison "
for command in run view picture check dump help explain compare; do
    try help $command
    expect_code 0
    expect_out "liaison $command "
    cp out page
    try $command --help
    expect_code 0
    expect "the same page" cmp page out
    try $command -h
    expect_code 0
done
try run --help
for option in --define --until --tolerance --samples --every --step-most --from --no-eliminate --output --json --quiet; do
    expect_out "$option"
done
try compare --help
expect_out "--rule"
expect "lines of at most 120 characters" sh -c '! grep -q ".\{121\}" out'
try dump --help
expect_out "--stage"
expect "an option of run is not on the page of dump" sh -c '! grep -q -e --until out'
try help rnu
expect_code 1
expect_err "no help on 'rnu'; did you mean 'run'?"

# topics: every statement, every function, every code, every page
rows() { sed -n "s/^$1([A-Z0-9_]*, \"\([^\"]*\)\".*${3:-}.*/\1/p" "$SOURCE_DIR/src/lang/$2"; }
for word in $(rows LIA_KEYWORD syntax/keywords.def) $(rows LIA_FUNCTION ../expr/graph/ops.def) \
    $(rows LIA_BUILTIN elaborate/builtin.def) units constraint rotation line start; do
    try help "$word"
    expect_code 0
    expect_no_err
    expect "'$word' stands there" grep -qw -e "$word" out
done
for code in $(sed -n 's/^### \([EW][0-9]*\):.*/\1/p' "$SOURCE_DIR/docs/errors.md"); do
    try help "$code"
    expect_code 0
    expect "its own section alone" test "$(grep -c '^[EW][0-9][0-9][0-9][0-9]: ' out)" = 1
done
for page in "$SOURCE_DIR"/docs/[a-z]*.md; do
    try help "$(basename "$page" .md)"
    expect_code 0
done
try help e0213
expect_out "E0213: nonlinear in the velocities"
try help what a constraint is
expect_out "What a constraint is"
try help friction
expect_out "Friction while it slides"
try help topics
expect_code 0
expect_out "operator"
expect_out "modelling"
try help opertor
expect_code 1
expect_err "did you mean 'operator'?"
COLUMNS=60
export COLUMNS
try help constraint
expect "text is broken at the width" sh -c '! grep -v "^    " out | grep -v "^  " | LC_ALL=C.UTF-8 grep -q ".\{61\}"'
unset COLUMNS
# a page is no wider than a reader's window
try run --help
expect "lines of at most 120 characters" sh -c '! grep -q ".\{121\}" out'
finish
