// Dump: the model spelled out for people, `liaison dump --stage=lang`.
//
// Terms are printed as formulas. A term that is a `let` is printed by its name; one that is used
// several times, or would nest too deep, gets a line of its own in `terms` and is printed as %12.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "lang/model.h"
#include <stdlib.h>

enum { DEEPEST = 24 };  // nesting of a printed formula

typedef struct Dump {
    const LiaModel* model;
    LiaText* out;
    uint32_t* uses;
    uint8_t* depth;
    bool* own_line;
    const char** names;  // of terms that are lets
    uint8_t* let_part;   // 0: a scalar; 1, 2, 3: component x, y, z
} Dump;

static const char* const function_names[] = {
#define LIA_FUNCTION(id, name, arity) name,
#include "lang/value/functions.def"
#undef LIA_FUNCTION
};

static bool is_leaf(const LiaTerm* term) { return term->op <= LIA_TERM_QUANTITY; }

enum { LOOSE, SUM, PRODUCT, SIGN, POWER, TIGHT };

static int tightness(const LiaTerm* term) {
    switch (term->op) {
    case LIA_TERM_ADD:
    case LIA_TERM_SUB:
        return SUM;
    case LIA_TERM_MUL:
    case LIA_TERM_DIV:
        return PRODUCT;
    case LIA_TERM_NEG:
        return SIGN;
    case LIA_TERM_POW:
        return POWER;
    case LIA_TERM_NUMBER:
        return term->number < 0 ? SIGN : term->den > 1 ? PRODUCT : TIGHT;
    case LIA_TERM_LESS:
    case LIA_TERM_LESS_EQUAL:
    case LIA_TERM_AND:
    case LIA_TERM_OR:
        return LOOSE;
    default:
        return TIGHT;
    }
}

static void print(Dump* dump, LiaTermId id, int loosest);

static void print_number(Dump* dump, const LiaTerm* term) {
    if (term->den == 0) {
        lia_text_add_number(dump->out, term->number);
    } else if (term->den == 1) {
        lia_text_add(dump->out, "%lld", (long long)term->num);
    } else {
        lia_text_add(dump->out, "%lld/%lld", (long long)term->num, (long long)term->den);
    }
}

static void print_quantity(Dump* dump, const LiaTerm* term) {
    const LiaModel* m = dump->model;
    LiaText* out = dump->out;
    switch ((LiaQuantity)term->function) {
    case LIA_QUANTITY_ENERGY:
        lia_text_add(out, "energy");
        break;
    case LIA_QUANTITY_KINETIC:
        lia_text_add(out, "kinetic");
        break;
    case LIA_QUANTITY_POTENTIAL:
        lia_text_add(out, "potential");
        break;
    case LIA_QUANTITY_MOMENTUM:
        lia_text_add(out, "momentum(%s)", m->symmetries[term->index].name);
        break;
    case LIA_QUANTITY_P:
        lia_text_add(out, "p(%s)", m->coordinates[term->index].name);
        break;
    case LIA_QUANTITY_FORCE:
        lia_text_add(out, "force(%s)", m->constraints[term->index].name);
        if (m->constraints[term->index].equation_count > 1) {
            lia_text_add(out, "[%u]", term->part + 1);
        }
        break;
    case LIA_QUANTITY_POWER:
        lia_text_add(out, "power(%s)", m->constraints[term->index].name);
        break;
    case LIA_QUANTITY_WORK:
        lia_text_add(out, "work(%s)", m->constraints[term->index].name);
        break;
    case LIA_QUANTITY_FORCE_POWER:
        lia_text_add(out, "power(%s)", m->forces[term->index].name);
        break;
    case LIA_QUANTITY_FORCE_WORK:
        lia_text_add(out, "work(%s)", m->forces[term->index].name);
        break;
    }
}

static void print_infix(Dump* dump, const LiaTerm* term, const char* op, int left, int right) {
    print(dump, term->a, left);
    lia_text_add(dump->out, "%s", op);
    print(dump, term->b, right);
}

static void print_call(Dump* dump, const char* name, LiaTermId a, LiaTermId b, LiaTermId c) {
    lia_text_add(dump->out, "%s(", name);
    print(dump, a, LOOSE);
    if (b) {
        lia_text_add(dump->out, ", ");
        print(dump, b, LOOSE);
    }
    if (c) {
        lia_text_add(dump->out, ", ");
        print(dump, c, LOOSE);
    }
    lia_text_add(dump->out, ")");
}

