// A file that is written whole or not at all: temporary name, then rename. See output_file.h.
//
// After a power cut the target is the old file, the new one, or on some file systems an empty one;
// the last not where the file is `durable`, as checkpoints are.
// SPDX-License-Identifier: MIT
#define _XOPEN_SOURCE 700  // realpath
#include "base/file/output_file.h"
#include "base/file/temporary.h"
#include "base/memory/memory.h"
#include "base/watch.h"
#include <errno.h>
#include <fcntl.h>
#include <liaison/liaison.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    ENOUGH = 1 << 16,  // bytes kept before they are handed on
    LINKS_MOST = 40,   // symbolic links that are followed
};

static void keep_error(LiaOutputFile* file, int error) {
    if (!file->error) {
        file->error = error ? error : EIO;
    }
}

static void write_all(LiaOutputFile* file) {
    if (file->text.failed) {
        keep_error(file, ENOMEM);
    }
    size_t done = 0;
    while (!file->error && done < file->text.length) {
        ssize_t count = write(file->descriptor, file->text.data + done, file->text.length - done);
        if (count >= 0) {
            done += (size_t)count;
        } else if (errno != EINTR || lia_watch_raised()) {
            keep_error(file, errno);
        }
    }
    file->text.length = 0;
}

static char* real_path(const char* path) {
    char found[PATH_MAX];
    if (!realpath(path, found)) {
        if (errno == ENOMEM) lia_memory_fail();
        return NULL;
    }
    char* real = lia_memory_take(strlen(found) + 1);
    if (!real) {
        errno = ENOMEM;
        return NULL;
    }
    return strcpy(real, found);
}

// What the link at `path` says, seen from where `path` is. NULL, with errno set: it is none, or
// memory is out.
static char* follow(const char* path) {
    char says[PATH_MAX];
    ssize_t length = readlink(path, says, sizeof says - 1);
    if (length < 0) {
        return NULL;
    }
    says[length] = '\0';
    const char* slash = says[0] == '/' ? NULL : strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
    char* there = lia_memory_take(folder + (size_t)length + 1);
    if (there) {
        memcpy(there, path, folder);
        memcpy(there + folder, says, (size_t)length + 1);
    }
    return there;
}

// Where a file that is not there will be: the folder by its real name.
static char* name_new(const char* path) {
    const char* slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) + 1 : 0;
    char* folder = lia_memory_take(length + 2);
    if (!folder) {
        return NULL;
    }
    memcpy(folder, path, length);
    strcpy(folder + length, ".");
    char* real = real_path(folder);
    free(folder);
    size_t size = real ? strlen(real) + strlen(path + length) + 2 : 0;
    char* target = real ? lia_memory_take(size) : NULL;
    if (target) {
        snprintf(target, size, "%s/%s", strcmp(real, "/") == 0 ? "" : real, path + length);
    }
    int error = errno;
    free(real);
    errno = error;
    return target;
}

// realpath() says nothing of links to what is not there; these are followed one by one.
static char* find_target(const char* path) {
    char* real = real_path(path);
    if (real || errno != ENOENT) {
        return real;
    }
    char* target = lia_memory_take(strlen(path) + 1);
    if (!target) {
        return NULL;
    }
    strcpy(target, path);
    for (int i = 0; i < LINKS_MOST; i++) {
        char* next = follow(target);
        if (!next && errno != ENOMEM) {
            next = name_new(target);  // no link: a file that will be
            free(target);
            return next;
        }
        free(target);
        if (!next) {
            return NULL;
        }
        target = next;
    }
    free(target);
    errno = ELOOP;
    return NULL;
}

void lia_output_file_spare(LiaReads* reads, LiaFileId file) {
    if (file.known && reads->count < LIA_READS_MOST) {
        reads->files[reads->count++] = file;
    }
}

static bool is_read(const LiaReads* reads, LiaFileId file) {
    for (size_t i = 0; reads && i < reads->count; i++) {
        if (lia_input_same(reads->files[i], file)) {
            errno = EEXIST;
            return true;
        }
    }
    return false;
}

typedef struct Place {  // where a file is to go
    bool in_place;      // it is there and no ordinary file
    char* target;       // NULL: in place
    mode_t mode;        // of the file that is replaced; 0: there is none
} Place;

static bool folder_is_writable(const char* target) {
    const char* slash = strrchr(target, '/');
    size_t length = slash ? (size_t)(slash - target) + 1 : 0;
    char* folder = lia_memory_take(length + 2);
    if (!folder) {
        return false;
    }
    memcpy(folder, target, length);
    strcpy(folder + length, ".");
    bool writable = access(folder, W_OK | X_OK) == 0;
    int error = errno;
    free(folder);
    errno = error;
    return writable;
}

