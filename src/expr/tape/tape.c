// Compiling formulas to a tape: symbols, constants, and the sections in order. See tape.h.
// SPDX-License-Identifier: MIT
#include "expr/tape/tape.h"
#include "base/memory/memory.h"
#include "expr/tape/allocate.h"
#include "expr/tape/builder.h"
#include "expr/tape/schedule.h"
#include <stdlib.h>
#include <string.h>

// --- symbols and constants ---------------------------------------------------------------------

static uint32_t* symbol_slot(LiaTape* tape, const LiaNode* n) {
    switch ((LiaSymbolKind)n->symbol_kind) {
    case LIA_SYMBOL_TIME:
        return &tape->time;
    case LIA_SYMBOL_POSITION:
        return &tape->position[n->a];
    case LIA_SYMBOL_VELOCITY:
        return &tape->velocity[n->a];
    case LIA_SYMBOL_ACCELERATION:
        return &tape->acceleration[n->a];
    case LIA_SYMBOL_MULTIPLIER:
        return &tape->multiplier[n->a];
    case LIA_SYMBOL_WORK:
        return &tape->work[n->a];
    default:
        return NULL;
    }
}

// Every symbol has its register, used in a formula or not: the motion reads and writes them all.
static void place_symbols(LiaTapeBuilder* b) {
    LiaTape* tape = b->tape;
    tape->time = lia_emit_register(b);
    for (uint32_t i = 0; i < tape->coordinate_count; i++) {
        tape->position[i] = lia_emit_register(b);
        tape->velocity[i] = lia_emit_register(b);
        tape->acceleration[i] = lia_emit_register(b);
    }
    for (uint32_t j = 0; j < tape->multiplier_count; j++)
        tape->multiplier[j] = lia_emit_register(b);
    for (uint32_t w = 0; w < tape->work_count; w++) tape->work[w] = lia_emit_register(b);
    for (uint32_t i = 1; i < b->g->count; i++) {
        const LiaNode* n = &b->g->nodes[i];
        if (n->op != LIA_OP_SYMBOL) continue;
        bool runs = n->symbol_kind != LIA_SYMBOL_MULTIPLIER || n->a < tape->multiplier_count;
        uint32_t* slot = runs ? symbol_slot(tape, n) : NULL;  // others are replaced before
        if (slot) tape->register_of[i] = *slot;
    }
}

// Constants are computed here and now.
static void fold_constants(LiaTapeBuilder* b) {
    for (uint32_t i = 1; i < b->g->count; i++) {
        if (b->class[i] != LIA_CLASS_C) continue;
        const LiaNode* n = &b->g->nodes[i];
        double value;
        if (n->op == LIA_OP_CONST) {
            value = b->g->numbers[n->a].value;
        } else if (n->op == LIA_OP_PI) {
            value = 3.14159265358979323846;
        } else if (n->op == LIA_OP_SYMBOL) {
            value = b->spec->parameters[n->a];
        } else {
            const double* c = b->tape->constants;
            value =
                lia_op_value((LiaOp)n->op, c[lia_emit_register_of(b, n->a)],
                             c[lia_emit_register_of(b, n->b)], c[lia_emit_register_of(b, n->c)]);
        }
        uint32_t reg = lia_emit_register(b);
        b->tape->register_of[i] = reg;
        b->tape->constants[reg] = value;
    }
}

// --- sections ----------------------------------------------------------------------------------

static void emit_wanted(LiaTapeBuilder* b, LiaSection* section, LiaClass least, LiaClass most) {
    b->section = section;
    for (uint32_t i = 1; i < b->g->count; i++) {
        if (!b->wanted[i] || b->tape->register_of[i]) continue;
        if (b->class[i] < least || b->class[i] > most) continue;
        lia_emit_node(b, i);
    }
}

// After the solve: what is new, and what depends on multipliers or accelerations once more.
static void emit_again(LiaTapeBuilder* b, LiaSection* section) {
    b->section = section;
    for (uint32_t i = 1; i < b->g->count; i++) {
        if (!b->wanted[i] || b->g->nodes[i].op == LIA_OP_SYMBOL) continue;
        bool late = b->class[i] >= LIA_CLASS_F;
        if (b->tape->register_of[i] && !(late && !b->again[i])) continue;
        if (b->again[i]) continue;
        lia_emit_node(b, i);
        b->again[i] = late;
    }
}