// Signs between two terms, and how tightly those beside them must hold.
static const struct Infix {
    const char* sign;
    int left, right;
} infix[] = {
    [LIA_TERM_ADD] = {" + ", SUM, PRODUCT},     [LIA_TERM_SUB] = {" - ", SUM, PRODUCT},
    [LIA_TERM_MUL] = {"*", PRODUCT, SIGN},      [LIA_TERM_DIV] = {"/", PRODUCT, SIGN},
    [LIA_TERM_POW] = {"^", TIGHT, SIGN},        [LIA_TERM_LESS] = {" < ", SUM, SUM},
    [LIA_TERM_LESS_EQUAL] = {" <= ", SUM, SUM}, [LIA_TERM_AND] = {" and ", SUM, SUM},
    [LIA_TERM_OR] = {" or ", SUM, SUM},         [LIA_TERM_PRIME] = {NULL, 0, 0},
};

// What has a name, or is one. False if the term is none of these.
static bool print_name(Dump* dump, const LiaTerm* term) {
    const LiaModel* m = dump->model;
    LiaText* out = dump->out;
    switch ((LiaTermOp)term->op) {
    case LIA_TERM_NONE:
        lia_text_add(out, "nothing");
        return true;
    case LIA_TERM_PI:
        lia_text_add(out, "pi");
        return true;
    case LIA_TERM_TIME:
        lia_text_add(out, "t");
        return true;
    case LIA_TERM_PARAMETER:
        lia_text_add(out, "%s", m->parameters[term->index].name);
        return true;
    case LIA_TERM_COORDINATE:
        lia_text_add(out, "%s", m->coordinates[term->index].name);
        return true;
    case LIA_TERM_VELOCITY:
        lia_text_add(out, "%s'", m->coordinates[term->index].name);
        return true;
    case LIA_TERM_ACCELERATION:
        lia_text_add(out, "%s''", m->coordinates[term->index].name);
        return true;
    case LIA_TERM_CONTROL:
        lia_text_add(out, "%s", m->controls[term->index].name);
        return true;
    case LIA_TERM_ARGUMENT:
        lia_text_add(out, "%c", "xyz"[term->index]);
        return true;
    default:
        return false;
    }
}

static void print_term(Dump* dump, const LiaTerm* term) {
    const struct Infix* between = &infix[term->op];
    if (between->sign) {
        print_infix(dump, term, between->sign, between->left, between->right);
        return;
    }
    if (print_name(dump, term)) return;
    switch ((LiaTermOp)term->op) {
    case LIA_TERM_NUMBER:
        print_number(dump, term);
        break;
    case LIA_TERM_QUANTITY:
        print_quantity(dump, term);
        break;
    case LIA_TERM_NEG:
        lia_text_add(dump->out, "-");
        print(dump, term->a, SIGN);
        break;
    case LIA_TERM_CALL:
        print_call(dump, function_names[term->function], term->a, term->b, 0);
        break;
    case LIA_TERM_IF:
        print_call(dump, "if", term->a, term->b, term->c);
        break;
    case LIA_TERM_NOT:
        print_call(dump, "not ", term->a, 0, 0);
        break;
    case LIA_TERM_PRIME:
        print(dump, term->a, TIGHT);
        lia_text_add(dump->out, "'");
        break;
    default:  // all others are names, or stand between two terms
        break;
    }
}

// Depth is bounded by DEEPEST: see plan().
static void print(Dump* dump, LiaTermId id, int loosest) {
    const LiaTerm* term = &dump->model->terms[id];
    if (dump->names[id]) {
        lia_text_add(dump->out, "%s", dump->names[id]);
        if (dump->let_part[id]) {
            lia_text_add(dump->out, ".%c", "xyz"[dump->let_part[id] - 1]);
        }
    } else if (dump->own_line[id]) {
        lia_text_add(dump->out, "%%%u", id);
    } else if (tightness(term) < loosest) {
        lia_text_add(dump->out, "(");
        print_term(dump, term);
        lia_text_add(dump->out, ")");
    } else {
        print_term(dump, term);
    }
}

