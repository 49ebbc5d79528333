# What the shells are given: it can be read by them, and it completes.
. "$SOURCE_DIR/tests/cli/expect"
touch a.lia b.lia note.txt

for shell in bash zsh fish; do
    try completion $shell
    expect_code 0
    expect_no_err
    cp out completion.$shell
    # all commands and options of the program
    for command in $(sed -n 's/^LIA_COMMAND([A-Z]*, "\([a-z]*\)".*, lia_cmd_\([a-z]*\)).*/\1 \2/p' "$SOURCE_DIR/src/cli/commands/commands.def" |
        sed -n '/ later$/!s/ .*//p'); do
        expect_out "$command"
    done
    for option in $(sed -n 's/^LIA_OPTION([A-Z_]*, "\([a-z-]*\)".*/\1/p' "$SOURCE_DIR/src/cli/options.def"); do
        expect "--$option" grep -qE -e "(--|-l )$option" out
    done
    if command -v $shell >/dev/null 2>&1; then
        expect "$shell reads it" $shell -n completion.$shell
    fi
done

if command -v bash >/dev/null 2>&1; then
    # complete WORDS...: what bash offers for the last word
    cat >complete.bash <<'BASH'
source ./completion.bash
COMP_WORDS=(liaison "$@") COMP_CWORD=$#
_liaison
printf '%s\n' "${COMPREPLY[@]}"
BASH
    complete() {
        tried="bash: liaison $*"
        bash complete.bash "$@" >out 2>err
        expect_no_err
    }
    complete ex
    expect "explain, examples" test "$(sort out | tr '\n' ' ')" = "examples explain "
    complete run --un
    expect_out "--until"
    complete run ""
    expect_out "a.lia"
    expect "models only" sh -c '! grep -q note.txt out'
    complete dump a.lia --stage ""
    expect_out "mechanics"
    complete dump --un
    expect "no option of run" test "$(tr -d '\n' <out)" = ""
    complete help oper
    expect_out "operator"
    complete help E021
    expect_out "E0213"
    complete examples ska
    expect_out "skater"
    complete run a.lia -o no
    expect_out "note.txt"
fi
if command -v fish >/dev/null 2>&1; then
    tried="fish: liaison run --un"
    HOME=$scratch fish -c "source completion.fish; complete -C 'liaison run --un'" >out 2>err
    expect_out "--until"
fi

try completion
expect_code 1
expect_err "for which shell?"
try completion tcsh
expect_code 1
finish
