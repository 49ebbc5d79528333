// Compiling formulas to a tape. See tape.h.
// SPDX-License-Identifier: MIT
#include "tape.h"
#include "allocate.h"
#include "schedule.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Builder {
    const LiaTapeSpec* spec;
    const LiaGraph* g;
    LiaTape* tape;
    uint32_t register_capacity;
    uint8_t* class;       // per node
    int8_t* need;         // per node: offset in main, -1 where not needed
    uint8_t* again;       // per node: computed again after the solve
    uint32_t* partner;    // SIN(x) <-> COS(x), SINH(x) <-> COSH(x); 0: none
    uint8_t* wanted;      // per node, scratch: stands below the roots at hand
    LiaSection* section;  // where instructions go now
} Builder;

// --- registers, instructions, guards -----------------------------------------------------------

static uint32_t new_register(Builder* b) {
    LiaTape* tape = b->tape;
    if (tape->register_count == b->register_capacity) {
        uint32_t capacity = b->register_capacity ? b->register_capacity * 2 : 256;
        double* constants = realloc(tape->constants, capacity * sizeof *constants);
        if (!constants) {
            tape->failed = true;
            return 0;
        }
        memset(constants + b->register_capacity, 0,
               (capacity - b->register_capacity) * sizeof *constants);
        tape->constants = constants;
        b->register_capacity = capacity;
    }
    return tape->register_count++;
}

static void push(Builder* b, LiaSection* section, LiaInstr instr) {
    if (section->count == section->capacity) {
        uint32_t capacity = section->capacity ? section->capacity * 2 : 64;
        LiaInstr* instrs = realloc(section->instrs, capacity * sizeof *instrs);
        if (!instrs) {
            b->tape->failed = true;
            return;
        }
        section->instrs = instrs;
        section->capacity = capacity;
    }
    section->instrs[section->count++] = instr;
}

static uint32_t new_guard(Builder* b, LiaGuardRule rule, uint32_t reg, uint32_t node) {
    LiaTape* tape = b->tape;
    if (tape->guard_count == tape->guard_capacity) {
        uint32_t capacity = tape->guard_capacity ? tape->guard_capacity * 2 : 8;
        LiaGuard* guards = realloc(tape->guards, capacity * sizeof *guards);
        if (!guards) {
            tape->failed = true;
            return 0;
        }
        tape->guards = guards;
        tape->guard_capacity = capacity;
    }
    bool vital = b->section != &tape->post;
    tape->guards[tape->guard_count++] =
        (LiaGuard){.reg = reg, .rule = rule, .node = {node}, .vital = vital};
    return tape->guard_count;  // 1 + index
}

static uint32_t reg_of(const Builder* b, uint32_t node) { return b->tape->register_of[node]; }

static bool is_constant(const Builder* b, uint32_t node) { return b->class[node] == LIA_CLASS_C; }

// --- one node ----------------------------------------------------------------------------------

// Whole powers as products: out = x^n, n >= 2.
static void emit_whole_power(Builder* b, LiaInstr like, uint32_t out, uint32_t x, int64_t n) {
    uint32_t square = x, result = 0;
    for (;;) {
        if (n & 1) {
            if (result) {
                LiaInstr mul = like;
                mul.code = LIA_CODE_MUL;
                mul.out = n == 1 ? out : new_register(b);
                mul.x = result, mul.y = square;
                push(b, b->section, mul);
                result = mul.out;
            } else {
                result = square;
            }
        }
        n >>= 1;
        if (n == 0) return;
        LiaInstr sq = like;
        sq.code = LIA_CODE_SQUARE;
        sq.out = n == 1 && !result ? out : new_register(b);
        sq.x = square, sq.y = 0;
        push(b, b->section, sq);
        square = sq.out;
    }
}