// What is printed by name, what on a line of its own.
static void plan(Dump* dump) {
    const LiaModel* m = dump->model;
    for (uint32_t i = 0; i < m->lets_count; i++) {
        const LiaLet* let = &m->lets[i];
        for (int k = 0; k < let->rows && let->cols == 1 && let->rows <= 3; k++) {
            LiaTermId id = let->terms[k];
            if (!is_leaf(&m->terms[id]) && !dump->names[id]) {
                dump->names[id] = let->name;
                dump->let_part[id] = (uint8_t)(let->rows > 1 ? k + 1 : 0);
            }
        }
    }
    for (uint32_t id = 1; id < m->terms_count; id++) {
        const LiaTerm* term = &m->terms[id];
        dump->uses[term->a]++;
        dump->uses[term->b]++;
        dump->uses[term->c]++;
    }
    for (uint32_t id = 1; id < m->terms_count; id++) {
        const LiaTerm* term = &m->terms[id];
        LiaTermId of[] = {term->a, term->b, term->c};
        int depth = 0;
        for (int k = 0; k < 3; k++) {
            bool inside = of[k] && !dump->own_line[of[k]] && !dump->names[of[k]];
            depth = inside && dump->depth[of[k]] + 1 > depth ? dump->depth[of[k]] + 1 : depth;
        }
        dump->depth[id] = (uint8_t)depth;
        bool shared = dump->uses[id] > 1 && depth > 1;
        dump->own_line[id] = !is_leaf(term) && (depth >= DEEPEST || shared);
    }
}

static void print_form(Dump* dump, const LiaForm* form) {
    if (form->count == 0) {
        lia_text_add(dump->out, "0");
    }
    for (uint32_t i = 0; i < form->count; i++) {
        const LiaFormPart* part = &form->parts[i];
        lia_text_add(dump->out, i > 0 ? " + " : "");
        const LiaTerm* coefficient = &dump->model->terms[part->coefficient];
        if (!(coefficient->op == LIA_TERM_NUMBER && coefficient->number == 1.0)) {
            print(dump, part->coefficient, PRODUCT);
            lia_text_add(dump->out, "*");
        }
        print_call(dump, part->is_virtual ? "virtual" : "d", part->of, 0, 0);
    }
}

static void line(Dump* dump, const char* head, const char* name, const char* mark, LiaTermId id) {
    lia_text_add(dump->out, "%-12s%s%s", head, name, mark);
    print(dump, id, LOOSE);
}

static void unit(Dump* dump, const char* text) {
    if (text) {
        lia_text_add(dump->out, " in %s", text);
    }
    lia_text_add(dump->out, "\n");
}

static void dump_definitions(Dump* dump) {
    const LiaModel* m = dump->model;
    for (uint32_t i = 0; i < m->parameters_count; i++) {
        const LiaParameter* p = &m->parameters[i];
        lia_text_add(dump->out, "%-12s%s = ", "parameter", p->name);
        lia_text_add_number(dump->out, p->value);
        if (p->term && m->terms[p->term].op != LIA_TERM_NUMBER) {
            lia_text_add(dump->out, " = ");
            print(dump, p->term, LOOSE);
        }
        lia_text_add(dump->out, p->unit ? "  # written in %s\n" : "\n", p->unit);
    }
    for (uint32_t i = 0; i < m->coordinates_count; i++) {
        const LiaCoordinate* c = &m->coordinates[i];
        static const char* const manifolds[] = {"line", "circle", "space", "sphere", "rotation"};
        lia_text_add(dump->out, "%-12s%s : %s%s", "coordinate", c->name,
                     c->group ? "part of a " : "", manifolds[c->manifold]);
        unit(dump, c->unit);
    }
    for (uint32_t i = 0; i < m->controls_count; i++) {
        line(dump, "control", m->controls[i].name, " = ", m->controls[i].term);
        unit(dump, m->controls[i].unit);
    }
}

static void dump_lets(Dump* dump) {
    const LiaModel* m = dump->model;
    for (uint32_t i = 0; i < m->lets_count; i++) {
        const LiaLet* let = &m->lets[i];
        lia_text_add(dump->out, "%-12s%s = ", "let", let->name);
        int count = let->rows * let->cols;
        lia_text_add(dump->out, count > 1 ? "[" : "");
        for (int k = 0; k < count; k++) {
            // A definition is printed in full where its name would be printed elsewhere.
            LiaTermId id = let->terms[k];
            lia_text_add(dump->out, k == 0                                ? ""
                                    : k % let->cols == 0 && let->cols > 1 ? "; "
                                                                          : ", ");
            if (dump->names[id] == let->name) {
                print_term(dump, &m->terms[id]);
            } else {
                print(dump, id, LOOSE);
            }
        }
        lia_text_add(dump->out, count > 1 ? "]\n" : "\n");
    }
}

