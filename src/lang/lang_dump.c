// Dump: the model spelled out for people, `liaison dump --stage=lang`.
//
// A formula that is a `let` is printed by its name; one that is used several times, or would nest
// too deep, gets a line of its own at the end and is printed as %12.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "expr/reading/formula_text.h"
#include "lang/model.h"
#include <stdlib.h>

enum { DEEPEST = 24 };  // nesting of a printed formula

typedef struct Dump {
    const LiaModel* model;
    const LiaGraph* g;
    LiaText* out;
    LiaArena* arena;
    uint32_t* uses;  // by node; while formulas are looked for, 1: it is one of them
    uint8_t* depth;
    const char** names;  // of nodes that are lets or have a line of their own
    bool looking;        // for the formulas that are printed
} Dump;

static void print(Dump* dump, LiaExpr f) {
    if (dump->looking) {
        dump->uses[f.index] = 1;
    } else {
        lia_formula_text_named(dump->g, f, dump->names, dump->out);
    }
}

// Where its name would be printed elsewhere.
static void print_in_full(Dump* dump, LiaExpr f) {
    const char* name = dump->names[f.index];
    dump->names[f.index] = NULL;
    print(dump, f);
    dump->names[f.index] = name;
}

// What a node is made of; returns how many.
static int arguments(const LiaNode* n, uint32_t of[3]) {
    of[0] = n->a, of[1] = n->b, of[2] = n->c;
    bool rate = n->op == LIA_OP_SYMBOL && n->symbol_kind == LIA_SYMBOL_RATE;
    return rate ? 1 : lia_op_arity((LiaOp)n->op);
}

static void name_lets(Dump* dump) {
    const LiaModel* m = dump->model;
    for (uint32_t i = 0; i < m->lets_count; i++) {
        const LiaLet* let = &m->lets[i];
        for (int k = 0; k < let->rows && let->cols == 1 && let->rows <= 3; k++) {
            uint32_t node = let->terms[k].index, of[3];
            if (arguments(&dump->g->nodes[node], of) == 0 || dump->names[node]) continue;
            dump->names[node] = let->rows == 1
                                    ? let->name
                                    : lia_arena_printf(dump->arena, "%s.%c", let->name, "xyz"[k]);
        }
    }
}

// What is printed on a line of its own: counts the uses of the formulas that are looked for and
// of what is below them.
static void plan(Dump* dump) {
    uint32_t of[3];
    name_lets(dump);
    for (uint32_t i = dump->g->count; i-- > 1;) {
        int count = dump->uses[i] ? arguments(&dump->g->nodes[i], of) : 0;
        for (int k = 0; k < count; k++) dump->uses[of[k]]++;
    }
    for (uint32_t i = 1; i < dump->g->count; i++) {
        int count = dump->uses[i] ? arguments(&dump->g->nodes[i], of) : 0, depth = 0;
        for (int k = 0; k < count; k++) {
            bool inside = !dump->names[of[k]];
            depth = inside && dump->depth[of[k]] + 1 > depth ? dump->depth[of[k]] + 1 : depth;
        }
        dump->depth[i] = (uint8_t)depth;
        bool own = count > 0 && (depth >= DEEPEST || (dump->uses[i] > 1 && depth > 1));
        if (own && !dump->names[i]) dump->names[i] = lia_arena_printf(dump->arena, "%%%u", i);
    }
}

static void print_form(Dump* dump, const LiaForm* form) {
    if (form->count == 0) {
        lia_text_add(dump->out, "0");
    }
    for (uint32_t i = 0; i < form->count; i++) {
        const LiaFormPart* part = &form->parts[i];
        lia_text_add(dump->out, i > 0 ? " + " : "");
        LiaNumber one;
        if (!lia_graph_constant(dump->g, part->coefficient, &one) || one.value != 1.0) {
            lia_text_add(dump->out, "(");
            print(dump, part->coefficient);
            lia_text_add(dump->out, ")*");
        }
        lia_text_add(dump->out, part->is_virtual ? "virtual(" : "d(");
        print(dump, part->of);
        lia_text_add(dump->out, ")");
    }
}

