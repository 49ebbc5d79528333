# Memory that runs out, under the sanitizers: every command on ten models, with the first
# MEMORY_FIRST of its allocations and then MEMORY_SPREAD all over the rest failing, once and from
# there on by turns. Each time: what was asked for, or "memory is out", exit 1 and no file; no leak,
# no access where nothing is. MEMORY_MODELS are others, MEMORY_JOBS at a time. Commands that have
# passed with this very program are remembered in build/verify: what was ended goes on.
# MEMORY_SITES=FILE: instead, on all examples, one failure at each chain of calls that takes memory,
# remembered in FILE.
set -u
first=${MEMORY_FIRST:-500} spread=${MEMORY_SPREAD:-500} jobs=${MEMORY_JOBS:-${VERIFY_CORES:-$(nproc)}}
[ -z "${MEMORY_SITES:-}" ] || { first=0 spread=0 && export SHORTAGE_SITES="$MEMORY_SITES"; }
[ -z "${MEMORY_SITES:-}" ] || MEMORY_MODELS=${MEMORY_MODELS:-$(cd examples && ls -d */ | tr -d /)}
models=${MEMORY_MODELS:-skater sleigh snakeboard billiard egg walker chain fourbar torus satellite}
mkdir -p build
{ cmake --preset asan && cmake --build build/asan --target liaison -j "$jobs"; } >build/memory.log 2>&1 ||
    { tail -n 30 build/memory.log; exit 1; }
tree=$PWD
[ -w /dev/shm ] && export TMPDIR=/dev/shm # thousands of small files
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cc -O1 -g -fno-omit-frame-pointer -shared -fPIC -o "$scratch/shortage.so" tests/memory/shortage.c -ldl || exit 1
trap "exit 1" INT TERM
export BROWSER=true TMPDIR="$scratch"
cp build/asan/liaison "$scratch/liaison" || exit 1
program=$scratch/liaison

# a line for each command
commands() {
    for model in $models; do
        file=$tree/examples/$model/$model.lia
        "$program" run "$file" --json >"$scratch/$model.json"
        "$program" run "$file" --quiet --steps 3 --checkpoint "$scratch/$model.check"
        sed 's/^run /run from /; s/^kinetic/kinetc/' "$file" >"$scratch/$model-wrong.lia"
        cat <<EOF
check $file
check $scratch/$model-wrong.lia
run $file
run $file --json
run $file --check
run $file -o out.csv
run $file -o out.html
run $file --resume $scratch/$model.check
run $file --from $scratch/$model.json --until 1e3 --samples 3
explain $file
explain $file --json --at-start
explain $file --latex --at-start
picture $file
holonomy $file
dump $file --stage=lang
dump $file --stage=expr
dump $file --stage=mechanics
dump $file --stage=tape
compare $file $file
compare $file $file --json
EOF
    done
    cat <<EOF
view $tree/examples/skater/skater.lia
compare $tree/examples/sleigh/sleigh.lia --rule blade=given
holonomy $tree/examples/cat/cat.lia
holonomy $tree/examples/cat/cat.lia --json
reduce $tree/examples/cylinder/cylinder.lia --by spin,around --reconstruct
run $tree/examples/suslov_bracket/suslov_bracket.lia
explain $tree/examples/suslov_bracket/suslov_bracket.lia --at-start
run $tree/examples/pickup/pickup.lia --json
explain $tree/examples/pickup/pickup.lia --at-start
help
help constraint
help atan2
help what a constraint is
help language --man
examples
examples skater
completion bash
completion zsh
EOF
}
commands >"$scratch/commands"
# a line for each command that has passed: the line above without the folders, and what was said
mkdir -p build/verify
passed=build/verify/memory-$first-$spread-$(cat "$program" tests/memory/short* | sha256sum | cut -c 1-16)
[ -z "${MEMORY_SITES:-}" ] || passed=$scratch/passed
touch "$passed"
export tree scratch first spread passed
# shellcheck disable=SC2016
<"$scratch/commands" xargs -P "$jobs" -I{} sh -c 'key=$(echo "$0" | sed "s|$tree/||g; s|$scratch/||g")
    echo "$key" >>"$scratch/keys"
    if grep -q "^$key: " "$passed"; then exit; fi
    case $0 in view*) export SHORTAGE_ALONE=1 ;; esac
    if said=$("$tree/tests/memory/short" "$scratch/shortage.so" "$first" "$spread" "$scratch/liaison" $0 2>&1); then
        echo "$key: $said" | tee -a "$passed"
    else
        printf "%s\n%s\n" "$key" "$said"
    fi' {}
awk -F': ' 'FILENAME ~ /keys$/ { wanted[$1] = 1; next }
    $1 in wanted { split($2, word, " "); tried += word[1]; good++; delete wanted[$1] }
    END { for (key in wanted) { print "not passed: " key; bad++ }
          print good + 0 " commands passed with " tried + 0 " failures of memory, " bad + 0 " did not"; exit !(good > 0 && !bad) }' "$scratch/keys" "$passed"
