// Machine: runs postfix code on a stack of values.
//
// Where a name is needed that is not defined yet, a frame for its definition is pushed and the node
// is run again when that is done. So definitions may stand in any order and wait for each other
// without using the C stack; one that is met again while it waits closes a circle.
// SPDX-License-Identifier: MIT
#include "lang/elaborate/machine.h"
#include "lang/bodies/rotation.h"
#include "lang/elaborate/builtin.h"
#include <stdio.h>
#include <string.h>

const LiaSetting lia_machine_free_setting = {0, "an expression", NULL, NULL};

void lia_machine_bind(LiaElaboration* e, LiaSymbol symbol, LiaValue value) {
    *LIA_ADD(e->context, e->machine.bindings) = (LiaBinding){symbol, value};
}

uint32_t lia_machine_bind_member(LiaElaboration* e, uint32_t id) {
    uint32_t before = e->machine.bindings.count;
    const LiaMember* member = &e->members.items[id];
    const LiaHead* head = e->declarations.items[member->declaration].head;
    for (uint32_t k = 0; k < head->index_count; k++) {
        LiaNumber i = lia_number_whole(member->at[k]);
        lia_machine_bind(e, head->indices[k].symbol, lia_value_literal(i, head->indices[k].span));
    }
    return before;
}

void lia_machine_push(LiaElaboration* e, LiaValue value) {
    *LIA_ADD(e->context, e->machine.stack) = value;
}

// The last `count` values; NULL for none, where there may be no stack yet.
static const LiaValue* top_of(const LiaElaboration* e, uint32_t count) {
    return count ? &e->machine.stack.items[e->machine.stack.count - count] : NULL;
}

static LiaValue pop(LiaElaboration* e) { return e->machine.stack.items[--e->machine.stack.count]; }

LiaFrame* lia_machine_top_frame(LiaElaboration* e) {
    return &e->machine.frames.items[e->machine.frames.count - 1];
}

void lia_machine_push_frame(LiaElaboration* e, LiaFrame frame) {
    if (e->machine.frames.count >= LIA_LIMIT_FRAMES) {
        lia_diag_error(e->context->diags, frame.span, "E0194",
                       "more than %d definitions wait for each other, the limit", LIA_LIMIT_FRAMES);
        lia_context_stop(e->context);
    }
    if (frame.owner == 0) {
        frame.owner = e->machine.frames.count + 1;
    }
    *LIA_ADD(e->context, e->machine.frames) = frame;
}

static LiaCode code_of(const LiaElaboration* e, uint32_t member) {
    return e->declarations.items[e->members.items[member].declaration].phrase->right;
}

bool lia_machine_is_definition(LiaKeyword keyword) {
    return keyword == LIA_KEYWORD_PARAMETER || keyword == LIA_KEYWORD_LET ||
           keyword == LIA_KEYWORD_CONTROL || keyword == LIA_KEYWORD_OBSERVE;
}

void lia_machine_begin(LiaElaboration* e, uint32_t id, LiaSpan span) {
    LiaCode code = code_of(e, id);
    const LiaDeclaration* d = &e->declarations.items[e->members.items[id].declaration];
    e->members.items[id].state = LIA_IN_PROGRESS;
    uint32_t bindings = lia_machine_bind_member(e, id);
    LiaFrame frame = {.pc = code.begin,
                      .end = code.end,
                      .bindings = bindings,
                      .member = id,
                      .span = span,
                      .setting = lia_definition_setting(d)};
    lia_machine_push_frame(e, frame);
}

// a -> b -> a: the definitions that wait from the one met again to the top.
void lia_machine_say_circle(LiaElaboration* e, uint32_t id, LiaSpan span) {
    enum { SHOWN = 6 };
    uint32_t bottom = e->machine.frames.count;
    while (bottom > 0 && e->machine.frames.items[bottom - 1].member != id) {
        bottom--;
    }
    char text[512] = "";
    size_t n = 0;
    int shown = 0;
    for (uint32_t i = bottom ? bottom - 1 : 0; i < e->machine.frames.count && n < sizeof text;
         i++) {
        uint32_t member = e->machine.frames.items[i].member;
        if (member == 0) {
            continue;
        }
        const char* name = ++shown > SHOWN ? "..." : lia_scope_name(e, member);
        n += (size_t)snprintf(text + n, sizeof text - n, "%.60s -> ", name);
        if (shown > SHOWN) {
            break;
        }
    }
    const char* name = lia_scope_name(e, id);
    lia_diag_error(e->context->diags, span, "E0123", "'%s' is defined by itself: %s%s", name, text,
                   name);
}