static void emit_power(Builder* b, LiaInstr in, uint32_t node, double exponent) {
    double size = fabs(exponent);
    if (size == 0.0) {  // a parameter that happens to be 0: the constant 1
        uint32_t one = new_register(b);
        b->tape->constants[one] = 1.0;
        in.code = LIA_CODE_ADD, in.x = one, in.y = 0;
        push(b, b->section, in);
        return;
    }
    if (size != floor(size) || size > 1000.0) {
        in.code = LIA_CODE_CALL;
        if (b->section != &b->tape->sample) {
            in.guard = new_guard(b, LIA_GUARD_POSITIVE, in.x, node);
        }
        push(b, b->section, in);
        return;
    }
    uint32_t up = in.x;  // x^|n|
    if (size > 1.0) {
        up = exponent > 0.0 ? in.out : new_register(b);
        emit_whole_power(b, in, up, in.x, (int64_t)size);
    }
    if (exponent < 0.0) {
        uint32_t one = new_register(b);
        b->tape->constants[one] = 1.0;
        in.code = LIA_CODE_DIV, in.x = one, in.y = up;
        push(b, b->section, in);
    } else if (size == 1.0) {  // a parameter that happens to be 1
        in.code = LIA_CODE_ADD, in.y = 0;
        push(b, b->section, in);
    }
}

static void emit_call(Builder* b, LiaInstr in, uint32_t node) {
    const LiaOpKind* kind = lia_op_kinds[in.op];
    in.code = LIA_CODE_CALL;
    bool sampled = b->section == &b->tape->sample;  // plain values: no guard needed
    if (kind->has_aux) in.aux = new_register(b);
    if (kind->guard != LIA_GUARD_NONE && !sampled) {
        uint32_t watched = in.x;
        if (kind->guard == LIA_GUARD_RESULT || kind->guard == LIA_GUARD_CUT) watched = in.out;
        if (kind->guard == LIA_GUARD_DIFFERENCE) {
            LiaInstr sub = in;
            sub.code = LIA_CODE_SUB;
            sub.out = watched = new_register(b);
            sub.aux = sub.z = 0;
            push(b, b->section, sub);
        }
        in.guard = new_guard(b, kind->guard, watched, node);
    }
    push(b, b->section, in);
}

static bool paired(uint8_t op) {
    return op == LIA_OP_SIN || op == LIA_OP_COS || op == LIA_OP_SINH || op == LIA_OP_COSH;
}

// Emit node `i`; its arguments have registers. Computing again writes the same register.
static void emit(Builder* b, uint32_t i) {
    LiaTape* tape = b->tape;
    const LiaNode* n = &b->g->nodes[i];
    LiaInstr in = {.op = n->op, .class = b->class[i]};
    if (b->section == &tape->main) in.offset = (uint8_t)(b->need[i] < 0 ? 0 : b->need[i]);
    in.x = reg_of(b, n->a), in.y = reg_of(b, n->b), in.z = reg_of(b, n->c);
    if (paired(n->op)) {
        // one pair for sin and cos of the same argument: out is the sine, aux the cosine
        bool first = n->op == LIA_OP_SIN || n->op == LIA_OP_SINH;
        uint32_t mate = b->partner[i], p = new_register(b), q = new_register(b);
        in.out = p, in.aux = q;
        tape->register_of[i] = first ? p : q;
        if (mate) {
            tape->register_of[mate] = first ? q : p;
            if (b->section == &tape->main && b->need[mate] > (int)in.offset) {
                in.offset = (uint8_t)b->need[mate];
            }
        }
        in.code = n->op == LIA_OP_SIN || n->op == LIA_OP_COS ? LIA_CODE_SINCOS : LIA_CODE_CALL;
        push(b, b->section, in);
        return;
    }
    // A constant factor that happens to be 1 (a mass, a length) is no work.
    if (n->op == LIA_OP_MUL) {
        bool left = is_constant(b, n->a) && tape->constants[in.x] == 1.0;
        bool right = is_constant(b, n->b) && tape->constants[in.y] == 1.0;
        if (left || right) {
            tape->register_of[i] = left ? in.y : in.x;
            return;
        }
    }
    if (!tape->register_of[i]) tape->register_of[i] = new_register(b);
    in.out = tape->register_of[i];
    switch ((LiaOp)n->op) {
    case LIA_OP_ADD:
        in.code = LIA_CODE_ADD;
        break;
    case LIA_OP_SUB:
        in.code = LIA_CODE_SUB;
        break;
    case LIA_OP_NEG:
        in.code = LIA_CODE_NEG;
        break;
    case LIA_OP_MUL:
        in.code = LIA_CODE_MUL;
        if (is_constant(b, n->b)) {
            uint32_t other = in.x;
            in.x = in.y, in.y = other;
            in.code = LIA_CODE_SCALE;
        } else if (is_constant(b, n->a)) {
            in.code = LIA_CODE_SCALE;
        }
        break;
    case LIA_OP_DIV:
        in.code = is_constant(b, n->b) ? LIA_CODE_DIVIDE : LIA_CODE_DIV;
        break;
    case LIA_OP_POW:
        emit_power(b, in, i, tape->constants[in.y]);
        return;
    default:
        emit_call(b, in, i);
        return;
    }
    push(b, b->section, in);
}

