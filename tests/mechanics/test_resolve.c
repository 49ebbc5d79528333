// Tests of mechanics/assembly/resolve: controls, quantities, time derivatives and one-forms of a
// model, worked out.
//
// Tests: mechanics/assembly/resolve.c
// SPDX-License-Identifier: MIT
#include "expr/reading/formula_text.h"
#include "mechanics/assembly/resolve.h"
#include "support/cases.h"
#include <setjmp.h>
#include <stddef.h>
#include <stdlib.h>

// A model made by hand: parameter m, coordinates x and q[3], the control u = 2*t.
typedef struct Fixture {
    LiaGraph* of;  // the graph of the model
    LiaParameter parameters[1];
    LiaCoordinate coordinates[2];
    LiaControl controls[1];
    LiaQuantityNamed quantities[2];  // energy, force
    LiaModel model;
    LiaGraph* g;
    LiaRates rates;
    LiaResolver* resolver;
    LiaDiags* diags;
} Fixture;

static const LiaExpr none = {0};

static LiaExpr number(Fixture* f, int64_t num, int64_t den) {
    return lia_graph_rational(f->of, num, den);
}

static LiaExpr leaf(Fixture* f, LiaSymbolKind kind, uint32_t index) {
    return lia_graph_symbol(f->of, kind, index);
}

static LiaExpr op(Fixture* f, LiaOp op, LiaExpr a, LiaExpr b) {
    return lia_graph_apply(f->of, op, a, b, none);
}

static LiaExpr call(Fixture* f, LiaOp op, LiaExpr a) {
    return lia_graph_apply(f->of, op, a, none, none);
}

static LiaExpr prime(Fixture* f, LiaExpr a) { return lia_graph_rate(f->of, a); }

static void fixture_begin(Fixture* f) {
    *f = (Fixture){.of = lia_graph_create(),
                   .parameters = {{.name = "m"}},
                   .coordinates = {{.name = "x"}, {.name = "q[3]"}},
                   .controls = {{.name = "u"}},
                   .quantities = {{.kind = LIA_QUANTITY_ENERGY}, {.kind = LIA_QUANTITY_FORCE}}};
    f->controls[0].term = op(f, LIA_OP_MUL, number(f, 2, 1), leaf(f, LIA_SYMBOL_TIME, 0));
}

// The formulas are there: another graph, and its resolver.
static void fixture_take(Fixture* f, LiaQuantityFn quantity, void* context) {
    f->model = (LiaModel){.graph = f->of,
                          .parameters = f->parameters,
                          .parameters_count = 1,
                          .coordinates = f->coordinates,
                          .coordinates_count = 2,
                          .controls = f->controls,
                          .controls_count = 1,
                          .quantities = f->quantities,
                          .quantities_count = 2};
    f->g = lia_graph_create();
    lia_diff_rates_init(&f->rates, f->g);
    f->diags = lia_diags_create();
    f->resolver = lia_resolve_create(f->g, &f->rates, &f->model, quantity, context);
    assert_non_null(f->resolver);
}

static void fixture_end(Fixture* f) {
    lia_resolve_destroy(f->resolver);
    lia_diags_destroy(f->diags);
    lia_diff_rates_clear(&f->rates);
    lia_graph_destroy(f->g);
    lia_graph_destroy(f->of);
}

static void assert_becomes(Fixture* f, LiaExpr term, const char* text) {
    LiaText out = {0};
    LiaExpr formula = lia_resolve_term(f->resolver, term);
    assert_false(lia_graph_node(f->g, formula)->depends & LIA_DEPENDS_OPEN);
    lia_formula_text(f->g, formula, &out);
    assert_string_equal(out.data, text);
    lia_text_clear(&out);
}

