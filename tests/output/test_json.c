// The JSON object: keys, order, numbers, escaping.
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include "output/text/escape.h"
#include "sample.h"
#include "support/cases.h"
#include <stdlib.h>
#include <string.h>

// One coordinate, a constraint of two equations, an eliminated operator, a drag.
static Sample* small(void) {
    Sample* s = calloc(1, sizeof *s);
    s->model.name = "small";
    sample_column(s, LIA_COLUMN_TIME, "t", "t", NULL, 0, 0);
    sample_column(s, LIA_COLUMN_POSITION, "x", "x", "m", 0, 0);
    sample_column(s, LIA_COLUMN_VELOCITY, "x'", "x'", "m/s", 0, 0);
    sample_column(s, LIA_COLUMN_OBSERVE, "energy", "energy", NULL, 0, 0);
    sample_column(s, LIA_COLUMN_FORCE, "force(rail)[1]", "rail", NULL, 0, 0);
    sample_column(s, LIA_COLUMN_FORCE, "force(rail)[2]", "rail", NULL, 0, 1);
    sample_column(s, LIA_COLUMN_FORCE, "force(motor)", "motor", NULL, 1, 0);
    sample_column(s, LIA_COLUMN_POWER, "power(rail)", "rail", NULL, 0, 0);
    sample_column(s, LIA_COLUMN_POWER, "power(motor)", "motor", NULL, 1, 0);
    s->motion.effort.steps = 3;
    s->motion.effort.seconds = 0.25;
    s->motion.effort.setup_seconds = 0.5;
    s->motion.ledger.balance = 0;
    s->motion.regularity = 1;
    sample_settle(s, 1);
    double row[] = {2, 0.1, -0.5, 12, 1.5, 0, -3, 0, 6};
    memcpy(sample_row(s, 0), row, sizeof row);
    sample_end(s);
    s->ledger[0] = (LiaLedgerLine){LIA_LINE_CONSTRAINT, "rail", 1e-30, 1e-30, true, 0, 0, 0};
    s->ledger[1] = (LiaLedgerLine){LIA_LINE_OPERATOR, "motor", 6, 7.5, false, 0, 0, 1};
    s->ledger[2] = (LiaLedgerLine){LIA_LINE_FORCE, "drag", -1, -0.5, false, 0, 0, 2};
    s->ledger[3] =
        (LiaLedgerLine){LIA_LINE_PROJECTION, "projection", 0, 1e-18, false, 0, 0, LIA_NOWHERE};
    s->motion.ledger.count = 4;
    s->constraints[0] =
        (LiaConstraintReport){"rail", false, false, false, 2, 1e-16, 2e-16, false, 0, 0, 0};
    s->constraints[1] = (LiaConstraintReport){"motor", true, true, false, 1, 0, 0, true, 0, 0, 1};
    s->motion.constraints.count = 2;
    s->conserved[0] = (LiaConserved){"momentum(slide)", 4, 0.5, 0, 0};
    s->motion.conserved.count = 1;
    return s;
}

static void assert_json(Sample* s, const char* expected) {
    char* text = lia_output_json(&s->motion);
    assert_non_null(text);
    assert_string_equal(text, expected);
    lia_free(text);
    sample_free(s);
}

static bool has(const Sample* s, const char* part) {
    char* text = lia_output_json(&s->motion);
    assert_non_null(text);
    bool found = strstr(text, part) != NULL;
    lia_free(text);
    return found;
}

static void object_is_exactly_as_promised(void) {
    assert_json(
        small(),
        "{\"model\": \"small\", \"status\": \"done\", \"t\": 2, \"steps\": 3, \"seconds\": 0.25, "
        "\"setup_seconds\": 0.5,\n"
        " \"state\": {\"x\": 0.1, \"x'\": -0.5},\n"
        " \"observe\": {\"energy\": 12},\n"
        " \"force\": {\"rail\": [1.5, 0], \"motor\": [-3]},\n"
        " \"power\": {\"rail\": 0, \"motor\": 6, \"drag\": -1}, "
        "\"work\": {\"rail\": 0, \"motor\": 7.5, \"drag\": -0.5},\n"
        " \"residual\": {\"rail\": 1e-16, \"motor\": 0}, \"balance\": 0, \"balance_growth\": 0, "
        "\"regularity\": 1, "
        "\"digits\": {\"motion\": 15, \"force\": {\"rail\": 15, \"motor\": 15}}, "
        "\"unique\": {\"rail\": false},\n"
        " \"conserved\": {\"momentum(slide)\": {\"value\": 4, \"drift\": 0.5, \"growth\": 0}}, "
        "\"events\": []}");
}

static void a_model_with_nothing_has_all_keys(void) {
    Sample* s = calloc(1, sizeof *s);
    s->model.name = "bare";
    sample_column(s, LIA_COLUMN_TIME, "t", "t", NULL, 0, 0);
    sample_settle(s, 1);
    assert_json(
        s, "{\"model\": \"bare\", \"status\": \"done\", \"t\": 0, \"steps\": 0, \"seconds\": 0, "
           "\"setup_seconds\": 0,\n \"state\": {},\n \"observe\": {},\n \"force\": {},\n"
           " \"power\": {}, \"work\": {},\n \"residual\": {}, \"balance\": 0, \"balance_growth\": "
           "0, \"regularity\": 0, \"digits\": {\"motion\": 15, \"force\": {}}, "
           "\"unique\": {},\n \"conserved\": {}, \"events\": []}");
}