static void dump_constraints(Dump* dump) {
    const LiaModel* m = dump->model;
    for (uint32_t i = 0; i < m->constraints_count; i++) {
        const LiaConstraint* c = &m->constraints[i];
        lia_text_add(dump->out, "%-12s%s: ", c->active ? "operator" : "constraint", c->name);
        for (uint32_t k = 0; k < c->equation_count; k++) {
            lia_text_add(dump->out, k > 0 ? ", " : "");
            print(dump, c->equations[k].left, LOOSE);
            lia_text_add(dump->out, " = ");
            print(dump, c->equations[k].right, LOOSE);
        }
        lia_text_add(dump->out, c->rule == LIA_RULE_DEFAULT   ? ""
                                : c->rule == LIA_RULE_CHETAEV ? " force chetaev"
                                : c->active                   ? " by "
                                                              : " force ");
        for (uint32_t k = 0; k < c->form_count; k++) {
            lia_text_add(dump->out, k > 0 ? ", " : "");
            print_form(dump, &c->forms[k]);
        }
        lia_text_add(dump->out, "\n");
    }
}

static void dump_mechanics(Dump* dump) {
    static const char* const energies[] = {"lagrangian", "kinetic", "potential"};
    const LiaModel* m = dump->model;
    for (uint32_t i = 0; i < m->energies_count; i++) {
        line(dump, energies[m->energies[i].kind], "", "", m->energies[i].term);
        lia_text_add(dump->out, "\n");
    }
    for (uint32_t i = 0; i < m->forces_count; i++) {
        lia_text_add(dump->out, "%-12s%s: ", "force", m->forces[i].name);
        print_form(dump, &m->forces[i].form);
        lia_text_add(dump->out, "\n");
    }
    for (uint32_t i = 0; i < m->dissipations_count; i++) {
        line(dump, "dissipation", "", "", m->dissipations[i].term);
        lia_text_add(dump->out, "\n");
    }
    dump_constraints(dump);
    for (uint32_t i = 0; i < m->symmetries_count; i++) {
        const LiaSymmetry* s = &m->symmetries[i];
        lia_text_add(dump->out, "%-12s%s: ", "symmetry", s->name);
        for (uint32_t k = 0; k < s->count; k++) {
            lia_text_add(dump->out, "%s%s' = ", k > 0 ? ", " : "",
                         m->coordinates[s->parts[k].coordinate].name);
            print(dump, s->parts[k].term, LOOSE);
        }
        lia_text_add(dump->out, "\n");
    }
}

static void dump_looks(Dump* dump) {
    const LiaModel* m = dump->model;
    for (uint32_t i = 0; i < m->events_count; i++) {
        const LiaEvent* e = &m->events[i];
        if (e->leaves) continue;
        line(dump, "event", e->name, ": ", e->term);
        lia_text_add(dump->out, " = 0%s%s\n",
                     e->direction > 0   ? " rising"
                     : e->direction < 0 ? " falling"
                                        : "",
                     e->stop ? " stop" : "");
    }
    for (uint32_t i = 0; i < m->observes_count; i++) {
        line(dump, "observe", m->observes[i].name, " = ", m->observes[i].term);
        unit(dump, m->observes[i].unit);
    }
    for (uint32_t i = 0; i < m->starts_count; i++) {
        const LiaStart* s = &m->starts[i];
        lia_text_add(dump->out, "%-12s%s%s %c ", "start", m->coordinates[s->coordinate].name,
                     s->velocity ? "'" : "", s->guess ? '~' : '=');
        lia_text_add_number(dump->out, s->value);
        lia_text_add(dump->out, "\n");
    }
    for (uint32_t i = 0; i < m->spins_count; i++) {
        const LiaSpin* s = &m->spins[i];
        lia_text_add(dump->out, "%-12s%s(%s) %c [", "start", s->body ? "Omega" : "omega",
                     m->groups[s->group].name, s->guess ? '~' : '=');
        for (int k = 0; k < 3; k++) {
            lia_text_add(dump->out, k > 0 ? ", " : "");
            lia_text_add_number(dump->out, s->value[k]);
        }
        lia_text_add(dump->out, "]\n");
    }
    if (m->run.given) {
        lia_text_add(dump->out, "%-12st = ", "run");
        lia_text_add_number(dump->out, m->run.t0);
        lia_text_add(dump->out, "..");
        lia_text_add_number(dump->out, m->run.t1);
        if (m->run.tolerance > 0.0) {
            lia_text_add(dump->out, ", tolerance ");
            lia_text_add_number(dump->out, m->run.tolerance);
        }
        if (m->run.samples > 0) {
            lia_text_add(dump->out, ", samples %u", m->run.samples);
        }
        if (m->run.every > 0.0) {
            lia_text_add(dump->out, ", every ");
            lia_text_add_number(dump->out, m->run.every);
        }
        if (m->run.step_most > 0.0) {
            lia_text_add(dump->out, ", step at most ");
            lia_text_add_number(dump->out, m->run.step_most);
        }
        lia_text_add(dump->out, "\n");
    }
    for (uint32_t i = 0; i < m->plots_count; i++) {
        const LiaPlot* p = &m->plots[i];
        lia_text_add(dump->out, "%-12s%s: ", "plot", p->x.term ? p->x.label : "t");
        for (uint32_t k = 0; k < p->count; k++) {
            lia_text_add(dump->out, "%s%s", k > 0 ? ", " : "", p->curves[k].label);
        }
        lia_text_add(dump->out, "\n");
    }
}

