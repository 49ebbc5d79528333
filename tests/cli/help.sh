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
for command in run check dump help explain compare; do
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
for option in --define --until --tolerance --samples --every --from --no-eliminate --output --json --quiet; do
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
expect_err "unknown command 'rnu'"
# a page is no wider than a reader's window
try run --help
expect "lines of at most 120 characters" sh -c '! grep -q ".\{121\}" out'
finish