static void line(Dump* dump, const char* head, const char* name, const char* mark, LiaExpr id) {
    lia_text_add(dump->out, "%s %s%s", head, name, mark);
    print(dump, id);
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
        lia_text_add(dump->out, "%s %s = ", "parameter", p->name);
        lia_text_add_number(dump->out, p->value);
        LiaNumber number;
        if (p->term.index && !lia_graph_constant(dump->g, p->term, &number)) {
            lia_text_add(dump->out, " = ");
            print(dump, p->term);
        }
        lia_text_add(dump->out, p->unit ? "  # written in %s\n" : "\n", p->unit);
    }
    for (uint32_t i = 0; i < m->coordinates_count; i++) {
        const LiaCoordinate* c = &m->coordinates[i];
        static const char* const manifolds[] = {"line", "circle", "space", "sphere", "rotation"};
        lia_text_add(dump->out, "%s %s : %s%s", m->phase.is ? "phase" : "coordinate", c->name,
                     c->group ? "part of a " : "", manifolds[c->manifold]);
        unit(dump, c->unit);
    }
    for (uint32_t i = 0; i < m->controls_count; i++) {
        const LiaControl* u = &m->controls[i];
        line(dump, "control", u->name, " = ", u->every > 0.0 ? u->law : u->term);
        if (u->every > 0.0) {
            lia_text_add(dump->out, " every ");
            lia_text_add_number(dump->out, u->every);
        }
        unit(dump, u->unit);
    }
}

static void dump_lets(Dump* dump) {
    const LiaModel* m = dump->model;
    for (uint32_t i = 0; i < m->lets_count; i++) {
        const LiaLet* let = &m->lets[i];
        lia_text_add(dump->out, "%s %s = ", "let", let->name);
        int count = let->rows * let->cols;
        lia_text_add(dump->out, count > 1 ? "[" : "");
        for (int k = 0; k < count; k++) {
            LiaExpr id = let->terms[k];
            lia_text_add(dump->out, k == 0                                ? ""
                                    : k % let->cols == 0 && let->cols > 1 ? "; "
                                                                          : ", ");
            print_in_full(dump, id);
        }
        lia_text_add(dump->out, count > 1 ? "]\n" : "\n");
    }
}

static void dump_clause(Dump* dump, const char* word, LiaExpr term) {
    if (!term.index) return;
    lia_text_add(dump->out, " %s ", word);
    print(dump, term);
}

// from EVENT until EVENT
static void dump_duration(Dump* dump, LiaDuration duration) {
    const LiaEvent* events = dump->model->events;
    if (duration.from) lia_text_add(dump->out, " from %s", events[duration.from - 1].name);
    if (duration.until) lia_text_add(dump->out, " until %s", events[duration.until - 1].name);
    lia_text_add(dump->out, "\n");
}

// slip [e, e], about e: so many equations from *first on.
static void dump_velocities(Dump* dump, const LiaConstraint* c, const char* word, uint32_t* first,
                            uint32_t count) {
    if (count > 0) lia_text_add(dump->out, " %s %s", word, count > 1 ? "[" : "");
    for (uint32_t k = 0; k < count; k++, ++*first) {
        lia_text_add(dump->out, k > 0 ? ", " : "");
        print(dump, c->equations[*first].left);
    }
    lia_text_add(dump->out, count > 1 ? "]" : "");
}

// Of several points the first.
static void dump_contact(Dump* dump, const LiaConstraint* c) {
    const LiaContactLaw* law = c->contact;
    lia_text_add(dump->out, "%s %s: ", "contact", c->name);
    print(dump, c->equations[0].left);
    lia_text_add(dump->out, " >= ");
    print(dump, c->equations[0].right);
    dump_clause(dump, "restitution", law->restitution);
    uint32_t first = 1;
    dump_velocities(dump, c, "slip", &first, law->slips);
    dump_clause(dump, "friction", law->friction);
    dump_clause(dump, "static", law->friction_static);
    dump_clause(dump, "rolling", law->rolling);
    dump_velocities(dump, c, "about", &first, law->rolls);
    dump_clause(dump, "pivoting", law->pivoting);
    dump_velocities(dump, c, "about", &first, law->pivots);
    dump_duration(dump, c->duration);
}

static void dump_constraints(Dump* dump) {
    const LiaModel* m = dump->model;
    for (uint32_t i = 0; i < m->constraints_count; i++) {
        const LiaConstraint* c = &m->constraints[i];
        if (c->contact) {
            dump_contact(dump, c);
            continue;
        }
        lia_text_add(dump->out, "%s %s: ", c->active ? "operator" : "constraint", c->name);
        for (uint32_t k = 0; k < c->equation_count; k++) {
            bool slip = c->rough && k == c->rough->slip;
            lia_text_add(dump->out, slip ? " slip " : k > 0 ? ", " : "");
            print(dump, c->equations[k].left);
            if (slip) continue;
            lia_text_add(dump->out, " = ");
            print(dump, c->equations[k].right);
        }
        if (c->rough) {
            dump_clause(dump, "friction", c->rough->friction);
            dump_clause(dump, "static", c->rough->friction_static);
        }
        lia_text_add(dump->out, c->rule == LIA_RULE_DEFAULT   ? ""
                                : c->rule == LIA_RULE_CHETAEV ? " force chetaev"
                                : c->active                   ? " by "
                                                              : " force ");
        for (uint32_t k = 0; k < c->form_count; k++) {
            lia_text_add(dump->out, k > 0 ? ", " : "");
            print_form(dump, &c->forms[k]);
        }
        dump_duration(dump, c->duration);
    }
}