static void print_list(Dump* dump, const LiaTermId* terms, uint32_t count) {
    for (uint32_t k = 0; k < count; k++) {
        lia_text_add(dump->out, k == 0 ? "[" : ", ");
        print(dump, terms[k], LOOSE);
    }
    lia_text_add(dump->out, "]");
}

static void dump_drawings(Dump* dump) {
    static const char* const words[] = {
#define LIA_DRAWING(id, word, fewest, most, usage) word,
#include "lang/elaborate/drawing.def"
#undef LIA_DRAWING
    };
    const LiaModel* m = dump->model;
    for (uint32_t i = 0; i < m->drawings_count; i++) {
        const LiaDrawing* d = &m->drawings[i];
        uint32_t sizes = d->size[0] == 0 ? 0 : d->size[1] == 0 ? 1 : d->size[2] == 0 ? 2 : 3;
        lia_text_add(dump->out, "%-12s%s%s%s", "draw", d->name ? d->name : "", d->name ? ": " : "",
                     words[d->kind]);
        if (sizes > 0) {
            print_list(dump, d->size, sizes);
        }
        lia_text_add(dump->out, " at ");
        print_list(dump, d->place, 3);
        if (d->end[0]) {
            lia_text_add(dump->out, " to ");
            print_list(dump, d->end, 3);
        }
        if (d->attitude[0]) {
            lia_text_add(dump->out, " attitude ");
            print_list(dump, d->attitude, 9);
        }
        lia_text_add(dump->out, d->color ? " color %s\n" : "\n", d->color);
    }
}

static void dump_terms(Dump* dump) {
    const LiaModel* m = dump->model;
    uint32_t lines = 0;
    for (uint32_t id = 1; id < m->terms_count; id++) {
        if (dump->own_line[id] && !dump->names[id]) {
            lia_text_add(dump->out, lines++ == 0 ? "# terms used above\n" : "");
            lia_text_add(dump->out, "%%%u = ", id);
            print_term(dump, &m->terms[id]);
            lia_text_add(dump->out, "\n");
        }
    }
    lia_text_add(dump->out, "# %u terms\n", m->terms_count - 1);
}

void lia_lang_dump(const LiaModel* model, LiaText* out) {
    size_t n = model->terms_count;
    Dump dump = {.model = model,
                 .out = out,
                 .uses = lia_memory_zeros(n, sizeof *dump.uses),
                 .depth = lia_memory_zeros(n, sizeof *dump.depth),
                 .own_line = lia_memory_zeros(n, sizeof *dump.own_line),
                 .names = lia_memory_zeros(n, sizeof *dump.names),
                 .let_part = lia_memory_zeros(n, sizeof *dump.let_part)};
    if (dump.uses && dump.depth && dump.own_line && dump.names && dump.let_part) {
        plan(&dump);
        lia_text_add(out, "%-12s%s", "model", model->name);
        lia_text_add(out, model->title ? " \"%s\"\n" : "\n", model->title);
        dump_definitions(&dump);
        dump_lets(&dump);
        dump_mechanics(&dump);
        dump_looks(&dump);
        dump_drawings(&dump);
        dump_terms(&dump);
    } else {
        out->failed = 1;
    }
    free(dump.uses);
    free(dump.depth);
    free(dump.own_line);
    free(dump.names);
    free(dump.let_part);
}