// --- calls, sums, branches

static bool run_call(LiaElaboration* e, const LiaSyntaxNode* node) {
    if (node->other == 0) {
        lia_function_call(e, node);
        return true;
    }
    const LiaBuiltin* builtin = lia_builtin_at((int)node->other - 1);
    if (builtin->kind == LIA_BUILTIN_BODY) {
        return lia_body_call(e, node);
    }
    if (builtin->kind == LIA_BUILTIN_GROUP) {
        return lia_momentum_call(e, node);
    }
    if (builtin->kind == LIA_BUILTIN_NAMED) {
        lia_effort_call(e, node);
        return true;
    }
    const LiaValue* arguments = top_of(e, node->count);
    if (builtin->kind == LIA_BUILTIN_SPECIAL) {
        const char* sequence = lia_context_name_text(e->context, node->field);
        LiaValue angles = lia_rotation_euler(&e->work, &arguments[0], sequence, node->span);
        lia_references_replace(e, node->count, angles, node->span);
        return true;
    }
    LiaValue value = lia_calls_apply(&e->work, node->other - 1, arguments, node->count, node->span);
    // omega() has a derivative in it: accelerations may come of it
    lia_references_replace(e, node->count, value, node->span);
    return true;
}

// How many terms a sum from `low` to `high` has together with those it is in: what is done of
// these, and for what is left of them the same again.
static double summands(const LiaElaboration* e, int64_t low, int64_t high) {
    double count = high < low ? 0.0 : (double)(high - low) + 1.0;
    for (uint32_t k = e->machine.loops.count; k-- > 0;) {
        const LiaLoop* loop = &e->machine.loops.items[k];
        count *= (double)(loop->high - loop->i) + 1.0;
    }
    return count;
}

static void begin_sum(LiaElaboration* e, LiaFrame* frame, const LiaSyntaxNode* node) {
    LiaValue high = pop(e), low = pop(e);
    LiaLoop loop = {0};
    bool good = lia_value_whole(&e->work, &low, "the range of a sum", &loop.i);
    good = lia_value_whole(&e->work, &high, "the range of a sum", &loop.high) && good;
    LiaSpan span = lia_context_join_spans(low.span, high.span);
    if (good && lia_builtin_is_quantity(lia_context_name_text(e->context, node->symbol))) {
        lia_diag_error(e->context->diags, node->span, "E0122",
                       "'%s' is built in and cannot be an index",
                       lia_context_name_text(e->context, node->symbol));
        good = false;
    }
    if (good && (double)loop.high - (double)loop.i >= LIA_LIMIT_FAMILY) {
        lia_diag_error(e->context->diags, span, "E0142", "a sum of more than %d terms, the limit",
                       LIA_LIMIT_FAMILY);
        good = false;
    }
    if (good && summands(e, loop.i, loop.high) > LIA_LIMIT_NESTED) {
        lia_diag_error(e->context->diags, span, "E0142",
                       "sums inside each other of more than %d terms, the limit", LIA_LIMIT_NESTED);
        good = false;
    }
    if (!good || loop.i > loop.high) {
        lia_machine_push(e, good ? lia_value_literal(lia_number_whole(0), span)
                                 : lia_value_poison(span));
        frame->pc = node->jump;
        return;
    }
    lia_machine_bind(e, node->symbol, lia_value_literal(lia_number_whole(loop.i), node->span));
    *LIA_ADD(e->context, e->machine.loops) = loop;
}

static void end_sum(LiaElaboration* e, LiaFrame* frame, const LiaSyntaxNode* node) {
    LiaValue value = pop(e);
    LiaLoop* loop = &e->machine.loops.items[e->machine.loops.count - 1];
    loop->total = loop->any ? lia_value_add(&e->work, &loop->total, &value, 1, node->span) : value;
    loop->any = true;
    loop->total.span = node->span;
    if (loop->i < loop->high && loop->total.kind != LIA_VALUE_POISON) {
        LiaBinding* binding = &e->machine.bindings.items[e->machine.bindings.count - 1];
        binding->value = lia_value_literal(lia_number_whole(++loop->i), binding->value.span);
        frame->pc = node->jump;
        return;
    }
    lia_machine_push(e, loop->total);
    e->machine.loops.count--;
    e->machine.bindings.count--;
}

