// The second way. See second.h.
// SPDX-License-Identifier: MIT
#include "second.h"
#include "dop853.h"
#include "expr/diff.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Row {  // one scalar equation left - right = 0
    LiaExpr equation;
    bool geometric;
    LiaExpr* J;      // d(phi)/dq or d(psi)/dv                       (n)
    LiaExpr* Omega;  // force direction                              (n)
    LiaExpr rate;    // phi' of a geometric equation, psi of a kinematic one
    LiaExpr gamma;   // J a + gamma = 0
} Row;

struct Second {
    const LiaModel* model;
    LiaGraph* g;
    int n, m, lines;
    LiaExpr* formula;  // of each term, {0}: not yet                    (terms)
    LiaExpr *q, *v, *a;
    LiaExpr t;
    LiaExpr L, energy;
    LiaExpr* p;      // dL/dv                                        (n)
    LiaExpr* M;      // d2L/dv2                                      (n x n)
    LiaExpr* force;  // Q - h: what stands beside Omega^T mu         (n)
    Row* rows;       //                                              (m)
    LiaExpr* power;  // of each line, with mu as symbols             (lines)
    int* first_row;  // of each constraint                           (constraints + 1)

    // evaluation
    double* value;  // by node
    uint32_t value_capacity;
    double t_now;
    const double *q_now, *v_now, *a_now, *mu_now, *work_now;
    bool* needed;  // by node: what the motion wants
    uint32_t needed_count;
    double *K, *rhs;  // (n + m)^2, n + m
    double *a_last, *mu_last;
};

// --- plain evaluation --------------------------------------------------------------------------

static double apply(LiaOp op, double x, double y, double z) {
    switch (op) {
    case LIA_OP_NEG:
        return -x;
    case LIA_OP_ADD:
        return x + y;
    case LIA_OP_SUB:
        return x - y;
    case LIA_OP_MUL:
        return x * y;
    case LIA_OP_DIV:
        return x / y;
    case LIA_OP_POW:
        return pow(x, y);
    case LIA_OP_SQRT:
        return sqrt(x);
    case LIA_OP_EXP:
        return exp(x);
    case LIA_OP_LOG:
        return log(x);
    case LIA_OP_SIN:
        return sin(x);
    case LIA_OP_COS:
        return cos(x);
    case LIA_OP_TAN:
        return tan(x);
    case LIA_OP_ASIN:
        return asin(x);
    case LIA_OP_ACOS:
        return acos(x);
    case LIA_OP_ATAN:
        return atan(x);
    case LIA_OP_ATAN2:
        return atan2(x, y);
    case LIA_OP_SINH:
        return sinh(x);
    case LIA_OP_COSH:
        return cosh(x);
    case LIA_OP_TANH:
        return tanh(x);
    case LIA_OP_ABS:
        return fabs(x);
    case LIA_OP_SIGN:
        return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : 0.0;
    case LIA_OP_MIN:
        return x < y ? x : y;
    case LIA_OP_MAX:
        return x > y ? x : y;
    case LIA_OP_HYPOT:
        return hypot(x, y);
    case LIA_OP_WRAP:
        return atan2(sin(x), cos(x));
    case LIA_OP_IF:
        return x != 0.0 ? y : z;
    case LIA_OP_LESS:
        return x < y;
    case LIA_OP_LESS_EQUAL:
        return x <= y;
    case LIA_OP_AND:
        return x != 0.0 && y != 0.0;
    case LIA_OP_OR:
        return x != 0.0 || y != 0.0;
    case LIA_OP_NOT:
        return x == 0.0;
    default:
        return NAN;
    }
}

static double symbol_value(const Second* s, const LiaNode* n) {
    switch ((LiaSymbolKind)n->symbol_kind) {
    case LIA_SYMBOL_TIME:
        return s->t_now;
    case LIA_SYMBOL_PARAMETER:
        return s->model->parameters[n->a].value;
    case LIA_SYMBOL_POSITION:
        return s->q_now[n->a];
    case LIA_SYMBOL_VELOCITY:
        return s->v_now[n->a];
    case LIA_SYMBOL_ACCELERATION:
        return s->a_now ? s->a_now[n->a] : NAN;
    case LIA_SYMBOL_MULTIPLIER:
        return s->mu_now ? s->mu_now[n->a] : NAN;
    case LIA_SYMBOL_WORK:
        return s->work_now ? s->work_now[n->a] : NAN;
    default:
        return NAN;
    }
}

