// Scope: families written out into members, and the member that a name with indices is.
//
// A family may have several declarations (`r[0]` and `r[i = 1..N]`); a member is found by hashing
// its name and indices. Members are written out in ascending order, so that `a[i] = a[i-1] + ...`
// finds what it needs already there.
// SPDX-License-Identifier: MIT
#include "lang/elaborate/builtin.h"
#include "lang/elaborate/elaborate.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static LiaDeclaration* declaration_of(LiaElaboration* e, uint32_t id) {
    return &e->declarations.items[id];
}

static uint32_t member_slot(const LiaElaboration* e, LiaSymbol symbol, const int64_t* at,
                            uint32_t count) {
    uint64_t h = symbol * 0x9E3779B97F4A7C15u;
    for (uint32_t i = 0; i < count; i++) {
        h = (h ^ (uint64_t)at[i]) * 0xD6E8FEB86659FD93u;
        h ^= h >> 32;
    }
    uint32_t mask = e->member_table_size - 1;
    for (uint32_t slot = (uint32_t)h & mask;; slot = (slot + 1) & mask) {
        uint32_t id = e->member_table[slot];
        if (id == 0) {
            return slot;
        }
        const LiaMember* member = &e->members.items[id];
        const LiaDeclaration* declaration = &e->declarations.items[member->declaration];
        if (declaration->symbol == symbol && declaration->head->index_count == count &&
            (count == 0 || memcmp(member->at, at, count * sizeof *at) == 0)) {
            return slot;
        }
    }
}

static void grow_table(LiaElaboration* e) {
    e->member_table_size = e->member_table_size ? e->member_table_size * 2 : 256;
    e->member_table =
        lia_context_scratch(e->context, e->member_table_size * sizeof *e->member_table);
    for (uint32_t i = 1; i < e->members.count; i++) {
        const LiaMember* member = &e->members.items[i];
        const LiaDeclaration* declaration = &e->declarations.items[member->declaration];
        uint32_t slot =
            member_slot(e, declaration->symbol, member->at, declaration->head->index_count);
        e->member_table[slot] = i;
    }
}

// The indices of a part of a body stand after the body: b[9].position.
static int stem_of(const char* name) {
    const char* part = strchr(name, '.');
    return part ? (int)(part - name) : (int)strlen(name);
}

static void describe_range(LiaElaboration* e, LiaSymbol symbol, char* text, size_t size) {
    size_t n = 0;
    int shown = 0;
    text[0] = '\0';
    const char* name = lia_context_name_text(e->context, symbol);
    int stem = stem_of(name);
    for (uint32_t id = e->context->names.items[symbol].declaration; id != 0 && n < size;
         id = declaration_of(e, id)->next) {
        const LiaDeclaration* d = declaration_of(e, id);
        if (d->count == 0) {
            continue;
        }
        if (++shown > 4) {
            snprintf(text + n, size - n, ", ...");
            return;
        }
        n += (size_t)snprintf(text + n, size - n, "%s%.*s[", shown > 1 ? ", " : "", stem, name);
        for (uint32_t k = 0; k < d->head->index_count && n < size; k++) {
            const char* comma = k > 0 ? ", " : "";
            if (d->low[k] == d->high[k]) {
                n += (size_t)snprintf(text + n, size - n, "%s%" PRId64, comma, d->low[k]);
            } else {
                n += (size_t)snprintf(text + n, size - n, "%s%" PRId64 "..%" PRId64, comma,
                                      d->low[k], d->high[k]);
            }
        }
        if (n < size) {
            n += (size_t)snprintf(text + n, size - n, "]%s", name + stem);
        }
    }
}

// The indices of all members, gathered first: a bound may write out another family on its way.
typedef struct Expansion {
    uint32_t index_count;
    LIA_VECTOR(int64_t) indices;
} Expansion;

static void gather(LiaElaboration* e, void* of, const int64_t* at) {
    Expansion* expansion = of;
    for (uint32_t k = 0; k < expansion->index_count; k++) {
        *LIA_ADD(e->context, expansion->indices) = at[k];
    }
}

