// The quotient as the text of a model. See reduce.h.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/quaternion.h"
#include "base/numeric/thresholds.h"
#include "expr/reading/formula_text.h"
#include "expr/reading/simplify.h"
#include "study/reduce/reduce_page.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEEPEST = 16,    // nesting of a printed formula
    LENGTH_OWN = 12  // characters from which on a formula that is used again has a name
};

void lia_reduce_text_put(LiaReducePage* page, const char* text, LiaExpr formula, bool factor) {
    if (page->piece_count == page->piece_capacity) {
        uint32_t capacity = page->piece_capacity ? 2 * page->piece_capacity : 256;
        LiaReducePiece* more = lia_memory_resize(page->pieces, capacity * sizeof *more);
        if (!more) {
            page->failed = true;
            return;
        }
        page->pieces = more;
        page->piece_capacity = capacity;
    }
    if (!text) page->failed = true;
    page->pieces[page->piece_count++] = (LiaReducePiece){text ? text : "", formula, factor};
}

void lia_reduce_text_say(LiaReducePage* page, const char* text) {
    lia_reduce_text_put(page, text, (LiaExpr){0}, false);
}

// --- variables ----------------------------------------------------------------------------------

static LiaReduceVariable* add_variable(LiaReducePage* page, const char* name, const char* manifold,
                                       double start) {
    LiaReduceVariable* v = &page->variables[page->count++];
    *v = (LiaReduceVariable){.name = name, .manifold = manifold, .start = start};
    if (!name) page->failed = true;
    return v;
}

const char* lia_reduce_text_name(const LiaReduce* x, LiaSymbolKind kind, uint32_t number) {
    return x->g->names[kind][number];
}

static void add_attitude(LiaReducePage* page, uint32_t k) {
    const LiaReduce* x = page->x;
    const LiaReduceSlot* slot = &x->slots[k];
    uint32_t first = x->m->groups[slot->rotation - 1].first;
    for (uint32_t a = 0; a < x->m->groups[slot->rotation - 1].count; a++) {
        LiaReduceVariable* v =
            add_variable(page, lia_reduce_text_name(x, LIA_SYMBOL_POSITION, first + a), "line",
                         x->e->q[first + a]);
        v->terms = 3;
        for (uint32_t j = 0; j < 3; j++) {
            v->slot[j] = k + j;
            v->factor[j] = lia_reduce_turning(x, slot, (int)a, (int)j);
        }
    }
}

static bool list_variables(LiaReducePage* page) {
    const LiaReduce* x = page->x;
    LiaExpr* p = LIA_ARENA_NEW(x->arena, LiaExpr, x->n + 1);
    page->variables = LIA_ARENA_NEW(x->arena, LiaReduceVariable, 3 * (size_t)x->n + 4);
    if (!p || !page->variables) return false;
    lia_reduce_by_slot(x, x->s->lagrange.p, p);
    for (uint32_t k = 0; k < x->n; k++) {
        const LiaReduceSlot* slot = &x->slots[k];
        if (slot->fixed || (slot->rotation && slot->axis > 0)) continue;
        if (slot->rotation) {
            add_attitude(page, k);
            continue;
        }
        bool circle = x->m->coordinates[slot->coordinate].manifold == LIA_CIRCLE;
        LiaReduceVariable* v =
            add_variable(page, slot->name, circle ? "circle" : "line", x->e->q[slot->coordinate]);
        v->terms = 1;
        v->slot[0] = k;
        v->factor[0] = lia_graph_integer(x->g, 1);
    }
    for (uint32_t k = 0; k < x->n; k++) {
        const LiaReduceSlot* slot = &x->slots[k];
        const char* manifold = !slot->rotation ? "line" : slot->axis == 0 ? "space" : NULL;
        const char* name = lia_reduce_text_name(x, LIA_SYMBOL_MOMENTUM, slot->coordinate);
        LiaReduceVariable* v = add_variable(page, name, manifold, lia_reduce_value(x, p[k]));
        v->momentum = true;
        v->terms = 1;
        v->slot[0] = k;
        v->factor[0] = lia_graph_integer(x->g, 1);
    }
    return !page->failed;
}

