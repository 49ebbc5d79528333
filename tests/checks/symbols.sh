# Names that a linker sees. Each begins with lia_; each but the public ones begins with the name of
# its file, so that a name leads to its place: lia_project_state is in project.c. Rows of tables
# (joints, surfaces, operations, commands) begin with the name of their kind. The shared library
# shows what the public headers declare. What no other file uses is static.
set -u
archive=$OUTPUT_DIR/libliaison.a shared=$OUTPUT_DIR/libliaison.so
[ -e "$archive" ] || { echo "no library yet"; exit 77; }
cd "$SOURCE_DIR" || exit 1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0
found=$(nm -g --defined-only "$archive" 2>/dev/null | awk 'NF == 3 && $3 !~ /^lia_/ { print $3 }' | sort -u)
[ -z "$found" ] || { echo "external names in libliaison.a without lia_:"; echo "$found"; failed=1; }
found=$(nm -D --defined-only "$shared" | awk 'NF == 3 && $3 !~ /^lia_/ { print $3 }')
[ -z "$found" ] || { echo "exported names in libliaison.so without lia_:"; echo "$found"; failed=1; }

grep -ohE '\blia_[A-Za-z0-9_]+' include/liaison/*.h | sort -u >"$scratch/public"
find "$BUILD_DIR"/CMakeFiles/liaison_*.dir/src -name '*.o' | sort | while read -r object; do
    source=${object#*.dir/}
    [ ! -e "${source%.o}" ] || echo "$object" # a source that is gone does not count
done >"$scratch/objects"
[ "$(wc -l <"$scratch/objects")" -gt 100 ] || { echo "no objects to look at"; exit 1; }
xargs nm -A -g --defined-only <"$scratch/objects" | awk -v public="$scratch/public" '
    BEGIN { while ((getline name <public) > 0) known[name] = 1 }
    {
        path = $1; sub(/:.*/, "", path); sub(/.*\.dir\//, "", path); sub(/\.o$/, "", path)
        name = $NF
        file = path; sub(/.*\//, "", file); sub(/\.c$/, "", file)
        kind = file
        if (path ~ /\/joints\//) kind = "joint"
        if (path ~ /\/surfaces\//) kind = "surface"
        if (path ~ /\/ops\//) kind = "op_kind"
        if (path ~ /\/commands\//) kind = "cmd"
        if (name == "main" || name in known || name ~ "^lia_" file "(_|$)" || name ~ "^lia_" kind "(_|$)") good++
        else print path ": " name " does not begin with lia_" file
    }
    END { print good + 0 > "/dev/stderr" }' >"$scratch/others" 2>"$scratch/good"
cat "$scratch/others"
# what the program, the library or a test needs from another file
find "$BUILD_DIR" -name '*.c.o' -print0 | xargs -0 nm -u 2>/dev/null | awk 'NF == 2 { print $2 }' | sort -u >"$scratch/needed"
xargs nm -A -g --defined-only <"$scratch/objects" | awk '$(NF - 1) == "T" { sub(/.*\.dir\//, "", $1); print $NF, $1 }' |
    grep -v '^main ' | sort -u | awk -v public="$scratch/public" -v needed="$scratch/needed" '
    BEGIN { while ((getline name <public) > 0) used[name] = 1; while ((getline name <needed) > 0) used[name] = 1 }
    !($1 in used) { sub(/\.o:.*/, "", $2); print $2 ": " $1 " is used in its own file alone: make it static" }' >"$scratch/alone"
cat "$scratch/alone"
failed=$((failed + $(wc -l <"$scratch/alone")))
failed=$((failed + $(wc -l <"$scratch/others")))
echo "$(cat "$scratch/good") passed, $failed failed"
[ $failed = 0 ]
