# A library function never ends the program and never speaks to the terminal by itself (standard
# output is for the one function that is asked to write there). Seen in the release build, where
# assertions are off.
set -u
archive=$OUTPUT_DIR/libliaison.a
[ -e "$archive" ] || { echo "no library yet"; exit 77; }
found=$(nm -A -u "$archive" 2>/dev/null | sed 's/.*libliaison.a:\([^:]*\):.* U /\1 /' |
    grep -E ' (exit|_exit|_Exit|quick_exit|abort|printf|vprintf|__printf_chk|__vprintf_chk|puts|putchar|perror|stderr|system|signal|sigaction|setlocale)(@.*)?$')
[ -z "$found" ] || { echo "library code uses:"; echo "$found"; exit 1; }
# Memory is taken and given back in one place, where failures are counted and the allocator of the
# program is asked: a failure that is not counted could pass in silence.
found=$(nm -A -u "$archive" 2>/dev/null | sed 's/.*libliaison.a:\([^:]*\):.* U /\1 /' | grep -vE '^(memory|allocator)\.c\.o ' |
    grep -E ' (free|malloc|calloc|realloc|reallocarray|aligned_alloc|posix_memalign|strdup|strndup|asprintf|vasprintf|open_memstream|getline|getdelim)(@.*)?$')
[ -z "$found" ] || { echo "memory is taken and given back by src/base/memory alone (include base/memory/memory.h), but:"; echo "$found"; exit 1; }