static void begin_if(LiaElaboration* e, LiaFrame* frame, const LiaSyntaxNode* node) {
    LiaBranch branch = {.condition = pop(e), .known = -1};
    if (branch.condition.kind == LIA_VALUE_CONDITION) {
        branch.known = branch.condition.known;
    }
    if (branch.known == 0) {
        frame->pc = node->jump;
    }
    *LIA_ADD(e->context, e->machine.branches) = branch;
}

static void end_if(LiaElaboration* e, const LiaSyntaxNode* node) {
    LiaBranch branch = e->machine.branches.items[--e->machine.branches.count];
    if (branch.known >= 0) {
        e->machine.stack.items[e->machine.stack.count - 1].span = node->span;
        return;
    }
    LiaValue b = pop(e), a = pop(e);
    lia_machine_push(e, lia_condition_if(&e->work, &branch.condition, &a, &b, node->span));
}

static void run_binary(LiaElaboration* e, const LiaSyntaxNode* node) {
    LiaWork* w = &e->work;
    LiaValue b = pop(e), a = pop(e), value = lia_value_poison(node->span);
    switch (node->kind) {
    case LIA_NODE_ADD:
        value = lia_value_add(w, &a, &b, 1, node->span);
        break;
    case LIA_NODE_SUBTRACT:
        value = lia_value_add(w, &a, &b, -1, node->span);
        break;
    case LIA_NODE_MULTIPLY:
        value = lia_value_multiply(w, &a, &b, node->span);
        break;
    case LIA_NODE_DIVIDE:
        value = lia_value_divide(w, &a, &b, node->span);
        break;
    case LIA_NODE_POWER:
        value = lia_power_value(w, &a, &b, node->span);
        break;
    case LIA_NODE_LESS:
        value = lia_condition_compare(w, LIA_OP_LESS, &a, &b, node->span);
        break;
    case LIA_NODE_LESS_EQUAL:
        value = lia_condition_compare(w, LIA_OP_LESS_EQUAL, &a, &b, node->span);
        break;
    case LIA_NODE_GREATER:
        value = lia_condition_compare(w, LIA_OP_LESS, &b, &a, node->span);
        break;
    case LIA_NODE_GREATER_EQUAL:
        value = lia_condition_compare(w, LIA_OP_LESS_EQUAL, &b, &a, node->span);
        break;
    case LIA_NODE_AND:
        value = lia_condition_logic(w, LIA_OP_AND, &a, &b, node->span);
        break;
    case LIA_NODE_OR:
        value = lia_condition_logic(w, LIA_OP_OR, &a, &b, node->span);
        break;
    default:
        break;
    }
    lia_machine_push(e, value);
}

// One value from the value on top of the stack.
static void run_unary(LiaElaboration* e, const LiaSyntaxNode* node) {
    LiaValue a = pop(e);
    if (node->kind == LIA_NODE_PRIME) {
        lia_references_push_allowed(e, lia_value_prime(&e->work, &a, node->span), node->span);
    } else if (node->kind == LIA_NODE_NEGATE) {
        lia_machine_push(e, lia_value_negate(&e->work, &a, node->span));
    } else {
        lia_machine_push(e, lia_condition_not(&e->work, &a, node->span));
    }
}

static void run_index(LiaElaboration* e, const LiaSyntaxNode* node) {
    LiaValue value = lia_components_index(
        &e->work, &e->machine.stack.items[e->machine.stack.count - node->count - 1],
        top_of(e, node->count), node->count, node->span);
    e->machine.stack.count -= node->count + 1;
    lia_machine_push(e, value);
}

static void run_vector(LiaElaboration* e, const LiaSyntaxNode* node) {
    LiaValue value =
        lia_components_vector(&e->work, top_of(e, node->count), node->count, node->span);
    e->machine.stack.count -= node->count;
    lia_machine_push(e, value);
}

static bool run_field(LiaElaboration* e, const LiaSyntaxNode* node) {
    if (e->machine.stack.items[e->machine.stack.count - 1].kind == LIA_VALUE_BODY)
        return lia_body_field(e, node);
    LiaValue a = pop(e);
    lia_machine_push(e, lia_components_field(&e->work, &a,
                                             lia_context_name_text(e->context, node->symbol),
                                             node->span));
    return true;
}

static void push_every_body(LiaElaboration* e, const LiaSyntaxNode* node) {
    LiaValue value = lia_value_poison(node->span);
    value.kind = LIA_VALUE_BODY;
    value.body = LIA_EVERY_BODY;
    lia_machine_push(e, value);
}

