// Whole files as texts. See file.h.
// SPDX-License-Identifier: MIT
#include "file.h"
#include "base/file/input.h"
#include <stdint.h>
#include <stdio.h>

char* file_text(const char* path) {
    char full[2048];
    size_t length;
    snprintf(full, sizeof full, "%s%s%s", path[0] == '/' ? "" : LIAISON_SOURCE_DIR,
             path[0] == '/' ? "" : "/", path);
    return lia_input_read(full, SIZE_MAX / 2, &length, NULL);
}
