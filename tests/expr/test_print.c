// Printing: the syntax of the language, read back by a small parser with its precedence; LaTeX;
// lists.
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include "expr/graph/diff.h"
#include "expr/reading/formula_text.h"
#include "naive.h"
#include "support/cases.h"
#include <locale.h>
#include <stdio.h>
#include <string.h>

static const LiaExpr none = {0};

static const char* const names[NAIVE_SYMBOLS] = {"t",     "m",    "m1", "x",
                                                 "theta", "q[3]", "x'", "theta'"};

static LiaGraph* named_graph(void) {
    LiaGraph* g = lia_graph_create();
    lia_graph_name(g, LIA_SYMBOL_PARAMETER, 0, "m");
    lia_graph_name(g, LIA_SYMBOL_PARAMETER, 1, "m1");
    lia_graph_name(g, LIA_SYMBOL_POSITION, 0, "x");
    lia_graph_name(g, LIA_SYMBOL_POSITION, 1, "theta");
    lia_graph_name(g, LIA_SYMBOL_POSITION, 2, "q[3]");
    return g;
}

// --- a parser of the language's expressions, for the tests alone -------------------------------
// postfix ' [ ] .  >  ^  >  unary minus  >  * /  >  + -  >  < <=  >  not  >  and  >  or

typedef struct Parser {
    LiaGraph* g;
    const char* at;
    bool failed;
} Parser;

static LiaExpr parse_or(Parser* p);

static void blanks(Parser* p) {
    while (*p->at == ' ') p->at++;
}

