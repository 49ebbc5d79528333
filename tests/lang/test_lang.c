// Tests of src/lang: numbers, units, terms, families, what the border to mechanics promises, and
// what happens to texts that are no models at all.
// SPDX-License-Identifier: MIT
#include "base/memory/call.h"
#include "lang/elaborate/elaborate.h"
#include "support/cases.h"
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Parsed {
    LiaDiags* diags;
    LiaModel* model;
} Parsed;

static Parsed parse_bytes(const char* text, size_t length, const LiaDefine* defines, size_t count) {
    Parsed parsed = {lia_diags_create(), NULL};
    // A copy of exact size, so that reading past the end is found.
    char* copy = malloc(length ? length : 1);
    memcpy(copy, text, length);
    bool good = lia_lang_parse("models/test.lia", copy, length, &(LiaDefines){defines, count},
                               parsed.diags, &parsed.model);
    free(copy);
    assert_int_equal(good, parsed.model != NULL);
    assert_int_equal(good, lia_diags_errors(parsed.diags) == 0);
    return parsed;
}

static void drop(Parsed* parsed) {
    lia_lang_destroy(parsed->model);
    lia_diags_destroy(parsed->diags);
}

static Parsed parse(const char* text) {
    Parsed parsed = parse_bytes(text, strlen(text), NULL, 0);
    if (!parsed.model) {
        LiaText said = {0};
        lia_diag_render(parsed.diags, &said);
        printf("%s", said.data);
        lia_text_clear(&said);
    }
    assert_non_null(parsed.model);
    return parsed;
}

// The text is wrong, and its first error has this code.
static void expect_error(const char* text, size_t length, const char* code) {
    Parsed parsed = parse_bytes(text, length, NULL, 0);
    assert_null(parsed.model);
    assert_string_equal(lia_diag_at(parsed.diags, 0)->code, code);
    LiaText said = {0};
    lia_diag_render(parsed.diags, &said);
    assert_true(said.length > 0);
    lia_text_clear(&said);
    drop(&parsed);
}

static double parameter(const LiaModel* model, const char* name) {
    for (uint32_t i = 0; i < model->parameters_count; i++) {
        if (strcmp(model->parameters[i].name, name) == 0) {
            return model->parameters[i].value;
        }
    }
    return NAN;
}

// --- exact numbers

static void expect_exact(const char* text, int64_t num, int64_t den) {
    LiaNumber number;
    assert_true(lia_number_read(text, strlen(text), &number));
    assert_int_equal(number.num, num);
    assert_int_equal(number.den, den);
    assert_true(number.value == strtod(text, NULL));
}

static void decimals_are_fractions_as_long_as_they_fit(void) {
    expect_exact("0.8", 4, 5);
    expect_exact("1e-3", 1, 1000);
    expect_exact("007", 7, 1);
    expect_exact("0.0500", 1, 20);
    expect_exact("1.50e2", 150, 1);
    expect_exact("0", 0, 1);
    expect_exact("0e999999999", 0, 1);
    expect_exact("9223372036854775807", INT64_MAX, 1);
    expect_exact("9223372036854775808", 0, 0);
    expect_exact("0.1234567890123456789", 0, 0);
    expect_exact("1e18", 1000000000000000000, 1);
    expect_exact("1e19", 0, 0);
    expect_exact("1e-18", 1, 1000000000000000000);
    expect_exact("123.456e-40", 0, 0);
    LiaNumber number;
    assert_false(lia_number_read("1e400", 5, &number));
    assert_false(lia_number_read("1e-400", 6, &number));
}

