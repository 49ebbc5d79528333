// When statements act: `from EVENT` and `until EVENT` of constraints, operators, joints, contacts
// and forces; and what an event sets.
// SPDX-License-Identifier: MIT
#include "lang/bodies/rotation.h"
#include "lang/elaborate/elaborate.h"
#include "lang/syntax/nearest.h"
#include <string.h>

static const LiaSetting set_setting = {LIA_DEPENDS(ACCELERATION) | LIA_DEPENDS(REACTION),
                                       "what an event sets", NULL, NULL};

// --- from and until ----------------------------------------------------------------------------

typedef struct Named {
    const LiaHead* head;
    uint32_t member, visits;
} Named;

// A name that nothing has: an event is wanted, so only events are proposed.
static void say_no_event(LiaElaboration* e, const LiaHead* head) {
    const char* name = lia_context_name_text(e->context, head->symbol);
    LiaNearest nearest = lia_nearest_begin(name);
    for (uint32_t i = 1; i < e->declarations.count; i++) {
        const LiaDeclaration* d = &e->declarations.items[i];
        if (d->keyword != LIA_KEYWORD_EVENT) continue;
        lia_nearest_offer(&nearest, lia_context_name_text(e->context, d->symbol));
    }
    lia_diag_error(e->context->diags, head->span, "E0200", "there is no event '%s'", name);
    if (nearest.best)
        lia_diag_help(e->context->diags, "did you mean '%s'?", nearest.best);
    else
        lia_diag_help(e->context->diags, "write when it happens: 'event %s: t = 2'", name);
}

static void visit(LiaElaboration* e, void* of, const int64_t* at) {
    Named* named = of;
    const LiaHead* head = named->head;
    if (named->visits++ > 0) return;
    const LiaName* name = &e->context->names.items[head->symbol];
    if (name->declaration == 0) {
        if (!name->lost) say_no_event(e, head);
        return;
    }
    named->member = lia_scope_member(e, head->symbol, at, head->index_count, head->span);
}

// 1 + the event that a head names; 0 with an error said.
static uint32_t event_of(LiaElaboration* e, const LiaHead* head, uint32_t bindings) {
    LiaDiags* diags = e->context->diags;
    Named named = {.head = head};
    if (!lia_scope_walk(e, head, bindings, visit, &named) || !named.member) return 0;
    if (named.visits > 1) {
        lia_diag_error(diags, head->span, "E0201", "these are %u events: say which of them",
                       named.visits);
        return 0;
    }
    const LiaMember* member = &e->members.items[named.member];
    LiaKeyword keyword = e->declarations.items[member->declaration].keyword;
    if (keyword == LIA_KEYWORD_EVENT) return 1 + member->slot;
    lia_diag_error(diags, head->span, "E0200", "'%s' is %s, not an event",
                   lia_scope_name(e, named.member), lia_declarations_words(keyword));
    lia_diag_help(diags, keyword == LIA_KEYWORD_CONTACT
                             ? "write where its gap closes as an event: 'event NAME: e = 0 falling'"
                             : "an instant is an event: 'event NAME: t = 2'");
    return 0;
}

// On a phase space nothing has inertia, and no impulse makes anything jump.
static bool refuse_on_phase_space(LiaElaboration* e, LiaSpan span) {
    if (!e->draft.phase.is) return false;
    lia_diag_error(e->context->diags, span, "E0207",
                   "on a phase space nothing begins or ends by events, and nothing is set");
    return true;
}

// A joint with coordinates of its own, that its equations alone determine.
static bool determines_its_own(const LiaConstraint* c) { return c->joint && c->joint->own > 0; }

void lia_duration_take(LiaElaboration* e, uint32_t id, uint32_t bindings) {
    const LiaDeclaration* d = &e->declarations.items[e->members.items[id].declaration];
    const LiaDurationSyntax* syntax = &d->statement->duration;
    LiaDuration duration = {0};
    if (!syntax->from.symbol && !syntax->until.symbol) return;
    LiaSpan first = syntax->from.symbol ? syntax->from.span : syntax->until.span;
    if (refuse_on_phase_space(e, first)) return;
    if (syntax->from.symbol) duration.from = event_of(e, &syntax->from, bindings);
    if (syntax->until.symbol) duration.until = event_of(e, &syntax->until, bindings);
    d = &e->declarations.items[e->members.items[id].declaration];
    uint32_t slot = e->members.items[id].slot;
    if (duration.from && duration.from == duration.until) {
        lia_diag_error(e->context->diags, d->statement->duration.until.span, "E0202",
                       "'%s' begins and ends by the same event", lia_scope_name(e, id));
        lia_diag_help(e->context->diags, "write two events");
        return;
    }
    if (duration.from) e->draft.events.items[duration.from - 1].switches = true;
    if (duration.until) e->draft.events.items[duration.until - 1].switches = true;
    if (d->keyword == LIA_KEYWORD_FORCE || d->keyword == LIA_KEYWORD_MOMENT) {
        e->draft.forces.items[slot].duration = duration;
        return;
    }
    LiaConstraint* c = &e->draft.constraints.items[slot];
    c->duration = duration;
    if (!determines_its_own(c)) return;
    lia_diag_error(e->context->diags, d->statement->span, "E0203",
                   "'%s' finds where its shapes touch by its own equations: it cannot begin or end",
                   lia_scope_name(e, id));
    lia_diag_help(e->context->diags, "a 'contact' of these shapes begins and ends by itself");
}