static void evaluate_node(Second* s, uint32_t i) {
    const LiaNode* n = &s->g->nodes[i];
    if (n->op == LIA_OP_CONST) {
        s->value[i] = s->g->numbers[n->a].value;
    } else if (n->op == LIA_OP_PI) {
        s->value[i] = acos(-1.0);
    } else if (n->op == LIA_OP_SYMBOL) {
        s->value[i] = symbol_value(s, n);
    } else {
        s->value[i] = apply((LiaOp)n->op, s->value[n->a], s->value[n->b], s->value[n->c]);
    }
}

static void reserve_values(Second* s) {
    if (s->g->count <= s->value_capacity) return;
    s->value_capacity = s->g->count + 256;
    s->value = realloc(s->value, s->value_capacity * sizeof *s->value);
    s->value[0] = 0.0;
}

static void mark(bool* needed, LiaExpr f) { needed[f.index] = true; }

static void mark_below(const LiaGraph* g, bool* needed, uint32_t top) {
    for (uint32_t i = top; i > 0; i--) {
        const LiaNode* n = &g->nodes[i];
        const uint32_t args[3] = {n->a, n->b, n->c};
        if (!needed[i]) continue;
        for (int k = 0; k < lia_op_arity((LiaOp)n->op); k++) needed[args[k]] = true;
    }
}

static void set_state(Second* s, double t, const double* q, const double* v) {
    s->t_now = t;
    s->q_now = q;
    s->v_now = v;
    s->a_now = s->mu_now = s->work_now = NULL;
}

// Everything the motion wants, at the state that was set (accelerations and multipliers too).
static void evaluate_all(Second* s) {
    reserve_values(s);
    for (uint32_t i = 1; i < s->needed_count; i++) {
        if (s->needed[i]) evaluate_node(s, i);
    }
}

// One formula, whatever it is.
static double evaluate(Second* s, LiaExpr f) {
    if (!f.index) return NAN;
    reserve_values(s);
    bool* needed = calloc((size_t)f.index + 1, sizeof *needed);
    mark(needed, f);
    mark_below(s->g, needed, f.index);
    for (uint32_t i = 1; i <= f.index; i++) {
        if (needed[i]) evaluate_node(s, i);
    }
    free(needed);
    return s->value[f.index];
}

static double at(const Second* s, LiaExpr f) { return s->value[f.index]; }

// --- formulas ----------------------------------------------------------------------------------

static bool has(const Second* s, LiaExpr f, uint16_t what) {
    return (lia_graph_node(s->g, f)->depends & what) != 0;
}

// df/dt along a motion, one partial derivative after the other; `to_a` counts the velocities too.
static LiaExpr total(Second* s, LiaExpr f, bool to_a) {
    LiaGraph* g = s->g;
    LiaExpr sum = lia_expr_diff(g, f, s->t);
    for (int i = 0; i < s->n; i++) {
        sum = lia_graph_add(g, sum, lia_graph_mul(g, lia_expr_diff(g, f, s->q[i]), s->v[i]));
        if (to_a) {
            sum = lia_graph_add(g, sum, lia_graph_mul(g, lia_expr_diff(g, f, s->v[i]), s->a[i]));
        }
    }
    return sum;
}

static LiaExpr lower(Second* s, LiaTermId id);
static LiaExpr quantity(Second* s, const LiaTerm* term);

static LiaOp op_of_function(unsigned function) {
    static const char* const names[] = {
#define LIA_FUNCTION(id, name, arity) name,
#include "lang/functions.def"
#undef LIA_FUNCTION
    };
    for (int op = LIA_OP_SQRT; op < LIA_OP_COUNT; op++) {
        if (strcmp(lia_op_name((LiaOp)op), names[function]) == 0) return (LiaOp)op;
    }
    return LIA_OP_COUNT;
}

static LiaExpr lower_op(Second* s, const LiaTerm* term, LiaExpr a, LiaExpr b, LiaExpr c) {
    LiaGraph* g = s->g;
    switch ((LiaTermOp)term->op) {
    case LIA_TERM_NEG:
        return lia_graph_neg(g, a);
    case LIA_TERM_ADD:
        return lia_graph_add(g, a, b);
    case LIA_TERM_SUB:
        return lia_graph_sub(g, a, b);
    case LIA_TERM_MUL:
        return lia_graph_mul(g, a, b);
    case LIA_TERM_DIV:
        return lia_graph_div(g, a, b);
    case LIA_TERM_POW:
        return lia_graph_pow(g, a, b);
    case LIA_TERM_CALL:
        return lia_graph_apply(g, op_of_function(term->function), a, b, c);
    case LIA_TERM_IF:
        return lia_graph_apply(g, LIA_OP_IF, a, b, c);
    case LIA_TERM_LESS:
        return lia_graph_apply(g, LIA_OP_LESS, a, b, c);
    case LIA_TERM_LESS_EQUAL:
        return lia_graph_apply(g, LIA_OP_LESS_EQUAL, a, b, c);
    case LIA_TERM_AND:
        return lia_graph_apply(g, LIA_OP_AND, a, b, c);
    case LIA_TERM_OR:
        return lia_graph_apply(g, LIA_OP_OR, a, b, c);
    case LIA_TERM_NOT:
        return lia_graph_apply(g, LIA_OP_NOT, a, b, c);
    case LIA_TERM_PRIME:
        return total(s, a, true);
    default:
        return (LiaExpr){0};
    }
}

