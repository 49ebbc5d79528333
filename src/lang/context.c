// Context: memory that does not fail, the table of names, and quoting the text in messages.
// SPDX-License-Identifier: MIT
#include "lang/context.h"
#include "base/memory/memory.h"
#include <string.h>

_Noreturn void lia_context_stop(LiaContext* context) { longjmp(context->stop, 1); }

_Noreturn void lia_context_out_of_memory(LiaContext* context) {
    lia_memory_fail();  // also where a count grows beyond what can be
    lia_context_stop(context);
}

void lia_context_hold(LiaContext* context, size_t bytes) {
    if (bytes <= LIA_LIMIT_BYTES - context->held) {
        context->held += bytes;
        return;
    }
    lia_diag_error(context->diags, context->at, "E0189",
                   "reading the model up to here takes more than %d MB of memory, the limit",
                   LIA_LIMIT_BYTES / (1000 * 1000));
    lia_diag_help(context->diags, "make families smaller, and write long formulas as 'sum(...)' "
                                  "or powers");
    lia_context_stop(context);
}

void* lia_context_keep(LiaContext* context, size_t size) {
    lia_context_hold(context, size);
    void* memory = lia_arena_new(context->kept, size);
    if (!memory) {
        lia_context_out_of_memory(context);
    }
    return memory;
}

void* lia_context_keep_list(LiaContext* context, const void* items, size_t count, size_t size) {
    void* copy = lia_context_keep(context, (count ? count : 1) * size);
    if (count > 0) {
        memcpy(copy, items, count * size);
    }
    return copy;
}

void* lia_context_scratch(LiaContext* context, size_t size) {
    lia_context_hold(context, size);
    void* memory = lia_arena_new(context->scratch, size);
    if (!memory) {
        lia_context_out_of_memory(context);
    }
    return memory;
}

bool lia_context_enough(const LiaContext* context) {
    return lia_diags_errors(context->diags) > LIA_DIAGS_MOST;
}

bool lia_context_said(const LiaContext* context, LiaSpan span, const char* code) {
    for (size_t i = 0; i < lia_diags_count(context->diags); i++) {
        const LiaDiag* diag = lia_diag_at(context->diags, i);
        if (diag->span.begin == span.begin && diag->span.end == span.end &&
            strcmp(diag->code, code) == 0) {
            return true;
        }
    }
    return false;
}

void* lia_context_grow(LiaContext* context, void* items, uint32_t count, uint32_t* capacity,
                       size_t size) {
    if (*capacity > UINT32_MAX / 2) {
        lia_context_out_of_memory(context);
    }
    uint32_t first = size >= 256 ? 1 : size >= 64 ? 2 : 8;
    uint32_t larger = *capacity ? *capacity * 2 : first;
    void* grown = lia_context_scratch(context, larger * size);
    if (count > 0) {
        memcpy(grown, items, count * size);
    }
    *capacity = larger;
    return grown;
}

static uint32_t hash(const char* text, size_t length) {
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < length; i++) {
        h = (h ^ (unsigned char)text[i]) * 16777619u;
    }
    return h;
}

static void rehash(LiaContext* context) {
    uint32_t bucket_count = context->bucket_count ? context->bucket_count * 2 : 256;
    uint32_t* buckets = lia_context_scratch(context, bucket_count * sizeof *buckets);
    for (uint32_t i = 1; i < context->names.count; i++) {
        LiaName* name = &context->names.items[i];
        uint32_t* bucket = &buckets[hash(name->text, name->length) & (bucket_count - 1)];
        name->next = *bucket;
        *bucket = i;
    }
    context->buckets = buckets;
    context->bucket_count = bucket_count;
}

LiaSymbol lia_context_find_name(LiaContext* context, const char* text, size_t length) {
    if (context->names.count == 0) {
        (void)LIA_ADD(context, context->names);
    }
    if (context->names.count >= context->bucket_count) {
        rehash(context);
    }
    uint32_t* bucket = &context->buckets[hash(text, length) & (context->bucket_count - 1)];
    for (uint32_t i = *bucket; i != 0; i = context->names.items[i].next) {
        const LiaName* name = &context->names.items[i];
        if (name->length == length && memcmp(name->text, text, length) == 0) {
            return i;
        }
    }
    char* copy = lia_context_keep(context, length + 1);
    memcpy(copy, text, length);
    LiaName* name = LIA_ADD(context, context->names);
    name->text = copy;
    name->length = (uint32_t)length;
    name->next = *bucket;
    *bucket = context->names.count - 1;
    return context->names.count - 1;
}

const char* lia_context_name_text(const LiaContext* context, LiaSymbol symbol) {
    return symbol ? context->names.items[symbol].text : "";
}

bool lia_context_name_is(const LiaContext* context, LiaSymbol symbol, const char* word) {
    return symbol != 0 && strcmp(context->names.items[symbol].text, word) == 0;
}

const char* lia_context_quote(LiaContext* context, LiaSpan span) {
    enum { MOST = 48 };
    char text[MOST + 8];
    size_t n = 0;
    bool space = false;
    for (uint32_t i = span.begin; i < span.end && i < context->source.length; i++) {
        char c = context->source.text[i];
        if (c == '#') {  // a comment between continued lines
            while (i < span.end && context->source.text[i] != '\n') {
                i++;
            }
            c = ' ';
        }
        if ((unsigned char)c <= ' ') {
            space = n > 0;
            continue;
        }
        bool begins = ((unsigned char)c & 0xC0) != 0x80;
        if (begins && n + 2 >= MOST) {
            memcpy(text + n, "...", 3);
            n += 3;
            break;
        }
        if (space) {
            text[n++] = ' ';
            space = false;
        }
        text[n++] = c;
    }
    char* copy = lia_context_scratch(context, n + 1);
    memcpy(copy, text, n);
    return copy;
}

LiaSpan lia_context_join_spans(LiaSpan a, LiaSpan b) {
    return (LiaSpan){a.begin < b.begin ? a.begin : b.begin, a.end > b.end ? a.end : b.end};
}
