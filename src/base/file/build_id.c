// Which build this is. See build_id.h.
// SPDX-License-Identifier: MIT
#include "base/file/build_id.h"
#include "build_id_value.h"

const char lia_build_id[] = LIA_BUILD_ID;