static void add_member(LiaElaboration* e, uint32_t id, const int64_t* at) {
    LiaDeclaration* d = declaration_of(e, id);
    uint32_t count = d->head->index_count;
    if (2 * (e->members.count + 1) > e->member_table_size) {
        grow_table(e);
    }
    uint32_t slot = member_slot(e, d->symbol, at, count);
    if (e->member_table[slot] != 0) {
        if (!lia_context_said(e->context, d->head->span, "E0145")) {
            lia_diag_error(e->context->diags, d->head->span, "E0145", "'%s' is declared twice",
                           lia_scope_name(e, e->member_table[slot]));
        }
        return;
    }
    if (e->members.count >= 4u * LIA_LIMIT_FAMILY) {
        lia_diag_error(e->context->diags, d->head->span, "E0142",
                       "all families together have more than %d members, the limit",
                       4 * LIA_LIMIT_FAMILY);
        lia_context_stop(e->context);
    }
    for (uint32_t k = 0; k < count; k++) {
        d->low[k] = d->count == 0 || at[k] < d->low[k] ? at[k] : d->low[k];
        d->high[k] = d->count == 0 || at[k] > d->high[k] ? at[k] : d->high[k];
    }
    uint32_t member_id = e->members.count;
    LiaMember* member = LIA_ADD(e->context, e->members);
    member->declaration = id;
    member->at = at;
    e->member_table[slot] = member_id;
    if (d->count++ == 0) {
        d->first = member_id;
    }
}

static const LiaSetting bounds_setting = {UINT16_MAX, "the bounds of a family", "E0150",
                                          "bounds and indices are made of numbers and parameters"};

static bool bound_of(LiaElaboration* e, LiaCode code, uint32_t bindings, int64_t* out) {
    if (e->bounds_depth >= LIA_LIMIT_BOUNDS) {
        lia_diag_error(e->context->diags, code.span, "E0193",
                       "bounds that wait for each other, deeper than the limit of %d",
                       LIA_LIMIT_BOUNDS);
        return false;
    }
    e->bounds_depth++;
    LiaValue value = lia_machine_run(e, code, &bounds_setting, bindings);
    e->bounds_depth--;
    return lia_value_whole(&e->work, &value, "a bound", out);
}

// The bounds of one index; false if they are wrong, or *many: there are too many members.
static bool bounds_of(LiaElaboration* e, const LiaIndex* index, uint32_t visible, int64_t* low,
                      int64_t* high, bool* many) {
    if (!bound_of(e, index->low, visible, low)) {
        return false;
    }
    *high = *low;
    if (index->symbol && !bound_of(e, index->high, visible, high)) {
        return false;
    }
    *many = *high - *low >= LIA_LIMIT_FAMILY;
    return !*many;
}

bool lia_scope_walk(LiaElaboration* e, const LiaHead* head, uint32_t visible, LiaVisit visit,
                    void* of) {
    int64_t at[LIA_LIMIT_INDICES] = {0}, high[LIA_LIMIT_INDICES] = {0};
    uint32_t count = head->index_count, bindings = e->machine.bindings.count, k = 0;
    uint32_t visited = 0;
    bool many = false;
    if (count == 0) {
        visit(e, of, at);
        return true;
    }
    // An odometer whose wheels may depend on those before them: A[i = 1..N, j = 1..i].
    bool good = true, down = true;
    for (;;) {
        const LiaIndex* index = &head->indices[k];
        if (down) {
            good = bounds_of(e, index, visible, &at[k], &high[k], &many);
            if (!good) {
                break;
            }
            lia_machine_bind(e, index->symbol,
                             lia_value_literal(lia_number_whole(at[k]), index->span));
        } else {
            at[k]++;
        }
        LiaBinding* binding = &e->machine.bindings.items[bindings + k];
        binding->value = lia_value_literal(lia_number_whole(at[k]), index->span);
        lia_term_work(&e->work.terms, 1);
        if (at[k] <= high[k] && k + 1 < count) {
            k++;
            down = true;
            continue;
        }
        if (at[k] <= high[k]) {
            if (visited == LIA_LIMIT_FAMILY) {
                many = true;
                good = false;
                break;
            }
            visited++;
            visit(e, of, at);
            down = false;
            continue;
        }
        e->machine.bindings.count = bindings + k;
        if (k == 0) {
            break;
        }
        k--;
        down = false;
    }
    if (many) {
        lia_diag_error(e->context->diags, head->span, "E0142",
                       "a family of more than %d members, the limit", LIA_LIMIT_FAMILY);
    }
    e->machine.bindings.count = bindings;
    return good;
}

