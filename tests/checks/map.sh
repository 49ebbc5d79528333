# ARCHITECTURE.md is a map of the sources: each file of src and web/src stands in the section of its
# folder (`### mechanics`), in backticks, by its name or by a pattern such as `ops/*`, a table by
# its path; and paths that pages name are there.
set -u
cd "$SOURCE_DIR" || exit 1
passed=0 failed=0
fail() {
    echo "$1"
    failed=$((failed + 1))
}

# the words in backticks of a section, without .c, .h, .def
words() {
    awk -v head="### $1" '/^##/ { inside = $0 == head } inside' ARCHITECTURE.md | grep -oE '`[^` ]+`' |
        tr -d '`' | sed 's/\.\(c\|h\|def\)$//' | sort -u
}

# is_named NAME WORDS: by one of the words, each of them a pattern
is_named() {
    set -f
    for word in $2; do
        # shellcheck disable=SC2254
        case $1 in $word) set +f; return 0 ;; esac
    done
    set +f
    return 1
}

# is_there PATTERN: does it match a file?
is_there() {
    for path in $1; do
        [ -e "$path" ] && return 0
    done
    return 1
}

# check FOLDER SECTION: the files below the folder
check() {
    list=$(words "$2")
    [ -n "$list" ] || { fail "ARCHITECTURE.md has no section '### $2'"; return; }
    for file in $(find "$1" -name '*.[ch]' -o -name '*.def' -o -name '*.js' -o -name '*.css' -o -name '*.html' | sort); do
        name=${file#"$1"/}
        stem=${name%.*}
        if grep -qF "\`$file\`" ARCHITECTURE.md || is_named "$name" "$list" ||
            is_named "$stem" "$list" || is_named "${stem##*/}" "$list"; then
            passed=$((passed + 1))
        else
            fail "ARCHITECTURE.md, section $2: nothing about $file"
        fi
    done
}
for folder in src/*/; do
    folder=${folder%/}
    check "$folder" "${folder#src/}"
done
check web/src web

# paths in the pages; NAME and <...> stand for others
for page in *.md docs/*.md bench/*.md examples/README.md examples/*/README.md; do
    for path in $(grep -oE '`(src|include|tests|web|bench|scripts|docs|examples|editors|cmake)/[A-Za-z0-9_./*-]+`' "$page" |
        tr -d '`' | grep -v 'NAME' | sed 's/\*\*/*/g' | sort -u); do
        if is_there "$path"; then
            passed=$((passed + 1))
        else
            fail "$page speaks of $path, which is not there"
        fi
    done
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
