// A shortage of memory, for a program that knows nothing of it: preloaded, it makes allocations
// fail.
//
// The program runs once. At every allocation that is chosen it forks: in the child the allocation
// fails, once or from there on, and the child goes its way to the end; the program itself waits for
// it and goes on as if nothing had been. So each failure costs what comes after it, not what comes
// before. A child works in a folder of its own with its output in files next to it:
//
//     $SHORTAGE_FOLDER/K-once/      where the child works: files that it leaves are here
//     $SHORTAGE_FOLDER/K-once.out   what it wrote to standard output, and K-once.err
//     $SHORTAGE_FOLDER/report       a line for each: K-once exit 1, or signal 11; the last one:
//                                   allocations N
//
// K-on is the same with all later ones failing too. Chosen are the first $SHORTAGE_FIRST, then
// $SHORTAGE_SPREAD spread over the $SHORTAGE_REST that come after them. $SHORTAGE_MODE is 0: each
// chosen one by both ways; 1: by turns.
//
// $SHORTAGE_SITES is a file that remembers places: chosen are only allocations by a chain of calls
// that no run before has met with this file. It wants a program with frame pointers.
//
// A file that is open for writing would be one for both: where there is one, the line says "K-once
// later", and the program is to be run for it alone, with $SHORTAGE_ONLY=K-once. $SHORTAGE_ALONE=1
// says so of all: for programs that make folders and the like.
//
// Compiled by the tests: cc -shared -fPIC. Under the sanitizers it must be loaded before them
// (ASAN_OPTIONS=verify_asan_link_order=0); what it does not refuse goes to their allocator.
// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    SECONDS_MOST = 120,  // a child that takes longer hangs
    FILES_MOST = 32,     // descriptors whose places are kept
};

static struct {
    void* (*malloc)(size_t);
    void* (*calloc)(size_t, size_t);
    void* (*realloc)(void*, size_t);
    void* (*aligned_alloc)(size_t, size_t);
    void (*free)(void*);
} real;

static const char* folder;  // NULL: nothing fails
static unsigned long met;   // allocations so far
static unsigned long first, spread, rest, mode;
static bool inside;         // allocations of this file itself, and of the loader, are not counted
static unsigned long only;  // the one that fails in this run; 0: see above
static bool only_on, alone;
static bool child, fails_on;  // this is a child; all of its allocations fail
static long held;             // blocks that were taken and not given back
static int report = -1;

enum { FRAMES = 6, SITES = 1 << 18, LARGEST = 1 << 30 };
static uint32_t* sites;   // hashes, 0: free; shared by the runs
static uintptr_t origin;  // where the program was loaded

static int find_origin(struct dl_phdr_info* info, size_t size, void* context) {
    (void)size;
    (void)context;
    origin = (uintptr_t)info->dlpi_addr;
    return 1;  // the first is the program
}

static void open_sites(void) {
    const char* path = getenv("SHORTAGE_SITES");
    int file = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666) : -1;
    if (file < 0 || ftruncate(file, SITES * sizeof *sites) != 0) return;
    void* map = mmap(NULL, SITES * sizeof *sites, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (map != MAP_FAILED) sites = map;
    close(file);
    dl_iterate_phdr(find_origin, NULL);
}

// Is this chain of calls met for the first time?
__attribute__((noinline)) static bool is_new_site(void) {
    uintptr_t* frame = __builtin_frame_address(0);
    uint32_t h = 2166136261u;
    for (int i = 0; i < FRAMES && frame;) {
        uintptr_t place = frame[1] - origin;
        if (place < LARGEST) {  // in the program, not in a library
            h = (h ^ (uint32_t)place) * 16777619u;
            h ^= h >> 15;
            i++;
        }
        uintptr_t* next = (uintptr_t*)frame[0];
        if (next <= frame || next > frame + (1 << 16)) break;
        frame = next;
    }
    h = h ? h : 1;
    for (uint32_t i = h % SITES, looked = 0; looked < SITES; i = (i + 1) % SITES, looked++) {
        if (sites[i] == h) return false;
        if (sites[i] != 0) continue;
        sites[i] = h;
        return true;
    }
    return false;
}

