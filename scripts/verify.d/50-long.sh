# Runs of a million steps: the energy wanders like rounding, the constraint not at all.
set -e
make product
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cat >"$dir/double.lia" <<'MODEL'
model double
parameter l = 1, g = 9.81
coordinate x1, y1, x2, y2 : line
kinetic (x1'^2 + y1'^2 + x2'^2 + y2'^2)/2
potential g*(y1 + y2)
constraint upper: x1^2 + y1^2 = l^2
constraint lower: (x2 - x1)^2 + (y2 - y1)^2 = l^2
start x1 = l*sin(2), y1 = -l*cos(2), x2 = l*(sin(2) + sin(1)), y2 = -l*(cos(2) + cos(1))
run t = 0..80000, tolerance 1e-14, samples 101
MODEL
build/liaison run "$dir/double.lia" --json >"$dir/double.json"
awk -F'"balance": ' '/"balance"/ { split($2, b, ","); found = 1; if (b[1] > 1e-9) { print "balance " b[1]; exit 1 } }
    END { if (!found) { print "no balance"; exit 1 } }' "$dir/double.json"
# residuals at every step and every sample: what the summary tells
worst() {
    build/liaison run "$1" >"$dir/said" || { cat "$dir/said"; exit 1; }
    awk '/constraints +within/ { found = 1; if ($3 + 0 > 1e-13) { print "residual " $3; exit 1 } }
        END { if (!found) { print "no residual"; exit 1 } }' "$dir/said"
}
worst "$dir/double.lia"
grep -o '"steps": [0-9]*' "$dir/double.json"

# the same with an equation between velocities: a knife edge driven round and round
cat >"$dir/edge.lia" <<'MODEL'
model edge
parameter m = 1, J = 0.4
coordinate x, y : line
coordinate theta : circle
kinetic m/2*(x'^2 + y'^2) + J/2*theta'^2
potential 2*cos(theta) + 0.3*(x^2 + y^2)
constraint blade: x'*sin(theta) = y'*cos(theta)
start x' = 0.7, theta' = 1, x = 0.2
run t = 0..400000, tolerance 1e-14, samples 10001
MODEL
worst "$dir/edge.lia"

# A body spun at 1000 rad/s through a million revolutions: its energy is kept.
cat >"$dir/spun.lia" <<'MODEL'
body b: mass 1, inertia [1, 1.2, 1.9], free
start Omega(b.attitude) = [30, 20, 1000]
run t = 0..6283.185307, samples 101
MODEL
build/liaison run "$dir/spun.lia" -o "$dir/spun.csv" --quiet
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "energy") e = i }
    NR == 2 { first = $e }
    NR > 1 { off = $e / first - 1; if (off < 0) off = -off; if (off > worst) worst = off }
    END { print "energy of a million revolutions within " worst; exit !(e && NR > 100 && worst <= 1e-11) }' "$dir/spun.csv"

# An oscillator, a pendulum and a planet through a hundred thousand periods at the default
# tolerance: no trend.
kept() { # NAME MODEL, and max T + range of U
    printf '%s\nrun t = 0..628318.5, samples 2001\n' "$2" >"$dir/$1.lia"
    build/liaison run "$dir/$1.lia" -o "$dir/$1.csv" >"$dir/said" || { cat "$dir/said"; exit 1; }
    if grep grows "$dir/said"; then exit 1; fi
    awk -F, -v name="$1" -v size="$3" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "energy") e = i }
        NR == 2 { first = $e }
        NR > 1 { off = $e - first; if (off < 0) off = -off; if (off > worst) worst = off }
        END { worst /= size; print name ": energy of 1e5 periods within " worst; exit !(e && NR > 2000 && worst <= 3e-11) }' "$dir/$1.csv"
}
nl='
'
kept oscillator "coordinate x : line${nl}kinetic x'^2/2${nl}potential x^2/2${nl}start x = 1, x' = 0" 1
kept pendulum "coordinate a : circle${nl}kinetic a'^2/2${nl}potential -cos(a)${nl}start a = 2, a' = 0" 2.832293673
kept planet "coordinate x, y : line${nl}kinetic (x'^2 + y'^2)/2${nl}potential -1/sqrt(x^2 + y^2)${nl}start x = 1, y = 0, x' = 0, y' = 1.1" 0.9524
