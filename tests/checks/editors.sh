# The syntax files of the editors know all words of the language: they are what scripts/editors
# makes of the tables.
set -u
cd "$SOURCE_DIR" || exit 1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0
fail() {
    echo "$1"
    failed=$((failed + 1))
}
scripts/editors "$scratch" || exit 1
for file in vim/syntax/liaison.vim vscode/syntaxes/liaison.tmLanguage.json; do
    if cmp "editors/$file" "$scratch/$file"; then passed=$((passed + 1)); else fail "editors/$file is out of date: run scripts/editors"; fi
    for word in $(sed -nE 's/^LIA_(KEYWORD|FUNCTION|BUILTIN)\([A-Z0-9_]*, "([^"]*)".*/\2/p' src/lang/syntax/keywords.def src/expr/graph/ops.def src/lang/elaborate/builtin.def); do
        if grep -qw -e "$word" "editors/$file"; then passed=$((passed + 1)); else fail "$file has no '$word'"; fi
    done
done
if command -v python3 >/dev/null 2>&1; then
    # JSON that others read, expressions that compile, and a look at a model
    python3 - <<'PYTHON' || fail "the grammar of VS Code"
import json, re
for name in ("package.json", "language-configuration.json"):
    json.load(open("editors/vscode/" + name))
grammar = json.load(open("editors/vscode/syntaxes/liaison.tmLanguage.json"))
def scope(line, text):
    found = [(m.start(), i, p.get("name", "unit")) for i, p in enumerate(grammar["patterns"])
             for m in re.finditer(p["match"], line) if m.start() <= line.index(text) < m.end()]
    return min(found)[2] if found else None
assert scope("kinetic m/2*x'^2", "kinetic").startswith("keyword.control")
assert scope("let a = atan2(y, x)", "atan2").startswith("support.function")
assert scope("let a = 2 # kinetic", "kinetic").startswith("comment")
assert scope("parameter m = 2 in kg*m^2", "kg") == "unit"
assert scope("run t = 0..10", "10").startswith("constant.numeric")
assert scope("coordinate x : line", "line").startswith("storage.type")
assert scope("let kineticx = 1", "kineticx") is None
PYTHON
    passed=$((passed + 1))
fi
if command -v vim >/dev/null 2>&1; then
    vim -Nu NONE -es -c "set runtimepath^=$SOURCE_DIR/editors/vim" -c 'filetype plugin on' -c 'syntax on' \
        -c "edit $SOURCE_DIR/examples/skater/skater.lia" -c "call search('^operator')" \
        -c "call writefile([&filetype, synIDattr(synID(line('.'), 1, 1), 'name')], '$scratch/seen')" -c 'qa!' >"$scratch/log" 2>&1 </dev/null
    if [ "$(tr '\n' ' ' <"$scratch/seen")" = "liaison liaisonStatement " ]; then passed=$((passed + 1)); else
        cat "$scratch/seen" "$scratch/log"
        fail "vim does not see a statement"
    fi
fi
echo "$passed passed, $failed failed"
[ $failed = 0 ]