static void dump_mechanics(Dump* dump) {
    static const char* const energies[] = {"lagrangian", "kinetic", "potential", "hamiltonian"};
    const LiaModel* m = dump->model;
    for (uint32_t i = 0; i < m->energies_count; i++) {
        line(dump, energies[m->energies[i].kind], "", "", m->energies[i].term);
        lia_text_add(dump->out, "\n");
    }
    for (uint32_t i = 0; i < m->phase.brackets_count; i++) {
        const LiaBracket* b = &m->phase.brackets[i];
        lia_text_add(dump->out, "%s {%s, %s} = ", "bracket", m->coordinates[b->first].name,
                     m->coordinates[b->second].name);
        print(dump, b->term);
        lia_text_add(dump->out, "\n");
    }
    for (uint32_t i = 0; i < m->forces_count; i++) {
        lia_text_add(dump->out, "%s %s: ", "force", m->forces[i].name);
        print_form(dump, &m->forces[i].form);
        dump_duration(dump, m->forces[i].duration);
    }
    for (uint32_t i = 0; i < m->dissipations_count; i++) {
        line(dump, "dissipation", "", "", m->dissipations[i].term);
        lia_text_add(dump->out, "\n");
    }
    dump_constraints(dump);
    for (uint32_t i = 0; i < m->symmetries_count; i++) {
        const LiaSymmetry* s = &m->symmetries[i];
        lia_text_add(dump->out, "%s %s: ", "symmetry", s->name);
        for (uint32_t k = 0; k < s->count; k++) {
            lia_text_add(dump->out, "%s%s' = ", k > 0 ? ", " : "",
                         m->coordinates[s->parts[k].coordinate].name);
            print(dump, s->parts[k].term);
        }
        lia_text_add(dump->out, "\n");
    }
}

static void dump_run(Dump* dump) {
    const LiaRunStatement* run = &dump->model->run;
    lia_text_add(dump->out, "%s t = ", "run");
    lia_text_add_number(dump->out, run->t0);
    lia_text_add(dump->out, "..");
    lia_text_add_number(dump->out, run->t1);
    if (run->tolerance > 0.0) {
        lia_text_add(dump->out, ", tolerance ");
        lia_text_add_number(dump->out, run->tolerance);
    }
    if (run->samples > 0) {
        lia_text_add(dump->out, ", samples %u", run->samples);
    }
    if (run->every > 0.0) {
        lia_text_add(dump->out, ", every ");
        lia_text_add_number(dump->out, run->every);
    }
    if (run->step_most > 0.0) {
        lia_text_add(dump->out, ", step at most ");
        lia_text_add_number(dump->out, run->step_most);
    }
    lia_text_add(dump->out, "\n");
}

static void dump_looks(Dump* dump) {
    const LiaModel* m = dump->model;
    for (uint32_t i = 0; i < m->events_count; i++) {
        const LiaEvent* e = &m->events[i];
        if (e->leaves) continue;
        line(dump, "event", e->name, ": ", e->term);
        lia_text_add(dump->out, " = 0%s",
                     e->direction > 0   ? " rising"
                     : e->direction < 0 ? " falling"
                                        : "");
        for (uint32_t k = 0; k < e->set_count; k++) {
            const LiaSet* set = &e->sets[k];
            lia_text_add(dump->out, "%s%s%s = ", k > 0 ? ", " : " set ",
                         m->coordinates[set->coordinate].name, set->velocity ? "'" : "");
            print(dump, set->term);
        }
        lia_text_add(dump->out, "%s\n", e->stop ? " stop" : "");
    }
    for (uint32_t i = 0; i < m->observes_count; i++) {
        line(dump, "observe", m->observes[i].name, " = ", m->observes[i].term);
        unit(dump, m->observes[i].unit);
    }
    for (uint32_t i = 0; i < m->start.values_count; i++) {
        const LiaStart* s = &m->start.values[i];
        lia_text_add(dump->out, "%s %s%s %c ", "start", m->coordinates[s->coordinate].name,
                     s->velocity ? "'" : "", s->guess ? '~' : '=');
        lia_text_add_number(dump->out, s->value);
        lia_text_add(dump->out, "\n");
    }
    for (uint32_t i = 0; i < m->start.spins_count; i++) {
        const LiaSpin* s = &m->start.spins[i];
        lia_text_add(dump->out, "%s %s(%s) %c [", "start", s->body ? "Omega" : "omega",
                     m->groups[s->group].name, s->guess ? '~' : '=');
        for (int k = 0; k < 3; k++) {
            lia_text_add(dump->out, k > 0 ? ", " : "");
            lia_text_add_number(dump->out, s->value[k]);
        }
        lia_text_add(dump->out, "]\n");
    }
    if (m->run.given) dump_run(dump);
    for (uint32_t i = 0; i < m->pictures.plots_count; i++) {
        const LiaPlot* p = &m->pictures.plots[i];
        lia_text_add(dump->out, "%s %s: ", "plot", p->x.term.index ? p->x.label : "t");
        for (uint32_t k = 0; k < p->count; k++) {
            lia_text_add(dump->out, "%s%s", k > 0 ? ", " : "", p->curves[k].label);
        }
        lia_text_add(dump->out, "\n");
    }
}