static LiaExpr bracket_of(const LiaReduce* x, const LiaReduceVariable* a,
                          const LiaReduceVariable* b) {
    LiaExpr sum = lia_graph_integer(x->g, 0);
    for (int i = 0; i < a->terms; i++) {
        for (int j = 0; j < b->terms; j++) {
            LiaExpr f =
                lia_reduce_formulas_bracket(x, a->slot[i], a->momentum, b->slot[j], b->momentum);
            f = lia_graph_mul(x->g, lia_graph_mul(x->g, a->factor[i], b->factor[j]), f);
            sum = lia_graph_add(x->g, sum, f);
        }
    }
    return lia_simplify(x->g, sum);
}

// --- statements ---------------------------------------------------------------------------------

static void write_brackets(LiaReducePage* page) {
    const LiaReduce* x = page->x;
    for (uint32_t a = 0; a < page->count; a++) {
        for (uint32_t b = a + 1; b < page->count; b++) {
            const LiaReduceVariable *u = &page->variables[a], *w = &page->variables[b];
            LiaExpr f = bracket_of(x, u, w);
            if (lia_graph_is_zero(x->g, f)) continue;
            lia_reduce_text_put(page,
                                lia_arena_printf(x->arena, "bracket {%s, %s} = ", u->name, w->name),
                                f, false);
            lia_reduce_text_say(page, "\n");
        }
    }
}

// a*d(p_x) + b*d(p_y), from components by slot
static bool write_direction(LiaReducePage* page, const LiaExpr* by_slot) {
    const LiaReduce* x = page->x;
    bool first = true;
    for (uint32_t k = 0; k < x->n; k++) {
        LiaNumber one;
        if (lia_graph_is_zero(x->g, by_slot[k])) continue;
        bool plain = lia_graph_constant(x->g, by_slot[k], &one) && one.value == 1.0;
        if (plain) {
            lia_reduce_text_say(page, first ? "" : " + ");
        } else {
            lia_reduce_text_put(page, first ? "" : " + ", by_slot[k], true);
        }
        lia_reduce_text_say(page, lia_arena_printf(x->arena, plain ? "d(%s)" : "*d(%s)",
                                                   lia_reduce_text_name(x, LIA_SYMBOL_MOMENTUM,
                                                                        x->slots[k].coordinate)));
        first = false;
    }
    return !first;
}

// Directions by slot in momenta, from formulas by coordinate.
static void in_momenta(const LiaReduce* x, const LiaExpr* by_coordinate, LiaExpr* by_slot) {
    lia_reduce_by_slot(x, by_coordinate, by_slot);
    for (uint32_t k = 0; k < x->n; k++) {
        by_slot[k] = lia_simplify(x->g, lia_reduce_in_momenta(x, by_slot[k]));
    }
}

typedef struct Rows {
    double* taken;  // gradients of rows that were taken, orthonormal     (n x n)
    uint32_t count;
    double *v, *slope;  // velocities of slots, by coordinate; a gradient     (coordinates), (n)
    LiaExpr *formulas, *omega, *by_slot;
} Rows;