// The formula of a term; {0} if something in it is not known here. Models of tests are not deep.
static LiaExpr lower(Second* s, LiaTermId id) {
    if (!id || s->formula[id].index) return s->formula[id];
    const LiaTerm* term = &s->model->terms[id];
    LiaExpr f = {0};
    switch ((LiaTermOp)term->op) {
    case LIA_TERM_NONE:
        return f;
    case LIA_TERM_NUMBER:
        f = term->den ? lia_graph_rational(s->g, term->num, term->den)
                      : lia_graph_real(s->g, term->number);
        break;
    case LIA_TERM_PI:
        f = lia_graph_pi(s->g);
        break;
    case LIA_TERM_TIME:
        f = s->t;
        break;
    case LIA_TERM_PARAMETER:
        f = lia_graph_symbol(s->g, LIA_SYMBOL_PARAMETER, term->index);
        break;
    case LIA_TERM_COORDINATE:
        f = s->q[term->index];
        break;
    case LIA_TERM_VELOCITY:
        f = s->v[term->index];
        break;
    case LIA_TERM_ACCELERATION:
        f = s->a[term->index];
        break;
    case LIA_TERM_CONTROL:
        f = lower(s, s->model->controls[term->index].term);
        break;
    case LIA_TERM_QUANTITY:
        f = quantity(s, term);
        break;
    default: {
        LiaExpr a = lower(s, term->a), b = lower(s, term->b), c = lower(s, term->c);
        if ((term->a && !a.index) || (term->b && !b.index) || (term->c && !c.index)) return f;
        f = lower_op(s, term, a, b, c);
    }
    }
    s->formula[id] = f;
    return f;
}

// out += form
static void add_form(Second* s, const LiaForm* form, LiaExpr* out) {
    for (uint32_t k = 0; k < form->count; k++) {
        const LiaFormPart* part = &form->parts[k];
        LiaExpr f = lower(s, part->of);
        LiaExpr c = part->coefficient ? lower(s, part->coefficient) : lia_graph_integer(s->g, 1);
        for (int i = 0; i < s->n; i++) {
            LiaExpr d = lia_expr_diff(s->g, f, part->is_virtual ? s->v[i] : s->q[i]);
            out[i] = lia_graph_add(s->g, out[i], lia_graph_mul(s->g, c, d));
        }
    }
}

static LiaExpr* zeros(Second* s, size_t count) {
    LiaExpr* list = calloc(count + 1, sizeof *list);
    for (size_t i = 0; i < count; i++) list[i] = lia_graph_integer(s->g, 0);
    return list;
}

static LiaExpr times_v(Second* s, const LiaExpr* form) {
    LiaExpr sum = lia_graph_integer(s->g, 0);
    for (int i = 0; i < s->n; i++) {
        sum = lia_graph_add(s->g, sum, lia_graph_mul(s->g, form[i], s->v[i]));
    }
    return sum;
}

static void build_energy(Second* s) {
    LiaGraph* g = s->g;
    s->L = lia_graph_integer(g, 0);
    for (uint32_t i = 0; i < s->model->energies_count; i++) {
        const LiaEnergy* e = &s->model->energies[i];
        LiaExpr f = lower(s, e->term);
        s->L = e->kind == LIA_POTENTIAL ? lia_graph_sub(g, s->L, f) : lia_graph_add(g, s->L, f);
    }
    s->p = zeros(s, (size_t)s->n);
    s->M = zeros(s, (size_t)(s->n * s->n));
    s->force = zeros(s, (size_t)s->n);
    s->energy = lia_graph_neg(g, s->L);
    for (int i = 0; i < s->n; i++) {
        s->p[i] = lia_expr_diff(g, s->L, s->v[i]);
        s->energy = lia_graph_add(g, s->energy, lia_graph_mul(g, s->p[i], s->v[i]));
        for (int j = 0; j < s->n; j++) s->M[i * s->n + j] = lia_expr_diff(g, s->p[i], s->v[j]);
        LiaExpr h = lia_graph_sub(g, total(s, s->p[i], false), lia_expr_diff(g, s->L, s->q[i]));
        s->force[i] = lia_graph_neg(g, h);
    }
}