// --- classes, needs ----------------------------------------------------------------------------

static uint32_t argument(const LiaNode* n, int arg) {
    return arg == 0 ? n->a : arg == 1 ? n->b : n->c;
}

static bool driven(const Builder* b, uint32_t coordinate) {
    for (uint32_t d = 0; d < b->spec->drive_count; d++) {
        if (b->spec->drives[d].coordinate == coordinate) return true;
    }
    return false;
}

static LiaClass symbol_class(const LiaNode* n, const uint8_t* is_driven) {
    switch ((LiaSymbolKind)n->symbol_kind) {
    case LIA_SYMBOL_TIME:
        return LIA_CLASS_T;
    case LIA_SYMBOL_PARAMETER:
        return LIA_CLASS_C;
    case LIA_SYMBOL_POSITION:
        return is_driven[n->a] ? LIA_CLASS_T : LIA_CLASS_Q;
    case LIA_SYMBOL_VELOCITY:
        return is_driven[n->a] ? LIA_CLASS_T : LIA_CLASS_V;
    case LIA_SYMBOL_ACCELERATION:
        return is_driven[n->a] ? LIA_CLASS_T : LIA_CLASS_A;
    case LIA_SYMBOL_MULTIPLIER:
        return LIA_CLASS_F;
    default:
        return LIA_CLASS_A;
    }
}

static bool classify(Builder* b) {
    uint32_t count = b->spec->coordinate_count;
    uint8_t* is_driven = calloc(count + 1, 1);
    if (!is_driven) return false;
    for (uint32_t i = 0; i < count; i++) is_driven[i] = driven(b, i);
    for (uint32_t i = 1; i < b->g->count; i++) {
        const LiaNode* n = &b->g->nodes[i];
        uint8_t class = LIA_CLASS_C;
        if (n->op == LIA_OP_SYMBOL) {
            class = (uint8_t)symbol_class(n, is_driven);
        } else {
            for (int arg = 0; arg < lia_op_arity((LiaOp)n->op); arg++) {
                uint8_t c = b->class[argument(n, arg)];
                if (c > class) class = c;
            }
        }
        b->class[i] = class;
    }
    free(is_driven);
    return true;
}

// sin(x) and cos(x) run as one instruction wherever both are met.
static bool find_partners(Builder* b) {
    uint32_t* seen = calloc((size_t)b->g->count * 4, sizeof *seen);
    if (!seen) return false;
    for (uint32_t i = 1; i < b->g->count; i++) {
        const LiaNode* n = &b->g->nodes[i];
        if (!paired(n->op)) continue;
        uint32_t kind = n->op == LIA_OP_SIN    ? 0
                        : n->op == LIA_OP_COS  ? 1
                        : n->op == LIA_OP_SINH ? 2
                                               : 3;
        seen[(size_t)n->a * 4 + kind] = i;
        uint32_t mate = seen[(size_t)n->a * 4 + (kind ^ 1)];
        if (mate) {
            b->partner[i] = mate;
            b->partner[mate] = i;
        }
    }
    free(seen);
    return true;
}

static void spread_needs(Builder* b) {
    for (uint32_t r = 0; r < b->spec->root_count; r++) {
        int8_t* need = &b->need[b->spec->roots[r].expr.index];
        if (*need < b->spec->roots[r].offset) *need = (int8_t)b->spec->roots[r].offset;
    }
    for (uint32_t i = b->g->count - 1; i > 0; i--) {
        if (b->need[i] < 0) continue;
        const LiaNode* n = &b->g->nodes[i];
        for (int arg = 0; arg < lia_op_arity((LiaOp)n->op); arg++) {
            int8_t* need = &b->need[argument(n, arg)];
            if (*need < b->need[i]) *need = b->need[i];
        }
    }
}

