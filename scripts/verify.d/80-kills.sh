# Runs killed at random instants and gone on with: the same bytes as in one piece. LIAISON_KILLS
# says how many kills (1000).
#
# Each run is killed (kill -9) after a random part of the time it takes, gone on with, killed again,
# until it comes to its end or has been killed often enough; checkpoints are written every hundredth
# of a second.
set -u
[ -n "${LIAISON:-}" ] || make || exit 1 # LIAISON: another program than the one built here
program=${LIAISON:-$PWD/build/liaison}
kills=${LIAISON_KILLS:-1000}
source=$PWD
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1

cat >corners.lia <<'END'
coordinate x, y, z : line
kinetic (x'^2 + y'^2 + z'^2)/2
potential 50*(x^2 + 2*y^2 + 3*z^2)/2 + x^4/4 + abs(y)/10 + cos(x - z)
constraint tie: z = x*y
event middle: x = 0
start x = 1, y = 0.5, x' = 0.3
run t = 0..2000, samples 500
END
cat >teeth.lia <<'END'
coordinate x, s : line
kinetic (x' + s')^2/2 + s'^2
potential x^2
operator a: s = abs(sin(t))
event e: x = 0.1
run t = 1..2000, samples 300
END
cat >spring.lia <<'END'
coordinate x1, x2 : line
kinetic 1/2*x1'^2 + x2'^2
potential 25*(x2 - x1)^2
operator follow: x2 = sin(t) + sin(sqrt(2)*t)/3 by d(x1)
run t = 0..3000, samples 500
END
cat >parallelogram.lia <<'END'
coordinate a, b, c : circle
kinetic (a'^2 + b'^2 + c'^2)/2
potential 2*sin(a) + sin(c)
constraint loop: [cos(a) + 2*cos(b), sin(a) + 2*sin(b)] = [2 + cos(c), sin(c)]
start a = 0.5, c ~ 0.5, b ~ 0, a' = 4
run t = 0..300, samples 300
END
cat >chain.lia <<'END'
parameter n = 60
coordinate x[i = 1..n], y[i = 1..n] : line
kinetic sum(i = 1..n, x[i]'^2 + y[i]'^2)/2
potential sum(i = 1..n, 9.81*y[i])
constraint first: x[1]^2 + y[1]^2 = 1
constraint link[i = 2..n]: (x[i] - x[i-1])^2 + (y[i] - y[i-1])^2 = 1
start x[i = 1..n] = i, y[i = 1..n] = 0
run t = 0..15, samples 50
END
# name, file, options
models="corners:corners.lia: teeth:teeth.lia: spring:spring.lia: parallelogram:parallelogram.lia: chain:chain.lia:
skater:$source/examples/skater/skater.lia:--until_60000 fourbar:$source/examples/fourbar/fourbar.lia:--until_40
rattleback:$source/examples/rattleback/rattleback.lia: bricard:$source/examples/bricard/bricard.lia:--until_60
cylinder:$source/examples/cylinder/cylinder.lia:--until_500"
each=$(((kills + 9) / 10))

plain() { sed 's/"seconds": [^,]*, "setup_seconds": [^,]*,//' "$1"; }
# pause SEED TIME: a random part of it, not much more than all
pause() { awk -v s="$1" -v t="$2" 'BEGIN { srand(s); printf "%.4f", 1.1*t*rand()^2/1e9 }'; }

killed=0 compared=0 failed=0 seed=${LIAISON_SEED:-1}
for model in $models; do
    name=${model%%:*} rest=${model#*:}
    file=${rest%%:*} options=$(echo "${rest#*:}" | tr _ ' ')
    began=$(date +%s%N)
    # shellcheck disable=SC2086
    "$program" run "$file" $options --json -o whole.csv >out 2>whole.err || { echo "$name does not run"; failed=$((failed + 1)); continue; }
    took=$(($(date +%s%N) - began))
    plain out >whole.json
    own=0
    while [ $own -lt "$each" ]; do
        rm -f run.check again.csv
        tries=0
        while [ $own -lt "$each" ] && [ $tries -lt 20 ]; do
            # shellcheck disable=SC2086
            "$program" run "$file" $options --json --quiet --checkpoint run.check --checkpoint-every 0.01 --resume run.check \
                -o again.csv >out 2>err &
            victim=$!
            seed=$((seed + 1)) tries=$((tries + 1))
            sleep "$(pause $seed $took)"
            if kill -9 $victim 2>/dev/null; then
                wait $victim 2>/dev/null
                own=$((own + 1))
            else
                wait $victim
                break # it was over before
            fi
        done
        # shellcheck disable=SC2086
        "$program" run "$file" $options --json --checkpoint run.check --resume run.check -o again.csv >out 2>err
        plain out >again.json
        compared=$((compared + 1))
        if ! cmp -s again.json whole.json || ! cmp -s again.csv whole.csv; then
            echo "$name: another result (seed $seed)"
            head -n 5 err
            failed=$((failed + 1))
        fi
        for left in ./*.tmp; do
            [ ! -e "$left" ] || { echo "$name: $left is left over"; failed=$((failed + 1)); rm -f "$left"; }
        done
    done
    killed=$((killed + own))
    echo "$name: $own kills"
done
echo "$killed kills, $compared results compared, $failed failed"
[ $failed = 0 ]