static void build_row(Second* s, Row* row, const LiaConstraint* c, uint32_t k) {
    LiaGraph* g = s->g;
    const uint16_t velocities = LIA_DEPENDS(VELOCITY);
    LiaExpr left = lower(s, c->equations[k].left), right = lower(s, c->equations[k].right);
    row->equation = lia_graph_sub(g, left, right);
    row->geometric = !has(s, left, velocities) && !has(s, right, velocities);
    row->J = zeros(s, (size_t)s->n);
    row->Omega = zeros(s, (size_t)s->n);
    for (int i = 0; i < s->n; i++) {
        row->J[i] = lia_expr_diff(g, row->equation, row->geometric ? s->q[i] : s->v[i]);
        if (c->rule == LIA_RULE_GIVEN) continue;
        // Nothing said: a constraint acts along its own gradient, an operator on what stands on the left.
        LiaExpr x = has(s, left, velocities) ? s->v[i] : s->q[i];
        row->Omega[i] = c->active ? lia_expr_diff(g, left, x) : row->J[i];
        // what follows from the others of its constraint has no force of its own
        if (c->gap_follows && k + 1 == c->gap) row->Omega[i] = lia_graph_integer(g, 0);
    }
    if (c->rule == LIA_RULE_GIVEN) add_form(s, &c->forms[k], row->Omega);
    row->rate = row->geometric ? total(s, row->equation, false) : row->equation;
    row->gamma = total(s, row->rate, false);
}

static void build_rows(Second* s) {
    const LiaModel* model = s->model;
    s->first_row = calloc((size_t)model->constraints_count + 1, sizeof *s->first_row);
    for (uint32_t i = 0; i < model->constraints_count; i++) {
        s->first_row[i + 1] = s->first_row[i] + (int)model->constraints[i].equation_count;
    }
    s->m = s->first_row[model->constraints_count];
    s->rows = calloc((size_t)s->m + 1, sizeof *s->rows);
    for (uint32_t i = 0; i < model->constraints_count; i++) {
        for (uint32_t k = 0; k < model->constraints[i].equation_count; k++) {
            build_row(s, &s->rows[s->first_row[i] + (int)k], &model->constraints[i], k);
        }
    }
}

// The forces, and the power of each line: dE/dt is their sum.
static void build_powers(Second* s) {
    const LiaModel* model = s->model;
    LiaGraph* g = s->g;
    s->lines = (int)model->constraints_count + (int)model->forces_count + 2;
    s->power = zeros(s, (size_t)s->lines);
    LiaExpr* line = s->power;
    for (uint32_t i = 0; i < model->constraints_count; i++, line++) {
        for (int r = s->first_row[i]; r < s->first_row[i + 1]; r++) {
            LiaExpr mu = lia_graph_symbol(g, LIA_SYMBOL_MULTIPLIER, (uint32_t)r);
            *line = lia_graph_add(g, *line, lia_graph_mul(g, mu, times_v(s, s->rows[r].Omega)));
        }
    }
    for (uint32_t i = 0; i < model->forces_count; i++, line++) {
        LiaExpr* form = zeros(s, (size_t)s->n);
        add_form(s, &model->forces[i].form, form);
        for (int k = 0; k < s->n; k++) s->force[k] = lia_graph_add(g, s->force[k], form[k]);
        *line = times_v(s, form);
        free(form);
    }
    for (uint32_t i = 0; i < model->dissipations_count; i++) {
        LiaExpr D = lower(s, model->dissipations[i].term);
        LiaExpr* form = zeros(s, (size_t)s->n);
        for (int k = 0; k < s->n; k++) {
            form[k] = lia_graph_neg(g, lia_expr_diff(g, D, s->v[k]));
            s->force[k] = lia_graph_add(g, s->force[k], form[k]);
        }
        *line = lia_graph_add(g, *line, times_v(s, form));
        free(form);
    }
    line++;
    *line = lia_graph_neg(g, lia_expr_diff(g, s->L, s->t));
}

static LiaExpr energies_of(Second* s, LiaEnergyKind kind) {
    LiaExpr sum = lia_graph_integer(s->g, 0);
    for (uint32_t i = 0; i < s->model->energies_count; i++) {
        const LiaEnergy* e = &s->model->energies[i];
        if (e->kind == kind) sum = lia_graph_add(s->g, sum, lower(s, e->term));
    }
    return sum;
}