// The equation follows from those before, at the start? (A rolling ball has three equations for two
// conditions.)
static bool is_new(const LiaReduce* x, Rows* rows, LiaExpr psi) {
    LiaValues values;
    double size = 0.0, left = 0.0;
    if (!lia_diff_gradient(x->g, psi, x->v, x->n, rows->formulas) ||
        !lia_evaluate_init(&values, x->g, rows->formulas, x->n)) {
        x->g->failed = true;
        return false;
    }
    lia_evaluate_run(
        &values,
        &(LiaSymbols){.t = x->e->t, .q = x->e->q, .v = rows->v, .parameters = x->s->parameters});
    for (uint32_t k = 0; k < x->n; k++) {
        rows->slope[k] = lia_value(&values, rows->formulas[k]);
        size += rows->slope[k] * rows->slope[k];
    }
    lia_evaluate_clear(&values);
    for (uint32_t r = 0; r < rows->count; r++) {
        double along = 0.0, *other = rows->taken + (size_t)r * x->n;
        for (uint32_t k = 0; k < x->n; k++) along += rows->slope[k] * other[k];
        for (uint32_t k = 0; k < x->n; k++) rows->slope[k] -= along * other[k];
    }
    for (uint32_t k = 0; k < x->n; k++) left += rows->slope[k] * rows->slope[k];
    if (rows->count == x->n || !(left > LIA_ROW_FOLLOWS * size)) return false;
    double* next = rows->taken + (size_t)rows->count++ * x->n;
    for (uint32_t k = 0; k < x->n; k++) next[k] = rows->slope[k] / sqrt(left);
    return true;
}

static void write_constraint(LiaReducePage* page, uint32_t c, Rows* rows) {
    const LiaReduce* x = page->x;
    const LiaSystem* s = x->s;
    const LiaConstraint* of = &x->m->constraints[c];
    uint32_t first = page->piece_count,
             *kept = LIA_ARENA_NEW(x->arena, uint32_t, of->equation_count + 1);
    uint32_t count = 0;
    if (!kept) {
        page->failed = true;
        return;
    }
    for (uint32_t r = s->first_row[c]; r < s->first_row[c + 1]; r++) {
        if (s->rows[r].identical) continue;
        LiaExpr psi = x->e->geometry->psi[r];
        if (!is_new(x, rows, lia_reduce_at_slice(x, psi))) continue;
        LiaExpr f = lia_simplify(x->g, lia_reduce_in_momenta(x, psi));
        char* name = (char*)lia_arena_printf(x->arena, "%s", of->name);
        for (char* at = name; at && *at; at++) {
            if (strchr("[],. ", *at)) *at = '_';
        }
        lia_reduce_text_put(
            page,
            count ? ", "
                  : lia_arena_printf(x->arena, "%s %s: ", of->active ? "operator" : "constraint",
                                     name ? name : ""),
            f, false);
        lia_reduce_text_say(page, " = 0");
        kept[count++] = r;
    }
    for (uint32_t k = 0; k < count; k++) {
        for (uint32_t i = 0; i < s->n; i++) rows->omega[i] = lia_system_Omega(s, kept[k], i);
        in_momenta(x, rows->omega, rows->by_slot);
        lia_reduce_text_say(page, k ? ", " : of->active ? "\n  by " : "\n  force ");
        write_direction(page, rows->by_slot);
    }
    if (page->piece_count > first) lia_reduce_text_say(page, "\n");
}

// Quaternion rates as angular velocities.
static void slot_velocities(const LiaReduce* x, double* v) {
    memcpy(v, x->e->v, x->s->n * sizeof *v);
    for (uint32_t g = 0; g < x->m->groups_count; g++) {
        uint32_t first = x->m->groups[g].first;
        const double *q = x->e->q + first, *rate = x->e->v + first;
        bool direction = x->m->groups[g].manifold == LIA_SPHERE;
        for (int i = 0; direction && i < 3; i++) {  // u x u'
            int j = (i + 1) % 3, k = (i + 2) % 3;
            v[first + (uint32_t)i] = q[j] * rate[k] - q[k] * rate[j];
        }
        if (x->m->groups[g].manifold != LIA_ROTATION) continue;
        lia_quaternion_spin(q, rate, v + first + 1);
    }
}