static void exact_arithmetic_leaves_the_fractions_where_it_would_overflow(void) {
    LiaNumber third = lia_number_fraction(1, 3), large = lia_number_whole(INT64_MAX);
    LiaNumber sum = lia_number_add(third, lia_number_fraction(1, 6));
    assert_int_equal(sum.num, 1);
    assert_int_equal(sum.den, 2);
    LiaNumber quotient = lia_number_divide(lia_number_whole(-4), lia_number_whole(-6));
    assert_int_equal(quotient.num, 2);
    assert_int_equal(quotient.den, 3);
    assert_int_equal(lia_number_add(large, large).den, 0);
    assert_int_equal(lia_number_multiply(large, large).den, 0);
    assert_true(lia_number_add(large, large).value == 2.0 * (double)INT64_MAX);
    LiaNumber power;
    assert_true(lia_number_power(lia_number_fraction(2, 3), lia_number_whole(-2), &power));
    assert_int_equal(power.num, 9);
    assert_int_equal(power.den, 4);
    assert_false(lia_number_power(lia_number_whole(0), lia_number_whole(-1), &power));
    assert_false(lia_number_power(lia_number_whole(10), lia_number_whole(60), &power));
}

// --- units

static void expect_unit(const char* name, double factor) {
    LiaMeasure measure;
    assert_true(lia_unit_find_measure(name, &measure));
    assert_true(fabs(measure.value - factor) <= 1e-15 * factor);
}

static void units_know_their_prefixes(void) {
    expect_unit("m", 1);
    expect_unit("kg", 1);
    expect_unit("g", 1e-3);
    expect_unit("mm", 1e-3);
    expect_unit("µm", 1e-6);
    expect_unit("um", 1e-6);
    expect_unit("km", 1e3);
    expect_unit("min", 60);
    expect_unit("h", 3600);
    expect_unit("deg", 3.14159265358979323846 / 180);
    expect_unit("kPa", 1e3);
    expect_unit("daN", 10);
    expect_unit("GHz", 1e9);
    expect_unit("mrad", 1e-3);
    LiaMeasure measure;
    assert_false(lia_unit_find_measure("kmin", &measure));
    assert_false(lia_unit_find_measure("kkg", &measure));
    assert_false(lia_unit_find_measure("", &measure));
    assert_string_equal(lia_unit_nearest_measure("meter"), "m");
    assert_string_equal(lia_unit_nearest_measure("degrees"), "deg");
}

static void the_unit_converts_what_is_a_plain_number(void) {
    Parsed p = parse("parameter a = 30 in deg, l = 5 in mm, b = 2*l in mm, v = 36 in km/h, n = 3\n"
                     "parameter c = 2*n in mm\n"
                     "coordinate x : line\nkinetic x'^2\n"
                     "observe y = x in mm\nobserve w = a in deg\n"
                     "start x = 20 in mm, x' = 3.6 in km/h\n");
    assert_true(fabs(parameter(p.model, "a") - 0.52359877559829887) < 1e-16);
    assert_true(parameter(p.model, "l") == 0.005);
    assert_true(parameter(p.model, "b") == 0.01);  // l is a length already
    assert_true(parameter(p.model, "v") == 10.0);
    assert_true(parameter(p.model, "c") == 0.006);
    assert_string_equal(p.model->parameters[3].unit, "km/h");
    assert_true(fabs(p.model->observes[0].scale - 1000.0) < 1e-10);
    assert_true(fabs(p.model->observes[1].scale - 180.0 / 3.14159265358979323846) < 1e-12);
    assert_true(p.model->start.values[0].value == 0.02);
    assert_true(p.model->start.values[1].value == 1.0);
    drop(&p);
}

// --- terms

// The arguments of a node stand before it, it depends on what they depend on, and what is no leaf
// was written somewhere.
static void check_terms(const LiaModel* m) {
    assert_true(lia_model_invariants_hold(m));
    bool* written = calloc(m->graph->count, sizeof *written);
    for (uint32_t i = 0; i < m->text.written_count; i++) {
        assert_true(m->text.written[i].span.end <= m->text.source.length);
        written[m->text.written[i].node.index] = true;
    }
    for (uint32_t i = 1; i < m->graph->count; i++) {
        const LiaNode* n = &m->graph->nodes[i];
        const uint32_t of[3] = {n->a, n->b, n->c};
        int arity = lia_op_arity((LiaOp)n->op);
        for (int k = 0; k < arity; k++) {
            assert_true(of[k] < i && (m->graph->nodes[of[k]].depends & ~n->depends) == 0);
        }
        assert_true(arity == 0 || written[i]);
    }
    free(written);
}

