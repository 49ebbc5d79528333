// What a model and its system consist of, by index and by name.
//
// Tests: mechanics/assembly/system_inventory.c
// SPDX-License-Identifier: MIT
#include "support/cases.h"
#include <liaison/liaison.h>
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static const char text[] = "parameter m = 250 in g, N = 2, l = 0.5 in m\n"
                           "coordinate x, y : line in m\n"
                           "coordinate theta : circle\n"
                           "coordinate s[i = 1..N] : line\n"
                           "control u = 0.1*sin(t)\n"
                           "body b: mass 1, inertia [1, 2, 3], free\n"
                           "kinetic m/2*(x'^2 + y'^2) + theta'^2/2 + sum(i = 1..N, s[i]'^2)/2\n"
                           "force push: 2*d(x)\n"
                           "dissipation y'^2/2\n"
                           "constraint blade: x'*sin(theta) = y'*cos(theta)\n"
                           "operator wheel: theta = u\n"
                           "operator pull: s[1] = x\n"
                           "constraint pair: s[2] = y force d(x)\n"
                           "joint ball: spherical(ground, b at [0, 0, 1])\n"
                           "symmetry shift: y' = 1\n"
                           "observe far = x in cm, e = energy\n"
                           "event there: x = 3 rising\n"
                           "event end: y = 5 stop\n"
                           "start x' = 1\n"
                           "run t = 0..1\n";

typedef struct Made {
    LiaDiags* diags;
    LiaModel* model;
    LiaSystem* system;
} Made;

static Made make(bool no_eliminate) {
    Made made = {.diags = lia_diags_create()};
    LiaSystemOptions options = {.no_eliminate = no_eliminate};
    LiaStatus status = lia_model_parse("test", text, strlen(text), NULL, made.diags, &made.model);
    if (status == LIA_OK) status = lia_system_build(made.model, &options, made.diags, &made.system);
    if (status != LIA_OK) {
        char* said = lia_diags_text(made.diags);
        printf("%s\n", said);
        lia_free(said);
    }
    assert_int_equal(status, LIA_OK);
    return made;
}

static void clear(Made* made) {
    lia_system_destroy(made->system);
    lia_model_destroy(made->model);
    lia_diags_destroy(made->diags);
}

static void things_have_names_and_places(void) {
    Made made = make(false);
    const LiaModel* m = made.model;
    static const size_t counts[] = {3 + 2 + 7, 3, 1, 5, 1, 2, 2, 1};
    static const char* const some[] = {"s[2]", "l", "u", "pair", "push", "e", "end", "shift"};
    static const size_t where[] = {4, 2, 0, 3, 0, 1, 1, 0};
    for (int k = 0; k <= LIA_THING_SYMMETRY; k++) {
        assert_int_equal(lia_model_count(m, (LiaThing)k), counts[k]);
        assert_int_equal(lia_model_find(m, (LiaThing)k, some[k]), where[k]);
        assert_int_equal(lia_model_find(m, (LiaThing)k, "nobody"), LIA_NOWHERE);
        for (size_t i = 0; i < counts[k]; i++) {
            const char* name = lia_model_name_of(m, (LiaThing)k, i);
            assert_non_null(name);
            assert_int_equal(lia_model_find(m, (LiaThing)k, name), i);
        }
        assert_null(lia_model_name_of(m, (LiaThing)k, counts[k]));
    }
    clear(&made);
}

static void facts_are_those_of_the_text(void) {
    Made made = make(false);
    const LiaModel* m = made.model;
    LiaCoordinateInfo x;
    assert_true(lia_model_coordinate(m, 0, &x, sizeof x));
    assert_string_equal(x.name, "x");
    assert_string_equal(x.unit, "m");
    assert_true(x.manifold == LIA_LINE && !x.group && x.part == 0 && !x.inner);
    assert_true(lia_model_coordinate(m, 2, &x, sizeof x));
    assert_true(x.manifold == LIA_CIRCLE && !x.unit);
    size_t w = lia_model_find(m, LIA_THING_COORDINATE, "b.attitude.w");
    assert_true(lia_model_coordinate(m, w + 2, &x, sizeof x));
    assert_string_equal(x.name, "b.attitude.y");
    assert_string_equal(x.group, "b.attitude");
    assert_true(x.manifold == LIA_ROTATION && x.part == 2);
    LiaParameterInfo p;
    assert_true(lia_model_parameter(m, 0, &p, sizeof p));
    assert_true(p.value == 0.25 && !p.structural);
    assert_string_equal(p.unit, "g");
    assert_true(lia_model_parameter(m, 1, &p, sizeof p));
    assert_true(p.structural && p.value == 2.0);
    LiaConstraintInfo c;
    assert_true(lia_model_constraint(m, 1, &c, sizeof c));
    assert_true(c.active && c.equations == 1 && !c.joint && c.line == 11 && c.column == 1);
    assert_true(lia_model_constraint(m, 4, &c, sizeof c));
    assert_true(!c.active && c.equations == 3);
    assert_string_equal(c.joint, "spherical");
    LiaObservableInfo o;
    assert_true(lia_model_observable(m, 0, &o, sizeof o));
    assert_string_equal(o.unit, "cm");
    LiaEventInfo e;
    assert_true(lia_model_event(m, 0, &e, sizeof e) && e.direction == 1 && !e.stop);
    assert_true(lia_model_event(m, 1, &e, sizeof e) && e.direction == 0 && e.stop);
    clear(&made);
}