// Mark all nodes below the roots.
static void mark(Builder* b, const LiaExpr* roots, uint32_t count) {
    memset(b->wanted, 0, b->g->count);
    uint32_t top = 0;
    for (uint32_t r = 0; r < count; r++) {
        b->wanted[roots[r].index] = 1;
        if (roots[r].index > top) top = roots[r].index;
    }
    for (uint32_t i = top; i > 0; i--) {
        if (!b->wanted[i]) continue;
        const LiaNode* n = &b->g->nodes[i];
        for (int arg = 0; arg < lia_op_arity((LiaOp)n->op); arg++) b->wanted[argument(n, arg)] = 1;
    }
}

// Formulas of multipliers in main are first run with mu[k] = 0. Where a later order looks back at
// coefficient k (mu/y at its own, sin(mu) and (mu + 1)*y at that of the argument), it must be computed
// again when mu[k] is known. Sums, scaled ones and mu*y itself are never looked back at.
static void mark_histories(Builder* b) {
    for (uint32_t i = b->g->count - 1; i > 0; i--) {
        const LiaNode* n = &b->g->nodes[i];
        if (b->class[i] != LIA_CLASS_F || b->need[i] < 0 || n->op == LIA_OP_SYMBOL) continue;
        bool own = false, arguments = false;
        switch ((LiaOp)n->op) {
        case LIA_OP_ADD:
        case LIA_OP_SUB:
        case LIA_OP_NEG:
            break;
        case LIA_OP_MUL:
            arguments = !is_constant(b, n->a) && !is_constant(b, n->b);
            break;
        case LIA_OP_DIV:
            own = !is_constant(b, n->b);
            break;
        default:
            own = true;
        }
        if (own) b->wanted[i] = 1;
        if (!arguments && !b->wanted[i]) continue;
        for (int arg = 0; arg < lia_op_arity((LiaOp)n->op); arg++) b->wanted[argument(n, arg)] = 1;
    }
}

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
static void place_symbols(Builder* b) {
    LiaTape* tape = b->tape;
    tape->time = new_register(b);
    for (uint32_t i = 0; i < tape->coordinate_count; i++) {
        tape->position[i] = new_register(b);
        tape->velocity[i] = new_register(b);
        tape->acceleration[i] = new_register(b);
    }
    for (uint32_t j = 0; j < tape->multiplier_count; j++) tape->multiplier[j] = new_register(b);
    for (uint32_t w = 0; w < tape->work_count; w++) tape->work[w] = new_register(b);
    for (uint32_t i = 1; i < b->g->count; i++) {
        const LiaNode* n = &b->g->nodes[i];
        if (n->op != LIA_OP_SYMBOL) continue;
        uint32_t* slot = symbol_slot(tape, n);
        if (slot) tape->register_of[i] = *slot;
    }
}

// Constants are computed here and now.
static void fold_constants(Builder* b) {
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
            value = lia_op_value((LiaOp)n->op, c[reg_of(b, n->a)], c[reg_of(b, n->b)],
                                 c[reg_of(b, n->c)]);
        }
        uint32_t reg = new_register(b);
        b->tape->register_of[i] = reg;
        b->tape->constants[reg] = value;
    }
}

// --- sections ----------------------------------------------------------------------------------

static void emit_wanted(Builder* b, LiaSection* section, LiaClass least, LiaClass most) {
    b->section = section;
    for (uint32_t i = 1; i < b->g->count; i++) {
        if (!b->wanted[i] || b->tape->register_of[i]) continue;
        if (b->class[i] < least || b->class[i] > most) continue;
        emit(b, i);
    }
}

// After the solve: what is new, and what depends on multipliers or accelerations once more.
static void emit_again(Builder* b, LiaSection* section) {
    b->section = section;
    for (uint32_t i = 1; i < b->g->count; i++) {
        if (!b->wanted[i] || b->g->nodes[i].op == LIA_OP_SYMBOL) continue;
        bool late = b->class[i] >= LIA_CLASS_F;
        if (b->tape->register_of[i] && !(late && !b->again[i])) continue;
        if (b->again[i]) continue;
        emit(b, i);
        b->again[i] = late;
    }
}