static unsigned long number(const char* name) {
    const char* text = getenv(name);
    return text ? strtoul(text, NULL, 10) : 0;
}

void __lsan_do_leak_check(void) __attribute__((weak));  // of the sanitizers, where they are there

// A process with a failure ends here, before the sanitizers' own end of it. Where no block is held
// there is no leak, and they need not look for one; the rest of what they do at the end takes
// longer than most children do, and is of no use.
static void end_child(int code, void* context) {
    (void)context;
    if (!child && !only) return;
    inside = true;
    fclose(stdout);
    if (held != 0 && __lsan_do_leak_check) __lsan_do_leak_check();
    _exit(code);
}

__attribute__((constructor)) static void begin(void) {
    inside = true;
    const char* place = getenv("SHORTAGE_FOLDER");
    char path[4096];
    first = number("SHORTAGE_FIRST");
    spread = number("SHORTAGE_SPREAD");
    rest = number("SHORTAGE_REST");
    mode = number("SHORTAGE_MODE");
    only = number("SHORTAGE_ONLY");
    alone = number("SHORTAGE_ALONE") != 0;
    const char* way = getenv("SHORTAGE_ONLY");
    only_on = way && strstr(way, "-on") && !strstr(way, "-once");
    if (only) alarm(SECONDS_MOST);
    if (place && !only) {
        snprintf(path, sizeof path, "%s/report", place);
        report = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    }
    // far from where programs look for theirs
    if (report >= 0) {
        int high = fcntl(report, F_DUPFD_CLOEXEC, 500);
        close(report);
        report = high;
    }
    unsetenv("LD_PRELOAD");  // what the program starts is not meant
    folder = place;
    if (place && !only) open_sites();
    held = 0;  // the loader keeps its own
    inside = false;
}

static void note(const char* line, int length) {
    if (report >= 0 && write(report, line, (size_t)length) < 0) _exit(99);
}

__attribute__((destructor)) static void end(void) {
    char line[64];
    if (!child && folder && !only)
        note(line, snprintf(line, sizeof line, "allocations %lu\n", met));
}

// A descriptor to a file of its own, which begins with what was written before: the program wrote
// it to 0.out and 0.err.
static void lead(int descriptor, const char* name, const char* kind) {
    char path[4096], bytes[4096];
    snprintf(path, sizeof path, "%s/0.%s", folder, kind);
    int before = open(path, O_RDONLY);
    snprintf(path, sizeof path, "%s/%s.%s", folder, name, kind);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    for (ssize_t got; before >= 0 && (got = read(before, bytes, sizeof bytes)) > 0;) {
        if (write(file, bytes, (size_t)got) != got) _exit(99);
    }
    if (file < 0 || dup2(file, descriptor) < 0) _exit(99);
    close(before);
    close(file);
}

static void become_child(const char* name) {
    char path[4096];
    child = true;
    alarm(SECONDS_MOST);
    lead(STDOUT_FILENO, name, "out");
    lead(STDERR_FILENO, name, "err");
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (mkdir(path, 0777) != 0 || chdir(path) != 0) _exit(99);
}

// Is a file open for writing?
static bool is_writing(void) {
    for (int i = STDERR_FILENO + 1; i < FILES_MOST; i++) {
        struct stat info;
        int flags = fcntl(i, F_GETFL);
        if (flags >= 0 && (flags & O_ACCMODE) != O_RDONLY && fstat(i, &info) == 0 &&
            S_ISREG(info.st_mode)) {
            return true;
        }
    }
    return false;
}

