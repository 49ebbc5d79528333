#!/bin/sh
# liaison picture: the three pictures are written, well-formed where that can be looked at, and what
# cannot be drawn says why.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
examples=$SOURCE_DIR/examples
fail() { echo "$*" >&2; exit 1; }

good() { # file, what must be in it
    [ -s "$1" ] || fail "$1 was not written"
    grep -q "$2" "$1" || fail "$1 has no '$2'"
    ! grep -qi 'nan\|inf[ "]' "$1" || fail "$1 has a number that is none"
    if command -v xmllint > /dev/null; then xmllint --noout "$1"; fi
}

"$LIAISON" picture "$examples/skater/skater.lia" > said
grep -q 'wrote skater-picture.svg' said || fail "it does not say what it wrote"
good skater-picture.svg 'directions that the constraints leave'
"$LIAISON" picture "$examples/cat/cat.lia" --curvature s1,s2 -o cat.svg --quiet > said
[ ! -s said ] || fail "--quiet says something"
good cat.svg 'curvature F of θ'
"$LIAISON" picture "$examples/cat/cat.lia" --curvature s1,s2,x -o x.svg
good x.svg 'curvature F of x'
"$LIAISON" picture "$examples/snakeboard/snakeboard.lia" --curvature phi,psi -o - > board.svg
good board.svg 'curvature F of θ'
cat > pendulum.lia << 'EOF'
coordinate theta : circle
kinetic theta'^2/2
potential -9.81*cos(theta)
start theta = 1
run t = 0..3
EOF
"$LIAISON" picture pendulum.lia -o portrait.svg
good portrait.svg 'thin: other starts'

wrong() { # what it says, then the arguments
    says=$1
    shift
    code=0
    "$LIAISON" picture "$@" > out 2> err || code=$?
    [ $code = 1 ] || fail "exit $code for: $*"
    grep -q -- "$says" err || { cat err >&2; fail "it does not say '$says'"; }
}
wrong 'which model'
wrong 'three pictures: give one' pendulum.lia --portrait theta --curvature a,b
wrong 'no --portrait: the model has no coordinate' pendulum.lia --portrait q
wrong 'no --curvature: no operator drives' "$examples/skater/skater.lia" --curvature x,y
wrong 'no --portrait: .* about velocities' "$examples/skater/skater.lia" --portrait x
wrong 'No such file' pendulum.lia -o nowhere/x.svg
[ ! -e nowhere ] || fail "a folder was made"
