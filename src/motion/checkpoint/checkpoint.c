// Checkpoints. See checkpoint.h.
//
// A file: a line of text, three digests (of the build, the model, the options), the length of what
// follows, what checkpoint_fields.c walks over, and a digest of all of that. It is read back by the
// same build for the same model and the same options, else refused; what is damaged is found by the
// last digest, and what is wrong all the same by the walk.
// SPDX-License-Identifier: MIT
#include "motion/checkpoint/checkpoint.h"
#include "base/clock.h"
#include "base/file/build_id.h"
#include "base/file/sha256.h"
#include "base/memory/memory.h"
#include "mechanics/test_hooks.h"
#include "motion/result/state.h"
#include "motion/run/begin.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

static const char first_line[] = "liaison checkpoint 1\n";
enum { FIRST = sizeof first_line - 1, DIGESTS = 3 * LIA_SHA256_BYTES };

static const LiaSpan nowhere = {0, 0};
static const double seconds_least = 0.25;  // between two images
static const double part_most = 0.02;      // of the time, for taking them
static const double seconds_usual = 60.0;  // between two files

// --- who it belongs to --------------------------------------------------------------------------

typedef enum Owner { BUILD, MODEL, OPTIONS, OWNERS } Owner;

static LiaDigest digest_build(void) {
    LiaSha256 sha = lia_sha256_begin();
    lia_sha256_add_text(&sha, LIA_VERSION);
    lia_sha256_add_text(&sha, lia_build_id);
#ifdef __GLIBC__
    lia_sha256_add_text(&sha, gnu_get_libc_version());  // its sines
#endif
    return lia_sha256_end(&sha);
}

// The text with the values of -D, other rules, and what is eliminated.
static LiaDigest digest_model(const LiaSystem* s) {
    LiaSha256 sha = lia_sha256_begin();
    const LiaTestHooks hooks = lia_test_hooks(s);
    const int how[] = {s->reduced == s->plain, (int)hooks.algebra, (int)hooks.flip,
                       hooks.correct_all};
    lia_sha256_add(&sha, &s->model->text.digest, sizeof s->model->text.digest);
    lia_sha256_add_text(&sha, s->origin.variant ? s->origin.variant : "");
    lia_sha256_add(&sha, how, sizeof how);
    return lia_sha256_end(&sha);
}

// What was made of the options, and the state that a run begins from.
static LiaDigest digest_options(const LiaRunner* run) {
    LiaSha256 sha = lia_sha256_begin();
    const LiaTrajectory* out = run->out;
    const LiaState* from = run->options->from;
    const double numbers[] = {out->t0,
                              out->t1,
                              run->tolerance,  // that of steps follows from it, and becomes smaller
                              run->samples.every,
                              run->direction,
                              (double)run->samples.total,
                              lia_begin_step_most(run),
                              run->options->step_part,
                              out->effort.order};
    lia_sha256_add(&sha, numbers, sizeof numbers);
    if (from) {
        size_t n = from->model->coordinates_count;
        lia_sha256_add(&sha, &from->t, sizeof from->t);
        lia_sha256_add(&sha, from->q, n * sizeof *from->q);
        lia_sha256_add(&sha, from->v, n * sizeof *from->v);
    }
    return lia_sha256_end(&sha);
}

static void find_owners(const LiaRunner* run, LiaDigest owners[OWNERS]) {
    owners[BUILD] = digest_build();
    owners[MODEL] = digest_model(run->system);
    owners[OPTIONS] = digest_options(run);
}

// --- writing ------------------------------------------------------------------------------------