static bool take(Parser* p, const char* word) {
    blanks(p);
    size_t n = strlen(word);
    if (strncmp(p->at, word, n) != 0) return false;
    p->at += n;
    return true;
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static LiaExpr parse_name(Parser* p) {
    char name[64];
    size_t n = 0;
    while ((is_letter(*p->at) || is_digit(*p->at)) && n < 50) name[n++] = *p->at++;
    if (*p->at == '[') {
        while (*p->at != ']' && n < 50) name[n++] = *p->at++;
        name[n++] = *p->at++;
    }
    while (*p->at == '\'' && n < 60) name[n++] = *p->at++;
    name[n] = '\0';
    if (strcmp(name, "pi") == 0) return lia_graph_pi(p->g);
    for (int i = 0; i < NAIVE_SYMBOLS; i++) {
        if (strcmp(name, names[i]) == 0) {
            return lia_graph_symbol(p->g, naive_symbols[i].kind, naive_symbols[i].number);
        }
    }
    for (int op = LIA_OP_SQRT; op < LIA_OP_COUNT; op++) {
        if (strcmp(name, lia_op_name((LiaOp)op)) != 0 || !take(p, "(")) continue;
        LiaExpr args[3] = {none, none, none};
        for (int i = 0; i < lia_op_arity((LiaOp)op); i++) {
            if (i > 0 && !take(p, ",")) p->failed = true;
            args[i] = parse_or(p);
        }
        if (!take(p, ")")) p->failed = true;
        return lia_graph_apply(p->g, (LiaOp)op, args[0], args[1], args[2]);
    }
    p->failed = true;
    return lia_graph_integer(p->g, 0);
}

static LiaExpr parse_atom(Parser* p) {
    if (take(p, "(")) {
        LiaExpr e = parse_or(p);
        if (!take(p, ")")) p->failed = true;
        return e;
    }
    blanks(p);
    if (is_digit(*p->at)) {
        char* end;
        double x = strtod(p->at, &end);
        p->at = end;
        return lia_graph_real(p->g, x);
    }
    return parse_name(p);
}

static LiaExpr parse_power(Parser* p) {
    LiaExpr x = parse_atom(p);
    return take(p, "^") ? lia_graph_pow(p->g, x, parse_power(p)) : x;
}

static LiaExpr parse_minus(Parser* p) {
    return take(p, "-") ? lia_graph_neg(p->g, parse_minus(p)) : parse_power(p);
}

static LiaExpr parse_product(Parser* p) {
    LiaExpr x = parse_minus(p);
    for (;;) {
        if (take(p, "*")) {
            x = lia_graph_mul(p->g, x, parse_minus(p));
        } else if (take(p, "/")) {
            x = lia_graph_div(p->g, x, parse_minus(p));
        } else {
            return x;
        }
    }
}

static LiaExpr parse_sum(Parser* p) {
    LiaExpr x = parse_product(p);
    for (;;) {
        if (take(p, "+")) {
            x = lia_graph_add(p->g, x, parse_product(p));
        } else if (take(p, "-")) {
            x = lia_graph_sub(p->g, x, parse_product(p));
        } else {
            return x;
        }
    }
}

static LiaExpr parse_not(Parser* p) {
    if (take(p, "not ")) return lia_graph_apply(p->g, LIA_OP_NOT, parse_not(p), none, none);
    LiaExpr x = parse_sum(p);
    if (take(p, "<=")) return lia_graph_apply(p->g, LIA_OP_LESS_EQUAL, x, parse_sum(p), none);
    if (take(p, "<")) return lia_graph_apply(p->g, LIA_OP_LESS, x, parse_sum(p), none);
    return x;
}

static LiaExpr parse_and(Parser* p) {
    LiaExpr x = parse_not(p);
    while (take(p, "and ")) x = lia_graph_apply(p->g, LIA_OP_AND, x, parse_not(p), none);
    return x;
}

static LiaExpr parse_or(Parser* p) {
    LiaExpr x = parse_and(p);
    while (take(p, "or ")) x = lia_graph_apply(p->g, LIA_OP_OR, x, parse_and(p), none);
    return x;
}

static LiaExpr parse(LiaGraph* g, const char* text) {
    Parser p = {.g = g, .at = text};
    LiaExpr e = parse_or(&p);
    blanks(&p);
    if (p.failed || *p.at) fail_msg("cannot read: %s", text);
    return e;
}

// -----------------------------------------------------------------------------------------------

static void what_is_printed_reads_back(void) {
    Random r = {31};
    int compared = 0;
    for (int round = 0; round < 5000; round++) {
        LiaGraph* g = named_graph();
        Naive f;
        naive_random(&f, g, &r);
        LiaExpr e = f.nodes[f.count - 1].expr;
        if (round % 3 == 0) e = lia_diff(g, e, lia_graph_symbol(g, LIA_SYMBOL_POSITION, 0));
        LiaText text = {0};
        lia_formula_text(g, e, &text);
        if (text.length < LIA_PRINT_MOST) {
            LiaExpr back = parse(g, text.data);
            long double x[NAIVE_SYMBOLS];
            for (int i = 0; i < NAIVE_SYMBOLS; i++) x[i] = random_between(&r, -2.0, 2.0);
            Dual d = naive_value(&f, x, NULL);
            double want = graph_value(g, e, x), got = graph_value(g, back, x);
            if (!d.bad && d.error < 1e-13L && fabs(want) < 1e4) {
                if (!(fabs(got - want) <= 1e-7 * (1.0 + fabs(want)))) {
                    fail_msg("%.17g, expected %.17g: %s", got, want, text.data);
                }
                compared++;
            }
        }
        lia_text_clear(&text);
        lia_graph_destroy(g);
    }
    assert_true(compared > 1000);
}

typedef struct Row {
    const char *in, *text, *latex;
} Row;

// Formulas as one may write them, as they come out, and in LaTeX.
static const Row rows[] = {
    {"x", "x", "x"},
    {"x'", "x'", "\\dot{x}"},
    {"theta'^2", "theta'^2", "\\dot{\\theta}^{2}"},
    {"q[3]", "q[3]", "q_{3}"},
    {"m1", "m1", "m_{1}"},
    {"2/5", "2/5", "\\frac{2}{5}"},
    {"2/5*x", "2/5*x", "\\frac{2}{5} x"},
    {"x/3", "1/3*x", "\\frac{1}{3} x"},
    {"-x", "-x", "-x"},
    {"-(x + t)", "-(t + x)", "-\\left(t + x\\right)"},
    {"x - 3", "x - 3", "x - 3"},
    {"x - 1/2", "x - 1/2", "x - \\frac{1}{2}"},
    {"2 - x", "2 - x", "2 - x"},
    {"-(x - t)", "t - x", "t - x"},
    {"x - (t + m)", "x - (t + m)", "x - \\left(t + m\\right)"},
    {"x - (t - m)", "x - (t - m)", "x - \\left(t - m\\right)"},
    {"(x + t)*m", "m*(t + x)", "m \\left(t + x\\right)"},
    {"x/t", "x/t", "\\frac{x}{t}"},
    {"x/(t*m)", "x/(m*t)", "\\frac{x}{m t}"},
    {"x/(t/m)", "x/(t/m)", "\\frac{x}{\\frac{t}{m}}"},
    {"1/x", "1/x", "\\frac{1}{x}"},
    {"2/x", "2/x", "\\frac{2}{x}"},
    {"3/(4*x)", "3/4/x", "\\frac{3}{4 x}"},
    {"-3*t/(4*x)", "-3/4*t/x", "-\\frac{3 t}{4 x}"},
    {"x^2", "x^2", "x^{2}"},
    {"(x + t)^2", "(t + x)^2", "\\left(t + x\\right)^{2}"},
    {"x^(3/2)", "x^(3/2)", "x^{\\frac{3}{2}}"},
    {"-x^2", "-x^2", "-x^{2}"},
    {"(-x)^3", "-x^3", "-x^{3}"},
    {"x^m", "x^m", "x^{m}"},
    {"x^(-m)", "x^(-m)", "x^{-m}"},
    {"2*3^m", "2*3^m", "2 \\cdot 3^{m}"},
    {"sin(x)^2", "sin(x)^2", "\\sin^{2}(x)"},
    {"sin(x + t)", "sin(t + x)", "\\sin\\left(t + x\\right)"},
    {"log(x)", "log(x)", "\\ln(x)"},
    {"sqrt(x^2 + 1)", "sqrt(x^2 + 1)", "\\sqrt{x^{2} + 1}"},
    {"hypot(x, t)", "hypot(x, t)", "\\sqrt{x^{2} + t^{2}}"},
    {"abs(x)", "abs(x)", "\\left|x\\right|"},
    {"atan2(x, -t)", "atan2(x, -t)", "\\operatorname{atan2}\\left(x, -t\\right)"},
    {"max(x, 2)", "max(x, 2)", "\\max\\left(x, 2\\right)"},
    {"sign(x)", "sign(x)", "\\operatorname{sign}(x)"},
    {"if(x < 1 and not t <= 2, x, 2*t)", "if(x < 1 and not t <= 2, x, 2*t)",
     "\\begin{cases} x & \\text{if } x < 1 \\land \\lnot \\left(t \\le 2\\right) \\\\ 2 t & "
     "\\text{otherwise} \\end{cases}"},
    {"pi*x", "pi*x", "\\pi x"},
    {"0.1234567", "0.1234567", "0.1234567"},
    {"1e-20*x", "1e-20*x", "1 \\cdot 10^{-20} x"},
    {"x*(-t)", "-t*x", "-t x"},
    {"x + 2*t", "x + 2*t", "x + 2 t"},
    {"m*x'*theta'", "m*theta'*x'", "m \\dot{\\theta} \\dot{x}"},
    {"x*sin(t)*m*2*(x + m)", "2*m*sin(t)*x*(m + x)", "2 m \\sin(t) x \\left(m + x\\right)"},
};

// The order of sums and products is that of the indices: symbols are made in a fixed order first.
static LiaExpr parse_row(LiaGraph* g, const char* text) {
    for (int i = 0; i < NAIVE_SYMBOLS; i++)
        lia_graph_symbol(g, naive_symbols[i].kind, naive_symbols[i].number);
    return parse(g, text);
}

static void formulas_are_printed_with_few_brackets(void) {
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        LiaGraph* g = named_graph();
        LiaText text = {0};
        lia_formula_text(g, parse_row(g, rows[i].in), &text);
        assert_string_equal(text.data, rows[i].text);
        lia_text_clear(&text);
        lia_graph_destroy(g);
    }
}