static void write_forces(LiaReducePage* page) {
    const LiaReduce* x = page->x;
    size_t n = x->n, all = x->s->n;
    Rows rows = {.taken = LIA_ARENA_NEW(x->arena, double, n* n + 1),
                 .v = LIA_ARENA_NEW(x->arena, double, all + 1),
                 .slope = LIA_ARENA_NEW(x->arena, double, n + 1),
                 .formulas = LIA_ARENA_NEW(x->arena, LiaExpr, n + 1),
                 .omega = LIA_ARENA_NEW(x->arena, LiaExpr, all + 1),
                 .by_slot = LIA_ARENA_NEW(x->arena, LiaExpr, n + 1)};
    if (!rows.taken || !rows.v || !rows.slope || !rows.formulas || !rows.omega || !rows.by_slot) {
        page->failed = true;
        return;
    }
    slot_velocities(x, rows.v);
    for (uint32_t c = 0; c < x->m->constraints_count; c++) {
        if (!x->m->constraints[c].internal) write_constraint(page, c, &rows);
    }
    in_momenta(x, x->s->lagrange.Q, rows.by_slot);
    uint32_t before = page->piece_count;
    lia_reduce_text_say(page, "force applied: ");
    if (write_direction(page, rows.by_slot)) {
        lia_reduce_text_say(page, "\n");
    } else {
        page->piece_count = before;
    }
}

// --- formulas that are used again ---------------------------------------------------------------

static void write_formula(LiaReducePage* page, const char* const* names, LiaExpr f, bool factor) {
    const LiaGraph* g = page->x->g;
    const LiaNode* n = lia_graph_node(g, f);
    bool sum = factor && !names[f.index] && (n->op == LIA_OP_ADD || n->op == LIA_OP_SUB);
    lia_text_add(page->out, sum ? "(" : "");
    lia_formula_text_named(g, f, names, page->out);
    lia_text_add(page->out, sum ? ")" : "");
}

// Names for what is used more than once, or would nest too deep; each is a `let`.
static bool name_shared(LiaReducePage* page, const char** names) {
    const LiaGraph* g = page->x->g;
    uint32_t* uses = lia_memory_zeros(g->count, sizeof *uses);
    uint8_t* depth = lia_memory_zeros(g->count, sizeof *depth);
    bool good = uses && depth;
    for (uint32_t i = 0; good && i < page->piece_count; i++) {
        uses[page->pieces[i].formula.index]++;
    }
    for (uint32_t i = good ? g->count : 0; i-- > 1;) {
        const LiaNode* n = &g->nodes[i];
        const uint32_t of[3] = {n->a, n->b, n->c};
        int arity = uses[i] ? lia_op_arity((LiaOp)n->op) : 0;
        for (int k = 0; k < arity; k++) uses[of[k]]++;
    }
    uint32_t count = 0;
    for (uint32_t i = 1; good && i < g->count; i++) {
        const LiaNode* n = &g->nodes[i];
        const uint32_t of[3] = {n->a, n->b, n->c};
        int arity = uses[i] ? lia_op_arity((LiaOp)n->op) : 0, deep = 0;
        for (int k = 0; k < arity; k++) {
            if (!names[of[k]] && depth[of[k]] + 1 > deep) deep = depth[of[k]] + 1;
        }
        depth[i] = (uint8_t)deep;
        bool again = uses[i] > 1 && deep > 1 && lia_simplify_length(g, (LiaExpr){i}) > LENGTH_OWN;
        if (arity == 0 || (!again && deep < DEEPEST)) continue;
        lia_text_add(page->out, "let k_%u = ", ++count);
        lia_formula_text_named(g, (LiaExpr){i}, names, page->out);
        lia_text_add(page->out, "\n");
        names[i] = lia_arena_printf(page->x->arena, "k_%u", count);
        good = names[i] != NULL;
    }
    free(uses);
    free(depth);
    return good;
}

// --- the whole ----------------------------------------------------------------------------------

