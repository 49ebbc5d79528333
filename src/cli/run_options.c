// The options of a run. See run_options.h.
// SPDX-License-Identifier: MIT
#include "cli/run_options.h"
#include "cli/terminal/print.h"
#include <errno.h>

LiaRunOptions lia_run_options(const LiaCommandLine* line, LiaProgressLine* progress) {
    return (LiaRunOptions){
        .until = line->given[LIA_OPTION_UNTIL] ? &line->until : NULL,
        .tolerance = line->tolerance,
        .samples = line->samples,
        .every = line->every,
        .step_most = line->step_most,
        .progress = lia_progress_show,
        .context = progress,
        .steps_most = line->steps,
        .checkpoint = line->text[LIA_OPTION_CHECKPOINT],
        .checkpoint_every = line->checkpoint_every,
        .resume = line->text[LIA_OPTION_RESUME],
    };
}

bool lia_run_options_agree(const LiaCommandLine* line) {
    bool twice = line->given[LIA_OPTION_SAMPLES] && line->given[LIA_OPTION_EVERY];
    if (twice) {
        lia_print_error("'--samples' and '--every' say the same thing twice: give one");
    }
    return !twice;
}

bool lia_run_options_writable(const LiaCommandLine* line, const char* path) {
    const char* reads[2];
    size_t count = 0;
    if (line->word_count > 0) {
        reads[count++] = line->words[0];
    }
    if (line->given[LIA_OPTION_FROM]) {
        reads[count++] = line->text[LIA_OPTION_FROM];
    }
    errno = 0;
    if (lia_output_possible(path, reads, count) == LIA_OK) {
        return true;
    }
    lia_print_file_error(path, errno);
    return false;
}
