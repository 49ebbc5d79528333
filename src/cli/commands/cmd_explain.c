// liaison explain FILE: what a system is, in the words of mechanics and in numbers.
// SPDX-License-Identifier: MIT
#include "cli/cli_memory.h"
#include "cli/model_file.h"
#include "cli/terminal/print.h"
#include "cli/terminal/screen.h"
#include <errno.h>

static bool is_possible(const LiaCommandLine* line) {
    bool twice = line->given[LIA_OPTION_JSON] && line->given[LIA_OPTION_LATEX];
    bool places = line->given[LIA_OPTION_AT] && line->given[LIA_OPTION_AT_START];
    if (twice) {
        lia_print_error("'--json' and '--latex' are two ways to say it: give one");
    }
    if (places) {
        lia_print_error("'--at' and '--at-start' are two states: give one");
    }
    return !twice && !places;
}

static char* explain(const LiaCommandLine* line, const LiaSystem* system, LiaDiags* diags) {
    LiaScreen screen = lia_screen_look();
    LiaExplainOptions options = {
        .format = line->given[LIA_OPTION_JSON]    ? LIA_EXPLAIN_JSON
                  : line->given[LIA_OPTION_LATEX] ? LIA_EXPLAIN_LATEX
                                                  : LIA_EXPLAIN_TEXT,
        .at_start = line->given[LIA_OPTION_AT_START],
        .at = line->given[LIA_OPTION_AT] ? line->text[LIA_OPTION_AT] : NULL,
        .samples = line->samples,
        .base = line->given[LIA_OPTION_BASE] ? line->text[LIA_OPTION_BASE] : NULL,
        .style = {.colour = screen.colour, .width = screen.width, .ascii = screen.ascii},
    };
    return lia_explain(system, &options, diags);
}

// What is wrong with the text of --at or --base is no fault of the model: it has a list of its own,
// `state`.
static bool print_explanation(const LiaCommandLine* line, const char* path, LiaDiags* diags,
                              LiaDiags* state) {
    LiaModel* model = NULL;
    LiaSystem* system = NULL;
    errno = 0;
    LiaStatus status =
        lia_model_read(path, &(LiaDefines){line->defines, line->define_count}, diags, &model);
    if (status == LIA_OK) status = lia_system_build(model, NULL, diags, &system);
    int error = errno;
    bool own_text = line->given[LIA_OPTION_AT] || line->given[LIA_OPTION_BASE];
    LiaDiags* asked = own_text ? state : diags;
    char* text = status == LIA_OK ? explain(line, system, asked) : NULL;
    if (status == LIA_OK && !text && lia_diags_errors(asked) == 0)
        status = lia_budget_spent() ? LIA_STOPPED : LIA_MEMORY;
    lia_model_file_tell(diags, status, error, path);
    lia_model_file_tell(state, LIA_OK, 0, path);
    bool done = text && !lia_cli_memory_is_out() && lia_print_text(text);
    if (done && line->given[LIA_OPTION_JSON]) {
        done = lia_print_text("\n");
    }
    lia_free(text);
    lia_system_destroy(system);
    lia_model_destroy(model);
    return done;
}

int lia_cmd_explain(const LiaCommandLine* line) {
    const char* path = lia_model_file(line);
    if (!path || !is_possible(line)) {
        return LIA_EXIT_WRONG;
    }
    LiaDiags *diags = lia_diags_create(), *state = lia_diags_create();
    bool told = false;
    if (diags && state) {
        told = print_explanation(line, path, diags, state);
    } else {
        lia_cli_memory_out();
    }
    lia_diags_destroy(diags);
    lia_diags_destroy(state);
    return told ? LIA_EXIT_DONE : LIA_EXIT_WRONG;
}
