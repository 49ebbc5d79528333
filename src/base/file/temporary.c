// Temporary files. See temporary.h.
//
// Who makes one locks it (flock: the system lets go when the program ends, however it ends). Who
// finds one it can lock removes it. Between making and locking another program may do that: then
// the maker, who looks again once it has the lock, makes another.
// SPDX-License-Identifier: MIT
#include "base/file/temporary.h"
#include "base/memory/memory.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    TRIES_MOST = 100,  // names that are tried
    SHOWN_MOST = 180,  // bytes of the target's name in a temporary one: names have at most 255
    MARK_MOST = SHOWN_MOST + 48,
};

static const char ending[] = ".tmp";

static const char* name_of(const char* path) {
    const char* slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// What the names of a target's temporary files begin with: "out.csv.liaison-". Of a long name not
// all of it, and a number that stands for the rest.
static void put_mark(const char* target, char mark[MARK_MOST]) {
    const char* name = name_of(target);
    size_t shown = strlen(name);
    if (shown <= SHOWN_MOST) {
        snprintf(mark, MARK_MOST, "%s.liaison-", name);
        return;
    }
    uint64_t hash = 14695981039346656037u;  // FNV-1a
    for (const char* c = name; *c; c++) hash = (hash ^ (unsigned char)*c) * 1099511628211u;
    for (shown = SHOWN_MOST; ((unsigned char)name[shown] & 0xC0) == 0x80 && shown > 0;) shown--;
    snprintf(mark, MARK_MOST, "%.*s~%016llx.liaison-", (int)shown, name, (unsigned long long)hash);
}

// PID-N.tmp
static bool is_temporary(const char* rest) {
    static const char digits[] = "0123456789";
    size_t first = strspn(rest, digits);
    if (first == 0 || rest[first] != '-') return false;
    rest += first + 1;
    size_t second = strspn(rest, digits);
    return second > 0 && strcmp(rest + second, ending) == 0;
}

static bool is_still(int descriptor, int folder, const char* name) {
    struct stat there, open;
    return fstatat(folder, name, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
           fstat(descriptor, &open) == 0 && there.st_dev == open.st_dev &&
           there.st_ino == open.st_ino;
}

static void remove_left_over(int folder, const char* name) {
    struct stat info;
    if (fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(info.st_mode)) return;
    int descriptor = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) return;
    if (flock(descriptor, LOCK_EX | LOCK_NB) == 0 && is_still(descriptor, folder, name)) {
        unlinkat(folder, name, 0);
    }
    close(descriptor);
}

// `path` begins with the folder, so many bytes of it, and has room for more.
static void remove_all_left_over(char* path, size_t folder, const char* mark) {
    strcpy(path + folder, ".");
    DIR* entries = opendir(path);
    if (!entries && errno == ENOMEM) lia_memory_fail();
    size_t length = strlen(mark);
    for (struct dirent* entry; entries && (entry = readdir(entries)) != NULL;) {
        if (strncmp(entry->d_name, mark, length) == 0 && is_temporary(entry->d_name + length)) {
            remove_left_over(dirfd(entries), entry->d_name);
        }
    }
    if (entries) closedir(entries);
}

// Opened with mode 0666 under the caller's umask, as any new file: mkstemp would make it private.
static int open_locked(const char* path) {
    int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0) return -1;
    bool taken = flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (!taken && is_still(descriptor, AT_FDCWD, path))
        return descriptor;  // a system without locks removes none
    close(descriptor);
    errno = EEXIST;  // somebody took it for left over: another name
    return -1;
}

int lia_temporary_open(const char* target, char** path) {
    char mark[MARK_MOST];
    size_t folder = (size_t)(name_of(target) - target), size = folder + MARK_MOST + 64;
    int descriptor = -1;
    *path = lia_memory_take(size);
    if (!*path) {
        errno = ENOMEM;
        return -1;
    }
    memcpy(*path, target, folder);
    put_mark(target, mark);
    remove_all_left_over(*path, folder, mark);
    for (int i = 0; i < TRIES_MOST && descriptor < 0; i++) {
        snprintf(*path + folder, size - folder, "%s%ld-%d%s", mark, (long)getpid(), i, ending);
        descriptor = open_locked(*path);
        if (descriptor < 0 && errno != EEXIST) break;
    }
    if (descriptor < 0) {
        int error = errno;
        free(*path);
        *path = NULL;
        errno = error;
    }
    return descriptor;
}
