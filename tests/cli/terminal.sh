# On a terminal: colours where they help, none with NO_COLOR or TERM=dumb, none in a file.
. "$SOURCE_DIR/tests/cli/expect"
command -v script >/dev/null 2>&1 || { echo "no script(1) to make a terminal"; exit 77; }
script -qec true /dev/null >/dev/null 2>&1 </dev/null || { echo "script(1) has no pseudo-terminal to make"; exit 77; }
skater=$examples/skater/skater.lia
echo 'model broken
coordinate x : lime' >broken.lia

# on_terminal ENVIRONMENT COMMAND...: what the program shows on a terminal of 80 columns
on_terminal() {
    setting=$1
    shift
    tried="liaison $* on a terminal, $setting"
    env "$setting" script -qec "stty cols 80 2>/dev/null; '$LIAISON' $*" /dev/null >out 2>err </dev/null
}
has_colour() { grep -q "$(printf '\033')\[" out; }
no_colour() { ! has_colour; }

on_terminal TERM=xterm run "$skater"
expect "a coloured summary" has_colour
on_terminal TERM=xterm check broken.lia
expect "a coloured diagnostic" has_colour
expect_out "lime"
for setting in NO_COLOR=1 TERM=dumb; do
    on_terminal $setting run "$skater" --until 1
    expect "no colours" no_colour
    expect_out "done at t = 1"
    on_terminal $setting check broken.lia
    expect "no colours" no_colour
    expect_out "broken.lia:2:16: error E0118"
done
try check broken.lia
expect "no colours in a file" sh -c '! grep -q "$(printf "\033")" err'
expect_err "broken.lia:2:16: error E0118"
finish