static void write_head(LiaReducePage* page) {
    const LiaReduce* x = page->x;
    LiaText* out = page->out;
    lia_text_add(out, "# %s, divided by ", x->m->name);
    for (uint32_t A = 0; A < x->count; A++) {
        lia_text_add(out, "%s%s", A ? ", " : "", x->m->symmetries[x->symmetry[A]].name);
    }
    lia_text_add(out, ": what is seen from a frame in which");
    for (uint32_t B = 0; B < x->count; B++) {
        if (x->fixed[B] == UINT32_MAX) {
            lia_text_add(out, "%s a turn", B ? "," : "");
            continue;
        }
        const LiaReduceSlot* slot = &x->slots[x->fixed[B]];
        if (slot->rotation && slot->axis > 0) continue;
        lia_text_add(out, "%s %s", B ? "," : "",
                     slot->rotation ? x->m->groups[slot->rotation - 1].name
                                    : x->m->coordinates[slot->coordinate].name);
    }
    lia_text_add(out, " stays as it starts.\nmodel ");
    for (const char* at = x->m->name; *at; at++) {  // of a file: any characters
        bool plain = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || *at == '_' ||
                     (*at >= '0' && *at <= '9' && at > x->m->name);
        lia_text_add(out, plain ? "%c" : "_", *at);
    }
    lia_text_add(out, "_reduced\n");
    for (uint32_t i = 0; i < x->m->parameters_count; i++) {
        if (x->m->parameters[i].inner) continue;
        lia_text_add(out, "parameter %s = ", lia_reduce_text_name(x, LIA_SYMBOL_PARAMETER, i));
        lia_text_add_number(out, x->m->parameters[i].value);
        lia_text_add(out, "\n");
    }
    for (uint32_t k = 0; k < page->count; k++) {
        const LiaReduceVariable* v = &page->variables[k];
        if (!v->manifold) continue;
        size_t length = strcspn(v->name, ".");
        lia_text_add(out, "phase %.*s : %s\n", (int)length, v->name, v->manifold);
    }
}

static void write_end(LiaReducePage* page, bool orbit) {
    const LiaReduce* x = page->x;
    LiaText* out = page->out;
    for (uint32_t k = 0; k < page->count; k++) {
        lia_text_add(out, "%s%s = ", k ? ", " : "start ", page->variables[k].name);
        lia_text_add_number(out, page->variables[k].start);
    }
    if (orbit) lia_reduce_orbit_start(page);
    if (page->carry) lia_reduce_carry_start(page);
    const LiaRunStatement* run = &x->m->run;
    lia_text_add(out, "\n");
    if (!run->given) return;
    lia_text_add(out, "run t = ");
    lia_text_add_number(out, run->t0);
    lia_text_add(out, "..");
    lia_text_add_number(out, run->t1);
    if (run->tolerance > 0.0) {
        lia_text_add(out, ", tolerance ");
        lia_text_add_number(out, run->tolerance);
    }
    lia_text_add(out, "\nplot t: %s\n", page->variables[0].name);
}

bool lia_reduce_text_write(const LiaReduce* x, bool reconstruct, LiaText* out) {
    LiaReducePage page = {.x = x, .out = out};
    if (!list_variables(&page)) return false;
    write_head(&page);
    bool orbit = reconstruct && lia_reduce_orbit_is_closed(x);
    bool carry = reconstruct && !orbit && lia_reduce_carry_find(&page);
    if (orbit) lia_reduce_orbit_declare(&page);
    if (carry) lia_reduce_carry_declare(&page);
    if (reconstruct && !orbit && !carry) {
        lia_text_add(out, "# The orbit is not written: the group moves it by maps that are not "
                          "affine.\n");
    }
    write_brackets(&page);
    lia_reduce_text_put(&page, "hamiltonian ", x->H, false);
    lia_reduce_text_say(&page, "\n");
    write_forces(&page);
    if (orbit) lia_reduce_orbit_move(&page);
    if (carry) lia_reduce_carry_move(&page);
    const char** names = lia_memory_zeros(x->g->count + 1, sizeof *names);
    bool good = names && !page.failed && !x->g->failed && name_shared(&page, names);
    for (uint32_t i = 0; good && i < page.piece_count; i++) {
        const LiaReducePiece* piece = &page.pieces[i];
        lia_text_add(out, "%s", piece->text);
        if (piece->formula.index) write_formula(&page, names, piece->formula, piece->factor);
    }
    if (good) write_end(&page, orbit);
    free(names);
    free(page.pieces);
    return good && !out->failed;
}
