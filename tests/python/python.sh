# The Python package, where Python, numpy and pytest are: its tests, and an installation into a
# virtual environment.
set -u
cd "$SOURCE_DIR" || exit 1
[ "$SUITE" = release ] || { echo "once is enough: the sanitizers do not go with another program's memory"; exit 77; }
python=
for candidate in /usr/bin/python3 python3; do
    "$candidate" -c 'import numpy, pytest' 2>/dev/null && { python=$candidate; break; }
done
[ -n "$python" ] || { echo "no Python with numpy and pytest: the Python package is not tested"; exit 77; }
export LIAISON_LIBRARY="$OUTPUT_DIR/libliaison.so" PYTHONDONTWRITEBYTECODE=1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
PYTHONPATH=python "$python" -m pytest -q -p no:cacheprovider tests/python >"$scratch/out" 2>&1
status=$?
cat "$scratch/out"
[ $status = 0 ] || exit 1
passed=$(sed -n 's/^\([0-9]*\) passed.*/\1/p' "$scratch/out" | tail -n 1)

"$python" -c 'import nbformat, nbclient, ipykernel, matplotlib' 2>/dev/null ||
    echo "no nbclient, ipykernel or matplotlib: the notebooks are not executed"

# installed as a user would
if "$python" -c 'import venv, setuptools, ensurepip' 2>/dev/null; then
    cp -r python "$scratch/python"
    if ! { "$python" -m venv --system-site-packages "$scratch/venv" &&
        "$scratch/venv/bin/python" -m pip install -q --no-build-isolation --no-deps "$scratch/python" &&
        cd "$scratch" && "$scratch/venv/bin/python" -c \
            'import liaison as lia; print(lia.__version__, lia.Model("coordinate x : line\nkinetic x'"'"'^2\nrun t = 0..1\n").run())'; } \
        >"$scratch/out" 2>&1; then
        cat "$scratch/out"
        echo "$passed passed, 1 failed"
        exit 1
    fi
    passed=$((passed + 1))
fi
echo "$passed passed, 0 failed"
