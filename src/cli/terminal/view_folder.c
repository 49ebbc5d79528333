// The folder of a page that is opened in the browser. See view_folder.h.
//
// A page stays: the browser may read it again. A folder without one is of a program that runs,
// which holds a lock on it, or of one that was killed.
// SPDX-License-Identifier: MIT
#include "cli/terminal/view_folder.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TRIES_MOST = 10 };

static const char beginning[] = "liaison-", letters[] = "XXXXXX";

static bool is_ours(const char* name) {
    size_t length = sizeof beginning - 1;
    return strncmp(name, beginning, length) == 0 && strlen(name + length) == sizeof letters - 1;
}

static bool is_temporary(const char* name) {
    size_t length = strlen(name);
    return strstr(name, ".html.liaison-") && length > 4 && strcmp(name + length - 4, ".tmp") == 0;
}

// The folder is removed once it is empty: one with a page in it is not.
static void remove_left_over(int parent, const char* name) {
    struct stat info;
    int folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0) return;
    bool left = fstat(folder, &info) == 0 && info.st_uid == geteuid() &&
                flock(folder, LOCK_EX | LOCK_NB) == 0;
    int again = left ? dup(folder) : -1;
    DIR* entries = again >= 0 ? fdopendir(again) : NULL;
    for (struct dirent* entry; entries && (entry = readdir(entries)) != NULL;) {
        if (is_temporary(entry->d_name)) unlinkat(folder, entry->d_name, 0);
    }
    if (left) unlinkat(parent, name, AT_REMOVEDIR);
    if (entries) closedir(entries);
    close(folder);
}

static void remove_all_left_over(const char* parent) {
    DIR* entries = opendir(parent);
    for (struct dirent* entry; entries && (entry = readdir(entries)) != NULL;) {
        if (is_ours(entry->d_name)) remove_left_over(dirfd(entries), entry->d_name);
    }
    if (entries) closedir(entries);
}

// The lock is let go by the system. Before it is taken another program may have removed the folder.
static bool keep(const char* place) {
    struct stat there, open_;
    int folder = open(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return false;
    (void)flock(folder, LOCK_EX);
    bool kept = stat(place, &there) == 0 && fstat(folder, &open_) == 0 &&
                there.st_ino == open_.st_ino && there.st_dev == open_.st_dev;
    if (!kept) close(folder);
    return kept;
}

bool lia_view_folder(char* place, size_t size) {
    const char* named = getenv("TMPDIR");
    const char* parent = named && *named ? named : "/tmp";
    remove_all_left_over(parent);
    for (int i = 0; i < TRIES_MOST; i++) {
        int length = snprintf(place, size, "%s/%s%s", parent, beginning, letters);
        if (length < 0 || (size_t)length >= size) {
            errno = ENAMETOOLONG;
            return false;
        }
        if (!mkdtemp(place)) return false;
        if (keep(place)) return true;
    }
    return false;
}
