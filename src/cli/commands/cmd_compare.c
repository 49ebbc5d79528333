// liaison compare A B, or one model with other force rules: same states, other forces.
// SPDX-License-Identifier: MIT
#include "cli/budget.h"
#include "cli/cli_memory.h"
#include "cli/interrupt.h"
#include "cli/model_file.h"
#include "cli/run_options.h"
#include "cli/terminal/print.h"
#include "cli/terminal/screen.h"
#include <errno.h>
#include <string.h>

typedef struct Side {
    const char* path;
    LiaDiags* diags;
    LiaModel* model;
    LiaSystem* system;
} Side;

static bool is_possible(const LiaCommandLine* line) {
    int errors = 0;
    if (line->word_count == 0) {
        lia_print_error("which models? liaison compare A.lia B.lia");
        errors++;
    } else if (line->word_count == 1 && line->rule_count == 0) {
        lia_print_error("compare '%s' with what? a second model, or --rule NAME=ideal",
                        line->words[0]);
        errors++;
    } else if (line->word_count > 2) {
        lia_print_error("two models at a time: '%s' is one too many", line->words[2]);
        errors++;
    } else if (line->word_count == 2 && line->rule_count > 0) {
        lia_print_error("'--rule' compares a model with itself: give one file");
        errors++;
    }
    errors += !lia_run_options_agree(line);
    return errors == 0;
}

static LiaStatus prepare(Side* side, const LiaCommandLine* line, const LiaSystemOptions* options) {
    errno = 0;
    LiaStatus status = lia_model_read(side->path, &(LiaDefines){line->defines, line->define_count},
                                      side->diags, &side->model);
    return status == LIA_OK ? lia_system_build(side->model, options, side->diags, &side->system)
                            : status;
}

// Both sides, so that the mistakes of both are reported. The second is the first again where only
// rules differ.
static LiaStatus prepare_both(Side sides[2], const LiaCommandLine* line) {
    LiaSystemOptions options = {.no_eliminate = line->given[LIA_OPTION_NO_ELIMINATE]};
    LiaSystemOptions changed = options;
    changed.rules = line->rules;
    changed.rule_count = line->rule_count;
    LiaStatus status = prepare(&sides[0], line, &options), other;
    if (line->rule_count > 0) {
        LIA_TRY(status);
        return lia_system_build(sides[0].model, &changed, sides[0].diags, &sides[1].system);
    }
    other = prepare(&sides[1], line, &options);
    return status != LIA_OK ? status : other;
}

static LiaStatus run_both(Side sides[2], const LiaCommandLine* line, LiaProgressLine* progress,
                          LiaComparison** comparison) {
    LiaDiags* other = sides[1].diags ? sides[1].diags : sides[0].diags;
    LiaRunOptions options = lia_run_options(line, progress);
    return lia_compare(sides[0].system, sides[1].system, &options, sides[0].diags, other,
                       comparison);
}

static bool print_result(const LiaComparison* comparison, bool json, const LiaScreen* screen) {
    LiaTextStyle style = {
        .colour = screen->colour, .width = screen->width, .pictures = true, .ascii = screen->ascii};
    char* text =
        json ? lia_output_compare_json(comparison) : lia_output_compare(comparison, &style);
    if (!text) lia_cli_memory_out();
    bool done = text && lia_print_text(text) && (!json || lia_print_text("\n"));
    lia_free(text);
    return done;
}

static void tell_reasons(const LiaComparison* comparison) {
    for (int side = 0; side < 2; side++) {
        const LiaTrajectory* motion = lia_comparison_motion(comparison, side);
        bool failed = strcmp(lia_trajectory_status(motion), "failed") == 0;
        char* reason = failed ? lia_output_reason(motion) : NULL;
        if (failed && !reason) lia_cli_memory_out();
        lia_print_diagnostics(reason ? reason : "");
        lia_free(reason);
    }
}

static int exit_code(LiaStatus status, bool told, bool budget) {
    if (status == LIA_FAILED) {
        return LIA_EXIT_STUCK;
    }
    if (told && budget) return LIA_EXIT_BUDGET;
    return (status == LIA_OK || status == LIA_STOPPED) && told ? LIA_EXIT_DONE : LIA_EXIT_WRONG;
}

int lia_cmd_compare(const LiaCommandLine* line) {
    if (!is_possible(line)) {
        return LIA_EXIT_WRONG;
    }
    bool json = line->given[LIA_OPTION_JSON], one = line->rule_count > 0;
    LiaScreen screen = lia_screen_look();
    Side sides[2] = {{.path = line->words[0], .diags = lia_diags_create()}};
    if (!one) {
        sides[1] = (Side){.path = line->words[1], .diags = lia_diags_create()};
    }
    LiaStatus status = LIA_MEMORY;
    LiaComparison* comparison = NULL;
    if (sides[0].diags && (one || sides[1].diags)) {
        LiaProgressLine progress = lia_progress_begin(&screen, json, false);
        status = prepare_both(sides, line);
        if (status == LIA_OK) {
            status = run_both(sides, line, &progress, &comparison);
        }
        lia_progress_end(&progress);
        for (int i = 0; i < (one ? 1 : 2); i++) {
            lia_model_file_tell(sides[i].diags, LIA_OK, 0, sides[i].path);
        }
    }
    if (status == LIA_MEMORY) lia_cli_memory_out();
    bool explained = false;
    for (int i = 0; i < 2; i++) {
        explained = explained || (sides[i].diags && lia_diags_errors(sides[i].diags) > 0);
    }
    if (!comparison && !explained && status != LIA_STOPPED && !lia_cli_memory_is_out()) {
        lia_print_error("%s", lia_status_text(status));
    }
    if (comparison) lia_interrupt_hold();
    bool told = comparison && !lia_cli_memory_is_out() && print_result(comparison, json, &screen);
    if (status == LIA_FAILED) {
        tell_reasons(comparison);
    }
    bool budget = comparison && (lia_budget_ended(lia_comparison_motion(comparison, 0)) ||
                                 lia_budget_ended(lia_comparison_motion(comparison, 1)));
    lia_comparison_destroy(comparison);
    for (int i = 1; i >= 0; i--) {
        lia_system_destroy(sides[i].system);
        lia_model_destroy(sides[i].model);
        lia_diags_destroy(sides[i].diags);
    }
    return exit_code(status, told, budget);
}
