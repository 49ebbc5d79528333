// A file that is written whole or not at all: temporary name, then rename.
//
// No fsync: after a power cut the target is the old file, the new one, or on some file systems an
// empty one. Runs that must survive that have checkpoints for it.
// SPDX-License-Identifier: MIT
#define _XOPEN_SOURCE 700  // realpath
#include "file.h"
#include "../base/memory.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    ENOUGH = 1 << 16,  // bytes kept before they are handed on
    NAMES_MOST = 100,  // temporary names tried
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
        } else if (errno != EINTR) {
            keep_error(file, errno);
        }
    }
    file->text.length = 0;
}

// The file a path leads to: symbolic links followed, so that a rename does not replace the link.
static char* resolve(const char* path) {
    char* real = realpath(path, NULL);
    if (real || errno != ENOENT) {
        return real;
    }
    char* copy = lia_memory_take(strlen(path) + 1);  // not there yet
    return copy ? strcpy(copy, path) : NULL;
}

// Opened with mode 0666 under the caller's umask, as any new file: mkstemp would make it private.
static bool open_temporary(LiaOutputFile* file, const char* path, mode_t mode) {
    size_t size = strlen(path) + 48;
    file->temporary = lia_memory_take(size);
    if (!file->temporary) {
        return false;
    }
    for (int i = 0; i < NAMES_MOST && file->descriptor < 0; i++) {
        snprintf(file->temporary, size, "%s.%ld-%d.tmp", path, (long)getpid(), i);
        file->descriptor = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file->descriptor < 0 && errno != EEXIST) {
            break;
        }
    }
    if (file->descriptor < 0) {
        return false;
    }
    if (mode) {
        (void)fchmod(file->descriptor, mode);  // as the file that is replaced
    }
    return true;
}

static bool open_target(LiaOutputFile* file, const char* path) {
    if (strcmp(path, "-") == 0) {
        file->descriptor = STDOUT_FILENO;
        return true;
    }
    struct stat info;
    bool there = stat(path, &info) == 0;
    if (there && S_ISDIR(info.st_mode)) {
        errno = EISDIR;
        return false;
    }
    if (there && !S_ISREG(info.st_mode)) {
        file->descriptor = open(path, O_WRONLY | O_CLOEXEC);
        return file->descriptor >= 0;
    }
    if (there && access(path, W_OK) != 0) {
        return false;
    }
    file->path = resolve(path);
    return file->path && open_temporary(file, file->path, there ? info.st_mode & 0777 : 0);
}

static void release(LiaOutputFile* file) {
    lia_text_clear(&file->text);
    free(file->path);
    free(file->temporary);
    *file = (LiaOutputFile){.descriptor = -1};
}

bool lia_output_file_open(LiaOutputFile* file, const char* path) {
    *file = (LiaOutputFile){.descriptor = -1};
    if (*path == '\0') {
        errno = ENOENT;
        return false;
    }
    if (open_target(file, path)) {
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

bool lia_output_file_close(LiaOutputFile* file) {
    write_all(file);
    if (file->descriptor != STDOUT_FILENO && close(file->descriptor) != 0) {
        keep_error(file, errno);  // a full disk may show only now
    }
    if (file->temporary) {
        if (!file->error && rename(file->temporary, file->path) != 0) {
            keep_error(file, errno);
        }
        if (file->error) {
            unlink(file->temporary);
        }
    }
    int error = file->error;
    release(file);
    errno = error;
    return error == 0;
}
