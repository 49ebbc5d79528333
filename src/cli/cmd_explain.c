// liaison explain FILE: what a system is, in the words of mechanics and in numbers.
// SPDX-License-Identifier: MIT
#include "model_file.h"
#include "print.h"
#include "screen.h"

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

static bool print_explanation(const LiaCommandLine* line, const LiaSystem* system,
                              LiaDiags* diags) {
    LiaScreen screen = lia_screen_look();
    LiaExplainOptions options = {
        .format = line->given[LIA_OPTION_JSON]    ? LIA_EXPLAIN_JSON
                  : line->given[LIA_OPTION_LATEX] ? LIA_EXPLAIN_LATEX
                                                  : LIA_EXPLAIN_TEXT,
        .at_start = line->given[LIA_OPTION_AT_START],
        .at = line->given[LIA_OPTION_AT] ? line->text[LIA_OPTION_AT] : NULL,
        .samples = line->samples,
        .style = {.colour = screen.colour, .width = screen.width, .ascii = screen.ascii},
    };
    char* text = lia_explain(system, &options, diags);
    lia_model_file_tell(diags, text || lia_diags_errors(diags) > 0 ? LIA_OK : LIA_MEMORY, 0,
                        line->words[0]);
    bool done = text && lia_print_text(text);
    if (done && options.format == LIA_EXPLAIN_JSON) {
        done = lia_print_text("\n");
    }
    lia_free(text);
    return done;
}

int lia_cmd_explain(const LiaCommandLine* line) {
    const char* path = lia_model_file(line);
    if (!path || !is_possible(line)) {
        return LIA_EXIT_WRONG;
    }
    LiaDiags *diags = lia_diags_create(), *own = lia_diags_create();
    if (!diags || !own) {
        lia_print_error("%s", lia_status_text(LIA_MEMORY));
        lia_diags_destroy(diags);
        lia_diags_destroy(own);
        return LIA_EXIT_WRONG;
    }
    LiaModel* model = NULL;
    LiaSystem* system = NULL;
    LiaStatus status = lia_model_file_build(path, line, diags, &model, &system);
    // What is wrong with the state asked for is no fault of the model: it has a list of its own.
    bool told = status == LIA_OK && print_explanation(line, system, own);
    lia_system_destroy(system);
    lia_model_destroy(model);
    lia_diags_destroy(diags);
    lia_diags_destroy(own);
    return told ? LIA_EXIT_DONE : LIA_EXIT_WRONG;
}
