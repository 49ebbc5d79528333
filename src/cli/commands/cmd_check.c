// liaison check FILE...: all that is wrong in a model; nothing is run.
// SPDX-License-Identifier: MIT
#include "cli/cli_memory.h"
#include "cli/model_file.h"
#include "cli/terminal/print.h"

static LiaStatus check(const char* path, const LiaCommandLine* line, LiaDiags* diags) {
    LiaModel* model = NULL;
    LiaSystem* system = NULL;
    LiaStatus status = lia_model_file_build(path, line, diags, &model, &system);
    if (status == LIA_OK && !line->given[LIA_OPTION_QUIET]) {
        size_t count = lia_diags_count(diags);
        bool told = count == 0
                        ? lia_print_line("%s: no mistakes in '%s'", path, lia_model_name(model))
                        : lia_print_line("%s: no mistakes in '%s', %zu warning%s", path,
                                         lia_model_name(model), count, count == 1 ? "" : "s");
        status = told ? LIA_OK : LIA_FILE;
    }
    lia_system_destroy(system);
    lia_model_destroy(model);
    return status;
}

int lia_cmd_check(const LiaCommandLine* line) {
    if (line->word_count == 0) {
        return lia_model_file(line) ? LIA_EXIT_DONE : LIA_EXIT_WRONG;
    }
    int code = LIA_EXIT_DONE;
    for (size_t i = 0; i < line->word_count; i++) {
        LiaDiags* diags = lia_diags_create();
        if (!diags) lia_cli_memory_out();
        if (!diags || check(line->words[i], line, diags) != LIA_OK) {
            code = LIA_EXIT_WRONG;
        }
        lia_diags_destroy(diags);
    }
    return code;
}