void lia_checkpoint_image(LiaRunner* run, LiaText* image, bool arrived) {
    LiaDigest owners[OWNERS];
    double seconds = run->checkpoint.before + lia_clock_seconds() - run->course.begun;
    size_t start = image->length;
    find_owners(run, owners);
    lia_text_add_bytes(image, first_line, FIRST);
    lia_text_add_bytes(image, (const char*)owners, DIGESTS);
    uint64_t length = 0;
    size_t at_length = image->length, begin = at_length + sizeof length;
    lia_text_add_bytes(image, (const char*)&length, sizeof length);
    LiaKeep keep = {.out = image};
    lia_keep_bool(&keep, &arrived);
    lia_keep_double(&keep, &seconds);
    lia_checkpoint_fields(run, &keep);
    if (image->failed) return;
    length = image->length - begin;
    memcpy(image->data + at_length, &length, sizeof length);
    LiaSha256 sha = lia_sha256_begin();
    lia_sha256_add(&sha, image->data + start, image->length - start);
    LiaDigest sum = lia_sha256_end(&sha);
    lia_text_add_bytes(image, (const char*)sum.bytes, sizeof sum.bytes);
}

static void take_image(LiaRunner* run, bool arrived) {
    LiaCheckpoint* c = &run->checkpoint;
    c->image.length = 0;
    c->image.failed = 0;
    lia_checkpoint_image(run, &c->image, arrived);
    if (c->image.failed) c->image.length = 0;
    c->written = false;
}

// The files of the model and of its start are not written over.
static LiaReads own_reads(const LiaRunner* run) {
    LiaReads reads = {0};
    lia_output_file_spare(&reads, run->model->text.file);
    if (run->options->from) lia_output_file_spare(&reads, run->options->from->file);
    return reads;
}

static void write_image(LiaRunner* run) {
    LiaCheckpoint* c = &run->checkpoint;
    LiaOutputFile file;
    LiaReads reads = own_reads(run);
    if (c->written || c->image.length == 0) return;
    c->error = 0;
    if (!lia_output_file_open(&file, run->options->checkpoint, &reads)) {
        c->error = errno ? errno : EIO;
        return;
    }
    file.durable = true;
    lia_text_add_bytes(&file.text, c->image.data, c->image.length);
    c->written = lia_output_file_close(&file);
    if (!c->written) c->error = errno ? errno : EIO;
}

static void say_not_written(const LiaRunner* run) {
    const LiaCheckpoint* c = &run->checkpoint;
    lia_diag_error(run->diags, nowhere, "E0323", "the checkpoint '%s' cannot be written: %s",
                   run->options->checkpoint,
                   c->error == EEXIST ? "it is read by this run" : strerror(c->error));
}

static double interval(const LiaRunner* run) {
    double every = run->options->checkpoint_every;
    return every > 0.0 ? every : seconds_usual;
}

bool lia_checkpoint_begin(LiaRunner* run, bool arrived) {
    LiaCheckpoint* c = &run->checkpoint;
    if (!run->options->checkpoint) return true;
    take_image(run, arrived);
    if (c->image.length == 0) return false;  // memory is out
    write_image(run);
    c->next = lia_clock_seconds();
    c->next_file = c->next + interval(run);
    if (!c->error) return true;
    say_not_written(run);
    return false;
}

void lia_checkpoint_pass(LiaRunner* run) {
    LiaCheckpoint* c = &run->checkpoint;
    if (!run->options->checkpoint) return;
    double begin = lia_clock_seconds();
    if (begin < c->next && begin < c->next_file) return;
    take_image(run, false);
    double pause = (lia_clock_seconds() - begin) / part_most;
    c->next = begin + (pause > seconds_least ? pause : seconds_least);
    if (begin < c->next_file) return;
    write_image(run);
    c->next_file = begin + interval(run);
}

void lia_checkpoint_end(LiaRunner* run, bool whole, bool arrived) {
    LiaCheckpoint* c = &run->checkpoint;
    if (!run->options->checkpoint) return;
    if (whole) take_image(run, arrived);
    write_image(run);
    if (c->error) say_not_written(run);
    lia_output_file_spare(&run->out->reads, lia_input_id_at(run->options->checkpoint));
}

void lia_checkpoint_clear(LiaRunner* run) { lia_text_clear(&run->checkpoint.image); }

// --- going on -----------------------------------------------------------------------------------

static bool refuse(const LiaRunner* run, const char* code, const char* why) {
    lia_diag_error(run->diags, nowhere, code, "the checkpoint '%s' %s", run->options->resume, why);
    return false;
}

