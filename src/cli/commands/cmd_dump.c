// liaison dump FILE --stage=STAGE: what stands at a border of the data's way.
// SPDX-License-Identifier: MIT
#include "cli/cli_memory.h"
#include "cli/model_file.h"
#include "cli/suggest.h"
#include "cli/terminal/print.h"
#include <errno.h>
#include <string.h>

static const char* const stages[] = {"lang", "expr", "mechanics", "tape"};
enum { STAGE_COUNT = sizeof stages / sizeof *stages };

static bool is_stage(const char* stage) {
    if (!stage) {
        lia_print_error("which stage? --stage=lang, expr, mechanics or tape");
        return false;
    }
    LiaSuggestion suggestion = {.wanted = stage};
    for (int i = 0; i < STAGE_COUNT; i++) {
        if (strcmp(stages[i], stage) == 0) {
            return true;
        }
        lia_suggest_offer(&suggestion, stages[i]);
    }
    lia_print_error("there is no stage '%s'; %s%s%s", stage,
                    suggestion.best ? "did you mean '" : "there are ",
                    suggestion.best ? suggestion.best : "lang, expr, mechanics and tape",
                    suggestion.best ? "'?" : "");
    return false;
}

static bool print_stage(const LiaModel* model, const LiaSystem* system, const char* stage) {
    char* text = lia_dump(model, system, stage);
    if (!text) lia_cli_memory_out();  // the stages are known
    bool done = text && lia_print_text(text);
    lia_free(text);
    return done;
}

int lia_cmd_dump(const LiaCommandLine* line) {
    const char *path = lia_model_file(line), *stage = line->text[LIA_OPTION_STAGE];
    if (!path || !is_stage(stage)) {
        return LIA_EXIT_WRONG;
    }
    LiaDiags* diags = lia_diags_create();
    if (!diags) {
        lia_cli_memory_out();
        return LIA_EXIT_WRONG;
    }
    LiaModel* model = NULL;
    LiaSystem* system = NULL;
    LiaSystemOptions options = {.no_eliminate = line->given[LIA_OPTION_NO_ELIMINATE]};
    errno = 0;
    LiaStatus status =
        lia_model_read(path, &(LiaDefines){line->defines, line->define_count}, diags, &model);
    if (status == LIA_OK && strcmp(stage, "lang") != 0) {
        status = lia_system_build(model, &options, diags, &system);
    }
    lia_model_file_tell(diags, status, errno, path);
    bool shown = status == LIA_OK && print_stage(model, system, stage);
    lia_system_destroy(system);
    lia_model_destroy(model);
    lia_diags_destroy(diags);
    return shown ? LIA_EXIT_DONE : LIA_EXIT_WRONG;
}