static void formulas_are_printed_in_latex(void) {
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        LiaGraph* g = named_graph();
        LiaText text = {0};
        lia_formula_latex(g, parse_row(g, rows[i].in), &text);
        assert_string_equal(text.data, rows[i].latex);
        lia_text_clear(&text);
        lia_graph_destroy(g);
    }
}

static void names_become_greek_and_indexed(void) {
    static const char* const table[][2] = {
        {"theta", "\\theta"},
        {"θ", "\\theta"},
        {"φ1", "\\varphi_{1}"},
        {"theta1", "\\theta_{1}"},
        {"q[3]", "q_{3}"},
        {"m12", "m_{12}"},
        {"md2", "\\mathrm{md}_{2}"},
        {"v_max", "v_{\\mathrm{max}}"},
        {"r.x", "r_{x}"},
        {"a_b_2", "a_{b,2}"},
        {"c[2].y", "c_{2,y}"},
        {"Omega", "\\Omega"},
        {"I1", "I_{1}"},
        {"omega_0", "\\omega_{0}"},
        {"mass", "\\mathrm{mass}"},
        {"x1[4]", "x_{1,4}"},
        {"q[i_2]", "q_{i,2}"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        LiaText text = {0};
        lia_formula_latex_name(table[i][0], 0, &text);
        assert_string_equal(text.data, table[i][1]);
        lia_text_clear(&text);
    }
    LiaText text = {0};
    lia_formula_latex_name("q[3]", 1, &text);
    lia_formula_latex_name("theta", 2, &text);
    assert_string_equal(text.data, "\\dot{q}_{3}\\ddot{\\theta}");
    lia_text_clear(&text);
}

static void numbers_have_the_fewest_digits_that_read_back(void) {
    Random r = {99};
    LiaGraph* g = lia_graph_create();
    for (int i = 0; i < 3000; i++) {
        double x = random_between(&r, -1.0, 1.0) * pow(10.0, random_between(&r, -300.0, 300.0));
        if (i % 2) x = floor(random_between(&r, -1e6, 1e6)) / 1000.0;
        LiaText text = {0};
        lia_formula_text(g, lia_graph_real(g, x), &text);
        assert_true(strtod(text.data, NULL) == x);
        if (i % 2) assert_true(strlen(text.data) <= 9);
        lia_text_clear(&text);
    }
    lia_graph_destroy(g);
}

static void what_is_too_long_ends_in_dots(void) {
    LiaGraph* g = named_graph();
    LiaExpr x = lia_graph_symbol(g, LIA_SYMBOL_POSITION, 0), f = x, one = lia_graph_integer(g, 1);
    for (int i = 0; i < 200; i++) {
        LiaExpr up = lia_graph_add(g, f, one);
        f = lia_graph_mul(g, lia_graph_apply(g, LIA_OP_SIN, up, none, none),
                          lia_graph_sub(g, up, x));
    }
    for (int latex = 0; latex < 2; latex++) {
        LiaText text = {0};
        (latex ? lia_formula_latex : lia_formula_text)(g, f, &text);
        assert_in_range(text.length, LIA_PRINT_MOST, LIA_PRINT_MOST + 100);
        assert_string_equal(text.data + text.length - 3, "...");
        lia_text_clear(&text);
    }
    // The list has a line for each node and does not care.
    LiaText list = {0};
    lia_assignments_text(g, &f, NULL, 1, &list);
    size_t lines = 0;
    for (size_t i = 0; i < list.length; i++) lines += list.data[i] == '\n';
    assert_in_range(lines, 200, 1200);
    lia_text_clear(&list);
    lia_graph_destroy(g);
}

static void a_list_is_straight_line_code(void) {
    LiaGraph* g = named_graph();
    for (int i = 0; i < NAIVE_SYMBOLS; i++)
        lia_graph_symbol(g, naive_symbols[i].kind, naive_symbols[i].number);
    LiaExpr roots[4] = {parse(g, "m/2*x'^2 - sin(theta)^2"), parse(g, "2*sin(theta)"),
                        lia_graph_symbol(g, LIA_SYMBOL_POSITION, 0), none};
    const char* const labels[4] = {"energy", NULL, "place", "nothing"};
    LiaText text = {0};
    lia_assignments_text(g, roots, labels, 4, &text);
    // The order is that of the graph: the quarrels of m/2*x' are settled by the graph.
    assert_non_null(strstr(text.data, "= sin(theta)\n"));
    assert_non_null(strstr(text.data, "= x'^2\n"));
    assert_non_null(strstr(text.data, "\nenergy = %"));
    assert_non_null(strstr(text.data, "\n#1 = %"));
    assert_non_null(strstr(text.data, "\nplace = x\n"));
    assert_non_null(strstr(text.data, "\nnothing = (none)\n"));
    const char* sine = strstr(text.data, "= sin(theta)");
    assert_null(strstr(sine + 3, "sin(theta)"));
    lia_text_clear(&text);
    lia_graph_destroy(g);
}

// Where memory is out the text does not grow, and 2^64 sines would be walked through to its end.
static void where_a_text_failed_writing_ends(void) {
    LiaGraph* g = named_graph();
    LiaExpr f = lia_graph_symbol(g, LIA_SYMBOL_POSITION, 0);
    for (int i = 0; i < 64; i++) {
        f = lia_graph_add(g, lia_graph_apply(g, LIA_OP_SIN, f, none, none),
                          lia_graph_apply(g, LIA_OP_COS, f, none, none));
    }
    for (int latex = 0; latex < 2; latex++) {
        LiaText text = {.failed = true};
        (latex ? lia_formula_latex : lia_formula_text)(g, f, &text);
        assert_true(text.failed && text.length == 0);
        lia_text_clear(&text);
    }
    lia_graph_destroy(g);
}

static void the_locale_does_not_matter(void) {
    LiaGraph* g = lia_graph_create();
    LiaText text = {0};
    const char* found = setlocale(LC_ALL, "de_DE.UTF-8");
    lia_formula_text(g, lia_graph_real(g, 0.5625), &text);
    if (found) setlocale(LC_ALL, "C");
    assert_string_equal(text.data, "0.5625");
    lia_text_clear(&text);
    lia_graph_destroy(g);
}

int main(void) {
    const TestCase tests[] = {
        TEST(what_is_printed_reads_back),
        TEST(formulas_are_printed_with_few_brackets),
        TEST(formulas_are_printed_in_latex),
        TEST(names_become_greek_and_indexed),
        TEST(numbers_have_the_fewest_digits_that_read_back),
        TEST(what_is_too_long_ends_in_dots),
        TEST(a_list_is_straight_line_code),
        TEST(where_a_text_failed_writing_ends),
        TEST(the_locale_does_not_matter),
    };
    return TESTS_RUN(tests);
}