// q_i = law: the register of the law is that of the coordinate.
static void alias_position(LiaTapeBuilder* b, uint32_t coordinate, uint32_t reg) {
    b->tape->position[coordinate] = reg;
    for (uint32_t i = 1; i < b->g->count; i++) {
        const LiaNode* n = &b->g->nodes[i];
        if (n->op == LIA_OP_SYMBOL && n->symbol_kind == LIA_SYMBOL_POSITION && n->a == coordinate) {
            b->tape->register_of[i] = reg;
        }
    }
}

static void emit_laws(LiaTapeBuilder* b) {
    LiaTape* tape = b->tape;
    for (uint32_t d = 0; d < b->spec->drive_count; d++) {
        const LiaDrive* drive = &b->spec->drives[d];
        lia_needs_mark(b, &drive->law, 1);
        emit_wanted(b, &tape->sections.law, LIA_CLASS_T, LIA_CLASS_T);
        tape->drives[d] = *drive;
        tape->drive_register[d] = lia_emit_register_of(b, drive->law.index);
        if (!drive->rate) alias_position(b, drive->coordinate, tape->drive_register[d]);
    }
}

// Which coefficients of its arguments and of its own an instruction of main looks back at. Sums
// read the top coefficient only, unless they stand less far ahead than their argument.
static void mark_look_back(const LiaInstr* in, const uint8_t* offset, uint8_t* seen) {
    const uint32_t arguments[3] = {in->x, in->y, in->z};
    bool linear = in->code == LIA_CODE_ADD || in->code == LIA_CODE_SUB ||
                  in->code == LIA_CODE_NEG || in->code == LIA_CODE_SCALE ||
                  in->code == LIA_CODE_DIVIDE;
    for (int a = 0; a < 3; a++) {
        if (!linear || offset[arguments[a]] > in->offset) seen[arguments[a]] = 1;
    }
    bool product = in->code == LIA_CODE_MUL || in->code == LIA_CODE_SQUARE;
    if (!linear && !product) seen[in->out] = seen[in->aux] = 1;
}

static void mark_arguments(const LiaSection* section, uint8_t* seen) {
    for (uint32_t i = 0; i < section->count; i++) {
        const LiaInstr* in = &section->instrs[i];
        seen[in->x] = seen[in->y] = seen[in->z] = 1;
    }
}

// The instructions of `slope`, whose order is that of main, through which a change comes to what is
// seen.
static void pick_seen(LiaTapeBuilder* b, const LiaSection* slope, LiaSection* picked,
                      uint8_t* seen) {
    seen[0] = 0;  // register 0: no argument
    for (uint32_t i = slope->count; i > 0; i--) {
        const LiaInstr* in = &slope->instrs[i - 1];
        if (seen[in->out] || seen[in->aux]) seen[in->x] = seen[in->y] = seen[in->z] = 1;
        seen[0] = 0;
    }
    for (uint32_t i = 0; i < slope->count; i++) {
        const LiaInstr* in = &slope->instrs[i];
        if (seen[in->out] || seen[in->aux]) lia_emit_push(b, picked, *in);
    }
}

static bool emit_corrections(LiaTapeBuilder* b) {
    const LiaTapeSpec* spec = b->spec;
    LiaTape* tape = b->tape;
    uint8_t* seen = lia_memory_zeros(2 * (size_t)tape->register_count + 1, 1);
    if (!seen) return false;
    uint8_t* offset = seen + tape->register_count;
    for (uint32_t i = 0; i < tape->sections.main.count; i++) {
        const LiaInstr* in = &tape->sections.main.instrs[i];
        offset[in->out] = offset[in->aux] = in->offset;
    }
    offset[0] = 0;
    for (uint32_t i = 0; i < tape->sections.main.count; i++) {
        mark_look_back(&tape->sections.main.instrs[i], offset, seen);
    }
    for (uint32_t i = 0; i < tape->sections.aside.count; i++) {
        mark_look_back(&tape->sections.aside.instrs[i], offset, seen);
    }
    mark_arguments(&tape->sections.reaction, seen);
    mark_arguments(&tape->sections.post, seen);
    for (uint32_t r = 0; r < spec->root_count; r++) {
        if (spec->roots[r].read_after) seen[lia_emit_register_of(b, spec->roots[r].expr.index)] = 1;
    }
    for (uint32_t r = 0; r < spec->reaction_count; r++) {
        seen[lia_emit_register_of(b, spec->reactions[r].index)] = 1;
    }
    for (uint32_t r = 0; r < spec->post_count; r++)
        seen[lia_emit_register_of(b, spec->posts[r].index)] = 1;
    for (uint32_t g = 0; g < tape->guard_count; g++) seen[tape->guards[g].reg] = 1;
    pick_seen(b, &tape->sections.slope_v, &tape->sections.correct_v, seen);
    pick_seen(b, &tape->sections.slope_q, &tape->sections.correct_q, seen);
    free(seen);
    return true;
}

