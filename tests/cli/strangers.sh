# Text from strangers: whatever stands in a model, in the name of a file or on the command line,
# nothing that a terminal obeys or that is not seen comes out raw, of no command; and files stay
# well-formed.
. "$SOURCE_DIR/tests/cli/expect"

# one that sets the title of a window, C1, DEL, marks of direction, characters without width
evil=$(printf '\033]0;pwned\007\033[31m\302\2332J\177\302\205\342\200\256\342\201\246\330\234\342\200\217\342\200\213\357\273\277\302\255\001\b</script><b>\\%%#&\047')
# bytes of them, one pattern a line
{
    printf '[\001-\010\013-\037\177]\n'
    printf '\302[\200-\237\255]\n'
    printf '\330\234\n'
    printf '\342\200[\213-\217\250-\256]\n'
    printf '\342\201[\240-\257]\n'
    printf '\357\273\277\n'
} >forbidden
is_safe() { ! LC_ALL=C grep -q -f forbidden "$@"; }
printf '%s' "$evil" >raw
tried="the test itself"
expect "the patterns find them" sh -c '! LC_ALL=C grep -c -f forbidden raw | grep -qx 0'

# put PLACE TEXT: the model with the text there, as evil.lia
put() {
    awk -v place="@$1@" -v text="$(printf '%s' "$2" | sed 's/\\/\\\\/g')" \
        '{ at = index($0, place); if (at) $0 = substr($0, 1, at - 1) text substr($0, at + length(place)); gsub(/@[a-z]*@/, ""); print }' template >evil.lia
}
cat >template <<'END'
@first@model evil@name@ "a title@title@"
# a comment@comment@
parameter m = 1@number@ in kg@unit@, k = 2 in N/m@after@
coordinate x@coordinate@, y : line in m@type@
kinetic m/2*(x'^2 + y'^2)@kinetic@
potential k/2*x^2 + k/2*(y@argument@)^2 # @tail@
constraint hold@constraint@: y = 2*x + 0*@formula@y
event zero@event@: x = 0@eventformula@
observe z@observed@ = x + y
start x = 1@start@
run t = 0..1@run@
plot x, y # @plot@
  , z
draw segment([0, 0, 0], [x, y, 0])@draw@
@statement@
END

# look COMMAND...: nothing forbidden on either of both
look() {
    "$LIAISON" "$@" >out 2>err </dev/null
    code=$?
    looked=$((looked + 1))
    is_safe out err || { tried="liaison $*, '$place'"; expect "safe for a terminal" false; }
    [ $code -le 2 ] || { tried="liaison $*, '$place'"; expect "no crash" false; }
}
looked=0
for place in title comment tail plot name first number unit after coordinate type kinetic argument constraint formula \
    event eventformula observed start run draw statement; do
    put $place "$evil"
    look check evil.lia
    look run evil.lia --samples 5
    case $place in title | comment | tail | plot | first | statement) ;; *) continue ;; esac
    look run evil.lia --json
    look run evil.lia -o - --samples 5
    for format in "" --json --latex; do
        look explain evil.lia $format
    done
    look compare evil.lia --rule hold=ideal
    look compare evil.lia evil.lia --json
    look picture evil.lia --portrait x -o -
    for stage in lang expr mechanics tape; do
        look dump evil.lia --stage=$stage
    done
done
tried="$looked commands"
expect "looked at enough" test $looked -ge 100

# what runs, runs: the title is shown, by numbers
put title "$evil"
try run evil.lia --samples 5 -o evil.csv
expect_code 0
expect_out "title<U+001B>]0;pwned<U+0007><U+001B>[31m<U+009B>2J<U+007F><U+0085><U+202E><U+2066><U+061C><U+200F><U+200B><U+FEFF><U+00AD>"
expect "the picture is safe too" is_safe evil.svg
expect "the table too" is_safe evil.csv
try run evil.lia --json
expect_code 0
if command -v python3 >/dev/null 2>&1; then
    expect "JSON that others read" python3 -c 'import json; json.load(open("out", encoding="utf-8"))'
    expect "SVG that others read" python3 -c 'import xml.dom.minidom as m; m.parse("evil.svg")'
    if "$LIAISON" run evil.lia -o evil.html --quiet 2>/dev/null; then
        cat >page.py <<'END'
import html.parser, json, sys
class Page(html.parser.HTMLParser):
    data, inside = "", False
    def handle_starttag(self, tag, attrs):
        if tag == "script" and ("id", "data") in attrs: self.inside = True
    def handle_endtag(self, tag):
        if tag == "script": self.inside = False
    def handle_data(self, text):
        if self.inside: self.data += text
p = Page(); p.feed(open("evil.html", encoding="utf-8").read())
raw = open("raw", encoding="utf-8", newline="").read()
assert json.loads(p.data)["title"] == "a title" + raw, "the page has the title to the letter, and no tag ends in it"
END
        expect "a page whose script ends where it should" python3 page.py
    fi
fi
try explain evil.lia --latex
expect_code 0
expect_out '\textbackslash{}\%\#\&'

# names of files
odd=$(printf 'a\033[31m\302\233\342\200\256\nliaison: b')
put title ""
sed 's/^model evil.*//' evil.lia >"$odd.lia"
place="the name of a file"
for command in check run explain dump; do
    look $command "$odd.lia"
    expect "no second line is made up" sh -c '! grep -q "^liaison: b" out err'
done
look run "$odd.lia" -o "$odd.csv"
expect_out "a<U+001B>[31m<U+009B><U+202E><U+000A>liaison: b.csv"
expect "no second line is made up" sh -c '! grep -q "^liaison: b" out err'
look run "$odd.lia" -o "$odd/no.csv"
look picture "$odd.lia" --portrait x
look compare "$odd.lia" evil.lia
look run "$odd-missing.lia"
look view "$odd-missing.lia"
"$LIAISON" run evil.lia --json >"$odd.json" 2>err
look run evil.lia --from "$odd.json" --until 2
expect_code 0
expect "no second line is made up" sh -c '! grep -q "^liaison: b" out err'
sed 's/"x":/"\\u001b\\u202e\\u009b":/' "$odd.json" >state.json
look run evil.lia --from state.json --until 2
expect_code 1
sed "s/\"x\":/\"$(printf '\033\302\233\342\200\256')\":/" "$odd.json" >state.json
look run evil.lia --from state.json --until 2
bytes=$(printf 'b\233\377.lia')
if cp evil.lia "$bytes" 2>/dev/null; then
    look check "$bytes"
    expect_out "b<0x9B><0xFF>.lia"
    expect "no byte that is not ASCII" sh -c '! LC_ALL=C grep -q "$(printf "[\200-\377]")" out'
fi

# words of the command line
place="the command line"
for command in run check explain compare dump picture view examples help completion "$evil"; do
    look "$command" "$evil"
    look "$command" "--$evil"
    look "$command" evil.lia "-D$evil=1" "--until=$evil"
    look "$command" evil.lia -D "m=$evil" --samples "$evil" --every "$evil"
done
look explain evil.lia --at "$evil"
look explain evil.lia --at "x = $evil"
look picture evil.lia --portrait "$evil"
look picture evil.lia --distribution "$evil"
look compare evil.lia --rule "$evil=ideal"
look compare evil.lia --rule "hold=$evil"
look dump evil.lia --stage "$evil"
tried="$looked commands"
expect "looked at them" test $looked -ge 150
finish
