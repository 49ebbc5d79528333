// liaison run FILE: a text becomes a model, a model a system, a system a motion, a motion something
// to look at. This file is the table of contents of the program.
// SPDX-License-Identifier: MIT
#include "cli/budget.h"
#include "cli/cli_memory.h"
#include "cli/interrupt.h"
#include "cli/model_file.h"
#include "cli/run_options.h"
#include "cli/terminal/page.h"
#include "cli/terminal/print.h"
#include "cli/terminal/screen.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct Run {
    const LiaCommandLine* line;
    const char* path;    // of the model
    const char* output;  // -o; NULL: not asked for
    bool json, quiet;
    LiaScreen screen;
    LiaDiags* diags;
    LiaDiags* state_diags;  // of the file of --from; NULL: there is none
    LiaModel* model;
    LiaSystem* system;
    LiaState* state;  // --from
    LiaTrajectory* motion;
} Run;

// The same command for the first run and for those that go on: where one file is both written and
// gone on from, it need not be there.
static bool is_there_yet(const Run* run) {
    const char* resume = run->line->text[LIA_OPTION_RESUME];
    const char* checkpoint = run->line->text[LIA_OPTION_CHECKPOINT];
    bool missing = resume && checkpoint && strcmp(resume, checkpoint) == 0 &&
                   access(resume, F_OK) != 0 && errno == ENOENT;
    if (missing && !run->quiet) {
        lia_print_error("%s is not there yet: the run begins at its start", resume);
    }
    return !missing;
}

static LiaStatus run_model(Run* run, LiaProgressLine* progress) {
    const LiaCommandLine* line = run->line;
    LiaSystemOptions system_options = {.no_eliminate = line->given[LIA_OPTION_NO_ELIMINATE]};
    LiaRunOptions run_options = lia_run_options(line, progress);
    if (!is_there_yet(run)) {
        run_options.resume = NULL;
    }
    LIA_TRY(lia_model_read(run->path, &(LiaDefines){line->defines, line->define_count}, run->diags,
                           &run->model));
    if (run->state_diags) {
        const char* from = line->text[LIA_OPTION_FROM];
        LIA_TRY(lia_state_load(from, run->model, run->state_diags, &run->state));
        run_options.from = run->state;
    }
    LIA_TRY(lia_system_build(run->model, &system_options, run->diags, &run->system));
    LiaStatus status = line->given[LIA_OPTION_CHECK]
                           ? lia_motion_check(run->system, &run_options, run->diags, &run->motion)
                           : lia_motion_run(run->system, &run_options, run->diags, &run->motion);
    if (!run->motion || run->quiet) return status;
    return lia_kept_find(run->motion) == LIA_MEMORY ? LIA_MEMORY : status;
}

// --- before: is what was asked for possible? ----------------------------------------------------

static bool ends_with(const char* path, const char* ending) {
    size_t length = strlen(path), n = strlen(ending);
    return length >= n && strcasecmp(path + length - n, ending) == 0;
}

static bool is_page(const char* path) {
    return ends_with(path, ".html") || ends_with(path, ".htm");
}

static bool is_possible_output(const LiaCommandLine* line, const char* path) {
    if (ends_with(path, ".h5")) {
        lia_print_error(
            "%s: output of this kind is not in this version; there are OUT.csv and OUT.html", path);
        return false;
    }
    if (is_page(path) && lia_page_length == 0) {
        lia_print_error("%s: this program makes no pages: %s", path, lia_page_missing);
        return false;
    }
    if (ends_with(path, ".json")) {
        lia_print_error("%s: -o writes CSV; for JSON: --json > %s", path, path);
        return false;
    }
    static const char* const pictures[] = {".svg", ".png", ".pdf", ".tex"};
    for (size_t i = 0; i < sizeof pictures / sizeof pictures[0]; i++) {
        if (ends_with(path, pictures[i])) {
            lia_print_error(
                "%s: -o writes OUT.csv or OUT.html; plot lines become SVG files beside OUT.csv, "
                "'liaison picture' and 'liaison explain --latex' make others",
                path);
            return false;
        }
    }
    return lia_run_options_writable(line, path);
}