static bool check_index_names(LiaElaboration* e, const LiaHead* head) {
    for (uint32_t k = 0; k < head->index_count; k++) {
        LiaSymbol symbol = head->indices[k].symbol;
        if (symbol && lia_builtin_is_quantity(lia_context_name_text(e->context, symbol))) {
            lia_diag_error(e->context->diags, head->indices[k].span, "E0122",
                           "'%s' is built in and cannot be an index",
                           lia_context_name_text(e->context, symbol));
            return false;
        }
    }
    return true;
}

bool lia_scope_expand(LiaElaboration* e, uint32_t id) {
    LiaDeclaration* d = declaration_of(e, id);
    if (d->expanded == LIA_WORKED_OUT) {
        return !d->poisoned;
    }
    if (d->expanded == LIA_IN_PROGRESS) {
        lia_diag_error(e->context->diags, d->head->span, "E0123",
                       "the bounds of '%s' depend on its own members",
                       lia_context_name_text(e->context, d->symbol));
        return false;
    }
    d->expanded = LIA_IN_PROGRESS;
    e->context->at = d->head->span;
    uint32_t index_count = d->head->index_count;
    Expansion expansion = {.index_count = index_count};
    bool good = !d->poisoned && check_index_names(e, d->head) &&
                lia_scope_walk(e, d->head, e->machine.bindings.count, gather, &expansion);
    if (good && index_count == 0) {
        add_member(e, id, NULL);
    }
    for (uint32_t i = 0; good && i < expansion.indices.count; i += index_count) {
        add_member(e, id, expansion.indices.items + i);
    }
    d = declaration_of(e, id);
    e->context->at = d->head->span;
    d->expanded = LIA_WORKED_OUT;
    d->poisoned = d->poisoned || !good;
    for (uint32_t i = 0; i < d->count; i++) {
        lia_definition_enter(e, d->first + i);
        d = declaration_of(e, id);
    }
    return good;
}

// A name with another number of indices than it was declared with.
static void say_indices(LiaElaboration* e, LiaSymbol symbol, uint32_t wanted, uint32_t count,
                        LiaSpan span) {
    const char* name = lia_context_name_text(e->context, symbol);
    LiaDiags* diags = e->context->diags;
    if (wanted == 0) {
        lia_diag_error(diags, span, "E0143", "'%s' is not a family", name);
    } else if (count == 0) {
        char range[160];
        describe_range(e, symbol, range, sizeof range);
        lia_diag_error(diags, span, "E0143", "'%s' is a family: say which member", name);
        const char* text = e->context->source.text;
        if (text[span.end] == '\'' && text[span.end + 1] == '[') {
            lia_diag_help(diags, "the prime stands after the index: %s[i]'", name);
        } else if (range[0]) {
            lia_diag_help(diags, "there is %s", range);
        }
    } else {
        lia_diag_error(diags, span, "E0144", "'%s' has %u %s, found %u", name, wanted,
                       wanted == 1 ? "index" : "indices", count);
    }
}