static void rows_belong_to_constraints(void) {
    Made made = make(false);
    const LiaSystem* s = made.system;
    assert_ptr_equal(lia_system_model(s), made.model);
    assert_int_equal(lia_system_rows(s), 1 + 1 + 1 + 1 + 3 + 1);
    LiaRowInfo row;
    assert_true(lia_system_row(s, 0, &row, sizeof row));  // blade
    assert_string_equal(row.name, "force(blade)");
    assert_true(row.constraint == 0 && !row.active && !row.geometric && row.linear && row.ideal);
    assert_true(row.workless && row.line == 10 && row.column == 19);
    assert_true(
        lia_system_row(s, 1, &row, sizeof row));  // wheel: its right side has nothing that moves
    assert_true(row.active && row.geometric && row.ideal && !row.workless);
    assert_true(lia_system_row(s, 2, &row, sizeof row));  // pull acts on the left side alone
    assert_true(row.active && row.geometric && !row.ideal);
    assert_true(lia_system_row(s, 3, &row, sizeof row));  // pair: forces as given
    assert_true(!row.active && row.geometric && !row.ideal);
    size_t first = 0, count = 0;
    assert_true(lia_system_rows_of(s, 4, &first, &count) && first == 4 && count == 3);
    assert_false(lia_system_rows_of(s, 5, &first, &count));
    assert_true(lia_system_row(s, 5, &row, sizeof row));
    assert_string_equal(row.name, "force(ball)[2]");
    assert_true(row.constraint == 4 && row.part == 1);
    assert_true(lia_system_row(s, 7, &row, sizeof row));  // the length of the quaternion
    assert_true(row.constraint == LIA_NOWHERE && row.line == 0);
    clear(&made);
}

static void driven_coordinates_and_lines(void) {
    Made made = make(false), plain = make(true);
    size_t row = 0;
    assert_true(lia_system_driven(made.system, 2, &row) && row == 1);
    assert_false(lia_system_driven(made.system, 0, NULL));
    assert_false(lia_system_driven(made.system, 1000, NULL));
    assert_false(lia_system_driven(plain.system, 2, &row));
    static const struct {
        const char* name;
        LiaLineKind kind;
        size_t index;
        bool workless;
    } lines[] = {{"blade", LIA_LINE_CONSTRAINT, 0, true},
                 {"wheel", LIA_LINE_OPERATOR, 1, false},
                 {"pull", LIA_LINE_OPERATOR, 2, false},
                 {"pair", LIA_LINE_CONSTRAINT, 3, false},
                 {"ball", LIA_LINE_CONSTRAINT, 4, true},
                 {"push", LIA_LINE_FORCE, 0, false},
                 {"dissipation", LIA_LINE_DISSIPATION, LIA_NOWHERE, false}};
    assert_true(lia_system_lines(made.system) >= 7);
    for (size_t l = 0; l < 7; l++) {
        LiaLineInfo line;
        assert_true(lia_system_line(made.system, l, &line, sizeof line));
        assert_string_equal(line.name, lines[l].name);
        assert_int_equal(line.kind, lines[l].kind);
        assert_int_equal(line.index, lines[l].index);
        assert_int_equal(line.workless, lines[l].workless);
    }
    clear(&made);
    clear(&plain);
}

// A program that was built with a shorter struct, and one with a longer one.
static void structs_may_grow(void) {
    Made made = make(false);
    struct {
        LiaEventInfo info;
        char more[16];
    } longer;
    memset(&longer, 7, sizeof longer);
    assert_true(lia_model_event(made.model, 1, &longer.info, sizeof longer));
    assert_true(longer.info.stop);
    for (size_t i = 0; i < sizeof longer.more; i++) assert_int_equal(longer.more[i], 0);
    union {
        LiaEventInfo info;
        char bytes[sizeof(LiaEventInfo)];
    } shorter;
    memset(&shorter, 7, sizeof shorter);
    assert_true(lia_model_event(made.model, 1, &shorter.info, sizeof(char*)));
    assert_string_equal(shorter.info.name, "end");
    for (size_t i = sizeof(char*); i < sizeof shorter; i++) assert_int_equal(shorter.bytes[i], 7);
    clear(&made);
}

static void messages_have_places(void) {
    static const char wrong[] = "coordinate x : line\nkinetic x'^2/2\npotential k*\xC3\xA9l\n";
    LiaDiags* diags = lia_diags_create();
    LiaModel* model = NULL;
    assert_int_equal(lia_model_parse("wrong.lia", wrong, strlen(wrong), NULL, diags, &model),
                     LIA_MODEL);
    LiaMessageInfo k;
    assert_true(lia_diags_count(diags) > 0);
    assert_true(lia_diags_message(diags, 0, &k, sizeof k));
    assert_int_equal(k.severity, LIA_ERROR);
    assert_string_equal(k.file, "wrong.lia");
    assert_true(k.code[0] == 'E' && k.message && k.line == 3 && k.column >= 11 && k.length >= 1);
    assert_false(lia_diags_message(diags, lia_diags_count(diags), &k, sizeof k));
    lia_diags_destroy(diags);
    diags = lia_diags_create();
    assert_int_equal(lia_model_read("no such file", NULL, diags, &model), LIA_FILE);
    for (size_t i = 0; i < lia_diags_count(diags); i++) {
        assert_true(lia_diags_message(diags, i, &k, sizeof k));
        assert_true(k.line == 0 && k.length == 0);
    }
    lia_diags_destroy(diags);
}

static void the_version_is_that_of_the_header(void) {
    assert_string_equal(lia_version(), LIA_VERSION);
}

int main(void) {
    const TestCase tests[] = {
        TEST(things_have_names_and_places),
        TEST(facts_are_those_of_the_text),
        TEST(rows_belong_to_constraints),
        TEST(driven_coordinates_and_lines),
        TEST(structs_may_grow),
        TEST(messages_have_places),
        TEST(the_version_is_that_of_the_header),
    };
    return TESTS_RUN(tests);
}
