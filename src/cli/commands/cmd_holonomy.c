// liaison holonomy FILE: what a loop of the operators leaves behind.
// SPDX-License-Identifier: MIT
#include "cli/cli_memory.h"
#include "cli/interrupt.h"
#include "cli/model_file.h"
#include "cli/terminal/print.h"
#include "cli/terminal/screen.h"
#include <math.h>

static bool print_result(const LiaHolonomy* holonomy, bool json) {
    LiaScreen screen = lia_screen_look();
    LiaTextStyle style = {.colour = screen.colour, .width = screen.width, .ascii = screen.ascii};
    char* text = json ? lia_output_holonomy_json(holonomy) : lia_output_holonomy(holonomy, &style);
    if (!text) lia_cli_memory_out();
    bool done = text && lia_print_text(text) && (!json || lia_print_text("\n"));
    lia_free(text);
    return done;
}

static int go_round(const LiaCommandLine* line, const LiaSystem* system, LiaDiags* diags) {
    LiaHolonomyOptions options = {
        .loop = line->text[LIA_OPTION_LOOP],
        .until = line->given[LIA_OPTION_UNTIL] ? &line->until : NULL,
        .tolerance = line->tolerance,
    };
    LiaHolonomy* holonomy = NULL;
    LiaStatus status = lia_holonomy(system, &options, diags, &holonomy);
    lia_model_file_tell(diags, status, 0, line->words[0]);
    if (!holonomy) return LIA_EXIT_WRONG;  // of a budget: main tells
    lia_interrupt_hold();
    bool done = print_result(holonomy, line->given[LIA_OPTION_JSON]);
    bool whole = isnan(lia_holonomy_lift_end(holonomy));
    lia_holonomy_destroy(holonomy);
    return !done ? LIA_EXIT_WRONG : whole ? LIA_EXIT_DONE : LIA_EXIT_STUCK;
}

int lia_cmd_holonomy(const LiaCommandLine* line) {
    const char* path = lia_model_file(line);
    if (!path) return LIA_EXIT_WRONG;
    LiaDiags *diags = lia_diags_create(), *loop_diags = lia_diags_create();
    LiaModel* model = NULL;
    LiaSystem* system = NULL;
    int code = LIA_EXIT_WRONG;
    if (!diags || !loop_diags) {
        lia_cli_memory_out();
    } else {
        LiaStatus status = lia_model_file_build(path, line, diags, &model, &system);
        if (status == LIA_OK) code = go_round(line, system, loop_diags);
    }
    lia_system_destroy(system);
    lia_model_destroy(model);
    lia_diags_destroy(loop_diags);
    lia_diags_destroy(diags);
    return code;
}