static const LiaNode* node_of(const LiaModel* m, LiaExpr f) { return lia_graph_node(m->graph, f); }

static void terms_are_what_was_written(void) {
    Parsed p = parse("model m \"A title\"\nparameter k = 2/5\ncoordinate x, y : line\n"
                     "control u = sin(t)\n"
                     "let a = x*y\n"
                     "kinetic 1/2*x'^2 + 0*y + 1*y'^2\n"
                     "constraint c: a' = u, [x, y]' = 0\n"
                     "observe e = x'' + k' + t'\n");
    const LiaModel* m = p.model;
    check_terms(m);
    assert_string_equal(m->name, "m");
    assert_string_equal(m->title, "A title");
    assert_int_equal(m->constraints[0].equation_count, 3);
    const LiaEquation* equations = m->constraints[0].equations;
    assert_true(lia_graph_is_symbol(m->graph, equations[0].left, LIA_SYMBOL_RATE));
    assert_int_equal(node_of(m, equations[0].left)->a, m->lets[0].terms[0].index);
    assert_int_equal(node_of(m, equations[0].left)->depends,
                     LIA_DEPENDS(POSITION) | LIA_DEPENDS(VELOCITY) | LIA_DEPENDS(RATE));
    assert_true(lia_graph_is_symbol(m->graph, equations[0].right, LIA_SYMBOL_CONTROL));
    assert_int_equal(node_of(m, equations[0].right)->depends,
                     LIA_DEPENDS(TIME) | LIA_DEPENDS(CONTROL));
    assert_true(lia_graph_is_symbol(m->graph, equations[1].left, LIA_SYMBOL_VELOCITY));
    assert_true(lia_graph_is_zero(m->graph, equations[2].right));
    // x'' + 0 + 1
    const LiaNode* e = node_of(m, m->observes[0].term);
    assert_int_equal(e->op, LIA_OP_ADD);
    assert_true(lia_graph_is_symbol(m->graph, (LiaExpr){e->a}, LIA_SYMBOL_ACCELERATION));
    LiaNumber k;
    assert_true(lia_graph_constant(m->graph, m->parameters[0].term, &k));
    assert_true(k.num == 2 && k.den == 5 && k.value == 0.4);
    drop(&p);
}

// Equal formulas are one, but each place of the text that wrote it is known.
static void a_formula_written_twice_has_two_places(void) {
    static const char text[] = "coordinate x, y : line\nkinetic x'^2 + y'^2\npotential log(x)\n"
                               "force F: 3*log(x)*d(y)\n";
    Parsed p = parse(text);
    const LiaModel* m = p.model;
    LiaExpr f = m->energies[1].term;
    uint32_t first = (uint32_t)(strstr(text, "log(x)") - text);
    uint32_t second = (uint32_t)(strstr(text, "log(x)*") - text);
    assert_int_equal(lia_written_find(m, f, m->energies[1].span)->span.begin, first);
    assert_int_equal(lia_written_find(m, f, m->forces[0].form.span)->span.begin, second);
    assert_int_equal(lia_written_find(m, f, (LiaSpan){0, 3})->span.begin, first);
    assert_int_equal(lia_written_find(m, f, m->energies[1].span)->op, LIA_OP_LOG);
    LiaExpr x = {node_of(m, f)->a};
    assert_null(lia_written_find(m, x, m->energies[1].span));
    drop(&p);
}