static LiaExpr quantity(Second* s, const LiaTerm* term) {
    const LiaExpr none = {0};
    if (!s->p) return none;  // asked for before there is an energy
    uint32_t i = term->index;
    switch ((LiaQuantity)term->function) {
    case LIA_QUANTITY_ENERGY:
        return s->energy;
    case LIA_QUANTITY_KINETIC:
        return energies_of(s, LIA_KINETIC);
    case LIA_QUANTITY_POTENTIAL:
        return energies_of(s, LIA_POTENTIAL);
    case LIA_QUANTITY_MOMENTUM: {
        const LiaSymmetry* y = &s->model->symmetries[i];
        LiaExpr sum = lia_graph_integer(s->g, 0);
        for (uint32_t k = 0; k < y->count; k++) {
            LiaExpr part =
                lia_graph_mul(s->g, s->p[y->parts[k].coordinate], lower(s, y->parts[k].term));
            sum = lia_graph_add(s->g, sum, part);
        }
        return sum;
    }
    case LIA_QUANTITY_P:
        return s->p[i];
    case LIA_QUANTITY_FORCE:
        return lia_graph_symbol(s->g, LIA_SYMBOL_MULTIPLIER,
                                (uint32_t)s->first_row[i] + term->part);
    case LIA_QUANTITY_POWER:
        return s->power[i];
    case LIA_QUANTITY_WORK:
        return lia_graph_symbol(s->g, LIA_SYMBOL_WORK, i);
    case LIA_QUANTITY_FORCE_POWER:
        return s->power[s->model->constraints_count + i];
    case LIA_QUANTITY_FORCE_WORK:
        return lia_graph_symbol(s->g, LIA_SYMBOL_WORK, s->model->constraints_count + i);
    }
    return none;
}

// What is evaluated at each state.
static void mark_needed(Second* s) {
    s->needed_count = s->g->count;
    s->needed = calloc(s->needed_count, sizeof *s->needed);
    mark(s->needed, s->energy);
    for (int i = 0; i < s->n; i++) mark(s->needed, s->force[i]);
    for (int i = 0; i < s->n * s->n; i++) mark(s->needed, s->M[i]);
    for (int i = 0; i < s->lines; i++) mark(s->needed, s->power[i]);
    for (int r = 0; r < s->m; r++) {
        const Row* row = &s->rows[r];
        mark(s->needed, row->equation);
        mark(s->needed, row->rate);
        mark(s->needed, row->gamma);
        for (int i = 0; i < s->n; i++) {
            mark(s->needed, row->J[i]);
            mark(s->needed, row->Omega[i]);
        }
    }
    mark_below(s->g, s->needed, s->needed_count - 1);
}

Second* second_create(const LiaModel* model) {
    Second* s = calloc(1, sizeof *s);
    s->model = model;
    s->g = lia_graph_create();
    s->n = (int)model->coordinates_count;
    s->formula = calloc((size_t)model->terms_count + 1, sizeof *s->formula);
    s->t = lia_graph_symbol(s->g, LIA_SYMBOL_TIME, 0);
    s->q = zeros(s, (size_t)s->n);
    s->v = zeros(s, (size_t)s->n);
    s->a = zeros(s, (size_t)s->n);
    for (int i = 0; i < s->n; i++) {
        s->q[i] = lia_graph_symbol(s->g, LIA_SYMBOL_POSITION, (uint32_t)i);
        s->v[i] = lia_graph_symbol(s->g, LIA_SYMBOL_VELOCITY, (uint32_t)i);
        s->a[i] = lia_graph_symbol(s->g, LIA_SYMBOL_ACCELERATION, (uint32_t)i);
    }
    build_energy(s);
    build_rows(s);
    build_powers(s);
    mark_needed(s);
    size_t size = (size_t)(s->n + s->m);
    s->K = calloc(size * size + 1, sizeof *s->K);
    s->rhs = calloc(size + 1, sizeof *s->rhs);
    s->a_last = calloc((size_t)s->n + 1, sizeof *s->a_last);
    s->mu_last = calloc((size_t)s->m + 1, sizeof *s->mu_last);
    if (s->g->failed) {
        second_destroy(s);
        return NULL;
    }
    return s;
}