// One node. The frame's pc is already after it; false: run it again later.
static bool step(LiaElaboration* e, LiaFrame* frame, const LiaSyntaxNode* node) {
    switch (node->kind) {
    case LIA_NODE_POISON:
        lia_machine_push(e, lia_value_poison(node->span));
        return true;
    case LIA_NODE_NUMBER:
        lia_machine_push(e, lia_value_literal(e->syntax->numbers.items[node->symbol], node->span));
        return true;
    case LIA_NODE_NAME:
        return lia_references_name(e, node);
    case LIA_NODE_MEMBER:
        return lia_references_member(e, node);
    case LIA_NODE_INDEX:
        run_index(e, node);
        return true;
    case LIA_NODE_FIELD:
        return run_field(e, node);
    case LIA_NODE_PRIME:
    case LIA_NODE_NEGATE:
    case LIA_NODE_NOT:
        run_unary(e, node);
        return true;
    case LIA_NODE_VECTOR:
        run_vector(e, node);
        return true;
    case LIA_NODE_CALL:
        return run_call(e, node);
    case LIA_NODE_ALL:
        push_every_body(e, node);
        return true;
    case LIA_NODE_NAMED:
    case LIA_NODE_JOINT:
        lia_references_named(e, node);
        return true;
    case LIA_NODE_SUM_BEGIN:
        begin_sum(e, frame, node);
        return true;
    case LIA_NODE_SUM_END:
        end_sum(e, frame, node);
        return true;
    case LIA_NODE_IF_THEN:
        begin_if(e, frame, node);
        return true;
    case LIA_NODE_IF_ELSE:
        if (e->machine.branches.items[e->machine.branches.count - 1].known == 1) {
            frame->pc = node->jump;
        }
        return true;
    case LIA_NODE_IF_END:
        end_if(e, node);
        return true;
    default:
        run_binary(e, node);
        return true;
    }
}

// The top frame came to its end: its value goes to the definition, or stays on the stack.
static void finish_frame(LiaElaboration* e) {
    LiaFrame frame = *lia_machine_top_frame(e);
    e->machine.frames.count--;
    e->machine.bindings.count = frame.bindings;
    if (frame.function) {
        e->declarations.items[frame.function].active = frame.was_active;
        e->machine.stack.items[e->machine.stack.count - 1].span = frame.span;
    } else if (frame.member) {
        LiaValue value = pop(e);
        lia_definition_take(e, frame.member, value);
        e->members.items[frame.member].state = LIA_WORKED_OUT;
    }
}

// Run until no more than `base` frames are left.
static void run_frames(LiaElaboration* e, uint32_t base) {
    while (e->machine.frames.count > base) {
        LiaFrame* frame = lia_machine_top_frame(e);
        if (frame->pc >= frame->end) {
            finish_frame(e);
            continue;
        }
        uint32_t at = frame->pc++;
        uint32_t depth = e->machine.frames.count;
        e->context->at = e->syntax->nodes.items[at].span;
        lia_term_work(&e->work.terms, 1);
        if (!step(e, frame, &e->syntax->nodes.items[at])) {
            e->machine.frames.items[depth - 1].pc = at;
        }
    }
}

LiaValue lia_machine_run(LiaElaboration* e, LiaCode code, const LiaSetting* setting,
                         uint32_t bindings) {
    if (code.begin == code.end) {
        return lia_value_poison(code.span);
    }
    uint32_t base = e->machine.frames.count, visible = e->machine.bindings.count;
    LiaFrame frame = {.pc = code.begin, .end = code.end, .bindings = bindings, .setting = setting};
    lia_machine_push_frame(e, frame);
    run_frames(e, base);
    // finish_frame() has dropped the bindings of the caller: they are his to drop.
    e->machine.bindings.count = visible;
    LiaValue value = pop(e);
    value.span = code.span;
    return value;
}

void lia_machine_define(LiaElaboration* e, uint32_t id) {
    LiaMember* member = &e->members.items[id];
    LiaKeyword keyword = e->declarations.items[member->declaration].keyword;
    if (member->state != LIA_NOT_YET || !lia_machine_is_definition(keyword)) {
        return;
    }
    uint32_t base = e->machine.frames.count;
    lia_machine_begin(e, id, e->declarations.items[member->declaration].head->span);
    run_frames(e, base);
}