static bool has_guard(const LiaTapeBuilder* b, uint32_t node) {
    const LiaNode* n = &b->g->nodes[node];
    if (b->class[node] < LIA_CLASS_Q) return false;  // elsewhere
    if (n->op == LIA_OP_POW) return true;            // for some exponents
    return lia_op_kinds[n->op] && lia_op_kinds[n->op]->guard != LIA_GUARD_NONE;
}

// Section main, and aside what only the roots `aside` need: neither a reaction nor a post, which
// are run order by order too, nor a guard, whose series is watched. `series`: roots, reactions and
// posts, `count` of them.
static bool emit_main(LiaTapeBuilder* b, const LiaExpr* series, uint32_t count) {
    const LiaTapeSpec* spec = b->spec;
    LiaTape* tape = b->tape;
    uint32_t nodes = b->g->count, roots = spec->root_count, on = 0, aside = 0;
    LiaExpr* list = lia_memory_zeros(roots + 1, sizeof *list);
    uint8_t* shared = lia_memory_zeros(nodes, 1);
    if (!list || !shared) {
        free(list);
        free(shared);
        return false;
    }
    for (uint32_t r = 0; r < roots; r++) {
        if (!spec->roots[r].aside) list[on++] = spec->roots[r].expr;
    }
    for (uint32_t r = 0; r < roots; r++) {
        if (spec->roots[r].aside) list[on + aside++] = spec->roots[r].expr;
    }
    lia_needs_mark(b, list + on, aside);
    memcpy(shared, b->wanted, nodes);
    bool guarded = false;
    for (uint32_t i = 1; i < nodes; i++) guarded = guarded || (shared[i] && has_guard(b, i));
    lia_needs_mark(b, series + roots, count - roots);
    for (uint32_t i = 0; i < nodes; i++) shared[i] = shared[i] && (guarded || b->wanted[i]);
    lia_needs_mark(b, list, on);
    for (uint32_t i = 0; i < nodes; i++) b->wanted[i] = b->wanted[i] || shared[i];
    emit_wanted(b, &tape->sections.main, LIA_CLASS_Q, LIA_CLASS_F);
    lia_needs_mark(b, list + on, aside);
    emit_wanted(b, &tape->sections.aside, LIA_CLASS_Q, LIA_CLASS_F);
    free(list);
    free(shared);
    return true;
}

// The registers of works stand one after the other: place_symbols().
static bool needs_works(const LiaTape* tape, const LiaSection* section) {
    if (tape->work_count == 0) return false;
    uint32_t first = tape->work[0], last = tape->work[tape->work_count - 1];
    for (uint32_t i = 0; i < section->count; i++) {
        const uint32_t arguments[3] = {section->instrs[i].x, section->instrs[i].y,
                                       section->instrs[i].z};
        for (int a = 0; a < 3; a++) {
            if (arguments[a] >= first && arguments[a] <= last) return true;
        }
    }
    return false;
}

static bool emit_sections(LiaTapeBuilder* b) {
    const LiaTapeSpec* spec = b->spec;
    LiaTape* tape = b->tape;
    uint32_t all = spec->root_count + spec->reaction_count + spec->post_count;
    LiaExpr* series = lia_memory_zeros(all + 1, sizeof *series);
    if (!series) return false;
    uint32_t n = 0;
    for (uint32_t r = 0; r < spec->root_count; r++) series[n++] = spec->roots[r].expr;
    for (uint32_t r = 0; r < spec->reaction_count; r++) series[n++] = spec->reactions[r];
    for (uint32_t r = 0; r < spec->post_count; r++) series[n++] = spec->posts[r];

    emit_laws(b);
    lia_needs_mark(b, series, n);
    emit_wanted(b, &tape->sections.drive, LIA_CLASS_T, LIA_CLASS_T);
    if (!emit_main(b, series, n)) {
        free(series);
        return false;
    }
    lia_needs_mark(b, spec->reactions, spec->reaction_count);
    lia_needs_mark_histories(b);
    emit_again(b, &tape->sections.reaction);
    lia_needs_mark(b, spec->posts, spec->post_count);
    emit_again(b, &tape->sections.post);
    tape->sections.post_of_works = needs_works(tape, &tape->sections.post);
    lia_needs_mark(b, spec->samples, spec->sample_count);
    emit_again(b, &tape->sections.sample);
    tape->wanted = lia_memory_zeros(n + spec->drive_count + 1, sizeof *tape->wanted);
    for (uint32_t r = 0; tape->wanted && r < n; r++) {
        tape->wanted[tape->wanted_count++] = lia_emit_register_of(b, series[r].index);
    }
    for (uint32_t d = 0; tape->wanted && d < spec->drive_count; d++) {
        tape->wanted[tape->wanted_count++] = tape->drive_register[d];
    }
    free(series);
    if (!tape->wanted) return false;

    for (uint32_t i = 0; i < tape->sections.main.count; i++) {
        LiaInstr in = tape->sections.main.instrs[i];
        if (in.class == LIA_CLASS_V && in.offset == 1)
            lia_emit_push(b, &tape->sections.slope_v, in);
        if (in.class == LIA_CLASS_Q && in.offset == 2)
            lia_emit_push(b, &tape->sections.slope_q, in);
        if (in.offset == 2) tape->ahead = true;
    }
    return emit_corrections(b);
}

