// What mechanics sees of mistakes: which formula has no value and which is to blame, what is driven
// twice, kinetic energies that are linear or negative, and why K0 is singular. Each with models
// next to it of which nothing is said.
//
// Tests: mechanics/diagnosis/domain.c, mechanics/diagnosis/driven_twice.c
// Tests: mechanics/diagnosis/dissipation_check.c
// Tests: mechanics/diagnosis/kinetic_check.c, mechanics/diagnosis/kinetic_sign.c
// Tests: mechanics/regularity/singular_report.c
// SPDX-License-Identifier: MIT
#include "expr/graph/evaluate.h"
#include "mechanics/assembly/resolve.h"
#include "mechanics/build.h"
#include "mechanics/diagnosis/domain.h"
#include "mechanics/diagnosis/driven_twice.h"
#include "mechanics/diagnosis/kinetic_sign.h"
#include "mechanics/regularity/singular_report.h"
#include "support/built.h"
#include "support/cases.h"
#include <stdlib.h>

typedef bool (*Look)(const LiaModel*, const LiaSymbols*, LiaText*, LiaSpan*);

// What is said of the model at x, y = q; "" where nothing is. The place must be the quoted text.
static void looks(Look look, const char* text, double x, double y, const char* wanted) {
    Built b = built_of(text, 0, NULL);
    double q[2] = {x, y}, v[2] = {0, 0};
    LiaSymbols at = {.q = q, .v = v, .parameters = b.system->parameters};
    LiaText what = {0};
    LiaSpan span = {0};
    bool found = look(b.model, &at, &what, &span);
    if (found != (wanted[0] != '\0')) fail_msg("%s: '%s'", text, what.data ? what.data : "");
    if (found) {
        if (!strstr(what.data, wanted)) fail_msg("'%s', not '%s'", what.data, wanted);
        size_t length = span.end - span.begin;
        assert_true(what.data[0] == '\'' && length > 0);
        assert_true(strncmp(what.data + 1, text + span.begin, length) == 0);
    }
    lia_text_clear(&what);
    built_clear(&b);
}

#define TWO "coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\n"

static void the_innermost_formula_without_a_value_is_named(void) {
    looks(lia_domain_left, TWO "potential y + log(x - 1)\n", 1, 0, "'log(x - 1)' in the potential");
    looks(lia_domain_left, TWO "potential y + log(x - 1)\n", 1.5, 0, "");
    looks(lia_domain_left, TWO "potential sqrt(x)*y\n", -1, 0, "'sqrt(x)' in the potential");
    looks(lia_domain_left, TWO "force f: 1/(x - y)*d(x)\n", 2, 2, "'1/(x - y)' in 'f'");
    looks(lia_domain_left, TWO "force f: 1/(x - y)*d(x)\n", 2, 3, "");
    // what follows from a formula without a value is not to blame
    looks(lia_domain_left, TWO "potential exp(sin(log(x)))\n", -1, 0, "'log(x)'");
    looks(lia_domain_left, TWO "constraint c: asin(x) = y\n", 1.2, 0, "'asin(x)' in 'c'");
}

static void angles_that_are_none_are_named(void) {
    looks(lia_domain_angle, TWO "force f: atan2(y, x)*d(x)\n", 0, 0, "'atan2(y, x)' in 'f'");
    looks(lia_domain_angle, TWO "force f: atan2(y, x)*d(x)\n", 0, 1e-9, "");
}

static void formulas_that_overflow_are_named(void) {
    looks(lia_domain_overflows, TWO "potential exp(1000*x)\n", 0.705, 0, "'exp(1000*x)'");
    // of several the largest
    looks(lia_domain_overflows, TWO "potential exp(10*x) + exp(900*x)\n", 0.7, 0, "'exp(900*x)'");
    looks(lia_domain_overflows, TWO "potential exp(900*x) + exp(10*x)\n", 0.7, 0, "'exp(900*x)'");
}

static void poles_of_laws_are_found_where_they_are(void) {
    Built b = built_of(TWO "operator m: x = 1/(t - 2)\n", 0, NULL);
    LiaText what = {0};
    LiaSpan span = {0};
    const double* p = b.system->parameters;
    assert_true(lia_domain_pole(b.model, p, 1.999, 0.01, &what, &span));
    assert_non_null(strstr(what.data, "'1/(t - 2)' in the law of 'm'"));
    assert_non_null(strstr(what.data, "at t = 2"));
    lia_text_clear(&what);
    assert_false(lia_domain_pole(b.model, p, 1.5, 0.01, &what, &span));
    assert_true(lia_domain_law(b.model, 0, p, 2.0, &what, &span));
    assert_non_null(strstr(what.data, "divides by zero"));
    lia_text_clear(&what);
    assert_false(lia_domain_law(b.model, 0, p, 2.1, &what, &span));
    lia_text_clear(&what);
    built_clear(&b);
}