void second_destroy(Second* s) {
    if (!s) return;
    for (int r = 0; r < s->m; r++) {
        free(s->rows[r].J);
        free(s->rows[r].Omega);
    }
    free(s->rows);
    free(s->formula);
    free(s->q);
    free(s->v);
    free(s->a);
    free(s->p);
    free(s->M);
    free(s->force);
    free(s->power);
    free(s->first_row);
    free(s->value);
    free(s->needed);
    free(s->K);
    free(s->rhs);
    free(s->a_last);
    free(s->mu_last);
    lia_graph_destroy(s->g);
    free(s);
}

int second_n(const Second* s) { return s->n; }
int second_rows(const Second* s) { return s->m; }
int second_lines(const Second* s) { return s->lines; }

// --- linear algebra ----------------------------------------------------------------------------

// Solve A x = b (both are used up) by elimination with full pivoting; x goes into b. Equations that
// follow from others are dropped if they are consistent, unknowns that nothing decides are 0.
// Returns the rank, or -1 if the equations contradict each other (`tolerant`: then some are not met).
static int solve(int n, double* A, double* b, bool tolerant) {
    enum { MOST = 512 };
    int column[MOST];
    double size = 0.0;
    if (n > MOST) return -1;
    for (int i = 0; i < n; i++) {  // rows of one size
        double row = 0.0;
        for (int j = 0; j < n; j++) row = fmax(row, fabs(A[i * n + j]));
        if (!isfinite(row) || !isfinite(b[i])) return -1;
        for (int j = 0; j < n && row > 0.0; j++) A[i * n + j] /= row;
        if (row > 0.0) b[i] /= row;
        size = fmax(size, fabs(b[i]));
        column[i] = i;
    }
    int rank = 0;
    for (; rank < n; rank++) {
        int pi = rank, pj = rank;
        for (int i = rank; i < n; i++) {
            for (int j = rank; j < n; j++) {
                if (fabs(A[i * n + j]) > fabs(A[pi * n + pj])) pi = i, pj = j;
            }
        }
        // Stages of a step are a little off the admissible states, where dependent rows look independent by as much.
        if (fabs(A[pi * n + pj]) < 1e-9) break;
        for (int j = 0; j < n; j++) {
            double kept = A[pi * n + j];
            A[pi * n + j] = A[rank * n + j];
            A[rank * n + j] = kept;
        }
        double kept = b[pi];
        b[pi] = b[rank];
        b[rank] = kept;
        for (int i = 0; i < n; i++) {
            kept = A[i * n + pj];
            A[i * n + pj] = A[i * n + rank];
            A[i * n + rank] = kept;
        }
        int index = column[pj];
        column[pj] = column[rank];
        column[rank] = index;
        for (int i = rank + 1; i < n; i++) {
            double factor = A[i * n + rank] / A[rank * n + rank];
            for (int j = rank; j < n; j++) A[i * n + j] -= factor * A[rank * n + j];
            b[i] -= factor * b[rank];
        }
    }
    for (int i = rank; i < n && !tolerant; i++) {
        if (fabs(b[i]) > 1e-8 * (1.0 + size)) return -1;
    }
    double x[MOST] = {0};
    for (int i = rank - 1; i >= 0; i--) {
        double sum = b[i];
        for (int j = i + 1; j < rank; j++) sum -= A[i * n + j] * x[column[j]];
        x[column[i]] = sum / A[i * n + i];
    }
    memcpy(b, x, (size_t)n * sizeof *b);
    return rank;
}

// K0 = [M -Omega^T; J 0] at the state evaluated last.
static void assemble(Second* s) {
    int n = s->n, size = s->n + s->m;
    memset(s->K, 0, (size_t)(size * size) * sizeof *s->K);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) s->K[i * size + j] = at(s, s->M[i * n + j]);
    }
    for (int r = 0; r < s->m; r++) {
        for (int i = 0; i < n; i++) {
            s->K[i * size + n + r] = -at(s, s->rows[r].Omega[i]);
            s->K[(n + r) * size + i] = at(s, s->rows[r].J[i]);
        }
    }
}

static bool solve_at(Second* s, double t, const double* q, const double* v, double* a, double* mu,
                     bool tolerant) {
    set_state(s, t, q, v);
    evaluate_all(s);
    assemble(s);
    for (int i = 0; i < s->n; i++) s->rhs[i] = at(s, s->force[i]);
    for (int r = 0; r < s->m; r++) s->rhs[s->n + r] = -at(s, s->rows[r].gamma);
    if (solve(s->n + s->m, s->K, s->rhs, tolerant) < s->n) return false;
    if (a) memcpy(a, s->rhs, (size_t)s->n * sizeof *a);
    if (mu) memcpy(mu, s->rhs + s->n, (size_t)s->m * sizeof *mu);
    return true;
}