// So is it with definitions: that one counts which a part of the model mentions, be it by another.
static void a_formula_is_looked_for_in_what_is_mentioned(void) {
    static const char text[] = "coordinate x : line\nkinetic x'^2\nlet a = 1/x\nlet b = 1/x\n"
                               "let c = b + 2\nfunction g(u) = 1/u\nconstraint p: a*x' = 3\n"
                               "constraint q: c^2*x' = 3\nconstraint r: g(x)*x' = 5\n";
    Parsed p = parse(text);
    const LiaModel* m = p.model;
    const char* const places[] = {"1/x\nlet b", "1/x\nlet c", "1/u"};
    for (uint32_t i = 0; i < 3; i++) {
        const LiaWritten* found = lia_written_find(m, m->lets[0].terms[0], m->constraints[i].span);
        assert_int_equal(found->span.begin, strstr(text, places[i]) - text);
    }
    drop(&p);
}

static void one_forms_are_lists_of_differentials(void) {
    Parsed p = parse("coordinate x, y : line\nkinetic x'^2 + y'^2\n"
                     "force F: 2*(x*d(x) - y*(d(y) + d(x*y))) + virtual(x' + y*y')\n"
                     "force Z: d(x) - d(x) + 0*d(y)\n"
                     "force V: dot([1, x], d([x, y]))\n");
    const LiaForm* form = &p.model->forces[0].form;
    assert_int_equal(form->count, 4);
    assert_true(lia_graph_is_symbol(p.model->graph, form->parts[0].of, LIA_SYMBOL_POSITION));
    assert_false(form->parts[2].is_virtual);
    assert_true(form->parts[3].is_virtual);
    LiaNumber one;
    assert_true(lia_graph_constant(p.model->graph, form->parts[3].coefficient, &one));
    assert_true(one.num == 1);
    assert_int_equal(p.model->forces[1].form.count, 2);
    assert_int_equal(p.model->forces[2].form.count, 2);
    check_terms(p.model);
    drop(&p);
}

static void what_is_known_of_statements_is_a_quantity(void) {
    Parsed p = parse("coordinate x, y : line\nkinetic x'^2 + y'^2\n"
                     "constraint c: x = 0\noperator v: [x, y] = [0, t]\nforce F: -x'*d(x)\n"
                     "symmetry s: y' = 1\n"
                     "observe f = force(v)\nobserve g = force(c)\nobserve h = power(F) + work(v)\n"
                     "observe k = momentum(s) + p(y) + energy\n");
    const LiaModel* m = p.model;
    assert_int_equal(m->observes_count, 5);
    assert_string_equal(m->observes[0].name, "f.x");
    assert_true(lia_graph_is_symbol(m->graph, m->observes[1].term, LIA_SYMBOL_REACTION));
    const LiaQuantityNamed* f = &m->quantities[node_of(m, m->observes[1].term)->a];
    assert_true(f->kind == LIA_QUANTITY_FORCE && f->index == 1 && f->part == 1);
    const LiaNode* h = node_of(m, m->observes[3].term);
    assert_int_equal(m->quantities[m->graph->nodes[h->a].a].kind, LIA_QUANTITY_FORCE_POWER);
    assert_int_equal(m->quantities[m->graph->nodes[h->b].a].kind, LIA_QUANTITY_WORK);
    drop(&p);
}

static void functions_share_their_arguments(void) {
    Parsed p = parse("coordinate x : line\nfunction sq(v) = v*v\nkinetic sq(sin(x)*x')\n");
    const LiaNode* square = node_of(p.model, p.model->energies[0].term);
    assert_int_equal(square->op, LIA_OP_POW);  // of the product, which is there once
    drop(&p);
}

// --- families

static const char chain[] = "parameter N = 10, l = 1, m = 1, g = 9.81\n"
                            "coordinate q[i = 1..N] : circle\n"
                            "let a[0] = 0\nlet a[i = 1..N] = a[i-1] + q[i]\n"
                            "let r[0] = [0, 0, 0]\n"
                            "let r[i = 1..N] = r[i-1] + l*[sin(a[i]), -cos(a[i]), 0]\n"
                            "kinetic sum(i = 1..N, m/2*dot(r[i]', r[i]'))\n"
                            "potential sum(i = 1..N, m*g*r[i].y)\n"
                            "start q[1] = 0.3, q[i = 2..N] = 0.1*i, q[i = 1..N]' = 1\n";

