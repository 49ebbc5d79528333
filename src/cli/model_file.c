// The model file a command was given.
// SPDX-License-Identifier: MIT
#include "cli/model_file.h"
#include "cli/cli_memory.h"
#include "cli/terminal/print.h"
#include <errno.h>
#include <string.h>

const char* lia_model_file(const LiaCommandLine* line) {
    if (line->word_count == 0) {
        lia_print_error("which model? liaison %s %s", line->command->name,
                        line->command->arguments);
        return NULL;
    }
    if (line->word_count > 1) {
        lia_print_error("one model at a time: '%s' is one too many", line->words[1]);
        return NULL;
    }
    return line->words[0];
}

void lia_model_file_tell(const LiaDiags* diags, LiaStatus status, int error, const char* subject) {
    char* text = lia_diags_text(diags);
    bool explained = text && lia_diags_errors(diags) > 0;
    if (text && *text) {
        lia_print_diagnostics(text);
    }
    if (text && status == LIA_MEMORY && strstr(text, lia_status_text(LIA_MEMORY))) {
        lia_cli_memory_said();
    } else if (!text || status == LIA_MEMORY) {
        lia_cli_memory_out();
        explained = true;
    }
    lia_free(text);
    if (status == LIA_FILE && !explained) {
        lia_print_file_error(subject, error);
    } else if (status != LIA_OK && status != LIA_STOPPED && status != LIA_FAILED && !explained) {
        lia_print_error("%s: %s", subject, lia_status_text(status));
    }
}

LiaStatus lia_model_file_build(const char* path, const LiaCommandLine* line, LiaDiags* diags,
                               LiaModel** model, LiaSystem** system) {
    errno = 0;
    LiaStatus status =
        lia_model_read(path, &(LiaDefines){line->defines, line->define_count}, diags, model);
    if (status == LIA_OK) {
        status = lia_system_build(*model, NULL, diags, system);
    }
    lia_model_file_tell(diags, status, errno, path);
    return status;
}
