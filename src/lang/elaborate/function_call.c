// Functions of the model: a call writes the function out, in a frame of its own.
// SPDX-License-Identifier: MIT
#include "lang/elaborate/builtin.h"
#include "lang/elaborate/machine.h"
#include <string.h>

// Nothing that was declared has this name.
static void say_not_declared(LiaElaboration* e, const LiaSyntaxNode* node) {
    LiaValue value = lia_value_poison(node->span);
    LiaSpan span = {node->span.begin,
                    node->span.begin + e->context->names.items[node->symbol].length};
    if (lia_references_binding(e, node->symbol) ||
        lia_references_quantity(e, node->symbol, span, &value)) {
        lia_diag_error(e->context->diags, node->span, "E0126", "'%s' is not a function",
                       lia_context_name_text(e->context, node->symbol));
        lia_diag_help(e->context->diags, "multiplication is written '*'");
    } else {
        lia_unknown_name_say(e, node->symbol, span, true);
    }
}

static void say_not_function(LiaElaboration* e, const LiaSyntaxNode* node,
                             const LiaDeclaration* d) {
    const char* name = lia_context_name_text(e->context, node->symbol);
    LiaDiags* diags = e->context->diags;
    lia_diag_error(diags, node->span, "E0126", "'%s' is %s, not a function", name,
                   lia_declarations_words(d->keyword));
    if (strstr(lia_context_quote(e->context, node->span), "(t)")) {
        lia_diag_help(diags, "it depends on the time by itself: write '%s'", name);
    } else {
        lia_diag_help(diags, "multiplication is written '*'");
    }
}

// Is it a function, called with as many arguments as it has, and not by itself? False with an error
// said.
static bool can_be_called(LiaElaboration* e, const LiaSyntaxNode* node, uint32_t owner) {
    const char* name = lia_context_name_text(e->context, node->symbol);
    uint32_t id = e->context->names.items[node->symbol].declaration;
    LiaDiags* diags = e->context->diags;
    if (id == 0) {
        say_not_declared(e, node);
        return false;
    }
    const LiaDeclaration* d = &e->declarations.items[id];
    if (d->poisoned) {
        return false;
    }
    if (d->keyword != LIA_KEYWORD_FUNCTION) {
        say_not_function(e, node, d);
        return false;
    }
    if (d->active == owner) {
        lia_diag_error(diags, node->span, "E0124", "the function '%s' calls itself", name);
        lia_diag_help(diags, "a function is written out at each call; a recurrence is a family: "
                             "let a[i = 1..N] = ...");
        return false;
    }
    uint32_t count = d->statement->argument_count;
    if (node->count != count) {
        lia_diag_error(diags, node->span, "E0127", "%s() takes %u argument%s, found %u", name,
                       count, count == 1 ? "" : "s", node->count);
        return false;
    }
    return true;
}

void lia_function_call(LiaElaboration* e, const LiaSyntaxNode* node) {
    LiaDiags* diags = e->context->diags;
    // Who is being defined now: a function met again for the same one calls itself.
    uint32_t owner = lia_machine_top_frame(e)->owner;
    if (!can_be_called(e, node, owner)) {
        lia_references_replace(e, node->count, lia_value_poison(node->span), node->span);
        return;
    }
    if (++e->machine.calls > LIA_LIMIT_CALLS) {
        lia_diag_error(diags, node->span, "E0195", "more than %d calls of functions, the limit",
                       LIA_LIMIT_CALLS);
        lia_diag_help(diags, "a function is written out at every call: give results a name with "
                             "'let'");
        lia_context_stop(e->context);
    }
    uint32_t id = e->context->names.items[node->symbol].declaration;
    LiaDeclaration* d = &e->declarations.items[id];
    uint32_t bindings = e->machine.bindings.count;
    for (uint32_t k = 0; k < node->count; k++) {
        LiaValue argument = e->machine.stack.items[e->machine.stack.count - node->count + k];
        lia_machine_bind(e, d->statement->arguments[k], argument);
    }
    e->machine.stack.count -= node->count;
    LiaCode code = d->statement->phrases[0].right;
    LiaFrame frame = {.pc = code.begin,
                      .end = code.end,
                      .bindings = bindings,
                      .function = id,
                      .owner = owner,
                      .was_active = d->active,
                      .span = node->span,
                      .setting = lia_machine_top_frame(e)->setting};
    d->active = owner;
    lia_machine_push_frame(e, frame);
}

void lia_function_call_check_names(LiaElaboration* e, LiaCode code, const LiaSymbol* known,
                                   uint32_t known_count) {
    LIA_VECTOR(LiaSymbol) sums = {0};
    for (uint32_t at = code.begin; at < code.end; at++) {
        const LiaSyntaxNode* node = &e->syntax->nodes.items[at];
        if (node->kind == LIA_NODE_SUM_BEGIN) {
            *LIA_ADD(e->context, sums) = node->symbol;
        } else if (node->kind == LIA_NODE_SUM_END) {
            sums.count--;
        }
        bool name = node->kind == LIA_NODE_NAME || node->kind == LIA_NODE_MEMBER;
        bool call = node->kind == LIA_NODE_CALL && node->other == 0;
        if ((!name && !call) || e->context->names.items[node->symbol].declaration != 0 ||
            lia_builtin_is_quantity(lia_context_name_text(e->context, node->symbol))) {
            continue;
        }
        bool found = false;
        for (uint32_t i = 0; i < known_count && !found; i++) {
            found = known[i] == node->symbol;
        }
        for (uint32_t i = 0; i < sums.count && !found; i++) {
            found = sums.items[i] == node->symbol;
        }
        if (!found) {
            LiaSpan span = {node->span.begin,
                            node->span.begin + e->context->names.items[node->symbol].length};
            lia_unknown_name_say(e, node->symbol, span, call);
        }
    }
}