static void a_chain_is_as_long_as_the_command_line_says(void) {
    const uint32_t sizes[] = {1, 3, 40, 5000};
    for (size_t k = 0; k < 4; k++) {
        LiaDefine define = {"N", sizes[k]};
        Parsed p = parse_bytes(chain, sizeof chain - 1, &define, 1);
        assert_non_null(p.model);
        assert_int_equal(p.model->coordinates_count, sizes[k]);
        assert_int_equal(p.model->lets_count, 2 * (sizes[k] + 1));
        assert_int_equal(p.model->start.values_count, 2 * sizes[k]);
        assert_true(p.model->graph->count < 30 * sizes[k] + 40);
        assert_true(p.model->parameters[0].structural);
        assert_false(p.model->parameters[1].structural);
        assert_int_equal(p.model->parameters[0].term.index, 0);
        check_terms(p.model);
        drop(&p);
    }
    LiaDefine wrong = {"M", 3};
    Parsed p = parse_bytes(chain, sizeof chain - 1, &wrong, 1);
    assert_null(p.model);
    assert_string_equal(lia_diag_at(p.diags, 0)->code, "E0128");
    assert_int_equal(lia_diag_at(p.diags, 0)->span.end, 0);
    assert_string_equal(lia_diag_at(p.diags, 0)->help, "did you mean 'm'?");
    drop(&p);
}

static void the_command_line_reaches_members_and_units(void) {
    const char* text = "parameter m[i = 1..3] = i, a = 10 in deg, b = 2*m[2]\n"
                       "coordinate x : line\nkinetic x'^2\n";
    LiaDefine defines[] = {{"m[2]", 7}, {"a", 180}};
    Parsed p = parse_bytes(text, strlen(text), defines, 2);
    assert_true(parameter(p.model, "m[1]") == 1);
    assert_true(parameter(p.model, "m[2]") == 7);
    assert_true(parameter(p.model, "b") == 14);
    assert_true(fabs(parameter(p.model, "a") - 3.14159265358979323846) < 1e-15);
    drop(&p);
}

static void deep_descending_families_end_well(void) {
    const char* text = "parameter N = 50000\ncoordinate x : line\nkinetic x'^2\n"
                       "let a[i = 1..N] = if(i < N, a[i+1], 0) + x\n";
    Parsed p = parse(text);
    assert_int_equal(p.model->lets_count, 50000);
    drop(&p);
    LiaDefine define = {"N", 300000};
    p = parse_bytes(text, strlen(text), &define, 1);
    assert_null(p.model);
    assert_string_equal(lia_diag_at(p.diags, 0)->code, "E0194");
    drop(&p);
}

static void members_have_readable_names(void) {
    Parsed p = parse("coordinate q[i = 1..2, j = 0..1] : line\nkinetic q[1, 0]'^2\n"
                     "observe o[k = 5..6] = [q[1, 1], k]\nobserve M = [[1, 2], [3, 4]]\n"
                     "observe v = [1, 2, 3, 4]\nplot q[1, 0], [q[1, 1], q[2, 0]]\n");
    const LiaModel* m = p.model;
    assert_string_equal(m->name, "test");
    assert_string_equal(m->coordinates[3].name, "q[2,1]");
    assert_string_equal(m->observes[1].name, "o[5].y");
    assert_string_equal(m->observes[5].name, "M[1,2]");
    assert_string_equal(m->observes[9].name, "v[2]");
    assert_int_equal(m->pictures.plots[0].count, 2);
    assert_string_equal(m->pictures.plots[0].x.label, "q[1, 0]");
    assert_string_equal(m->pictures.plots[0].curves[1].label, "[q[1, 1], q[2, 0]].y");
    drop(&p);
}

