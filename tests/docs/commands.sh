# What the documentation says to type works, page by page, in a folder of its own.
#
#   ```lia NAME.lia     the block is written to NAME.lia; lia-fragment too
#   ```c NAME.c         likewise
#   ```sh               its lines are run one after the other; `# exit N` at the end of a line is
#                       the exit code that is expected, 0 if nothing is said. `liaison` and
#                       `build/liaison` are the program, `make TARGET` is asked whether it knows
#                       how, `cc` is the compiler of the build.
#   ```output           what the last line printed: each line of the block stands in it, in this
#                       order. White space counts once, and `...` stands for anything.
set -u
cd "$SOURCE_DIR" || exit 1
[ "${SUITE:-release}" = release ] || { echo "once is enough: tests/cli runs all commands under the sanitizers"; exit 77; }
[ -n "${LIAISON:-}" ] && [ -x "$LIAISON" ] || { echo "no program yet"; exit 77; }
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0
unset COLUMNS NO_COLOR LC_ALL LC_CTYPE
LANG=C.UTF-8 TERM=dumb
export LANG TERM
mkdir "$scratch/bin"
ln -s "$LIAISON" "$scratch/bin/liaison"
cat >"$scratch/bin/make" <<SH
#!/bin/sh
exec $(command -v make) -n -C "$SOURCE_DIR" "\$@"
SH
chmod +x "$scratch/bin/make"

cat >"$scratch/bin/cc" <<SH
#!/bin/sh
exec $(command -v "${CC:-cc}") $([ "${SUITE:-}" != asan ] || echo -fsanitize=address,undefined) -Wall -Wextra -Werror "\$@"
SH
chmod +x "$scratch/bin/cc"

fail() {
    echo "$1"
    failed=$((failed + 1))
}

# the lines of $2 stand in $1 in their order
stands_in() {
    awk 'function squeeze(s) { gsub(/[ \t]+/, " ", s); sub(/^ /, "", s); sub(/ $/, "", s); return s }
        FILENAME == ARGV[1] { have = have "\n" squeeze($0); next }
        { line = squeeze($0); if (line == "") next
          n = split(line, parts, /\.\.\./)
          for (i = 1; i <= n; i++) {
              part = squeeze(parts[i]); if (part == "") continue
              at = index(have, part)
              if (!at) { print "not printed: " part; bad = 1; exit }
              have = substr(have, at + length(part)) } }
        END { exit bad }' "$1" "$2"
}

run_line() {
    line=$1
    code=0
    case $line in *"# exit "*) code=${line##*"# exit "} ;; esac
    PATH=$scratch/bin:$PATH sh -c "$line" >"$scratch/out" 2>"$scratch/err" </dev/null
    got=$?
    cat "$scratch/err" >>"$scratch/out"
    if [ $got = "$code" ]; then
        passed=$((passed + 1))
    else
        fail "$page: '$line' gives $got, not $code"
        head -n 10 "$scratch/out"
    fi
}

for page in README.md CONTRIBUTING.md docs/*.md examples/*/README.md; do
    folder=$scratch/$(echo "$page" | tr '/.' '__')
    steps=$folder.steps
    mkdir "$folder" "$steps" "$folder/build"
    ln -s "$LIAISON" "$folder/build/liaison"
    ln -s "$OUTPUT_DIR"/libliaison.* "$folder/build"
    cp -r examples include "$folder"
    awk -v steps="$steps" '
        !inside && /^```/ { inside = 1; kind = $1; sub(/^```/, "", kind); file = ""
            if (kind == "sh" || kind == "output" || ((kind ~ /^lia/ || kind == "c") && NF > 1))
                { file = sprintf("%s/%04d.%s", steps, ++n, kind); print (NF > 1 ? $2 : "") > file }
            next }
        inside && /^```/ { inside = 0; if (file) close(file); next }
        inside && file { print > file }' "$page"
    cd "$folder" || exit 1
    for step in "$steps"/*; do
        [ -e "$step" ] || continue
        name=$(head -n 1 "$step")
        tail -n +2 "$step" >"$scratch/body"
        case $step in
        *.lia* | *.c) cp "$scratch/body" "$name" ;;
        *.sh)
            # continued lines are one
            sed -e ':a' -e '/\\$/{N;s/\\\n//;ta' -e '}' "$scratch/body" | grep -v '^ *\(#.*\)\{0,1\}$' >"$scratch/lines"
            while read -r line <&3; do
                run_line "$line"
                last=$line
            done 3<"$scratch/lines"
            ;;
        *.output)
            if stands_in "$scratch/out" "$scratch/body" >"$scratch/log"; then passed=$((passed + 1)); else
                fail "$page: behind '$last': $(cat "$scratch/log")"
            fi
            ;;
        esac
    done
    cd "$SOURCE_DIR" || exit 1
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