static void open_symbols_get_their_formulas(void) {
    Fixture f;
    fixture_begin(&f);
    LiaExpr x = leaf(&f, LIA_SYMBOL_POSITION, 0), v = leaf(&f, LIA_SYMBOL_VELOCITY, 1);
    LiaExpr m = leaf(&f, LIA_SYMBOL_PARAMETER, 0), u = leaf(&f, LIA_SYMBOL_CONTROL, 0);
    LiaExpr sine = call(&f, LIA_OP_SIN, x);
    const struct {
        LiaExpr term;
        const char* text;
    } rows[] = {
        {x, "x"},
        {v, "q[3]'"},
        {u, "2*t"},
        {op(&f, LIA_OP_ADD, x, u), "x + 2*t"},
        {call(&f, LIA_OP_SIN, u), "sin(2*t)"},
        {prime(&f, x), "x'"},
        {prime(&f, v), "q[3]''"},
        {prime(&f, leaf(&f, LIA_SYMBOL_TIME, 0)), "1"},
        {prime(&f, m), "0"},
        {prime(&f, u), "2"},
        {prime(&f, op(&f, LIA_OP_MUL, m, sine)), "m*cos(x)*x'"},
        {prime(&f, op(&f, LIA_OP_MUL, u, sine)), "2*(sin(x) + t*cos(x)*x')"},
        {op(&f, LIA_OP_MUL, m, prime(&f, op(&f, LIA_OP_MUL, x, x))), "2*m*x*x'"},
        {prime(&f, prime(&f, op(&f, LIA_OP_MUL, m, u))), "0"},
    };
    fixture_take(&f, NULL, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_becomes(&f, rows[i].term, rows[i].text);
    assert_int_equal(lia_resolve_term(f.resolver, none).index, 0);
    fixture_end(&f);
}

// Also where the graph is one that has formulas already: equal ones stay one.
static void equal_formulas_are_one(void) {
    Fixture f;
    fixture_begin(&f);
    LiaExpr x = leaf(&f, LIA_SYMBOL_POSITION, 0), u = leaf(&f, LIA_SYMBOL_CONTROL, 0);
    LiaExpr law = op(&f, LIA_OP_MUL, number(&f, 2, 1), leaf(&f, LIA_SYMBOL_TIME, 0));
    LiaExpr a = op(&f, LIA_OP_MUL, u, call(&f, LIA_OP_SIN, x));
    LiaExpr b = op(&f, LIA_OP_MUL, law, call(&f, LIA_OP_SIN, x));
    uint32_t count = f.of->count;
    fixture_take(&f, NULL, NULL);
    assert_int_not_equal(a.index, b.index);
    assert_int_equal(lia_resolve_term(f.resolver, a).index, lia_resolve_term(f.resolver, b).index);
    assert_int_equal(f.of->count, count);  // the model's own graph is left alone
    fixture_end(&f);
}

static LiaExpr known_quantity(void* context, const LiaQuantityNamed* quantity) {
    LiaGraph* g = *(LiaGraph**)context;
    if (quantity->kind == LIA_QUANTITY_ENERGY) return lia_graph_symbol(g, LIA_SYMBOL_VELOCITY, 0);
    return none;
}

static void quantities_are_asked_for(void) {
    Fixture f;
    fixture_begin(&f);
    LiaExpr energy = leaf(&f, LIA_SYMBOL_QUANTITY, 0), force = leaf(&f, LIA_SYMBOL_REACTION, 1);
    LiaExpr x = leaf(&f, LIA_SYMBOL_POSITION, 0);
    LiaExpr known = op(&f, LIA_OP_MUL, energy, x), unknown = op(&f, LIA_OP_ADD, x, force);
    LiaExpr root = call(&f, LIA_OP_SQRT, unknown), rate = prime(&f, energy);
    fixture_take(&f, known_quantity, &f.g);
    assert_becomes(&f, known, "x*x'");
    assert_becomes(&f, rate, "x''");
    assert_int_equal(lia_resolve_term(f.resolver, unknown).index, 0);
    assert_int_equal(lia_resolve_term(f.resolver, root).index, 0);
    lia_resolve_destroy(f.resolver);
    f.resolver = lia_resolve_create(f.g, &f.rates, &f.model, NULL, NULL);
    assert_int_equal(lia_resolve_term(f.resolver, known).index, 0);
    fixture_end(&f);
}

static void a_model_may_be_nested_very_deep(void) {
    Fixture f;
    fixture_begin(&f);
    LiaExpr x = leaf(&f, LIA_SYMBOL_POSITION, 0), u = leaf(&f, LIA_SYMBOL_CONTROL, 0);
    LiaExpr deep = u, shared = u;
    for (int i = 0; i < 300000; i++) deep = call(&f, LIA_OP_SIN, deep);
    // Shared formulas are worked out once: 2^100 additions if they were not.
    for (int i = 0; i < 100; i++) shared = op(&f, LIA_OP_ADD, call(&f, LIA_OP_SIN, shared), shared);
    LiaExpr rate = prime(&f, op(&f, LIA_OP_MUL, x, deep));
    fixture_take(&f, NULL, NULL);
    assert_int_not_equal(lia_resolve_term(f.resolver, rate).index, 0);
    assert_int_not_equal(lia_resolve_term(f.resolver, shared).index, 0);
    assert_false(f.g->failed);
    fixture_end(&f);
}

static void assert_form(Fixture* f, const LiaFormPart* parts, uint32_t count, const char* x,
                        const char* q) {
    LiaExpr out[2];
    assert_true(
        lia_resolve_form(f->resolver, &(LiaForm){.parts = parts, .count = count}, f->diags, out));
    const char* want[2] = {x, q};
    for (int i = 0; i < 2; i++) {
        LiaText text = {0};
        lia_formula_text(f->g, out[i], &text);
        assert_string_equal(text.data, want[i]);
        lia_text_clear(&text);
    }
}

static void forms_have_components_by_coordinate(void) {
    Fixture f;
    fixture_begin(&f);
    LiaExpr x = leaf(&f, LIA_SYMBOL_POSITION, 0), q = leaf(&f, LIA_SYMBOL_POSITION, 1);
    LiaExpr vx = leaf(&f, LIA_SYMBOL_VELOCITY, 0), vq = leaf(&f, LIA_SYMBOL_VELOCITY, 1);
    LiaExpr m = leaf(&f, LIA_SYMBOL_PARAMETER, 0), t = leaf(&f, LIA_SYMBOL_TIME, 0),
            one = number(&f, 1, 1);
    LiaExpr product = op(&f, LIA_OP_MUL, x, q);
    LiaExpr affine = op(&f, LIA_OP_ADD, op(&f, LIA_OP_MUL, q, vx), op(&f, LIA_OP_SUB, t, vq));
    LiaExpr drag = call(&f, LIA_OP_NEG, op(&f, LIA_OP_MUL, m, vx));
    LiaExpr rate = prime(&f, product);
    fixture_take(&f, NULL, NULL);
    assert_form(&f, NULL, 0, "0", "0");
    assert_form(&f, &(LiaFormPart){.coefficient = one, .of = product}, 1, "q[3]", "x");
    assert_form(&f, &(LiaFormPart){.of = product}, 1, "q[3]", "x");
    assert_form(&f, &(LiaFormPart){.coefficient = drag, .of = x}, 1, "-m*x'", "0");
    assert_form(&f, &(LiaFormPart){.coefficient = m, .of = affine, .is_virtual = true}, 1, "m*q[3]",
                "-m");
    // virtual(f') = d(f)
    assert_form(&f, &(LiaFormPart){.coefficient = one, .of = rate, .is_virtual = true}, 1, "q[3]",
                "x");
    LiaFormPart sum[2] = {{.coefficient = one, .of = product},
                          {.coefficient = t, .of = affine, .is_virtual = true}};
    assert_form(&f, sum, 2, "q[3] + t*q[3]", "x - t");
    assert_int_equal(lia_diags_count(f.diags), 0);
    fixture_end(&f);
}

static void assert_refused(Fixture* f, LiaFormPart part, const char* code) {
    LiaExpr out[2];
    size_t before = lia_diags_count(f->diags);
    part.span = (LiaSpan){(uint32_t)before + 3, 9};
    assert_false(
        lia_resolve_form(f->resolver, &(LiaForm){.parts = &part, .count = 1}, f->diags, out));
    assert_int_equal(lia_diags_count(f->diags), before + 1);
    const LiaDiag* diag = lia_diag_at(f->diags, before);
    assert_string_equal(diag->code, code);
    assert_int_equal(diag->span.begin, before + 3);
    assert_non_null(diag->help);
    assert_false(lia_resolve_form(f->resolver, &(LiaForm){.parts = &part, .count = 1}, NULL, out));
}

static void forms_of_the_wrong_kind_are_refused(void) {
    Fixture f;
    fixture_begin(&f);
    LiaExpr x = leaf(&f, LIA_SYMBOL_POSITION, 0), v = leaf(&f, LIA_SYMBOL_VELOCITY, 0);
    LiaExpr xv = op(&f, LIA_OP_MUL, x, v), vv = op(&f, LIA_OP_MUL, v, v);
    LiaExpr root = call(&f, LIA_OP_SQRT, op(&f, LIA_OP_ADD, vv, number(&f, 1, 1)));
    fixture_take(&f, NULL, NULL);
    assert_refused(&f, (LiaFormPart){.of = xv}, "E0221");
    assert_refused(&f, (LiaFormPart){.of = vv, .is_virtual = true}, "E0222");
    assert_refused(&f, (LiaFormPart){.of = root, .is_virtual = true}, "E0222");
    fixture_end(&f);
}

int main(void) {
    const TestCase tests[] = {
        TEST(open_symbols_get_their_formulas),
        TEST(equal_formulas_are_one),
        TEST(quantities_are_asked_for),
        TEST(a_model_may_be_nested_very_deep),
        TEST(forms_have_components_by_coordinate),
        TEST(forms_of_the_wrong_kind_are_refused),
    };
    return TESTS_RUN(tests);
}