static void a_dump_reads_as_the_model(void) {
    Parsed p = parse("model m\nparameter I = 2/5*3\ncoordinate x : circle\nkinetic I/2*x'^2\n"
                     "let a = -(x + 1)^2\npotential a*-cos(x)\nconstraint c: x' = t force d(x)\n"
                     "observe b = (a + 2)'*a\n"
                     "run t = 0..1, every 0.1\nplot t: x\n");
    LiaText text = {0};
    lia_lang_dump(p.model, &text);
    const char* lines[] = {"kinetic 1/2*I*x'^2\n",
                           "let a = -%14\n",
                           "potential %14*cos(x)\n",
                           "constraint c: x' = t force d(x)\n",
                           "observe b = -%14*(a + 2)'\n",
                           "%14 = (x + 1)^2\n",
                           "parameter I = 1.2\n",
                           "run t = 0..1, every 0.1\n",
                           "plot t: x\n"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        assert_non_null(strstr(text.data, lines[i]));
    }
    lia_text_clear(&text);
    drop(&p);
}

// --- limits and texts that are no models

static void texts_that_are_no_models_are_refused_at_once(void) {
    expect_error("", 0, "E0160");
    expect_error("\0\0", 2, "E0101");
    expect_error("let a = \xFF", 9, "E0101");
    expect_error("let a = 1\rlet b = 2\r", 20, "E0102");
    expect_error("\xC0\x80", 2, "E0101");
    expect_error("\xED\xA0\x80", 3, "E0101");
    expect_error("\xEF\xBB\xBF", 3, "E0160");

    size_t length = (size_t)LIA_LIMIT_FILE + 1;
    char* large = calloc(length, 1);
    LiaDiags* diags = lia_diags_create();
    LiaModel* model = NULL;
    assert_false(lia_lang_parse("large.lia", large, length, NULL, diags, &model));
    assert_string_equal(lia_diag_at(diags, 0)->code, "E0108");
    lia_diags_destroy(diags);
    free(large);
}

static void random_bytes_give_errors_and_nothing_worse(void) {
    uint64_t seed = 88172645463325252u;
    char text[600];
    for (int round = 0; round < 3000; round++) {
        size_t length = (size_t)round % sizeof text;
        for (size_t i = 0; i < length; i++) {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            // Mostly printable, so that more than the byte check is reached.
            text[i] = round % 3 == 0 ? (char)seed : seed % 11 == 0 ? '\n' : (char)(' ' + seed % 95);
        }
        Parsed p = parse_bytes(text, length, NULL, 0);
        LiaText said = {0};
        lia_diag_render(p.diags, &said);
        lia_text_clear(&said);
        drop(&p);
    }
}

static const char everything[] =
    "model all \"t\"\nparameter N = 2, m[i = 1..N] = i in kg, a = 30 in deg\n"
    "coordinate x, y : line in m\ncoordinate q[i = 1..N] : circle\ncontrol u = sin(2*t)\n"
    "function f(v, k) = if(v < k and not v > 2, v^2, sum(j = 1..3, j*v))\n"
    "let r = [x, y, 0]\nlet M = [[1, 2], [3, 4]]*[x, y]\n"
    "kinetic m[1]/2*dot(r', r') + f(q[1]', a)\npotential M.x + norm(r)*u\n"
    "dissipation x'^2\nforce F: -x'*d(x) + virtual(y')\n"
    "constraint c[i = 1..N]: q[i]' = x' force d(q[i])\noperator o: y = t by d(x), d(y)\n"
    "symmetry s: x' = 1, q[i = 1..N]' = i\nevent e: x = 1 rising stop\n"
    "observe w = force(c[1]) + x'' in m/s^2\nstart x = 1, q[i = 1..N] ~ 0.1*i\n"
    "run t = 0..1, tolerance 1e-9, samples 11\nplot t: x, r\n";