static void quotations_end_with_their_line(void) {
    Built b = built_of(TWO "potential x +\n  y\n", 0, NULL);
    LiaText out = {0};
    const char* text = TWO "potential x +\n  y\n";
    uint32_t from = (uint32_t)(strstr(text, "x +") - text);
    lia_domain_quote(b.model, (LiaSpan){from, from + 7}, &out);
    assert_non_null(strstr(out.data, "'x +"));
    assert_null(strchr(out.data, '\n'));
    lia_text_clear(&out);
    assert_string_equal(lia_domain_energy_word(LIA_POTENTIAL), "potential");
    assert_string_not_equal(lia_domain_energy_word(LIA_KINETIC), "potential");
    built_clear(&b);
}

// --- operators that ask for too much

static void driven(const char* text, const char* wanted) {
    Built b = built_of(text, 0, NULL);
    LiaText out = {0};
    bool found = lia_driven_twice_find(b.system, &out);
    if (found != (wanted != NULL)) fail_msg("%s: %s", text, out.data ? out.data : "");
    if (found && !strstr(out.data, wanted)) fail_msg("'%s', not '%s'", out.data, wanted);
    LiaDiags* diags = lia_diags_create();
    lia_driven_twice_warn(b.system, diags);
    assert_true((lia_diags_count(diags) > 0) == (wanted != NULL));
    lia_diags_destroy(diags);
    lia_text_clear(&out);
    built_clear(&b);
}

// Hall's condition: k equations are too many where less than k coordinates stand in them.
static void more_equations_than_coordinates_are_found(void) {
    driven(TWO "operator a: x = t\noperator b: x = t\n", "'x' is driven twice, by 'a' and 'b'");
    driven(TWO "operator a: x = t\noperator b: x' = 1\n", "'x' is driven twice");
    driven(TWO "operator a: x = t\noperator b: y = t\n", NULL);
    driven(TWO "operator a: x + y = t\noperator b: x - y = t\n", NULL);
    driven(TWO "operator a: x + y = t\noperator b: x - y = t\noperator c: x*y = t^2\n", "'a', 'b'");
    driven("coordinate x, y, z : line\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
           "operator a: x + y = t\noperator b: x - y = t\noperator c: x*z = t^2\n",
           NULL);
}

// --- kinetic energies

static int warnings_of(const char* kinetic, const char* code) {
    char text[400];
    snprintf(text, sizeof text, "coordinate x, y, z : line\nkinetic %s\nstart x = 0.5\n", kinetic);
    Built b = built_of(text, 0, NULL);
    LiaDiags* diags = lia_diags_create();
    assert_true(lia_kinetic_check_build(b.system, diags));
    char* said = lia_diags_text(diags);
    int count = 0;
    for (const char* at = said; at && (at = strstr(at, code)); at++) count++;
    lia_free(said);
    lia_diags_destroy(diags);
    built_clear(&b);
    return count;
}

static void kinetic_energies_that_can_hardly_be_meant(void) {
    assert_int_equal(warnings_of("x'^2 + y'^2 + z'", "W0224"), 1);
    assert_int_equal(warnings_of("x'^2 + y'^2 + z'^2", "W022"), 0);
    assert_int_equal(warnings_of("x'^2 - y'^2 + z'^2", "W0225"), 1);
    assert_int_equal(warnings_of("x'^2 + (x - 1)*y'^2 + z'^2", "W0225"), 1);  // at the start
    assert_int_equal(warnings_of("x'^2 + (1 - x)*y'^2 + z'^2", "W022"), 0);
    assert_int_equal(warnings_of("(x' + 3)^2/2 + y'^2 + z'^2", "W022"), 0);  // a moving frame
    assert_int_equal(warnings_of("x'^2/2 + 2*x' + y'^2 + z'^2", "W0224"), 1);
    assert_int_equal(warnings_of("x'^2 + y'^2 + 3*z^2", "W0224"), 1);  // a prime is missing
    assert_int_equal(warnings_of("x'^2 + y'^2 + z'^2 + 3*z^2", "W022"), 0);
}

