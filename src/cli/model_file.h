// The model file a command was given: one of them, read, with what is wrong in it reported.
// SPDX-License-Identifier: MIT
#pragma once
#include "cli/options.h"

/// The one file on the command line; reported on stderr and NULL if there is none, or more than
/// one.
const char* lia_model_file(const LiaCommandLine* line);
/// Diagnostics and failures of a call, on stderr. `subject` is what the call was about: a path.
void lia_model_file_tell(const LiaDiags* diags, LiaStatus status, int error, const char* subject);
/// The file as a system, with all that is wrong in it reported. The caller destroys both.
LiaStatus lia_model_file_build(const char* path, const LiaCommandLine* line, LiaDiags* diags,
                               LiaModel** model, LiaSystem** system);