bool second_solve(Second* s, double t, const double* q, const double* v, double* a, double* mu) {
    return solve_at(s, t, q, v, a, mu, false);
}

double second_rank(Second* s, double t, const double* q, const double* v) {
    set_state(s, t, q, v);
    evaluate_all(s);
    assemble(s);
    memset(s->rhs, 0, (size_t)(s->n + s->m) * sizeof *s->rhs);
    int rank = solve(s->n + s->m, s->K, s->rhs, false) - s->n;
    return s->m ? (double)rank / s->m : 1.0;
}

// --- projection --------------------------------------------------------------------------------

// One Newton step along the directions the forces have: M d = Omega^T lambda, J d = -residual.
// Positions: kinematic equations ask that the change is admissible (J d = 0).
static bool project_once(Second* s, double t, double* q, double* v, bool positions) {
    set_state(s, t, q, v);
    evaluate_all(s);
    assemble(s);
    memset(s->rhs, 0, (size_t)s->n * sizeof *s->rhs);
    for (int r = 0; r < s->m; r++) {
        const Row* row = &s->rows[r];
        double residual =
            positions ? (row->geometric ? at(s, row->equation) : 0.0) : at(s, row->rate);
        s->rhs[s->n + r] = -residual;
    }
    if (solve(s->n + s->m, s->K, s->rhs, false) < s->n) return false;
    double* x = positions ? q : v;
    for (int i = 0; i < s->n; i++) x[i] += s->rhs[i];
    return true;
}

static bool project(Second* s, double t, double* q, double* v) {
    for (int round = 0; round < 3; round++) {
        if (!project_once(s, t, q, v, true)) return false;
    }
    for (int round = 0; round < 3; round++) {
        if (!project_once(s, t, q, v, false)) return false;
    }
    return true;
}

double second_residual(Second* s, double t, const double* q, const double* v) {
    set_state(s, t, q, v);
    evaluate_all(s);
    double most = 0.0;
    for (int r = 0; r < s->m; r++) {
        most = fmax(most, fabs(at(s, s->rows[r].rate)));
        if (s->rows[r].geometric) most = fmax(most, fabs(at(s, s->rows[r].equation)));
    }
    return most;
}

double second_energy(Second* s, double t, const double* q, const double* v) {
    set_state(s, t, q, v);
    return evaluate(s, s->energy);
}

double second_term(Second* s, LiaTermId term, double t, const double* q, const double* v,
                   const double* work) {
    LiaExpr f = lower(s, term);
    if (!second_solve(s, t, q, v, s->a_last, s->mu_last)) return NAN;
    set_state(s, t, q, v);
    s->a_now = s->a_last;
    s->mu_now = s->mu_last;
    s->work_now = work;
    return evaluate(s, f);
}

// --- motion ------------------------------------------------------------------------------------

// y = (q, v, works)
static bool rate(void* context, double t, const double* y, double* dy) {
    Second* s = context;
    int n = s->n;
    const double *q = y, *v = y + n;
    // Inside a step the state is a little off: rows that follow from others contradict them by as much.
    if (!solve_at(s, t, q, v, s->a_last, s->mu_last, true)) return false;
    set_state(s, t, q, v);
    s->mu_now = s->mu_last;
    evaluate_all(s);
    memcpy(dy, v, (size_t)n * sizeof *dy);
    memcpy(dy + n, s->a_last, (size_t)n * sizeof *dy);
    for (int i = 0; i < s->lines; i++) dy[2 * n + i] = at(s, s->power[i]);
    for (int i = 0; i < 2 * n; i++) {
        if (!isfinite(dy[i])) return false;
    }
    return true;
}

static bool accept(void* context, double t, double* y) {
    Second* s = context;
    return s->m == 0 || project(s, t, y, y + s->n);
}

bool second_run(Second* s, double t0, double t1, double tolerance, double* q, double* v,
                double* work) {
    size_t n = (size_t)s->n, size = 2 * n + (size_t)s->lines;
    double* y = calloc(size, sizeof *y);
    memcpy(y, q, n * sizeof *y);
    memcpy(y + n, v, n * sizeof *y);
    if (work) memcpy(y + 2 * n, work, (size_t)s->lines * sizeof *y);
    Dop853 problem = {
        .n = size, .tolerance = tolerance, .context = s, .rate = rate, .accept = accept};
    bool good = dop853_run(&problem, t0, t1, y);
    memcpy(q, y, n * sizeof *y);
    memcpy(v, y + n, n * sizeof *y);
    if (work) memcpy(work, y + 2 * n, (size_t)s->lines * sizeof *y);
    free(y);
    return good;
}