// A checkpoint is a file of its own: neither the model nor a result.
static bool is_possible_checkpoint(const Run* run) {
    const LiaCommandLine* line = run->line;
    const char* path = line->text[LIA_OPTION_CHECKPOINT];
    const char* const files[] = {path ? path : line->text[LIA_OPTION_RESUME],
                                 line->text[LIA_OPTION_RESUME]};
    size_t count = files[1] ? 2 : 1;
    bool both = run->output && files[0] && strcmp(run->output, "-") != 0;
    LiaStatus status = both ? lia_output_possible(run->output, files, count) : LIA_OK;
    bool same = status == LIA_FILE && errno == EEXIST;
    if (status == LIA_MEMORY) {
        lia_cli_memory_out();
        return false;
    }
    if (same) {
        lia_print_error("%s: '-o' would replace the checkpoint: give another file", run->output);
    }
    if (line->given[LIA_OPTION_CHECKPOINT_EVERY] && !path) {
        lia_print_error("'--checkpoint-every' says how often '--checkpoint FILE' is written: give "
                        "that too");
        return false;
    }
    if (path && strcmp(path, "-") == 0) {
        lia_print_error("'--checkpoint' wants a file, not standard output");
        return false;
    }
    return !same && (!path || lia_run_options_writable(line, path));
}

static bool is_possible(const Run* run) {
    const LiaCommandLine* line = run->line;
    int errors = 0;
    const char* from = line->text[LIA_OPTION_FROM];
    if (from && strcmp(from, "-") == 0 && strcmp(run->path, "-") == 0) {
        lia_print_error("the model and the state of '--from' cannot both come from standard input");
        errors++;
    }
    errors += !lia_run_options_agree(line);
    if (run->output && strcmp(run->output, "-") == 0 && run->json) {
        lia_print_error("'--json' and '-o -' both want standard output: give one, or -o a file");
        errors++;
    }
    errors += run->output && !is_possible_output(line, run->output);
    errors += !is_possible_checkpoint(run);
    return errors == 0;
}

// --- after: what came out -----------------------------------------------------------------------

typedef struct Written {
    bool good;
    bool result;      // the file that was asked for
    char* stem;       // of the pictures
    bool events;      // STEM-events.csv
    size_t pictures;  // STEM.svg, STEM-2.svg, ...
} Written;

// Where the pictures go: beside the CSV, or by the model's name. NULL: nowhere. To be freed.
static char* picture_stem(const Run* run) {
    struct stat info;
    const char* stem = run->output;
    if (!stem) {
        stem = run->json || run->quiet ? NULL : lia_model_name(run->model);
    } else if (strcmp(stem, "-") == 0 || is_page(stem) ||
               (stat(stem, &info) == 0 && !S_ISREG(info.st_mode))) {
        stem = NULL;  // standard output, a device; a page has its pictures in it
    }
    char* copy = stem ? lia_cli_memory_take(strlen(stem) + 1) : NULL;
    if (copy) {
        strcpy(copy, stem);
        if (run->output && ends_with(copy, ".csv")) {
            copy[strlen(copy) - 4] = '\0';
        }
    }
    return copy;
}

static void write_page(const Run* run, Written* written) {
    LiaStatus status =
        lia_output_page(run->motion, lia_page_template, lia_page_length, run->output);
    written->good = written->result = status == LIA_OK;
    if (status != LIA_OK) {
        lia_print_file_error(run->output, status == LIA_MEMORY ? ENOMEM : errno);
    }
}

// The CSV and the pictures, in one call: where memory is out there is none of them.
static void write_files(const Run* run, Written* written) {
    char name[512];
    size_t count = 0;
    written->stem = picture_stem(run);
    if (lia_cli_memory_is_out()) return;
    LiaStatus status = lia_output_files(run->motion, run->output, written->stem, &count, NULL);
    int error = errno;
    bool events = run->output && written->stem && lia_trajectory_events(run->motion) > 0;
    written->result = run->output && count > 0;
    written->events = events && count > 1;
    written->pictures = count - written->result - written->events;
    if (status == LIA_MEMORY) {
        lia_cli_memory_out();
    } else if (status != LIA_OK && run->output && !written->result) {
        lia_print_file_error(run->output, error);
    } else if (status != LIA_OK) {
        snprintf(name, sizeof name, "%.400s%s", written->stem,
                 events && !written->events ? "-events.csv" : ".svg");
        lia_print_file_error(name, error);
    }
    // Pictures nobody asked for by name: said, but the result is there.
    written->good = status == LIA_OK || (status == LIA_FILE && !run->output);
}

typedef struct Words {  // what is printed of a result; NULL: nothing
    char *result, *reason;
} Words;

static char* summary_of(const Run* run) {
    LiaTextStyle style = {.colour = run->screen.colour,
                          .width = run->screen.width,
                          .pictures = true,
                          .ascii = run->screen.ascii};
    return lia_output_summary(run->motion, &style);
}

// False if memory is out.
static bool find_words(const Run* run, LiaStatus status, Words* words) {
    bool on_stdout = run->output && strcmp(run->output, "-") == 0;
    bool summary = !run->json && !run->quiet && !on_stdout;
    bool failed = status == LIA_FAILED && lia_diags_errors(run->diags) == 0;
    *words = (Words){.result = run->json ? lia_output_json(run->motion)
                               : summary ? summary_of(run)
                                         : NULL,
                     .reason = failed ? lia_output_reason(run->motion) : NULL};
    bool good = (words->result || !(run->json || summary)) && (words->reason || !failed);
    if (!good) lia_cli_memory_out();
    return good;
}

