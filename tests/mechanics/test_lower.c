// Lowering: terms of a model, put together by hand, as formulas.
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mechanics/assembly/lower.h"
#include "expr/reading/formula_text.h"
#include <stdlib.h>
#include <string.h>

// A model of terms alone: parameters m and k, coordinates x and q[3], a control u = 2*t.
typedef struct Fixture {
    LiaTerm* terms;
    uint32_t count, capacity;
    LiaParameter parameters[2];
    LiaCoordinate coordinates[2];
    LiaControl controls[1];
    LiaModel model;
    LiaGraph* g;
    LiaRates rates;
    LiaLowering* lowering;
    LiaDiags* diags;
} Fixture;

static LiaTermId put(Fixture* f, LiaTerm term) {
    if (f->count == f->capacity) {
        f->capacity = f->capacity ? 2 * f->capacity : 256;
        f->terms = realloc(f->terms, f->capacity * sizeof *f->terms);
    }
    f->terms[f->count] = term;
    return f->count++;
}

static LiaTermId number(Fixture* f, int64_t num, int64_t den) {
    return put(
        f, (LiaTerm){
               .op = LIA_TERM_NUMBER, .num = num, .den = den, .number = (double)num / (double)den});
}
static LiaTermId leaf(Fixture* f, LiaTermOp op, uint32_t index) {
    return put(f, (LiaTerm){.op = (uint8_t)op, .index = index});
}
static LiaTermId op(Fixture* f, LiaTermOp o, LiaTermId a, LiaTermId b) {
    return put(f, (LiaTerm){.op = (uint8_t)o, .a = a, .b = b});
}
static LiaTermId call(Fixture* f, LiaFunction function, LiaTermId a, LiaTermId b) {
    return put(f, (LiaTerm){.op = LIA_TERM_CALL, .function = (uint8_t)function, .a = a, .b = b});
}

static void fixture_begin(Fixture* f) {
    *f = (Fixture){.parameters = {{.name = "m", .value = 2.0}, {.name = "k", .value = 3.0}},
                   .coordinates = {{.name = "x"}, {.name = "q[3]"}},
                   .controls = {{.name = "u"}}};
    put(f, (LiaTerm){0});
    LiaTermId t = leaf(f, LIA_TERM_TIME, 0);
    f->controls[0].term = op(f, LIA_TERM_MUL, number(f, 2, 1), t);
}

// The terms are there: start lowering.
static void fixture_lower(Fixture* f, LiaQuantityFn quantity, void* context) {
    f->model = (LiaModel){.terms = f->terms,
                          .terms_count = f->count,
                          .parameters = f->parameters,
                          .parameters_count = 2,
                          .coordinates = f->coordinates,
                          .coordinates_count = 2,
                          .controls = f->controls,
                          .controls_count = 1};
    f->g = lia_graph_create();
    lia_diff_rates_init(&f->rates, f->g);
    f->diags = lia_diags_create();
    f->lowering = lia_lower_create(f->g, &f->rates, &f->model, quantity, context);
    assert_non_null(f->lowering);
}

static void fixture_end(Fixture* f) {
    lia_lower_destroy(f->lowering);
    lia_diags_destroy(f->diags);
    lia_diff_rates_clear(&f->rates);
    lia_graph_destroy(f->g);
    free(f->terms);
}

static void assert_lowers_to(Fixture* f, LiaTermId term, const char* text) {
    LiaText out = {0};
    lia_formula_text(f->g, lia_lower_term(f->lowering, term), &out);
    assert_string_equal(out.data, text);
    lia_text_clear(&out);
}