// --- start -------------------------------------------------------------------------------------

static bool positive_definite(int n, const double* M) {
    double L[64 * 64];
    if (n > 64) return false;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = M[i * n + j];
            for (int k = 0; k < j; k++) sum -= L[i * n + k] * L[j * n + k];
            if (i == j && !(sum > 1e-10 * fabs(M[i * n + i]))) return false;
            L[i * n + j] = i == j ? sqrt(sum) : sum / L[j * n + j];
        }
    }
    return true;
}

// The metric among the unknowns: that of M, where a massless one counts 1; Euclidean if M is singular on what the
// equations leave free (M + J^T J is singular then).
static void metric(Second* s, const bool* given, bool positions, double* W) {
    int n = s->n;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            bool both = !given[i] && !given[j];
            W[i * n + j] = both ? at(s, s->M[i * n + j]) : (double)(i == j);
        }
        if (W[i * n + i] == 0.0) W[i * n + i] = 1.0;
    }
    if (positive_definite(n, W)) return;
    double* sum = calloc((size_t)(n * n) + 1, sizeof *sum);
    memcpy(sum, W, (size_t)(n * n) * sizeof *sum);
    for (int r = 0; r < s->m; r++) {
        const Row* row = &s->rows[r];
        if (positions && !row->geometric) continue;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                if (!given[i] && !given[j]) sum[i * n + j] += at(s, row->J[i]) * at(s, row->J[j]);
            }
        }
    }
    if (!positive_definite(n, sum)) {
        for (int i = 0; i < n * n; i++) W[i] = i / n == i % n;
    }
    free(sum);
}

// One step towards the nearest x to x0 in the metric W that satisfies c(x) = 0 and keeps what is given:
//   W (x - x0) = J^T lambda,   J (x - x0) = J (x_now - x0) - c(x_now)
// Positions that a kinematic equation speaks of are not moved by it: only geometric rows count.
static double nearest_step(Second* s, double t, double* q, double* v, const double* x0,
                           const bool* given, bool positions) {
    int n = s->n, size = s->n + s->m;
    double* x = positions ? q : v;
    set_state(s, t, q, v);
    evaluate_all(s);
    double* W = calloc((size_t)(n * n) + 1, sizeof *W);
    metric(s, given, positions, W);
    memset(s->K, 0, (size_t)(size * size) * sizeof *s->K);
    memset(s->rhs, 0, (size_t)size * sizeof *s->rhs);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) s->K[i * size + j] = W[i * n + j];
        if (given[i]) s->rhs[i] = x[i] - x0[i];
    }
    for (int r = 0; r < s->m; r++) {
        const Row* row = &s->rows[r];
        if (positions && !row->geometric) continue;
        double residual = at(s, positions ? row->equation : row->rate);
        for (int i = 0; i < n; i++) {
            double slope = at(s, row->J[i]);
            if (!given[i]) s->K[i * size + n + r] = -slope;
            s->K[(n + r) * size + i] = slope;
            residual -= slope * (x[i] - x0[i]);
        }
        s->rhs[n + r] = -residual;
    }
    free(W);
    // While the unknowns are not there yet, equations on given values contradict each other a little.
    if (solve(size, s->K, s->rhs, true) < n) return INFINITY;
    double change = 0.0;
    for (int i = 0; i < n; i++) {
        if (given[i]) continue;
        change = fmax(change, fabs(x0[i] + s->rhs[i] - x[i]));
        x[i] = x0[i] + s->rhs[i];
    }
    return change;
}

bool second_start(Second* s, double t, double* q, double* v) {
    size_t n = (size_t)s->n;
    bool* given = calloc(2 * n + 1, sizeof *given);
    double* x0 = calloc(2 * n + 1, sizeof *x0);
    for (uint32_t i = 0; i < s->model->starts_count; i++) {
        const LiaStart* start = &s->model->starts[i];
        size_t k = start->coordinate + (start->velocity ? n : 0);
        x0[k] = start->value;
        given[k] = !start->guess;
    }
    memcpy(q, x0, n * sizeof *q);
    memcpy(v, x0 + n, n * sizeof *v);
    for (int positions = 1; positions >= 0; positions--) {
        double change = 1.0;
        for (int round = 0; round < 200 && change > 1e-15; round++) {
            change = nearest_step(s, t, q, v, positions ? x0 : x0 + n,
                                  positions ? given : given + n, positions);
            if (!isfinite(change)) break;
        }
    }
    free(given);
    free(x0);
    double residual = second_residual(s, t, q, v);
    return residual < 1e-10;
}
