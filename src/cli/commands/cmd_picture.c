// liaison picture FILE: what surrounds a motion, drawn under its path.
// SPDX-License-Identifier: MIT
#include "cli/budget.h"
#include "cli/cli_memory.h"
#include "cli/interrupt.h"
#include "cli/model_file.h"
#include "cli/run_options.h"
#include "cli/terminal/print.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

typedef struct Asked {
    LiaPictureKind picture;
    LiaOptionId option;
} Asked;

static const Asked pictures[] = {{LIA_PICTURE_DISTRIBUTION, LIA_OPTION_DISTRIBUTION},
                                 {LIA_PICTURE_CURVATURE, LIA_OPTION_CURVATURE},
                                 {LIA_PICTURE_PORTRAIT, LIA_OPTION_PORTRAIT}};
enum { PICTURES = sizeof pictures / sizeof *pictures };

typedef struct Work {
    LiaDiags *diags, *state_diags;
    LiaModel* model;
    LiaSystem* system;
    LiaState* state;  // --from
    LiaTrajectory* motion;
} Work;

static bool is_possible(const LiaCommandLine* line) {
    int asked = 0;
    for (int i = 0; i < PICTURES; i++) asked += line->given[pictures[i].option];
    if (asked > 1) {
        lia_print_error(
            "'--distribution', '--portrait' and '--curvature' are three pictures: give one");
    }
    const char* path = line->text[LIA_OPTION_OUTPUT];
    bool writable = !path || lia_run_options_writable(line, path);
    return lia_run_options_agree(line) && writable && asked <= 1;
}

static LiaStatus run_model(const LiaCommandLine* line, LiaProgressLine* progress, Work* work) {
    LiaRunOptions options = lia_run_options(line, progress);
    LIA_TRY(lia_model_read(line->words[0], &(LiaDefines){line->defines, line->define_count},
                           work->diags, &work->model));
    if (line->given[LIA_OPTION_FROM]) {
        LIA_TRY(lia_state_load(line->text[LIA_OPTION_FROM], work->model, work->state_diags,
                               &work->state));
        options.from = work->state;
    }
    LIA_TRY(lia_system_build(work->model, NULL, work->diags, &work->system));
    return lia_motion_run(work->system, &options, work->diags, &work->motion);
}

// One picture; where there is none the reason is kept: "--portrait: ..."
static bool draw_one(const LiaCommandLine* line, const Work* work, const Asked* asked,
                     const char* path, bool tell) {
    char* why = NULL;
    errno = 0;
    LiaStatus status =
        lia_output_picture(work->motion, asked->picture, line->text[asked->option], path, &why);
    if (status == LIA_FILE) {
        lia_print_file_error(path, errno);
    } else if (status == LIA_MEMORY) {
        lia_cli_memory_out();
    } else if (status != LIA_OK && (tell || status != LIA_ARGUMENT)) {
        lia_print_error("%s: no --%s: %s", line->words[0], lia_options[asked->option].name,
                        why ? why : lia_status_text(status));
    }
    lia_free(why);
    return status == LIA_OK;
}

static bool draw(const LiaCommandLine* line, const Work* work) {
    char name[512];
    snprintf(name, sizeof name, "%.400s-picture.svg", lia_model_name(work->model));
    const char* path = line->given[LIA_OPTION_OUTPUT] ? line->text[LIA_OPTION_OUTPUT] : name;
    bool chosen = false, drawn = false;
    for (int i = 0; i < PICTURES; i++) {
        if (!line->given[pictures[i].option]) continue;
        chosen = true;
        drawn = draw_one(line, work, &pictures[i], path, true);
    }
    for (int i = 0; i < PICTURES && !chosen && !drawn && !lia_cli_memory_is_out(); i++) {
        drawn = draw_one(line, work, &pictures[i], path, false);
    }
    bool none = !chosen && !drawn && !lia_cli_memory_is_out();
    for (int i = 0; i < PICTURES && none; i++) {  // again, to say why
        draw_one(line, work, &pictures[i], path, true);
    }
    if (drawn && !line->given[LIA_OPTION_QUIET] && strcmp(path, "-") != 0) {
        return lia_print_text("wrote ") && lia_print_name(path) && lia_print_text("\n");
    }
    return drawn;
}

static void clear(Work* work) {
    lia_trajectory_destroy(work->motion);
    lia_state_destroy(work->state);
    lia_system_destroy(work->system);
    lia_model_destroy(work->model);
    lia_diags_destroy(work->state_diags);
    lia_diags_destroy(work->diags);
}

int lia_cmd_picture(const LiaCommandLine* line) {
    const char* path = lia_model_file(line);
    if (!path || !is_possible(line)) {
        return LIA_EXIT_WRONG;
    }
    Work work = {.diags = lia_diags_create(), .state_diags = lia_diags_create()};
    if (!work.diags || !work.state_diags) {
        lia_cli_memory_out();
        clear(&work);
        return LIA_EXIT_WRONG;
    }
    LiaScreen screen = lia_screen_look();
    LiaProgressLine progress = lia_progress_begin(&screen, false, line->given[LIA_OPTION_QUIET]);
    errno = 0;
    LiaStatus status = run_model(line, &progress, &work);
    int error = errno;
    lia_progress_end(&progress);
    lia_model_file_tell(work.state_diags, LIA_OK, 0, "");
    if (lia_diags_errors(work.state_diags) == 0) {
        lia_model_file_tell(work.diags, status, error, path);
    }
    if (status == LIA_FAILED && lia_diags_errors(work.diags) == 0) {
        char* reason = lia_output_reason(work.motion);
        if (!reason) lia_cli_memory_out();
        lia_print_diagnostics(reason ? reason : "");
        lia_free(reason);
    }
    if (work.motion) lia_interrupt_hold();
    bool drawn = work.motion && !lia_cli_memory_is_out() && draw(line, &work);
    bool budget = lia_budget_ended(work.motion);
    clear(&work);
    return status == LIA_FAILED ? LIA_EXIT_STUCK
           : !drawn             ? LIA_EXIT_WRONG
           : budget             ? LIA_EXIT_BUDGET
                                : LIA_EXIT_DONE;
}