static void a_model_cut_anywhere_is_an_error_or_a_model(void) {
    for (size_t length = 0; length < sizeof everything; length++) {
        Parsed p = parse_bytes(everything, length, NULL, 0);
        LiaText said = {0};
        lia_diag_render(p.diags, &said);
        lia_text_clear(&said);
        drop(&p);
    }
    // And with one byte changed.
    char changed[sizeof everything];
    for (size_t i = 0; i + 1 < sizeof everything; i++) {
        memcpy(changed, everything, sizeof everything);
        changed[i] = "()[]'\n x1"[i % 9];
        Parsed p = parse_bytes(changed, sizeof everything - 1, NULL, 0);
        drop(&p);
    }
}

static void repeat(LiaText* text, const char* word, int count) {
    for (int i = 0; i < count; i++) {
        lia_text_add_bytes(text, word, strlen(word));
    }
}

static void expect_deep(const char* word, const char* code) {
    LiaText text = {0};
    lia_text_add(&text, "coordinate x : line\nkinetic x'^2\nlet a = ");
    repeat(&text, word, 100000);
    lia_text_add(&text, "x\n");
    expect_error(text.data, text.length, code);
    lia_text_clear(&text);
}

static void deep_nesting_is_an_error_that_names_the_limit(void) {
    expect_deep("(", "E0109");
    expect_deep("[", "E0109");
    expect_deep("-", "E0109");
    expect_deep("2^", "E0109");
    expect_deep("sin(", "E0109");
    expect_deep("not ", "E0109");
    expect_deep("if(x < 1, ", "E0109");
    expect_deep("sum(i = 1..2, ", "E0109");
    expect_deep("a[", "E0109");
}

static void long_sums_and_long_circles_need_no_stack(void) {
    LiaText text = {0};
    lia_text_add(&text, "coordinate x : line\nkinetic x'^2\npotential 0");
    repeat(&text, " + x", 200000);
    Parsed p = parse(text.data);
    drop(&p);
    lia_text_clear(&text);
    lia_text_add(&text, "coordinate x : line\nkinetic x'^2\n");
    for (int i = 0; i < 20000; i++) {
        lia_text_add(&text, "let a%d = a%d + x\n", i, (i + 1) % 20000);
    }
    expect_error(text.data, text.length, "E0123");
    lia_text_clear(&text);
}

static void what_grows_without_end_is_stopped(void) {
    LiaText text = {0};
    lia_text_add(&text, "coordinate x : line\nkinetic x'^2\nfunction f0(u) = u\n");
    for (int i = 1; i < 60; i++) {
        lia_text_add(&text, "function f%d(u) = f%d(u) + f%d(u)\n", i, i - 1, i - 1);
    }
    lia_text_add(&text, "let a = f59(x)\n");
    expect_error(text.data, text.length, "E0195");
    lia_text_clear(&text);
    lia_text_add(&text, "coordinate x : line\nkinetic x'^2\nlet w0 = d(x)\n");
    for (int i = 1; i < 60; i++) {
        lia_text_add(&text, "let w%d = w%d + w%d\n", i, i - 1, i - 1);
    }
    lia_text_add(&text, "force F: w59\n");
    expect_error(text.data, text.length, "E0192");
    lia_text_clear(&text);
    lia_text_add(&text, "coordinate x : line\nkinetic x'^2\nparameter n0[1] = 1");
    for (int i = 1; i < 300; i++) {
        lia_text_add(&text, ", n%d[j = 1..n%d[1]] = 1", i, i == 1 ? 0 : i + 1);
    }
    lia_text_add(&text, ", n300[1] = 1\n");
    expect_error(text.data, text.length, "E0193");
    lia_text_clear(&text);
    lia_text_add(&text, "coordinate x : line\nkinetic x'^2\npotential x");
    repeat(&text, "*x", 10 * 1000 * 1000);
    expect_error(text.data, text.length, "E0189");
    lia_text_clear(&text);
}

