# `examples`: the models the program carries are those of the tree; they are listed and copied, and
# nothing is overwritten.
. "$SOURCE_DIR/tests/cli/expect"

try examples
expect_code 0
expect_no_err
for model in "$examples"/*/*.lia; do
    expect_out "  $(basename "$model" .lia) "
done
expect "each is listed once" sh -c 'test "$(grep -c "^  " out)" = "$(ls "'"$examples"'"/*/*.lia | wc -l)"'
expect "in the groups of the gallery" sh -c 'test "$(head -n 1 out)" = "Nobody acts" && grep -qx "The joints, one by one" out'
for model in "$examples"/*/*.lia; do
    file=$(basename "$model")
    try examples "${file%.lia}"
    expect_code 0
    expect_out "wrote $file"
    expect "the same file" cmp "$model" "$file"
done
echo mine >puck.lia
try examples puck
expect_code 1
expect_err "puck.lia is there already"
expect "left as it is" grep -qx mine puck.lia
try examples skatr
expect_code 1
expect_err "did you mean 'skater'?"
finish