// q_i = law: the register of the law is that of the coordinate.
static void alias_position(Builder* b, uint32_t coordinate, uint32_t reg) {
    b->tape->position[coordinate] = reg;
    for (uint32_t i = 1; i < b->g->count; i++) {
        const LiaNode* n = &b->g->nodes[i];
        if (n->op == LIA_OP_SYMBOL && n->symbol_kind == LIA_SYMBOL_POSITION && n->a == coordinate) {
            b->tape->register_of[i] = reg;
        }
    }
}

static void emit_laws(Builder* b) {
    LiaTape* tape = b->tape;
    for (uint32_t d = 0; d < b->spec->drive_count; d++) {
        const LiaDrive* drive = &b->spec->drives[d];
        mark(b, &drive->law, 1);
        emit_wanted(b, &tape->law, LIA_CLASS_T, LIA_CLASS_T);
        tape->drives[d] = *drive;
        tape->drive_register[d] = reg_of(b, drive->law.index);
        if (!drive->rate) alias_position(b, drive->coordinate, tape->drive_register[d]);
    }
}

// Which coefficients of its arguments and of its own an instruction of main looks back at. Sums read the
// top coefficient only, unless they stand less far ahead than their argument.
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

// The instructions of `slope`, whose order is that of main, through which a change comes to what is seen.
static void pick_seen(Builder* b, const LiaSection* slope, LiaSection* picked, uint8_t* seen) {
    seen[0] = 0;  // register 0: no argument
    for (uint32_t i = slope->count; i > 0; i--) {
        const LiaInstr* in = &slope->instrs[i - 1];
        if (seen[in->out] || seen[in->aux]) seen[in->x] = seen[in->y] = seen[in->z] = 1;
        seen[0] = 0;
    }
    for (uint32_t i = 0; i < slope->count; i++) {
        const LiaInstr* in = &slope->instrs[i];
        if (seen[in->out] || seen[in->aux]) push(b, picked, *in);
    }
}

static bool emit_corrections(Builder* b) {
    const LiaTapeSpec* spec = b->spec;
    LiaTape* tape = b->tape;
    uint8_t* seen = calloc(2 * (size_t)tape->register_count + 1, 1);
    if (!seen) return false;
    uint8_t* offset = seen + tape->register_count;
    for (uint32_t i = 0; i < tape->main.count; i++) {
        const LiaInstr* in = &tape->main.instrs[i];
        offset[in->out] = offset[in->aux] = in->offset;
    }
    offset[0] = 0;
    for (uint32_t i = 0; i < tape->main.count; i++) {
        mark_look_back(&tape->main.instrs[i], offset, seen);
    }
    mark_arguments(&tape->reaction, seen);
    mark_arguments(&tape->post, seen);
    for (uint32_t r = 0; r < spec->root_count; r++) {
        if (spec->roots[r].read_after) seen[reg_of(b, spec->roots[r].expr.index)] = 1;
    }
    for (uint32_t r = 0; r < spec->reaction_count; r++) {
        seen[reg_of(b, spec->reactions[r].index)] = 1;
    }
    for (uint32_t r = 0; r < spec->post_count; r++) seen[reg_of(b, spec->posts[r].index)] = 1;
    for (uint32_t g = 0; g < tape->guard_count; g++) seen[tape->guards[g].reg] = 1;
    pick_seen(b, &tape->slope_v, &tape->correct_v, seen);
    pick_seen(b, &tape->slope_q, &tape->correct_q, seen);
    free(seen);
    return true;
}