// Limits that only a model of gigabytes would reach are tried on the rooms themselves.
static void the_limits_of_the_rooms_hold(void) {
    LiaContext context = {
        .diags = lia_diags_create(), .scratch = lia_arena_create(), .kept = lia_arena_create()};
    LiaTerms terms;
    lia_term_begin(&terms, &context);
    volatile int stage = 0;
    const LiaSpan nowhere = {0, 0};
    if (setjmp(context.stop) == 0) {
        terms.written_count = LIA_LIMIT_TERMS + 1;
        lia_term_symbol(&terms, LIA_SYMBOL_TIME, 0, nowhere);
        stage = -1;
    }
    assert_int_equal(stage, 0);
    assert_string_equal(lia_diag_at(context.diags, 0)->code, "E0190");
    LiaCall call = lia_call_begin(context.diags);
    if (setjmp(context.stop) == 0) {
        uint32_t capacity = UINT32_MAX - 1;
        lia_context_grow(&context, NULL, 0, &capacity, 64);
        stage = -1;
    }
    assert_int_equal(stage, 0);
    assert_true(lia_call_failed(&call));
    assert_string_equal(lia_diag_at(context.diags, 1)->code, "E0199");
    if (setjmp(context.stop) == 0) {
        terms.steps = LIA_LIMIT_STEPS;
        lia_term_work(&terms, 1);
        stage = -1;
    }
    assert_int_equal(stage, 0);
    assert_string_equal(lia_diag_at(context.diags, 2)->code, "E0191");
    assert_true(terms.held > 0 && terms.held <= context.held);
    context.held = LIA_LIMIT_BYTES - 64;
    if (setjmp(context.stop) == 0) {
        lia_context_scratch(&context, 64);
        stage = 1;
        lia_context_keep(&context, 1);
        stage = -1;
    }
    assert_int_equal(stage, 1);
    assert_string_equal(lia_diag_at(context.diags, 3)->code, "E0189");
    lia_term_clear(&terms);
    lia_arena_destroy(context.scratch);
    lia_arena_destroy(context.kept);
    lia_diags_destroy(context.diags);
}

static void too_many_errors_are_capped(void) {
    LiaText text = {0};
    for (int i = 0; i < 100000; i++) {
        lia_text_add(&text, "wrong %d\n", i);
    }
    Parsed p = parse_bytes(text.data, text.length, NULL, 0);
    assert_int_equal(lia_diags_count(p.diags), LIA_DIAGS_MOST + 1);
    drop(&p);
    lia_text_clear(&text);
}

int main(void) {
    const TestCase tests[] = {
        TEST(decimals_are_fractions_as_long_as_they_fit),
        TEST(exact_arithmetic_leaves_the_fractions_where_it_would_overflow),
        TEST(units_know_their_prefixes),
        TEST(the_unit_converts_what_is_a_plain_number),
        TEST(terms_are_what_was_written),
        TEST(a_formula_written_twice_has_two_places),
        TEST(a_formula_is_looked_for_in_what_is_mentioned),
        TEST(one_forms_are_lists_of_differentials),
        TEST(what_is_known_of_statements_is_a_quantity),
        TEST(functions_share_their_arguments),
        TEST(a_chain_is_as_long_as_the_command_line_says),
        TEST(the_command_line_reaches_members_and_units),
        TEST(deep_descending_families_end_well),
        TEST(members_have_readable_names),
        TEST(a_dump_reads_as_the_model),
        TEST(texts_that_are_no_models_are_refused_at_once),
        TEST(random_bytes_give_errors_and_nothing_worse),
        TEST(a_model_cut_anywhere_is_an_error_or_a_model),
        TEST(deep_nesting_is_an_error_that_names_the_limit),
        TEST(long_sums_and_long_circles_need_no_stack),
        TEST(what_grows_without_end_is_stopped),
        TEST(the_limits_of_the_rooms_hold),
        TEST(too_many_errors_are_capped),
    };
    return TESTS_RUN(tests);
}