static void every_kind_of_term_has_its_formula(void** state) {
    (void)state;
    Fixture f;
    fixture_begin(&f);
    LiaTermId x = leaf(&f, LIA_TERM_COORDINATE, 0), v = leaf(&f, LIA_TERM_VELOCITY, 1);
    LiaTermId a = leaf(&f, LIA_TERM_ACCELERATION, 1), m = leaf(&f, LIA_TERM_PARAMETER, 0);
    LiaTermId t = leaf(&f, LIA_TERM_TIME, 0), u = leaf(&f, LIA_TERM_CONTROL, 0),
              pi = leaf(&f, LIA_TERM_PI, 0);
    LiaTermId half = number(&f, 1, 2),
              real = put(&f, (LiaTerm){.op = LIA_TERM_NUMBER, .number = 0.3});
    LiaTermId less = op(&f, LIA_TERM_LESS, x, t), most = op(&f, LIA_TERM_LESS_EQUAL, x, t);
    LiaTermId both = op(&f, LIA_TERM_AND, less, op(&f, LIA_TERM_NOT, most, 0));
    LiaTermId either = op(&f, LIA_TERM_OR, less, most);
    const struct {
        LiaTermId term;
        const char* text;
    } rows[] = {
        {x, "x"},
        {v, "q[3]'"},
        {a, "q[3]''"},
        {m, "m"},
        {t, "t"},
        {u, "2*t"},
        {pi, "pi"},
        {half, "1/2"},
        {real, "0.3"},
        {op(&f, LIA_TERM_NEG, x, 0), "-x"},
        {op(&f, LIA_TERM_ADD, x, half), "x + 1/2"},
        {op(&f, LIA_TERM_SUB, x, half), "x - 1/2"},
        {op(&f, LIA_TERM_MUL, m, x), "m*x"},
        {op(&f, LIA_TERM_DIV, x, m), "x/m"},
        {op(&f, LIA_TERM_POW, x, half), "sqrt(x)"},
        {op(&f, LIA_TERM_POW, x, m), "x^m"},
        {call(&f, LIA_FUNCTION_SIN, x, 0), "sin(x)"},
        {call(&f, LIA_FUNCTION_ATAN2, x, t), "atan2(x, t)"},
        {call(&f, LIA_FUNCTION_WRAP, x, 0), "wrap(x)"},
        {put(&f, (LiaTerm){.op = LIA_TERM_IF, .a = both, .b = x, .c = t}),
         "if(x < t and not x <= t, x, t)"},
        {put(&f, (LiaTerm){.op = LIA_TERM_IF, .a = either, .b = x, .c = t}),
         "if(x < t or x <= t, x, t)"},
        {op(&f, LIA_TERM_PRIME, x, 0), "x'"},
        {op(&f, LIA_TERM_PRIME, v, 0), "q[3]''"},
        {op(&f, LIA_TERM_PRIME, u, 0), "2"},
        {op(&f, LIA_TERM_PRIME, op(&f, LIA_TERM_MUL, m, call(&f, LIA_FUNCTION_SIN, x, 0)), 0),
         "m*cos(x)*x'"},
        {op(&f, LIA_TERM_PRIME, a, 0), "0"},
    };
    fixture_lower(&f, NULL, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_lowers_to(&f, rows[i].term, rows[i].text);
    assert_int_equal(lia_lower_term(f.lowering, 0).index, 0);
    fixture_end(&f);
}

static void every_function_lowers_to_the_operation_of_its_name(void** state) {
    (void)state;
    static const char* const names[] = {
#define LIA_FUNCTION(id, name, arity) name,
#include "lang/value/functions.def"
#undef LIA_FUNCTION
    };
    static const int arities[] = {
#define LIA_FUNCTION(id, name, arity) arity,
#include "lang/value/functions.def"
#undef LIA_FUNCTION
    };
    Fixture f;
    fixture_begin(&f);
    LiaTermId x = leaf(&f, LIA_TERM_COORDINATE, 0), y = leaf(&f, LIA_TERM_COORDINATE, 1);
    LiaTermId calls[LIA_FUNCTION_COUNT];
    for (int i = 0; i < LIA_FUNCTION_COUNT; i++) {
        calls[i] = call(&f, (LiaFunction)i, x, arities[i] == 2 ? y : 0);
    }
    fixture_lower(&f, NULL, NULL);
    for (int i = 0; i < LIA_FUNCTION_COUNT; i++) {
        const LiaNode* n = lia_graph_node(f.g, lia_lower_term(f.lowering, calls[i]));
        assert_string_equal(lia_op_name((LiaOp)n->op), names[i]);
        assert_int_equal(lia_op_arity((LiaOp)n->op), arities[i]);
    }
    fixture_end(&f);
}

static LiaExpr known_quantity(void* context, const LiaTerm* term) {
    LiaGraph* g = *(LiaGraph**)context;
    if (term->function == LIA_QUANTITY_ENERGY) return lia_graph_symbol(g, LIA_SYMBOL_VELOCITY, 0);
    return (LiaExpr){0};
}

static void quantities_are_asked_for(void** state) {
    (void)state;
    Fixture f;
    fixture_begin(&f);
    LiaTermId energy = put(&f, (LiaTerm){.op = LIA_TERM_QUANTITY, .function = LIA_QUANTITY_ENERGY});
    LiaTermId force = put(&f, (LiaTerm){.op = LIA_TERM_QUANTITY, .function = LIA_QUANTITY_FORCE});
    LiaTermId x = leaf(&f, LIA_TERM_COORDINATE, 0);
    LiaTermId known = op(&f, LIA_TERM_MUL, energy, x), unknown = op(&f, LIA_TERM_ADD, x, force);
    LiaTermId root = call(&f, LIA_FUNCTION_SQRT, unknown, 0);
    fixture_lower(&f, known_quantity, &f.g);
    assert_lowers_to(&f, known, "x*x'");
    assert_int_equal(lia_lower_term(f.lowering, unknown).index, 0);
    assert_int_equal(lia_lower_term(f.lowering, root).index, 0);
    lia_lower_destroy(f.lowering);
    f.lowering = lia_lower_create(f.g, &f.rates, &f.model, NULL, NULL);
    assert_int_equal(lia_lower_term(f.lowering, known).index, 0);
    fixture_end(&f);
}

static void a_model_may_be_nested_a_million_deep(void** state) {
    (void)state;
    Fixture f;
    fixture_begin(&f);
    LiaTermId x = leaf(&f, LIA_TERM_COORDINATE, 0), deep = x, shared = x;
    for (int i = 0; i < 1000000; i++) deep = call(&f, LIA_FUNCTION_SIN, deep, 0);
    // Shared terms are lowered once: 2^100 additions if they were not.
    for (int i = 0; i < 100; i++)
        shared = op(&f, LIA_TERM_ADD, call(&f, LIA_FUNCTION_SIN, shared, 0), shared);
    LiaTermId rate = op(&f, LIA_TERM_PRIME, deep, 0);
    fixture_lower(&f, NULL, NULL);
    assert_int_not_equal(lia_lower_term(f.lowering, rate).index, 0);
    assert_int_not_equal(lia_lower_term(f.lowering, shared).index, 0);
    assert_false(f.g->failed);
    fixture_end(&f);
}

static void assert_form(Fixture* f, const LiaFormPart* parts, uint32_t count, const char* x,
                        const char* q) {
    LiaExpr out[2];
    assert_true(
        lia_lower_form(f->lowering, &(LiaForm){.parts = parts, .count = count}, f->diags, out));
    const char* want[2] = {x, q};
    for (int i = 0; i < 2; i++) {
        LiaText text = {0};
        lia_formula_text(f->g, out[i], &text);
        assert_string_equal(text.data, want[i]);
        lia_text_clear(&text);
    }
}

static void forms_have_components_by_coordinate(void** state) {
    (void)state;
    Fixture f;
    fixture_begin(&f);
    LiaTermId x = leaf(&f, LIA_TERM_COORDINATE, 0), q = leaf(&f, LIA_TERM_COORDINATE, 1);
    LiaTermId vx = leaf(&f, LIA_TERM_VELOCITY, 0), vq = leaf(&f, LIA_TERM_VELOCITY, 1);
    LiaTermId m = leaf(&f, LIA_TERM_PARAMETER, 0), t = leaf(&f, LIA_TERM_TIME, 0),
              one = number(&f, 1, 1);
    LiaTermId product = op(&f, LIA_TERM_MUL, x, q);
    LiaTermId affine =
        op(&f, LIA_TERM_ADD, op(&f, LIA_TERM_MUL, q, vx), op(&f, LIA_TERM_SUB, t, vq));
    LiaTermId drag = op(&f, LIA_TERM_NEG, op(&f, LIA_TERM_MUL, m, vx), 0);
    LiaTermId rate = op(&f, LIA_TERM_PRIME, product, 0);
    fixture_lower(&f, NULL, NULL);
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
        lia_lower_form(f->lowering, &(LiaForm){.parts = &part, .count = 1}, f->diags, out));
    assert_int_equal(lia_diags_count(f->diags), before + 1);
    const LiaDiag* diag = lia_diag_at(f->diags, before);
    assert_string_equal(diag->code, code);
    assert_int_equal(diag->span.begin, before + 3);
    assert_non_null(diag->help);
    assert_false(lia_lower_form(f->lowering, &(LiaForm){.parts = &part, .count = 1}, NULL, out));
}

