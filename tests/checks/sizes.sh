# Sizes: no file of src above 500 lines, no function above 60, none with more than 6 parameters, no
# struct above 30 fields, no folder with more than 15 .c files. What is larger stands in sizes.txt,
# with its size: none may be added, none may grow, and what fits is to be taken out of the list.
set -u
cd "$SOURCE_DIR" || exit 1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
{
    find src -name '*.[ch]' | sort | while read -r file; do
        echo "$(wc -l <"$file") lines $file"
    done
    find src -type d | sort | while read -r folder; do
        echo "$(find "$folder" -maxdepth 1 -name '*.c' | wc -l) files $folder"
    done
    find src -name '*.[ch]' | sort | xargs awk '
        # declarators of a struct, or parameters of a function: the commas of the outermost level
        function parts(text,    i, c, depth, count) {
            count = 1
            depth = 0
            for (i = 1; i <= length(text); i++) {
                c = substr(text, i, 1)
                if (c == "(" || c == "{" || c == "[") depth++
                if (c == ")" || c == "}" || c == "]") depth--
                if (c == "," && depth == 0) count++
            }
            return count
        }
        function fields(text,    i, c, depth, count, begin) {
            count = 0
            depth = 0
            begin = 1
            for (i = 1; i <= length(text); i++) {
                c = substr(text, i, 1)
                if (c == "(" || c == "{" || c == "[") depth++
                if (c == ")" || c == "}" || c == "]") depth--
                if (c == ";" && depth == 0) {
                    count += parts(substr(text, begin, i - begin))
                    begin = i + 1
                }
            }
            return count
        }
        function finish_function(    name, list) {
            gsub(/__attribute__\(\([a-z_]*\)\) */, "", head)
            name = head
            sub(/\(.*/, "", name)
            sub(/.*[ *]/, "", name)
            list = head
            sub(/^[^(]*\(/, "", list)
            sub(/\)[^)]*$/, "", list)
            print FNR - begun + 1, "function", FILENAME ":" name
            print parts(list), "parameters", FILENAME ":" name
            state = ""
        }
        FNR == 1 { state = "" }
        { line = $0; sub(/[ \t]*\/\/.*/, "", line) }
        state == "function" { if (line == "}") finish_function(); next }
        state == "struct" {
            if (line ~ /^}/) {
                print fields(body), "fields", FILENAME ":" name
                state = ""
            } else body = body " " line
            next
        }
        state == "head" {
            head = head " " line
            if (line ~ /\{$/) state = "function"
            else if (line ~ /;$/ || line ~ /}$/) state = ""
            next
        }
        line ~ /^(typedef )?(struct|union) [A-Za-z_0-9]* ?\{$/ {
            state = "struct"
            body = ""
            name = line
            sub(/ ?\{$/, "", name)
            sub(/.* /, "", name)
            next
        }
        line ~ /^[A-Za-z]/ && line ~ /\(/ && line !~ /^(typedef|enum|_Static_assert|LIA_)/ && line !~ /=/ {
            begun = FNR
            head = line
            if (line ~ /\{$/) state = "function"
            else if (line !~ /;$/ && line !~ /}$/) state = "head"
        }'
} >"$scratch/sizes"
[ "$(grep -c function "$scratch/sizes")" -gt 2000 ] || { echo "functions are not found"; exit 1; }
awk -v list=tests/checks/sizes.txt '
    BEGIN {
        most["lines"] = 500
        most["files"] = 15
        most["function"] = 60
        most["parameters"] = 6
        most["fields"] = 30
        while ((getline row <list) > 0) {
            if (split(row, part, " ") == 3 && part[1] + 0 > 0) known[part[2] " " part[3]] = part[1]
        }
    }
    {
        key = $2 " " $3
        size = $1 + 0
        if (size <= most[$2]) passed++
        else if (!(key in known)) { print key ": " size ", at most " most[$2]; failed++ }
        else if (size > known[key]) { print key ": " size ", grown from " known[key]; failed++ }
        else passed++
        used[key] = size > most[$2]
    }
    END {
        for (key in known) {
            if (!used[key]) { print key ": take it out of " list; failed++ }
        }
        print passed + 0 " passed, " failed + 0 " failed"
        exit failed > 0
    }' "$scratch/sizes"
