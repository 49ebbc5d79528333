// liaison view FILE: run -o a page in a temporary place, and the browser opened on it.
// SPDX-License-Identifier: MIT
#include "cli/model_file.h"
#include "cli/terminal/browser.h"
#include "cli/terminal/print.h"
#include "cli/terminal/view_folder.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// skater of a/b/skater.lia
static void name_of(const char* path, char* name, size_t size) {
    const char* slash = strrchr(path, '/');
    const char* begin = slash ? slash + 1 : path;
    size_t length = strlen(begin);
    if (length > 4 && strcmp(begin + length - 4, ".lia") == 0) length -= 4;
    if (strcmp(path, "-") == 0 || length == 0) {
        begin = "model";
        length = 5;
    }
    snprintf(name, size, "%.*s", (int)(length < 100 ? length : 100), begin);
}

int lia_cmd_view(const LiaCommandLine* line) {
    const char* path = lia_model_file(line);
    if (!path) {
        return LIA_EXIT_WRONG;
    }
    char name[128], place[4096], page[4096 + 160];
    name_of(path, name, sizeof name);
    if (!lia_view_folder(place, sizeof place)) {
        lia_print_file_error(place, errno);
        return LIA_EXIT_WRONG;
    }
    snprintf(page, sizeof page, "%s/%s.html", place, name);
    LiaCommandLine run = *line;
    run.text[LIA_OPTION_OUTPUT] = page;
    run.given[LIA_OPTION_OUTPUT] = true;
    int code = lia_cmd_run(&run);
    if (access(page, R_OK) != 0) {
        rmdir(place);
        return code == LIA_EXIT_DONE ? LIA_EXIT_WRONG : code;
    }
    const char* browser = lia_browser_open(page);
    if (!browser) {
        lia_print_line("no browser was found here: open %s in one", page);
    } else if (!line->given[LIA_OPTION_QUIET]) {
        lia_print_line("opened with %s", browser);
    }
    return code;
}