static bool find_place(const char* path, const LiaReads* reads, Place* place) {
    *place = (Place){0};
    struct stat info;
    if (*path == '\0') {
        errno = ENOENT;
        return false;
    }
    if (strcmp(path, "-") == 0) {
        place->in_place = true;
        return !is_read(reads, lia_input_id(STDOUT_FILENO));
    }
    bool there = stat(path, &info) == 0;
    if (there && S_ISDIR(info.st_mode)) {
        errno = EISDIR;
        return false;
    }
    if (there && access(path, W_OK) != 0) {
        return false;
    }
    if (there && !S_ISREG(info.st_mode)) {
        place->in_place = true;
        return true;
    }
    if (there && is_read(reads, lia_input_id_at(path))) {
        return false;
    }
    place->mode = there ? info.st_mode & 0777 : 0;
    place->target = find_target(path);
    return place->target && folder_is_writable(place->target);
}

LiaStatus lia_output_possible(const char* path, const char* const* paths, size_t count) {
    bool good = path && (paths || count == 0);
    for (size_t i = 0; good && i < count; i++) good = paths[i] != NULL;
    if (!good) return LIA_ARGUMENT;
    Place place = {0};
    LiaReads reads = {0};
    for (size_t i = 0; i < count; i++) {
        bool standard = strcmp(paths[i], "-") == 0;
        lia_output_file_spare(&reads,
                              standard ? lia_input_id(STDIN_FILENO) : lia_input_id_at(paths[i]));
    }
    LiaMemoryMark mark = lia_memory_mark();
    bool possible = find_place(path, &reads, &place);
    int error = errno;
    for (size_t i = 0; possible && place.target && i < count;
         i++) {  // those that are not there yet
        char* other = find_target(paths[i]);
        if (other && strcmp(other, place.target) == 0) {
            possible = false;
            error = EEXIST;
        }
        free(other);
    }
    free(place.target);
    bool failed = lia_memory_failed(mark);
    errno = failed ? ENOMEM : error;
    return failed ? LIA_MEMORY : possible ? LIA_OK : LIA_FILE;
}

static bool open_target(LiaOutputFile* file, const char* path, const LiaReads* reads) {
    Place place;
    bool possible = find_place(path, reads, &place);
    file->path = place.target;
    if (!possible) {
        return false;
    }
    if (place.in_place) {
        file->descriptor =
            strcmp(path, "-") == 0 ? STDOUT_FILENO : open(path, O_WRONLY | O_CLOEXEC);
        return file->descriptor >= 0;
    }
    file->descriptor = lia_temporary_open(file->path, &file->temporary);
    if (file->descriptor >= 0 && place.mode) {
        (void)fchmod(file->descriptor, place.mode);  // as the file that is replaced
    }
    return file->descriptor >= 0;
}

static void release(LiaOutputFile* file) {
    lia_text_clear(&file->text);
    free(file->path);
    free(file->temporary);
    *file = (LiaOutputFile){.descriptor = -1};
}

bool lia_output_file_open(LiaOutputFile* file, const char* path, const LiaReads* reads) {
    *file = (LiaOutputFile){.descriptor = -1, .memory = lia_memory_mark()};
    if (open_target(file, path, reads)) {
        return true;
    }
    int error = errno;
    release(file);
    errno = error;
    return false;
}

void lia_output_file_flush(LiaOutputFile* file) {
    if (file->text.length >= ENOUGH) {
        write_all(file);
    }
}

// A full disk may show only when a descriptor is closed. The lock goes with the last of them, and
// is kept until the file has its name: so this closes a second one.
static bool is_stored(int descriptor, bool durable) {
    if (durable && fsync(descriptor) != 0 && errno != EINVAL && errno != EINTR) {
        return false;
    }
    int second = dup(descriptor);
    return second >= 0 && close(second) == 0;
}

bool lia_output_file_finish(LiaOutputFile* file) {
    if (lia_memory_failed(file->memory)) {
        keep_error(file, ENOMEM);
    }
    write_all(file);
    if (file->temporary && !file->error && !is_stored(file->descriptor, file->durable)) {
        keep_error(file, errno);
    }
    errno = file->error;
    return file->error == 0;
}

void lia_output_file_drop(LiaOutputFile* file) {
    keep_error(file, ECANCELED);
    lia_output_file_close(file);
}

bool lia_output_file_close(LiaOutputFile* file) {
    lia_output_file_finish(file);
    if (file->temporary) {
        if (!file->error && rename(file->temporary, file->path) != 0) {
            keep_error(file, errno);
        }
        if (file->error) {
            unlink(file->temporary);
        }
    }
    if (file->descriptor != STDOUT_FILENO && close(file->descriptor) != 0 && !file->temporary) {
        keep_error(file, errno);
    }
    int error = file->error;
    release(file);
    errno = error;
    return error == 0;
}