uint32_t lia_scope_member(LiaElaboration* e, LiaSymbol symbol, const int64_t* at, uint32_t count,
                          LiaSpan span) {
    uint32_t id = e->context->names.items[symbol].declaration;
    const char* name = lia_context_name_text(e->context, symbol);
    LiaDiags* diags = e->context->diags;
    if (id == 0) {
        lia_unknown_name_say(e, symbol, span, false);
        return 0;
    }
    bool poisoned = false, expanded = e->context->names.items[symbol].expanded;
    for (uint32_t i = expanded ? 0 : id; i != 0; i = declaration_of(e, i)->next) {
        bool good = !declaration_of(e, i)->poisoned && lia_scope_expand(e, i);
        poisoned = poisoned || !good;
    }
    e->context->names.items[symbol].expanded = !poisoned;
    uint32_t wanted = declaration_of(e, id)->head->index_count;
    if (wanted == 0 && declaration_of(e, id)->poisoned) {
        return 0;
    }
    if (wanted != count) {
        say_indices(e, symbol, wanted, count, span);
        return 0;
    }
    if (e->member_table_size > 0) {
        uint32_t member = e->member_table[member_slot(e, symbol, at, count)];
        if (member != 0) {
            return member;
        }
    }
    if (!poisoned && !lia_context_said(e->context, span, "E0140")) {
        char range[160], text[LIA_LIMIT_INDICES * 22 + 1] = "";
        size_t n = 0;
        for (uint32_t k = 0; k < count && n < sizeof text; k++) {
            n += (size_t)snprintf(text + n, sizeof text - n, "%s%" PRId64, k ? "," : "", at[k]);
        }
        describe_range(e, symbol, range, sizeof range);
        int stem = stem_of(name);
        lia_diag_error(diags, span, "E0140", "there is no '%.*s[%s]%s'", stem, name, text,
                       name + stem);
        bool alone = range[0] && !strstr(range, "..") && strchr(range, '[') == strrchr(range, '[');
        lia_diag_help(diags,
                      alone      ? "there is %s alone; a family is declared with a range, "
                                   "'[i = 1..N]'"
                      : range[0] ? "there is %s"
                                 : "the family%s is empty",
                      range);
    }
    return 0;
}

const char* lia_scope_name(LiaElaboration* e, uint32_t id) {
    LiaMember* member = &e->members.items[id];
    if (member->name) {
        return member->name;
    }
    const LiaDeclaration* d = declaration_of(e, member->declaration);
    const char* name = lia_context_name_text(e->context, d->symbol);
    if (d->head->index_count == 0) {
        return member->name = name;
    }
    char indices[LIA_LIMIT_INDICES * 22 + 1] = "";
    size_t n = 0;
    for (uint32_t k = 0; k < d->head->index_count && n < sizeof indices; k++) {
        n += (size_t)snprintf(indices + n, sizeof indices - n, "%s%" PRId64, k ? "," : "",
                              member->at[k]);
    }
    size_t size = strlen(name) + n + 3;
    char* text = lia_context_keep(e->context, size);
    int body = (int)strcspn(name, ".");  // b[2].position
    snprintf(text, size, "%.*s[%s]%s", body, name, indices, name + body);
    return member->name = text;
}

bool lia_scope_failed(const LiaElaboration* e, LiaKeyword keyword) {
    for (uint32_t i = 0; i < e->syntax->statements.count; i++) {
        const LiaStatement* statement = &e->syntax->statements.items[i];
        if (statement->keyword == keyword && statement->failed) {
            return true;
        }
    }
    return false;
}

const char* lia_scope_example(void* elaboration, LiaUnit unit) {
    LiaElaboration* e = elaboration;
    for (uint32_t i = 1; i < e->declarations.count; i++) {
        const LiaDeclaration* d = declaration_of(e, i);
        bool named = d->keyword == LIA_KEYWORD_PARAMETER || d->keyword == LIA_KEYWORD_COORDINATE;
        if (!named || !d->phrase->unit.given || d->phrase->unit.wrong) {
            continue;
        }
        LiaUnit declared = d->phrase->unit.measure.unit;
        if (memcmp(declared.exponents, unit.exponents, sizeof unit.exponents) == 0) {
            return lia_context_name_text(e->context, d->symbol);
        }
    }
    return NULL;
}