static void what_is_no_number_is_null(void) {
    Sample* s = small();
    s->motion.final.values[1] = NAN;
    s->motion.final.values[2] = -INFINITY;
    s->motion.regularity = NAN;
    s->motion.ledger.balance = INFINITY;
    s->motion.effort.seconds = NAN;
    assert_true(has(s, "\"state\": {\"x\": null, \"x'\": null}"));
    assert_true(has(s, "\"balance\": null, \"balance_growth\": 0, \"regularity\": null"));
    assert_true(has(s, "\"seconds\": null"));
    assert_false(has(s, "nan"));
    assert_false(has(s, "inf"));
    sample_free(s);
}

static void numbers_read_back_as_the_same_bits(void) {
    Sample* s = small();
    double hard[] = {0.1 + 0.2, 1.0 / 3.0, 5e-324, 1.7976931348623157e308, -2.2250738585072014e-308,
                     1e22};
    for (size_t i = 0; i < sizeof hard / sizeof *hard; i++) {
        s->motion.final.values[1] = hard[i];
        char* text = lia_output_json(&s->motion);
        const char* at = strstr(text, "\"x\": ");
        double back = strtod(at + 5, NULL);
        assert_memory_equal(&back, &hard[i], sizeof back);
        lia_free(text);
    }
    sample_free(s);
}

static void strings_are_escaped(void) {
    Sample* s = small();
    s->model.name = "a\"b\\c\nd\te\x01\x7f θ \xff \xed\xa0\x80";
    assert_true(has(s, "\"a\\\"b\\\\c\\nd\\te\\u0001\\u007f θ \xEF\xBF\xBD "));
    assert_false(has(s, "\xff"));
    s->model.name = "\xC2\x9B\xE2\x80\xAE\xF3\xA0\x80\x81</script>";
    assert_true(has(s, "\"\\u009b\\u202e\\udb40\\udc01</script>\""));
    s->model.name = "\xed\xa0\x80";
    assert_false(has(s, "\xed\xa0\x80"));
    sample_free(s);
}

static void a_run_that_failed_says_why_and_where(void) {
    Sample* s = small();
    s->motion.status = LIA_FAILED;
    s->motion.reason =
        (LiaReason){.code = "E9999", .text = "stuck", .t = 1.5, .line = 7, .column = 3};
    assert_true(
        has(s, "\"status\": \"failed\", \"reason\": {\"code\": \"E9999\", \"text\": \"stuck\", "
               "\"t\": 1.5, \"line\": 7}, \"t\": 2"));
    s->motion.status = LIA_STOPPED;
    s->motion.reason = (LiaReason){.text = "event 'top'", .t = 1.5};
    assert_true(
        has(s, "\"status\": \"stopped\", \"reason\": {\"code\": null, \"text\": \"event 'top'\", "
               "\"t\": 1.5, \"line\": null}"));
    sample_free(s);
}

static void events_carry_their_state(void) {
    Sample* s = small();
    const double at[] = {0.25, -1};
    s->events[0] = (LiaEventRecord){.name = "top", .t = 1.25, .direction = 1, .state = at};
    s->events[1] =
        (LiaEventRecord){.name = "end", .t = 2, .direction = -1, .stop = true, .state = at};
    s->motion.events.count = 2;
    assert_true(has(
        s,
        "\"events\": [\n"
        "  {\"name\": \"top\", \"t\": 1.25, \"kind\": \"user\", \"direction\": 1, \"state\": "
        "{\"x\": "
        "0.25, \"x'\": -1}},\n"
        "  {\"name\": \"end\", \"t\": 2, \"kind\": \"user\", \"direction\": -1, \"state\": {\"x\": "
        "0.25, \"x'\": -1}}]}"));
    sample_free(s);
}

// In time that grows as the text does: as the square of it this would take minutes.
static void a_long_text_is_escaped_too(void) {
    enum { LENGTH = 8 * 1024 * 1024 };
    char* text = malloc(LENGTH + 1);
    assert_non_null(text);
    memset(text, 'x', LENGTH);
    text[LENGTH] = '\0';
    LiaText json = {0}, xml = {0}, csv = {0};
    lia_escape_json(&json, text);
    lia_escape_xml(&xml, text);
    lia_escape_csv(&csv, text);
    assert_true(json.length == LENGTH + 2 && xml.length == LENGTH && csv.length == LENGTH);
    lia_text_clear(&json);
    lia_text_clear(&xml);
    lia_text_clear(&csv);
    free(text);
}

int main(void) {
    const TestCase tests[] = {
        TEST(a_long_text_is_escaped_too),           TEST(object_is_exactly_as_promised),
        TEST(a_model_with_nothing_has_all_keys),    TEST(what_is_no_number_is_null),
        TEST(numbers_read_back_as_the_same_bits),   TEST(strings_are_escaped),
        TEST(a_run_that_failed_says_why_and_where), TEST(events_carry_their_state),
    };
    return TESTS_RUN(tests);
}
