// Temporary files next to the file they will become, locked while somebody writes them.
// SPDX-License-Identifier: MIT
#pragma once
#include <sys/types.h>

/// Make and lock one for a target: its name is TARGET.liaison-PID-N.tmp. Those of the same target
/// that nobody has locked are left over from programs that were killed: they are removed. Returns
/// the descriptor, and the path in *path (to be freed); -1, with errno set, where none can be made.
int lia_temporary_open(const char* target, char** path);