static bool is_whole(const char* text, size_t length) {
    size_t end = length - LIA_SHA256_BYTES;
    LiaSha256 sha = lia_sha256_begin();
    lia_sha256_add(&sha, text, end);
    LiaDigest sum = lia_sha256_end(&sha);
    return memcmp(sum.bytes, text + end, sizeof sum.bytes) == 0;
}

// Is it a checkpoint, all of it, and of this run? NULL, and *keep is what stands in it; else what
// it is instead.
static const char* find_fault(const LiaRunner* run, const char* text, size_t length, LiaKeep* keep,
                              const char** code) {
    static const char* const others[OWNERS] = {
        [BUILD] = "was written by another build of this program",
        [MODEL] = "is of another model, or of one with other values (-D) or rules",
        [OPTIONS] = "is of a run with other options or another start",
    };
    uint64_t kept;
    *code = "E0321";
    size_t head = FIRST + DIGESTS + sizeof kept;
    if (length < FIRST || memcmp(text, first_line, FIRST) != 0) return "is no checkpoint";
    if (length < head + LIA_SHA256_BYTES) return "is not all there";
    memcpy(&kept, text + FIRST + DIGESTS, sizeof kept);
    if (kept != length - head - LIA_SHA256_BYTES) return "is not all there";
    if (!is_whole(text, length)) return "is damaged";
    LiaDigest owners[OWNERS];
    find_owners(run, owners);
    for (int i = 0; i < OWNERS; i++) {
        const char* there = text + FIRST + i * LIA_SHA256_BYTES;
        if (memcmp(there, owners[i].bytes, LIA_SHA256_BYTES) == 0) continue;
        *code = "E0322";
        return others[i];
    }
    *keep = (LiaKeep){.at = text + head, .left = (size_t)kept};
    return NULL;
}

static bool read_back(LiaRunner* run, LiaKeep* keep, bool* arrived) {
    *arrived = false;
    lia_keep_bool(keep, arrived);
    lia_keep_double(keep, &run->checkpoint.before);
    lia_checkpoint_fields(run, keep);
    return lia_keep_good(keep) && keep->left == 0;
}

bool lia_checkpoint_is_image(const LiaRunner* run, const char* bytes, size_t length) {
    LiaKeep keep;
    const char* code;
    return !find_fault(run, bytes, length, &keep, &code);
}

bool lia_checkpoint_restore(LiaRunner* run, const char* bytes, size_t length, bool* arrived) {
    LiaKeep keep;
    const char* code;
    return !find_fault(run, bytes, length, &keep, &code) && read_back(run, &keep, arrived);
}

// What is there in place of a file, in words: what might never end is not read. NULL: a file, or
// nothing.
static const char* other_kind(const char* path) {
    struct stat info;
    if (stat(path, &info) != 0 || S_ISREG(info.st_mode)) return NULL;
    if (S_ISDIR(info.st_mode)) return "cannot be read: it is a folder";
    if (S_ISFIFO(info.st_mode)) return "cannot be read: it is a pipe, not a file";
    return "cannot be read: it is a device, not a file";
}

bool lia_checkpoint_resume(LiaRunner* run, bool* arrived) {
    const char* path = run->options->resume;
    size_t length = 0;
    LiaFileId file = {0};
    LiaKeep keep;
    const char* other = other_kind(path);
    if (other) return refuse(run, "E0320", other);
    char* text = lia_input_read(path, SIZE_MAX / 4, &length, &file);
    if (!text) {
        lia_diag_error(run->diags, nowhere, "E0320", "the checkpoint '%s' cannot be read: %s", path,
                       strerror(errno ? errno : EIO));
        return false;
    }
    const char* code;
    const char* fault = find_fault(run, text, length, &keep, &code);
    if (!fault && !read_back(run, &keep, arrived)) fault = "is damaged";
    bool good = !fault || refuse(run, code, fault);
    free(text);
    lia_output_file_spare(&run->out->reads, file);
    return good;
}