static void a_dissipation_that_is_linear_can_hardly_be_meant(void) {
    static const struct {
        const char* text;
        bool linear;
    } cases[] = {
        {"0.1*x'", true},
        {"x*y' + z'^2", true},
        {"x'^2/2 + y'", true},
        {"x'^2/2", false},
        {"abs(x')", false},
        {"(x' - 3)^2/2", false},
        {"0.2*hypot(x', y')", false},
        {"x'*y' + z'^2", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200];
        snprintf(text, sizeof text,
                 "coordinate x, y, z : line\nkinetic x'^2 + y'^2 + z'^2\ndissipation %s\n"
                 "start x = 0.5\n",
                 cases[i].text);
        Built b = built_of(text, 0, NULL);
        LiaRates rates;
        LiaDiags* diags = lia_diags_create();
        lia_diff_rates_init(&rates, b.system->graph);
        LiaResolver* resolver =
            lia_resolve_create(b.system->graph, &rates, b.system->model, NULL, NULL);
        assert_true(lia_dissipation_check_build(b.system, resolver, diags));
        char *said = built_said(diags), *before = built_said(b.diags);
        if ((strstr(said, "W0226") != NULL) != cases[i].linear) fail_msg("%s: %s", text, said);
        assert_true(!cases[i].linear || strstr(said, "the dissipation is linear in") != NULL);
        assert_true((strstr(before, "W0226") != NULL) == cases[i].linear);  // as it is built, too
        lia_free(said);
        lia_free(before);
        lia_resolve_destroy(resolver);
        lia_diff_rates_clear(&rates);
        lia_diags_destroy(diags);
        built_clear(&b);
    }
}

// x'^2 + y'^2 + 2 c x' y' is negative for some velocities where |c| > 1, and the ones that are
// named make it so.
static void the_sign_of_a_quadratic_form_is_that_of_its_least_eigenvalue(void) {
    for (int k = 0; k < 12; k++) {
        double c = -2.0 + k * 0.35, q[3] = {0.5, 0, 0};
        char text[300];
        snprintf(text, sizeof text,
                 "coordinate x, y, z : line\nkinetic 1e-6*x'^2 + 1e4*y'^2 + 2*(%g)*0.1*x'*y' + "
                 "z'^2\n",
                 c);
        Built b = built_of(text, 0, NULL);
        LiaDiags* diags = lia_diags_create();
        bool negative = fabs(c) > 1.0;
        assert_true(lia_kinetic_sign_check(b.system, 0.0, q, diags) == negative);
        assert_int_equal(lia_diags_count(diags), negative);
        lia_diags_destroy(diags);
        built_clear(&b);
    }
}

// --- why K0 is singular

static void the_kernel_of_K0_is_put_into_words(void) {
    // the force moves x, and z is asked for: nothing couples them
    Built b = built_of("coordinate x, z : line\nkinetic (x'^2 + z'^2)/2\n"
                       "operator follow: z = sin(t) by d(x)\n",
                       1, NULL);
    lia_workspace_load(b.w, 1);
    lia_workspace_residuals(b.w);
    assert_false(lia_workspace_factor(b.w));
    LiaSingularReport report;
    assert_true(lia_singular_report(b.w, &report));
    assert_int_equal(report.size, 3);
    assert_int_equal(report.rank, 2);
    assert_true(report.margin < 1e-14);
    assert_string_equal(report.equations.data, "'follow'");
    assert_string_equal(report.motion.data, "x");
    LiaText said = {0};
    lia_singular_report_say(&report, &said);
    assert_non_null(strstr(said.data, "'follow'"));
    lia_text_clear(&said);
    lia_singular_report_clear(&report);
    built_clear(&b);
    // x and y move along (2, -1) without inertia
    b = built_of("coordinate x, y, z : line\nkinetic (x' + 2*y')^2/2 + z'^2\n", 1, NULL);
    lia_workspace_load(b.w, 1);
    lia_workspace_residuals(b.w);
    assert_false(lia_workspace_factor(b.w));
    assert_true(lia_singular_report(b.w, &report));
    assert_int_equal(report.size - report.rank, 1);
    assert_string_equal(report.motion.data, "x, y");
    assert_non_null(report.direction.data);
    assert_true(strstr(report.direction.data, "x' = 2, y' = -1") ||
                strstr(report.direction.data, "x' = -2, y' = 1"));
    lia_singular_report_clear(&report);
    built_clear(&b);
}

int main(void) {
    const TestCase tests[] = {
        TEST(the_innermost_formula_without_a_value_is_named),
        TEST(angles_that_are_none_are_named),
        TEST(formulas_that_overflow_are_named),
        TEST(poles_of_laws_are_found_where_they_are),
        TEST(quotations_end_with_their_line),
        TEST(more_equations_than_coordinates_are_found),
        TEST(kinetic_energies_that_can_hardly_be_meant),
        TEST(a_dissipation_that_is_linear_can_hardly_be_meant),
        TEST(the_sign_of_a_quadratic_form_is_that_of_its_least_eigenvalue),
        TEST(the_kernel_of_K0_is_put_into_words),
    };
    return TESTS_RUN(tests);
}
