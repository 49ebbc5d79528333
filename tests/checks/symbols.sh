# Every name the libraries show to a linker begins with lia_, and the shared one shows what the public headers declare.
set -u
archive=$OUTPUT_DIR/libliaison.a shared=$OUTPUT_DIR/libliaison.so
[ -e "$archive" ] || { echo "no library yet"; exit 77; }
failed=0
found=$(nm -g --defined-only "$archive" 2>/dev/null | awk 'NF == 3 && $3 !~ /^lia_/ { print $3 }' | sort -u)
[ -z "$found" ] || { echo "external names in libliaison.a without lia_:"; echo "$found"; failed=1; }
found=$(nm -D --defined-only "$shared" | awk 'NF == 3 && $3 !~ /^lia_/ { print $3 }')
[ -z "$found" ] || { echo "exported names in libliaison.so without lia_:"; echo "$found"; failed=1; }
exit $failed