const LiaSection* lia_tape_section(const LiaSections* of, int i) {
    const LiaSection* const sections[LIA_SECTIONS] = {
        &of->law,       &of->drive,    &of->main, &of->slope_v, &of->slope_q, &of->correct_v,
        &of->correct_q, &of->reaction, &of->post, &of->sample,  &of->aside};
    return sections[i];
}

static LiaSection* section_of(LiaTape* tape, int i) {
    return (LiaSection*)lia_tape_section(&tape->sections, i);
}

static void read_outside(const LiaTapeBuilder* b, uint8_t* outside, LiaExpr e, uint8_t room) {
    uint8_t* of = &outside[lia_emit_register_of(b, e.index)];
    if (*of > room) *of = room;
}

// What is read from outside, and how.
static bool choose_registers(const LiaTapeBuilder* b, const LiaWindows* windows) {
    const LiaTapeSpec* spec = b->spec;
    LiaTape* tape = b->tape;
    uint8_t* outside = lia_memory_take((size_t)tape->register_count + 1);
    if (!outside) return false;
    memset(outside, LIA_ROOM_POOL, tape->register_count);
    for (uint32_t i = 0; i < spec->root_count; i++)
        read_outside(b, outside, spec->roots[i].expr, spec->roots[i].room);
    for (uint32_t i = 0; i < spec->reaction_count; i++)
        read_outside(b, outside, spec->reactions[i], LIA_ROOM_SERIES);
    for (uint32_t i = 0; i < spec->post_count; i++)
        read_outside(b, outside, spec->posts[i], LIA_ROOM_SERIES);
    for (uint32_t i = 0; i < spec->sample_count; i++)
        read_outside(b, outside, spec->samples[i], LIA_ROOM_BRIEF);
    bool ok = lia_allocate_choose(tape, windows, outside, spec->run_once);
    free(outside);
    return ok;
}

static bool schedule_sections(const LiaTapeBuilder* b) {
    LiaTape* tape = b->tape;
    LiaWindows windows;
    if (!lia_schedule_windows_make(&windows, tape)) return false;
    const LiaSection* const cut[] = {&tape->sections.main, &tape->sections.slope_v,
                                     &tape->sections.slope_q, &tape->sections.correct_v,
                                     &tape->sections.correct_q};
    bool ok = !windows.near || choose_registers(b, &windows);
    for (int i = 0; ok && i < LIA_SECTIONS; i++) {
        LiaSection* section = section_of(tape, i);
        bool large = false;
        for (size_t k = 0; windows.near && k < sizeof cut / sizeof *cut; k++) {
            large |= section == cut[k];
        }
        ok = lia_schedule_section(section, tape, large ? &windows : NULL);
        section->first = tape->instr_count;
        section->first_block = tape->block_count;
        tape->instr_count += section->count;
        tape->block_count += section->block_count;
    }
    if (ok && windows.near) ok = lia_allocate_registers(tape, &windows);
    lia_schedule_windows_clear(&windows);
    return ok;
}

static bool is_watched(const LiaTapeSpec* spec, uint32_t post) {
    return post >= spec->watched_first && post < spec->watched_first + spec->watched_count;
}