static bool emit_sections(Builder* b) {
    const LiaTapeSpec* spec = b->spec;
    LiaTape* tape = b->tape;
    uint32_t all = spec->root_count + spec->reaction_count + spec->post_count;
    LiaExpr* series = calloc(all + 1, sizeof *series);
    if (!series) return false;
    uint32_t n = 0;
    for (uint32_t r = 0; r < spec->root_count; r++) series[n++] = spec->roots[r].expr;
    for (uint32_t r = 0; r < spec->reaction_count; r++) series[n++] = spec->reactions[r];
    for (uint32_t r = 0; r < spec->post_count; r++) series[n++] = spec->posts[r];

    emit_laws(b);
    mark(b, series, n);
    emit_wanted(b, &tape->drive, LIA_CLASS_T, LIA_CLASS_T);
    mark(b, series, spec->root_count);
    emit_wanted(b, &tape->main, LIA_CLASS_Q, LIA_CLASS_F);
    mark(b, spec->reactions, spec->reaction_count);
    mark_histories(b);
    emit_again(b, &tape->reaction);
    mark(b, spec->posts, spec->post_count);
    emit_again(b, &tape->post);
    mark(b, spec->samples, spec->sample_count);
    emit_again(b, &tape->sample);
    tape->wanted = calloc(n + spec->drive_count + 1, sizeof *tape->wanted);
    for (uint32_t r = 0; tape->wanted && r < n; r++) {
        tape->wanted[tape->wanted_count++] = reg_of(b, series[r].index);
    }
    for (uint32_t d = 0; tape->wanted && d < spec->drive_count; d++) {
        tape->wanted[tape->wanted_count++] = tape->drive_register[d];
    }
    free(series);
    if (!tape->wanted) return false;

    for (uint32_t i = 0; i < tape->main.count; i++) {
        LiaInstr in = tape->main.instrs[i];
        if (in.class == LIA_CLASS_V && in.offset == 1) push(b, &tape->slope_v, in);
        if (in.class == LIA_CLASS_Q && in.offset == 2) push(b, &tape->slope_q, in);
        if (in.offset == 2) tape->ahead = true;
    }
    return emit_corrections(b);
}

static LiaSection* section_of(LiaTape* tape, int i) {
    LiaSection* const sections[LIA_SECTIONS] = {
        &tape->law,       &tape->drive,     &tape->main,     &tape->slope_v, &tape->slope_q,
        &tape->correct_v, &tape->correct_q, &tape->reaction, &tape->post,    &tape->sample};
    return sections[i];
}

const LiaSection* lia_tape_section(const LiaTape* tape, int i) {
    return section_of((LiaTape*)tape, i);
}

// What is read from outside, and how.
static bool choose_registers(const Builder* b, const LiaWindows* windows) {
    const LiaTapeSpec* spec = b->spec;
    LiaTape* tape = b->tape;
    uint8_t* outside = calloc((size_t)tape->register_count + 1, 1);
    if (!outside) return false;
    for (uint32_t i = 0; i < tape->wanted_count; i++) outside[tape->wanted[i]] = LIA_OUTSIDE_SERIES;
    for (uint32_t i = 0; i < spec->root_count; i++) {
        if (spec->roots[i].brief) outside[reg_of(b, spec->roots[i].expr.index)] = LIA_OUTSIDE_BRIEF;
    }
    for (uint32_t i = 0; i < spec->root_count; i++) {
        if (!spec->roots[i].brief)
            outside[reg_of(b, spec->roots[i].expr.index)] = LIA_OUTSIDE_SERIES;
    }
    const LiaExpr* const lists[3] = {spec->reactions, spec->posts, spec->samples};
    const uint32_t counts[3] = {spec->reaction_count, spec->post_count, spec->sample_count};
    for (int l = 0; l < 3; l++) {
        for (uint32_t i = 0; i < counts[l]; i++)
            outside[reg_of(b, lists[l][i].index)] = LIA_OUTSIDE_SERIES;
    }
    bool ok = lia_allocate_choose(tape, windows, outside, spec->run_once);
    free(outside);
    return ok;
}

static bool schedule_sections(const Builder* b) {
    LiaTape* tape = b->tape;
    LiaWindows windows;
    if (!lia_windows_make(&windows, tape)) return false;
    const LiaSection* const cut[] = {&tape->main, &tape->slope_v, &tape->slope_q, &tape->correct_v,
                                     &tape->correct_q};
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
    lia_windows_clear(&windows);
    return ok;
}