// --- set ---------------------------------------------------------------------------------------

typedef struct Sets {
    const LiaPhrase* phrase;
    uint32_t bindings;
    LIA_VECTOR(LiaSet) list;
} Sets;

// The numbers of a value for the coordinates of a target, into out (4). False with an error said.
static bool values_for(LiaElaboration* e, const Sets* sets, const LiaTarget* target,
                       const LiaValue* value, LiaExpr* out) {
    const LiaPhrase* phrase = sets->phrase;
    if (target->count == 1) {
        if (!lia_value_need_scalar(&e->work, value, "what an event sets")) return false;
        out[0] = lia_value_at(&e->work, value, 0);
        return true;
    }
    bool turns = target->manifold == LIA_ROTATION;
    if ((turns && !phrase->turning) || (target->manifold == LIA_SPHERE && !phrase->head.primes)) {
        lia_diag_error(e->context->diags, phrase->span, "E0205",
                       "an event does not turn '%s' at once", target->name);
        lia_diag_help(e->context->diags,
                      turns ? "it sets how fast it turns: 'event NAME: t = 1 set omega(R) = e'"
                            : "it sets its velocity");
        return false;
    }
    if (!lia_body_need_vector(e, value, "what an event sets")) return false;
    for (uint32_t i = 0; i < 3; i++) out[i] = lia_value_at(&e->work, value, i);
    if (!turns) return true;
    LiaExpr q[4], spin[3] = {out[0], out[1], out[2]};
    for (uint32_t i = 0; i < 4; i++) {
        q[i] = lia_term_symbol(&e->work.terms, LIA_SYMBOL_POSITION, target->coordinate + i,
                               phrase->span);
    }
    bool body = phrase->turning == LIA_TURNING_BODY;
    lia_rotation_rate(&e->work, q, spin, body, out, phrase->span);
    return true;
}

static void add_set(LiaElaboration* e, void* of, const int64_t* at) {
    Sets* sets = of;
    const LiaPhrase* phrase = sets->phrase;
    LiaTarget target = lia_group_target(e, &phrase->head, at, "only coordinates are set");
    LiaValue value = lia_machine_run(e, phrase->right, &set_setting, sets->bindings);
    if (target.member == 0 || value.kind == LIA_VALUE_POISON) return;
    bool velocity = phrase->turning || phrase->head.primes == 1;
    LiaExpr terms[4] = {{0}};
    if (phrase->head.primes > 1) {
        lia_diag_error(e->context->diags, phrase->span, "E0205",
                       "an event sets positions and velocities, accelerations follow from forces");
        return;
    }
    if (phrase->turning && !lia_group_check_turning(e, phrase, &target)) return;
    if (!values_for(e, sets, &target, &value, terms)) return;
    for (uint32_t i = 0; i < sets->list.count && sets->list.count < 1000; i++) {
        const LiaSet* other = &sets->list.items[i];
        if (other->velocity != velocity || other->coordinate != target.coordinate) continue;
        lia_diag_error(e->context->diags, phrase->span, "E0206", "'%s%s' is set twice", target.name,
                       velocity ? "'" : "");
        return;
    }
    for (uint32_t i = 0; i < target.count; i++) {
        *LIA_ADD(e->context, sets->list) =
            (LiaSet){target.coordinate + i, velocity, terms[i], phrase->span};
    }
}

void lia_duration_sets(LiaElaboration* e, uint32_t id, uint32_t bindings) {
    const LiaStatement* s = e->declarations.items[e->members.items[id].declaration].statement;
    Sets sets = {.bindings = bindings};
    if (s->event.set_count && refuse_on_phase_space(e, s->event.sets[0].span)) return;
    for (uint32_t i = 0; i < s->event.set_count; i++) {
        sets.phrase = &s->event.sets[i];
        lia_scope_walk(e, &sets.phrase->head, bindings, add_set, &sets);
    }
    LiaEvent* event = &e->draft.events.items[e->members.items[id].slot];
    event->sets = lia_context_keep_list(e->context, sets.list.items, sets.list.count,
                                        sizeof *sets.list.items);
    event->set_count = sets.list.count;
}
