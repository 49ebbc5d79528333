// liaison reduce FILE --by NAME,...: a model divided by its symmetries, as a model of a phase
// space.
// SPDX-License-Identifier: MIT
#include "cli/budget.h"
#include "cli/cli_memory.h"
#include "cli/model_file.h"
#include "cli/terminal/print.h"

static int divide(const LiaCommandLine* line, const LiaSystem* system, LiaDiags* diags) {
    LiaReduceOptions options = {.by = line->text[LIA_OPTION_BY],
                                .reconstruct = line->given[LIA_OPTION_RECONSTRUCT]};
    char* text = lia_reduce(system, &options, diags);
    LiaStatus status = text || lia_diags_errors(diags) > 0 ? LIA_OK
                       : lia_budget_spent()                ? LIA_STOPPED
                                                           : LIA_MEMORY;
    lia_model_file_tell(diags, status, 0, line->words[0]);
    bool done = text && !lia_cli_memory_is_out() && lia_print_text(text);
    lia_free(text);
    return done ? LIA_EXIT_DONE : LIA_EXIT_WRONG;
}

int lia_cmd_reduce(const LiaCommandLine* line) {
    const char* path = lia_model_file(line);
    if (!path) return LIA_EXIT_WRONG;
    if (!line->given[LIA_OPTION_BY]) {
        lia_print_error("'--by' is missing: the symmetries to divide by, such as '--by turn'");
        return LIA_EXIT_WRONG;
    }
    LiaDiags* diags = lia_diags_create();
    LiaModel* model = NULL;
    LiaSystem* system = NULL;
    int code = LIA_EXIT_WRONG;
    if (!diags) {
        lia_cli_memory_out();
    } else {
        LiaStatus status = lia_model_file_build(path, line, diags, &model, &system);
        if (status == LIA_OK) code = divide(line, system, diags);
    }
    lia_system_destroy(system);
    lia_model_destroy(model);
    lia_diags_destroy(diags);
    return code;
}