static void forms_of_the_wrong_kind_are_refused(void** state) {
    (void)state;
    Fixture f;
    fixture_begin(&f);
    LiaTermId x = leaf(&f, LIA_TERM_COORDINATE, 0), v = leaf(&f, LIA_TERM_VELOCITY, 0);
    LiaTermId xv = op(&f, LIA_TERM_MUL, x, v), vv = op(&f, LIA_TERM_MUL, v, v);
    LiaTermId root = call(&f, LIA_FUNCTION_SQRT, op(&f, LIA_TERM_ADD, vv, number(&f, 1, 1)), 0);
    fixture_lower(&f, NULL, NULL);
    assert_refused(&f, (LiaFormPart){.of = xv}, "E0221");
    assert_refused(&f, (LiaFormPart){.of = vv, .is_virtual = true}, "E0222");
    assert_refused(&f, (LiaFormPart){.of = root, .is_virtual = true}, "E0222");
    fixture_end(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_term_has_its_formula),
        cmocka_unit_test(every_function_lowers_to_the_operation_of_its_name),
        cmocka_unit_test(quantities_are_asked_for),
        cmocka_unit_test(a_model_may_be_nested_a_million_deep),
        cmocka_unit_test(forms_have_components_by_coordinate),
        cmocka_unit_test(forms_of_the_wrong_kind_are_refused),
    };
    return cmocka_run_group_tests_name("expr/lower", tests, NULL, NULL);
}