// What the motion depends on, and what only formulas that are watched do.
static bool part_watched(LiaTapeBuilder* b) {
    const LiaTapeSpec* spec = b->spec;
    LiaTape* tape = b->tape;
    size_t most = (size_t)spec->root_count + spec->reaction_count + spec->post_count;
    LiaExpr* roots = lia_memory_zeros(most + spec->drive_count + 1, sizeof *roots);
    tape->watched = lia_memory_zeros((size_t)tape->register_count + 1, sizeof *tape->watched);
    if (roots && tape->watched && spec->watched_count) {
        uint32_t count = 0;
        for (uint32_t r = 0; r < spec->root_count; r++) roots[count++] = spec->roots[r].expr;
        for (uint32_t r = 0; r < spec->reaction_count; r++) roots[count++] = spec->reactions[r];
        for (uint32_t k = 0; k < spec->drive_count; k++) roots[count++] = spec->drives[k].law;
        for (uint32_t r = 0; r < spec->post_count; r++) {
            if (!is_watched(spec, r)) roots[count++] = spec->posts[r];
        }
        lia_needs_mark(b, roots, count);
        for (uint32_t r = 0; r < tape->register_count; r++) tape->watched[r] = true;
        for (uint32_t i = 0; i < tape->node_count; i++) {
            if (b->wanted[i]) tape->watched[tape->register_of[i]] = false;
        }
        for (uint32_t g = 0; g < tape->guard_count; g++) {
            LiaGuard* guard = &tape->guards[g];
            guard->vital = guard->vital && b->wanted[guard->node.index];
        }
    }
    free(roots);
    return roots && tape->watched;
}

LiaTape* lia_tape_create(const LiaTapeSpec* spec) {
    LiaTape* tape = lia_memory_zeros(1, sizeof *tape);
    if (!tape) return NULL;
    uint32_t nodes = spec->graph->count;
    uint32_t n = spec->coordinate_count;
    tape->coordinate_count = n;
    tape->multiplier_count = spec->multiplier_count;
    tape->work_count = spec->work_count;
    tape->drive_count = spec->drive_count;
    tape->node_count = nodes;
    tape->register_of = lia_memory_zeros(nodes, sizeof *tape->register_of);
    tape->position = lia_memory_zeros(n + 1, sizeof *tape->position);
    tape->velocity = lia_memory_zeros(n + 1, sizeof *tape->velocity);
    tape->acceleration = lia_memory_zeros(n + 1, sizeof *tape->acceleration);
    tape->multiplier = lia_memory_zeros(spec->multiplier_count + 1, sizeof *tape->multiplier);
    tape->work = lia_memory_zeros(spec->work_count + 1, sizeof *tape->work);
    tape->drives = lia_memory_zeros(spec->drive_count + 1, sizeof *tape->drives);
    tape->drive_register = lia_memory_zeros(spec->drive_count + 1, sizeof *tape->drive_register);
    LiaTapeBuilder b = {.spec = spec, .g = spec->graph, .tape = tape};
    b.class = lia_memory_zeros(nodes, 1);
    b.need = lia_memory_take(nodes);
    b.again = lia_memory_zeros(nodes, 1);
    b.partner = lia_memory_zeros(nodes, sizeof *b.partner);
    b.large = lia_memory_zeros(nodes, 1);
    b.wanted = lia_memory_zeros(nodes, 1);
    bool ok = tape->register_of && tape->position && tape->velocity && tape->acceleration &&
              tape->multiplier && tape->work && tape->drives && tape->drive_register && b.class &&
              b.need && b.again && b.partner && b.large && b.wanted;
    if (ok) {
        memset(b.need, -1, nodes);
        lia_emit_register(&b);  // register 0 is zero
        ok = lia_needs_classify(&b) && lia_needs_find_partners(&b);
    }
    if (ok) {
        lia_needs_find_large(&b);
        place_symbols(&b);
        fold_constants(&b);
        lia_needs_spread(&b);
        ok = emit_sections(&b) && !tape->failed && schedule_sections(&b) && part_watched(&b);
    }
    free(b.class);
    free(b.need);
    free(b.again);
    free(b.partner);
    free(b.large);
    free(b.wanted);
    if (ok) return tape;
    lia_tape_destroy(tape);
    return NULL;
}

void lia_tape_destroy(LiaTape* tape) {
    if (!tape) return;
    free(tape->constants);
    free(tape->watched);
    free(tape->room);
    free(tape->windows);
    free(tape->register_of);
    free(tape->position);
    free(tape->velocity);
    free(tape->acceleration);
    free(tape->multiplier);
    free(tape->work);
    free(tape->drives);
    free(tape->drive_register);
    for (int i = 0; i < LIA_SECTIONS; i++) {
        LiaSection* section = section_of(tape, i);
        free(section->instrs);
        free(section->blocks);
    }
    free(tape->wanted);
    free(tape->guards);
    free(tape);
}
