// Context: what all rooms of lang share while one text is read: memory, diagnostics, names.
//
// Memory never comes back NULL here: when it is out, or a limit of the language is passed, the
// whole parse is left through `stop` with one diagnostic. All memory hangs on the two arenas and on
// the term list, so leaving at any point leaks nothing.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/memory/arena.h"
#include "base/text/diag.h"
#include "lang/limits.h"
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>

typedef uint32_t LiaSymbol;  // a name, as an index; 0 is no name

typedef struct LiaName {
    const char* text;
    uint32_t length;
    uint32_t next;         // chain of the hash table
    uint32_t declaration;  // first declaration of this name (scope.c); 0: none
    uint32_t last;         // last declaration
    bool expanded;         // all its declarations are written out and right
    bool lost;             // stands in a statement that could not be read: it may be declared there
    uint32_t missed;       // where it was last said not to be declared, + 1
} LiaName;

#define LIA_VECTOR(type)                                                                           \
    struct {                                                                                       \
        type* items;                                                                               \
        uint32_t count, capacity;                                                                  \
    }

typedef struct LiaContext {
    LiaArena* kept;     // lives as long as the model
    LiaArena* scratch;  // lives as long as the parse
    LiaDiags* diags;
    LiaSource source;
    LIA_VECTOR(LiaName) names;  // names.items[0] is unused
    uint32_t* buckets;
    uint32_t bucket_count;
    size_t held;  // bytes taken so far: nothing is given back before the end
    LiaSpan at;   // what is being read: what is over a limit is said there
    jmp_buf stop;
} LiaContext;

/// Zeroed memory of the model / of the parse.
void* lia_context_keep(LiaContext* context, size_t size);
void* lia_context_scratch(LiaContext* context, size_t size);
/// Count memory that is not taken here; leaves the parse where it is over LIA_LIMIT_BYTES.
void lia_context_hold(LiaContext* context, size_t bytes);
/// A copy of a list in the memory of the model; there is a list, however short.
void* lia_context_keep_list(LiaContext* context, const void* items, size_t count, size_t size);
/// Leave the parse; a diagnostic has been added.
_Noreturn void lia_context_stop(LiaContext* context);
_Noreturn void lia_context_out_of_memory(LiaContext* context);
/// True when so many errors were found that going on helps nobody.
bool lia_context_enough(const LiaContext* context);

/// That code was said of that span: members of a family make the same mistake with other numbers.
bool lia_context_said(const LiaContext* context, LiaSpan span, const char* code);

/// The symbol of a name; made where it is new.
LiaSymbol lia_context_find_name(LiaContext* context, const char* text, size_t length);
const char* lia_context_name_text(const LiaContext* context, LiaSymbol symbol);
bool lia_context_name_is(const LiaContext* context, LiaSymbol symbol, const char* word);

/// The text of a span for a message: one line, white space closed up, cut where it is long.
const char* lia_context_quote(LiaContext* context, LiaSpan span);
LiaSpan lia_context_join_spans(LiaSpan a, LiaSpan b);

void* lia_context_grow(LiaContext* context, void* items, uint32_t count, uint32_t* capacity,
                       size_t size);
/// A new zeroed item at the end of a LIA_VECTOR in scratch memory; gives a pointer to it.
#define LIA_ADD(context, vector)                                                                   \
    ((vector).count == (vector).capacity                                                           \
         ? (void)((vector).items = lia_context_grow((context), (vector).items, (vector).count,     \
                                                    &(vector).capacity, sizeof *(vector).items))   \
         : (void)0,                                                                                \
     &(vector).items[(vector).count++])
