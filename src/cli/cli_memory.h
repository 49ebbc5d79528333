// Memory of the program itself, and the one mark that it was out: then the program says so, writes
// no more and exits with 1.
//
// The library says by LIA_MEMORY, or NULL, that memory was out inside a call; whoever sees that
// calls lia_cli_memory_out(). main() looks at the mark when a command is done.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>

/// "liaison: memory is out" on stderr, the first time only.
void lia_cli_memory_out(void);
/// The same where a diagnostic has said it already.
void lia_cli_memory_said(void);
bool lia_cli_memory_is_out(void);

/// `bytes` zeros, to be freed. NULL if memory is out; that has been said then.
void* lia_cli_memory_take(size_t bytes);