static void print_list(Dump* dump, const LiaExpr* terms, uint32_t count) {
    for (uint32_t k = 0; k < count; k++) {
        lia_text_add(dump->out, k == 0 ? "[" : ", ");
        print(dump, terms[k]);
    }
    lia_text_add(dump->out, "]");
}

static void dump_drawings(Dump* dump) {
    static const char* const words[] = {
#define LIA_DRAWING(id, word, fewest, most, usage) word,
#include "lang/statements/drawing.def"
#undef LIA_DRAWING
    };
    const LiaModel* m = dump->model;
    for (uint32_t i = 0; i < m->pictures.drawings_count; i++) {
        const LiaDrawing* d = &m->pictures.drawings[i];
        uint32_t sizes = 0;
        while (sizes < 3 && d->size[sizes].index) sizes++;
        lia_text_add(dump->out, "%s %s%s%s", "draw", d->name ? d->name : "", d->name ? ": " : "",
                     words[d->kind]);
        if (sizes > 0) {
            print_list(dump, d->size, sizes);
        }
        lia_text_add(dump->out, " at ");
        print_list(dump, d->place, 3);
        if (d->end[0].index) {
            lia_text_add(dump->out, " to ");
            print_list(dump, d->end, 3);
        }
        if (d->attitude[0].index) {
            lia_text_add(dump->out, " attitude ");
            print_list(dump, d->attitude, 9);
        }
        lia_text_add(dump->out, d->color ? " color %s\n" : "\n", d->color);
    }
}

static void dump_own_lines(Dump* dump) {
    uint32_t lines = 0, count = 0;
    for (uint32_t i = 1; i < dump->g->count; i++) {
        count += dump->uses[i] > 0;
        if (!dump->names[i] || dump->names[i][0] != '%') continue;
        lia_text_add(dump->out,
                     lines++ == 0 ? "# formulas used above\n%s = " : "%s = ", dump->names[i]);
        print_in_full(dump, (LiaExpr){i});
        lia_text_add(dump->out, "\n");
    }
    lia_text_add(dump->out, "# %u formulas\n", count);
}

static void dump_all(Dump* dump) {
    const LiaModel* model = dump->model;
    lia_text_add(dump->out, "%s %s", "model", model->name);
    lia_text_add(dump->out, model->title ? " \"%s\"\n" : "\n", model->title);
    dump_definitions(dump);
    dump_lets(dump);
    dump_mechanics(dump);
    dump_looks(dump);
    dump_drawings(dump);
}

void lia_lang_dump(const LiaModel* model, LiaText* out) {
    size_t n = model->graph->count;
    LiaText heads = {0};
    Dump dump = {.model = model,
                 .g = model->graph,
                 .out = &heads,
                 .arena = lia_arena_create(),
                 .uses = lia_memory_zeros(n, sizeof *dump.uses),
                 .depth = lia_memory_zeros(n, sizeof *dump.depth),
                 .names = lia_memory_zeros(n, sizeof *dump.names),
                 .looking = true};
    if (dump.arena && dump.uses && dump.depth && dump.names) {
        dump_all(&dump);
        plan(&dump);
        dump.looking = false;
        dump.out = out;
        dump_all(&dump);
        dump_own_lines(&dump);
    } else {
        out->failed = 1;
    }
    lia_text_clear(&heads);
    lia_arena_destroy(dump.arena);
    free(dump.uses);
    free(dump.depth);
    free(dump.names);
}