// "wrote a.csv, a.svg"; the files are there, so this takes no memory
static bool print_written(const Run* run, const Written* written) {
    bool done = true, any = written->result && strcmp(run->output, "-") != 0;
    if (any) done = lia_print_text("wrote ") && lia_print_name(run->output);
    if (written->events) {
        done = done && lia_print_text(", ") && lia_print_name(written->stem) &&
               lia_print_text("-events.csv");
    }
    for (size_t i = 1; done && i <= written->pictures; i++) {
        done = lia_print_text(any ? ", " : "wrote ") && lia_print_name(written->stem) &&
               (i == 1 ? lia_print_text(".svg") : lia_print_out("-%zu.svg", i));
        any = true;
    }
    return done && (!any || lia_print_text("\n"));
}

static bool print_words(const Run* run, const Words* words, const Written* written) {
    bool done = !words->result || lia_print_text(words->result);
    if (run->json) {
        done = done && lia_print_text("\n");
    } else if (words->result) {
        done = done && print_written(run, written);
    }
    lia_print_diagnostics(words->reason ? words->reason : "");
    return done;
}

// The words are found first, so that no file is left where memory is out for them; the files are
// written before they are printed, so that they can say that the files are there.
static bool tell_results(const Run* run, LiaStatus status) {
    Written written = {.good = true};
    Words words;
    lia_interrupt_hold();
    if (find_words(run, status, &words) && !lia_cli_memory_is_out()) {
        bool page = run->output && is_page(run->output);
        if (page) write_page(run, &written);
        if (!page) write_files(run, &written);
        bool printed = !lia_cli_memory_is_out() && print_words(run, &words, &written);
        written.good = printed && written.good;
    }
    lia_free(words.result);
    lia_free(words.reason);
    free(written.stem);
    return written.good;
}

// Was the second run of --check ended before its time?
static bool check_cut(const Run* run) {
    const char* check = lia_trajectory_check(run->motion);
    return check && strcmp(check, "unfinished") == 0;
}

static int exit_code(const Run* run, LiaStatus status, bool told) {
    if (status == LIA_FAILED) {
        return LIA_EXIT_STUCK;
    }
    if (told && (lia_budget_ended(run->motion) || check_cut(run))) return LIA_EXIT_BUDGET;
    bool whole = lia_diags_errors(run->diags) == 0;  // else a checkpoint could not be written
    bool done = (status == LIA_OK || status == LIA_STOPPED) && told && whole;
    return done ? LIA_EXIT_DONE : LIA_EXIT_WRONG;
}

int lia_cmd_run(const LiaCommandLine* line) {
    Run run = {.line = line,
               .path = lia_model_file(line),
               .output = line->text[LIA_OPTION_OUTPUT],
               .json = line->given[LIA_OPTION_JSON],
               .quiet = line->given[LIA_OPTION_QUIET],
               .screen = lia_screen_look()};
    if (!run.path || !is_possible(&run)) {
        return LIA_EXIT_WRONG;
    }
    run.diags = lia_diags_create();
    run.state_diags = line->given[LIA_OPTION_FROM] ? lia_diags_create() : NULL;
    if (!run.diags || (line->given[LIA_OPTION_FROM] && !run.state_diags)) {
        lia_cli_memory_out();
        lia_diags_destroy(run.diags);
        lia_diags_destroy(run.state_diags);
        return LIA_EXIT_WRONG;
    }
    LiaProgressLine progress = lia_progress_begin(&run.screen, run.json, run.quiet);
    errno = 0;
    LiaStatus status = run_model(&run, &progress);
    int error = errno;
    lia_progress_end(&progress);
    bool wrong_state = run.state_diags && lia_diags_errors(run.state_diags) > 0;
    if (run.state_diags && (wrong_state || !run.quiet)) {
        lia_model_file_tell(run.state_diags, LIA_OK, 0, "");
    }
    if (!wrong_state && (lia_diags_errors(run.diags) > 0 || !run.quiet || status != LIA_OK)) {
        lia_model_file_tell(run.diags, status, error, run.path);
    }
    bool told = run.motion ? tell_results(&run, status) : false;
    int code = exit_code(&run, status, told);
    lia_trajectory_destroy(run.motion);
    lia_state_destroy(run.state);
    lia_system_destroy(run.system);
    lia_model_destroy(run.model);
    lia_diags_destroy(run.state_diags);
    lia_diags_destroy(run.diags);
    return code;
}
