# liaison explain: three ways to say what a system is, states on the command line, and what is wrong
# with them.
. "$SOURCE_DIR/tests/cli/expect"
skater=$examples/skater/skater.lia

try explain "$skater"
expect_code 0
expect_out "V*M  dimension 7"
expect_out "force(blade) = -m*(cos(theta)*x' + sin(theta)*y')*theta'"
expect_out "A(theta, s) = I2/(I1 + I2)"
expect_no_err
try explain "$skater" --at-start
expect_code 0
expect_out "D_Y = D_0 - X_K + H(Y) + eta - Z holds within"
try explain "$skater" --json --at "t = 0.5, theta = pi/3, theta' = -0.2" -D m=80
expect_code 0
expect_out '"VstarM": 7'
expect_out "\"theta\": 1.0471975511965976"
expect "one line end closes it" sh -c 'tail -c 2 out | grep -q "}"'
try explain "$skater" --latex --at-start
expect_code 0
expect_out '\begin{document}'
expect_out '\end{document}'

# the energy of Dazord's system at the start of Sperry's gyro is h0 + K_Y
try explain "$examples/sperry/sperry.lia" --at-start
expect_code 0
expect_out "h0 = 440.19933, K_Y = 0.0016, E = 440.20093"

try explain "$skater" --latex --json
expect_code 1
expect_err "two ways to say it"
expect_no_out
try explain "$skater" --at "x=1" --at-start
expect_code 1
expect_err "two states"
try explain "$skater" --at "z = 1"
expect_code 1
expect_err "E0501"
expect_err "z = 1"
expect_no_out
try explain "$skater" --at "theta = 0, t = 1, theta = 1"
expect_code 1
expect_err "--at:1:19: error E0501: this is given twice"
expect_no_out
try explain "$skater" --at "theta = 0, y' = 3"
expect_code 1
expect_err "E0502"
expect_err "contradicts 'blade'"
expect_no_out
try explain "$skater" --until 3
expect_code 1
expect_err "'--until' is an option of 'liaison run'"
try explain nowhere.lia
expect_code 1
expect_err "nowhere.lia"

# why an operator cannot act, and the worst of many states
cat > tip.lia <<'EOF'
model tip
parameter m = 1, l = 1, g = 9.81
coordinate x : line
coordinate theta : circle
let r = [x + l*sin(theta), l*cos(theta)]
kinetic 2*x'^2/2 + m/2*dot(r', r')
potential m*g*r.y
operator lead: x + l*sin(theta) = 0 by d(x)
run t = 0..1
EOF
try explain tip.lia
expect_out "NOT regular at the start"
expect_out "the force of 'lead' moves"
try explain tip.lia --samples 200 --json
expect_code 0
expect_out '"look": {"states": 200, "failed": 1, "least": 0,'
expect_out "what 'lead' asks for is not coupled"
try explain tip.lia --samples none
expect_code 1
expect_err "--samples wants a whole number"

# every example, every way
count=0
for model in "$examples"/*/*.lia; do
    count=$((count + 1)) number=0
    for way in "" --json --latex; do
        # the sanitizers hear one way of each model, another one of the next
        number=$((number + 1))
        [ "$SUITE" != asan ] || [ $((count % 3)) = $((number % 3)) ] || continue
        # shellcheck disable=SC2086
        try explain "$model" $way --at-start
        expect_code 0
        expect_no_err
    done
done

# the documents compile where there is a TeX, and no line is much too long
if [ "$SUITE" = release ] && command -v pdflatex >/dev/null 2>&1; then
    for model in "$examples"/*/*.lia "$SOURCE_DIR"/tests/refs/*.lia; do
        try explain "$model" --latex --at-start
        cp out explained.tex
        expect "pdflatex reads $model" pdflatex -interaction=nonstopmode -halt-on-error explained.tex
        expect "the lines of $model fit" sh -c \
            '! grep -E "Overfull .hbox \\(([3-9][0-9]|[0-9]{3,})" explained.log'
    done
fi
finish

# Dazord's h: df dh/dp = Y, also where the left side is no coordinate
cat >dazord.lia <<'EOF'
model dazord
parameter m = 2, l = 1
coordinate x, y, z, s : line
kinetic m/2*(x'^2 + y'^2 + z'^2) + s'^2/2
constraint a: x^2 + y^2 = l^2*(1 + 0.1*sin(t))
constraint b: x - 3*t = z
operator c: 2*s' + z' = y' by d(s)
start x = 1, y = 0
run t = 0..1
EOF
try explain dazord.lia --json
expect_code 0
expect_out '"h": "1/20*l^2*cos(t)*p(x)/x"'
expect_out '"h": "p(x)*(p(z)/m + 3)"'
expect_out '"h": "p(y)*p(z)/m"'
try explain "$examples/skater/skater.lia"
expect_out "Dazord: the left side is not the velocity of a function of the"
rm -f dazord.lia

# A start that contradicts the equations is shown with its place in the model.
cat > against.lia << 'EOF'
coordinate x : line
kinetic x'^2/2
constraint c: x = 1
start x = 0
EOF
try explain against.lia --at-start
expect_code 1
expect_err "against.lia:3:15: error E0301: the start contradicts 'c'"
expect_err "  3 | constraint c: x = 1"
rm -f against.lia

# A state is completed as a start is: what is driven is set, and nothing moves that no unsatisfied
# equation connects.
cat > cart.lia << 'EOF'
coordinate s, x, y : line
coordinate a : circle
kinetic s'^2/2 + ((s' + cos(a)*a')^2 + (sin(a)*a')^2)/2 + (x'^2 + y'^2)/2
potential -9.81*cos(a)
operator motor: s = 0.5 + t
constraint rod: x^2 + y^2 = 1
start x ~ 1
EOF
try explain cart.lia --json --at "t = 0.7, x = 0.6"
expect_code 0
expect_out '"t": 0.7, "s": 1.2, "x": 0.6, "y": 0.79999999999999993, "a": 0,'
rm -f cart.lia