// True in the child.
static bool try_without(bool on) {
    char name[64], line[128];
    int status = 0, error = errno;
    off_t places[FILES_MOST];
    for (int i = 0; i < FILES_MOST; i++) places[i] = lseek(i, 0, SEEK_CUR);
    snprintf(name, sizeof name, "%lu-%s", met, on ? "on" : "once");
    if (alone || is_writing()) {
        note(line, snprintf(line, sizeof line, "%s later 0\n", name));
        errno = error;
        return false;
    }
    pid_t pid = _Fork();  // one thread: nothing is to be done before, and the sanitizers do a lot
    if (pid == 0) {
        become_child(name);
        fails_on = on;
        return true;
    }
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
    for (int i = 0; i < FILES_MOST; i++) {  // an open file is one for both: the child read on in it
        if (places[i] >= 0) lseek(i, places[i], SEEK_SET);
    }
    note(line, pid < 0 ? snprintf(line, sizeof line, "%s fork failed\n", name)
               : WIFSIGNALED(status)
                   ? snprintf(line, sizeof line, "%s signal %d\n", name, WTERMSIG(status))
                   : snprintf(line, sizeof line, "%s exit %d\n", name, WEXITSTATUS(status)));
    errno = error;
    return false;
}

// Of those after the first, `spread` are chosen: where k*spread/rest becomes another whole number.
static bool is_chosen(unsigned long allocation) {
    if (allocation <= first) return true;
    unsigned long k = allocation - first;
    return rest > 0 && k <= rest &&
           (spread >= rest || k * spread / rest != (k - 1) * spread / rest);
}

static bool refuses(void) {
    if (inside || !folder) return false;
    if (child) return fails_on;
    if (met++ == 0) on_exit(end_child, NULL);  // later than the sanitizers, so that it comes first
    if (only) return met == only || (met > only && only_on);
    if (sites ? !is_new_site() : !is_chosen(met)) return false;
    inside = true;
    static bool turn;
    turn = !turn;
    bool failed = (mode == 0 || turn) && try_without(false);
    failed = failed || ((mode == 0 || !turn) && try_without(true));
    inside = false;
    return failed;
}

// The loader's own allocations while it looks for the others come from here.
static char early[1 << 16];
static size_t early_used;

static void* take_early(size_t bytes) {
    void* memory = early + early_used;
    early_used += (bytes + 15) / 16 * 16;
    return early_used <= sizeof early ? memory : NULL;
}

static bool find(void) {
    static bool looking;
    if (real.aligned_alloc) return true;
    if (looking) return false;
    looking = true;
    real.malloc = (void* (*)(size_t))dlsym(RTLD_NEXT, "malloc");
    real.calloc = (void* (*)(size_t, size_t))dlsym(RTLD_NEXT, "calloc");
    real.realloc = (void* (*)(void*, size_t))dlsym(RTLD_NEXT, "realloc");
    real.free = (void (*)(void*))dlsym(RTLD_NEXT, "free");
    real.aligned_alloc = (void* (*)(size_t, size_t))dlsym(RTLD_NEXT, "aligned_alloc");
    looking = false;
    return real.aligned_alloc != NULL;
}

static bool is_early(const void* block) {
    return (const char*)block >= early && (const char*)block < early + sizeof early;
}

static void* refuse(void) {
    errno = ENOMEM;
    return NULL;
}

static void* hold(void* block) {
    held += block != NULL;
    return block;
}

void* malloc(size_t bytes) {
    if (!find()) return take_early(bytes);
    return refuses() ? refuse() : hold(real.malloc(bytes));
}

void* calloc(size_t count, size_t size) {
    if (!find()) return take_early(count * size);
    return refuses() ? refuse() : hold(real.calloc(count, size));
}

void* realloc(void* old, size_t bytes) {
    if (!find()) return take_early(bytes);
    if (refuses()) return refuse();
    return old ? real.realloc(old, bytes) : hold(real.realloc(old, bytes));
}

void* aligned_alloc(size_t alignment, size_t bytes) {
    if (!find()) return NULL;
    return refuses() ? refuse() : hold(real.aligned_alloc(alignment, bytes));
}

void free(void* block) {
    if (!block || is_early(block) || !find()) return;
    held--;
    real.free(block);
}