LiaTape* lia_tape_create(const LiaTapeSpec* spec) {
    LiaTape* tape = calloc(1, sizeof *tape);
    if (!tape) return NULL;
    uint32_t nodes = spec->graph->count;
    uint32_t n = spec->coordinate_count;
    tape->coordinate_count = n;
    tape->multiplier_count = spec->multiplier_count;
    tape->work_count = spec->work_count;
    tape->drive_count = spec->drive_count;
    tape->node_count = nodes;
    tape->register_of = calloc(nodes, sizeof *tape->register_of);
    tape->position = calloc(n + 1, sizeof *tape->position);
    tape->velocity = calloc(n + 1, sizeof *tape->velocity);
    tape->acceleration = calloc(n + 1, sizeof *tape->acceleration);
    tape->multiplier = calloc(spec->multiplier_count + 1, sizeof *tape->multiplier);
    tape->work = calloc(spec->work_count + 1, sizeof *tape->work);
    tape->drives = calloc(spec->drive_count + 1, sizeof *tape->drives);
    tape->drive_register = calloc(spec->drive_count + 1, sizeof *tape->drive_register);
    Builder b = {.spec = spec, .g = spec->graph, .tape = tape};
    b.class = calloc(nodes, 1);
    b.need = malloc(nodes);
    b.again = calloc(nodes, 1);
    b.partner = calloc(nodes, sizeof *b.partner);
    b.wanted = calloc(nodes, 1);
    bool ok = tape->register_of && tape->position && tape->velocity && tape->acceleration &&
              tape->multiplier && tape->work && tape->drives && tape->drive_register && b.class &&
              b.need && b.again && b.partner && b.wanted;
    if (ok) {
        memset(b.need, -1, nodes);
        new_register(&b);  // register 0 is zero
        ok = classify(&b) && find_partners(&b);
    }
    if (ok) {
        place_symbols(&b);
        fold_constants(&b);
        spread_needs(&b);
        ok = emit_sections(&b) && !tape->failed && schedule_sections(&b);
    }
    free(b.class);
    free(b.need);
    free(b.again);
    free(b.partner);
    free(b.wanted);
    if (ok) return tape;
    lia_tape_destroy(tape);
    return NULL;
}

void lia_tape_destroy(LiaTape* tape) {
    if (!tape) return;
    free(tape->constants);
    free(tape->brief);
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

uint32_t lia_tape_register(const LiaTape* tape, LiaExpr e) {
    return e.index < tape->node_count ? tape->register_of[e.index] : 0;
}

// --- listing -----------------------------------------------------------------------------------

static void dump_section(const char* name, const LiaSection* section, LiaText* out) {
    static const char* const codes[] = {"add",    "sub", "neg",    "mul",    "scale",
                                        "square", "div", "divide", "sincos", "call"};
    if (!section->count) return;
    lia_text_add(out, "section %s: %u instructions\n", name, section->count);
    for (uint32_t i = 0; i < section->count; i++) {
        const LiaInstr* in = &section->instrs[i];
        const char* code = in->code == LIA_CODE_CALL ? lia_op_name((LiaOp)in->op) : codes[in->code];
        lia_text_add(out, "  r%u", in->out);
        if (in->aux) lia_text_add(out, ", r%u", in->aux);
        lia_text_add(out, " = %s r%u", code, in->x);
        int arity = in->code == LIA_CODE_SQUARE ? 1 : lia_op_arity((LiaOp)in->op);
        if (arity > 1) lia_text_add(out, ", r%u", in->y);
        if (arity > 2) lia_text_add(out, ", r%u", in->z);
        lia_text_add(out, "   # class %c", "CTQVFA"[in->class]);
        if (in->offset) lia_text_add(out, ", %d ahead", in->offset);
        if (in->guard) lia_text_add(out, ", guard %u", in->guard - 1);
        lia_text_add(out, "\n");
    }
}

void lia_tape_dump(const LiaTape* tape, LiaText* out) {
    lia_text_add(out, "registers: %u\n", tape->register_count);
    lia_text_add(out, "t: r%u\n", tape->time);
    for (uint32_t i = 0; i < tape->coordinate_count; i++) {
        lia_text_add(out, "q%u: r%u  v%u: r%u  a%u: r%u\n", i, tape->position[i], i,
                     tape->velocity[i], i, tape->acceleration[i]);
    }
    for (uint32_t j = 0; j < tape->multiplier_count; j++) {
        lia_text_add(out, "mu%u: r%u\n", j, tape->multiplier[j]);
    }
    for (uint32_t r = 1; r < tape->register_count; r++) {
        if (tape->constants[r] == 0.0) continue;
        lia_text_add(out, "r%u = ", r);
        lia_text_add_short(out, tape->constants[r], 17);
        lia_text_add(out, "\n");
    }
    dump_section("law", &tape->law, out);
    dump_section("drive", &tape->drive, out);
    dump_section("main", &tape->main, out);
    dump_section("reaction", &tape->reaction, out);
    dump_section("post", &tape->post, out);
    dump_section("sample", &tape->sample, out);
}
