// Input: a whole file, or standard input, as one text. See input.h.
// SPDX-License-Identifier: MIT
#include "base/file/input.h"
#include "base/memory/memory.h"
#include "base/watch.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char* read_all(FILE* file, size_t most, size_t* length) {
    size_t capacity = 1 << 14, used = 0;
    char* text = lia_memory_take(capacity + 1);
    while (text) {
        errno = 0;
        size_t got = fread(text + used, 1, capacity - used, file);
        used += got;
        if (ferror(file) && errno == EINTR &&
            !lia_watch_asked()) {  // a signal that asks for nothing
            clearerr(file);
            continue;
        }
        if (got == 0 || used > most) break;
        if (used < capacity) continue;
        char* more = lia_memory_resize(text, capacity * 2 + 1);
        if (!more) free(text);
        text = more;
        capacity *= 2;
    }
    if (text && ferror(file)) {
        free(text);
        text = NULL;
    }
    if (text) text[used] = '\0';
    *length = used;
    return text;
}

char* lia_input_read(const char* path, size_t most, size_t* length, LiaFileId* id) {
    *length = 0;
    if (id) *id = (LiaFileId){0};
    errno = 0;
    FILE* file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    if (!file && errno == ENOMEM) lia_memory_fail();
    if (!file) return NULL;
    if (id) *id = lia_input_id(fileno(file));
    char* text = read_all(file, most, length);
    int error = text ? 0 : errno ? errno : ENOMEM;
    if (file != stdin) fclose(file);
    errno = error;
    return text;
}

const char* lia_input_name(const char* path) {
    return strcmp(path, "-") == 0 ? "(standard input)" : path;
}

static LiaFileId id_of(const struct stat* info) {
    return (LiaFileId){S_ISREG(info->st_mode), info->st_dev, info->st_ino};
}

LiaFileId lia_input_id(int descriptor) {
    struct stat info;
    return fstat(descriptor, &info) == 0 ? id_of(&info) : (LiaFileId){0};
}

LiaFileId lia_input_id_at(const char* path) {
    struct stat info;
    bool there = strcmp(path, "-") != 0 && stat(path, &info) == 0;
    return there ? id_of(&info) : (LiaFileId){0};
}

bool lia_input_same(LiaFileId a, LiaFileId b) {
    return a.known && b.known && a.device == b.device && a.number == b.number;
}
