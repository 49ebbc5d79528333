#!/bin/sh
# Bundles the page of a motion: web/build.sh DIR
#
# DIR gets the packages of package-lock.json (fetched when the lock changes), page.html and page.c,
# the same as C for the program. Where the packages cannot be fetched page.c says so and is dated
# back, so that the next build tries again; everything else works without.
set -u
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1" || exit 1
dir=$(cd "$1" && pwd)

fetch() {
    [ -d "$dir/node_modules" ] && cmp -s "$here/package-lock.json" "$dir/package-lock.json" && return 0
    cp "$here/package.json" "$here/package-lock.json" "$here/.npmrc" "$dir" &&
        (cd "$dir" && npm ci --ignore-scripts >npm.log 2>&1) && return 0
    rm -f "$dir/package-lock.json"
    return 1
}

if fetch; then
    exec node "$here/build.mjs" "$dir"
fi
echo "the page is left out: npm could not fetch its packages, see $dir/npm.log"
cat >"$dir/page.c" <<'END'
#include "cli/terminal/page.h"
const char lia_page_template[] = "";
const size_t lia_page_length = 0;
const char lia_page_missing[] = "npm could not fetch the packages of web/package.json when it was built";
END
touch -t 200001010000 "$dir/page.c"
