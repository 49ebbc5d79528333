// Explanations: the JSON is one object with the promised keys in their order, the LaTeX is
// balanced, the text says what it must; for every example and every reference model.
// SPDX-License-Identifier: MIT
#include "support/cases.h"
#include "support/file.h"
#include <dirent.h>
#include <liaison/liaison.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(bool ok, const char* where, const char* what) {
    if (cases_count(ok)) return;
    printf("%s: %s\n", where, what);
}

// --- JSON --------------------------------------------------------------------------------------

// A small reader: true if a value stands at *at; the keys of objects down to `depth` are added to
// `keys`.
static bool read_value(const char** at, int depth, char* keys, size_t room);

static void skip(const char** at) { *at += strspn(*at, " \n\t"); }

static bool read_string(const char** at, char* out, size_t room) {
    if (**at != '"') return false;
    size_t n = 0;
    for (++*at; **at && **at != '"'; ++*at) {
        if (**at == '\\') ++*at;
        if (n + 1 < room) out[n++] = **at;
    }
    out[n] = 0;
    if (**at != '"') return false;
    ++*at;
    return true;
}

static bool read_list(const char** at, int depth, char* keys, size_t room, char close) {
    ++*at;
    skip(at);
    if (**at == close) {
        ++*at;
        return true;
    }
    for (;;) {
        if (close == '}') {
            char key[128];
            skip(at);
            if (!read_string(at, key, sizeof key)) return false;
            if (depth > 0 && strlen(keys) + strlen(key) + 2 < room) {
                strcat(keys, key);
                strcat(keys, " ");
            }
            skip(at);
            if (*(*at)++ != ':') return false;
        }
        if (!read_value(at, depth - 1, keys, room)) return false;
        skip(at);
        char next = *(*at)++;
        if (next == close) return true;
        if (next != ',') return false;
    }
}

static bool read_value(const char** at, int depth, char* keys, size_t room) {
    skip(at);
    char text[4096];
    if (**at == '{') return read_list(at, depth, keys, room, '}');
    if (**at == '[') return read_list(at, depth, keys, room, ']');
    if (**at == '"') return read_string(at, text, sizeof text);
    size_t n = strcspn(*at, ",]} \n");
    snprintf(text, sizeof text, "%.*s", (int)(n < sizeof text ? n : 0), *at);
    *at += n;
    if (!strcmp(text, "true") || !strcmp(text, "false") || !strcmp(text, "null")) return true;
    char* end;
    strtod(text, &end);
    return n > 0 && *end == 0;
}

// The value of a key: where it stands in the text.
static const char* find(const char* json, const char* key) {
    char quoted[128];
    snprintf(quoted, sizeof quoted, "\"%s\": ", key);
    const char* at = strstr(json, quoted);
    return at ? at + strlen(quoted) : "";
}

// Does a text stand before `end`? NULL: anywhere.
static bool stands_before(const char* text, const char* end, const char* wanted) {
    const char* found = strstr(text, wanted);
    return found && (!end || found < end);
}

static void keys_are(const char* where, const char* at, const char* wanted) {
    char keys[4096] = "";
    bool read = read_value(&at, 1, keys, sizeof keys);
    check(read && strcmp(keys, wanted) == 0, where, read ? keys : "not JSON");
}

static void json_is_right(const char* where, const char* json, bool state) {
    const char* at = json;
    char keys[1024] = "";
    bool whole = read_value(&at, 1, keys, sizeof keys);
    check(whole && *at == 0, where, "the JSON does not read");
    if (strncmp(find(json, "dimension"), "{\"P\": ", 6) == 0) return;  // of a phase space
    const char* wanted =
        state ? "model dimension freedom count constraints regular regularity energy symmetries "
                "moment_map one_system flag search gauge_momenta pseudo_poisson state "
                "field "
                "connection operator_force "
              : "model dimension freedom count constraints regular regularity energy symmetries "
                "moment_map one_system flag search gauge_momenta pseudo_poisson ";
    size_t length = strlen(wanted);
    bool begins = strncmp(keys, wanted, length) == 0;
    const char* rest = begins ? keys + length : "";
    // what follows is there where there is something to say
    const char* optional[] = {"uncoupled ", "look ", "remaining "};
    for (size_t k = 0; k < 3; k++) {
        if (strncmp(rest, optional[k], strlen(optional[k])) == 0) rest += strlen(optional[k]);
    }
    check(begins && *rest == 0, where, keys);
    keys_are(where, find(json, "dimension"), "M S C D W VstarM motion ");
    keys_are(where, find(json, "freedom"), "positions velocities hidden ");
    keys_are(where, find(json, "count"), "bodies l l_at_start c configurations states ");
    keys_are(where, find(json, "energy"), "conserved law ");
    const char* list = find(json, "constraints");
    if (strncmp(list, "[]", 2) != 0) {
        const char *first = strchr(list, '{'), *end = strchr(first, '\n'),
                   *joint = strstr(first, "\"joint\": {");
        bool jointed = joint && end && joint < end;
        bool brief = stands_before(first, end, "\"kind\": \"contact\"") ||
                     stands_before(first, end, "\"kind\": \"off\"");
        char wanted_keys[256];
        snprintf(wanted_keys, sizeof wanted_keys, "%s%s%s%s",
                 brief ? "name kind equations "
                       : "name kind linearity holonomic force perfect hamiltonian active equations "
                         "independent h H0 H unique ",
                 jointed ? "joint " : "", stands_before(first, end, "\"from\": ") ? "from " : "",
                 stands_before(first, end, "\"until\": ") ? "until " : "");
        keys_are(where, first, wanted_keys);
        if (jointed)
            keys_are(where, strchr(joint, '{'), "kind bodies parameters velocities alone ");
    }
    list = find(json, "symmetries");
    if (strncmp(list, "[]", 2) != 0) {
        keys_are(where, strchr(list, '{'),
                 "name lagrangian_invariant first_type second_type constant momentum defect "
                 "admissible_invariant lagrangian_defect states_carried forces_carried "
                 "forces_across quotient states_defect forces_defect across_defect ");
    }
    if (state) {
        char inner[512] = "";
        at = find(find(json, "state"), "field");  // gauge momenta have fields too
        check(read_value(&at, 1, inner, sizeof inner) &&
                  strncmp(inner, "D_Y D_0 minus_X_K H_Y Z eta ", 28) == 0,
              where, inner);
    }
}

// --- LaTeX -------------------------------------------------------------------------------------

static int count_of(const char* text, const char* what) {
    int count = 0;
    for (const char* at = text; (at = strstr(at, what)); at += strlen(what)) count++;
    return count;
}

static void latex_is_balanced(const char* where, const char* text) {
    int depth = 0, dollars = 0;
    for (const char* at = text; *at; at++) {
        if (*at == '\\' && at[1]) {
            at++;
            continue;
        }
        if ((unsigned char)*at >= 0x80 && (unsigned char)*at < 0xC0) continue;
        depth += (*at == '{') - (*at == '}');
        dollars += *at == '$';
        if (depth < 0) break;
    }
    check(depth == 0, where, "braces do not match");
    check(dollars % 2 == 0, where, "dollars do not match");
    check(count_of(text, "\\left") == count_of(text, "\\right"), where,
          "left and right do not match");
    check(count_of(text, "\\begin{") == count_of(text, "\\end{"), where,
          "begin and end do not match");
    check(!strstr(text, "\\begin{itemize}\n\\end{itemize}"), where, "an empty list");
    check(strstr(text, "\\end{document}\n") != NULL, where, "no end");
}

// --- models ------------------------------------------------------------------------------------

typedef struct Scene {
    LiaDiags* diags;
    LiaModel* model;
    LiaSystem* system;
} Scene;

static Scene scene_of(const char* where, const char* text) {
    Scene s = {.diags = lia_diags_create()};
    LiaStatus status = lia_model_parse(where, text, strlen(text), NULL, s.diags, &s.model);
    if (status == LIA_OK) status = lia_system_build(s.model, NULL, s.diags, &s.system);
    if (status != LIA_OK) {
        char* said = lia_diags_text(s.diags);
        printf("%s\n", said);
        lia_free(said);
        cases_count(false);
    }
    return s;
}

static void scene_clear(Scene* s) {
    lia_system_destroy(s->system);
    lia_model_destroy(s->model);
    lia_diags_destroy(s->diags);
}

// The release build says everything of every model. The sanitizers hear one format of each, with a
// state or without, and another one of the next model.
#if defined(__SANITIZE_ADDRESS__)
enum { SANITIZED = true };
#else
enum { SANITIZED = false };
#endif

static bool is_asked_for(int model, int format, int state) {
    return !SANITIZED || (format == model / 2 % 3 && state == model % 2);
}

static void explain_all(const char* where, const char* text) {
    static int model;
    Scene s = scene_of(where, text);
    model++;
    for (int state = 0; s.system && state < 2; state++) {
        for (int format = LIA_EXPLAIN_TEXT; format <= LIA_EXPLAIN_JSON; format++) {
            if (!is_asked_for(model, format, state)) continue;
            LiaExplainOptions options = {.format = (LiaExplainFormat)format,
                                         .at_start = state == 1};
            char* said = lia_explain(s.system, &options, s.diags);
            check(said != NULL, where, "nothing said");
            if (said && format == LIA_EXPLAIN_JSON) json_is_right(where, said, state == 1);
            if (said && format == LIA_EXPLAIN_LATEX) latex_is_balanced(where, said);
            if (said && format == LIA_EXPLAIN_TEXT) {
                check(strstr(said, "what it is") && strstr(said, "equations of motion"), where,
                      said);
                check(!strstr(said, "nan") && !strstr(said, "(none)"), where, said);
            }
            lia_free(said);
        }
    }
    scene_clear(&s);
}

static void explain_file(const char* path) {
    char* text = file_text(path);
    if (text) explain_all(path, text);
    free(text);
}

static void explain_files(void) {
    struct dirent** names;
    char path[1024];
    int n = scandir(LIAISON_SOURCE_DIR "/tests/refs", &names, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        if (strstr(names[i]->d_name, ".lia")) {
            snprintf(path, sizeof path, LIAISON_SOURCE_DIR "/tests/refs/%s", names[i]->d_name);
            explain_file(path);
        }
        free(names[i]);
    }
    free(names);
    n = scandir(LIAISON_SOURCE_DIR "/examples", &names, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        snprintf(path, sizeof path, LIAISON_SOURCE_DIR "/examples/%s/%s.lia", names[i]->d_name,
                 names[i]->d_name);
        if (names[i]->d_name[0] != '.') explain_file(path);
        free(names[i]);
    }
    free(names);
}

// --- states ------------------------------------------------------------------------------------

static const char* const skater = "coordinate x, y, theta, s : line\n"
                                  "kinetic x'^2 + y'^2 + theta'^2 + (theta' + s')^2/2\n"
                                  "constraint blade: x'*sin(theta) - y'*cos(theta) = 0\n"
                                  "operator twist: s' = cos(s)\n";

static char* explain_at(Scene* s, const char* at, LiaDiags* diags) {
    return lia_explain(s->system, &(LiaExplainOptions){.format = LIA_EXPLAIN_JSON, .at = at},
                       diags);
}

static double number_of(const char* json, const char* field, const char* key) {
    return strtod(find(find(json, field), key), NULL);
}

static void states_are_read_and_made_admissible(void) {
    Scene s = scene_of("skater", skater);
    LiaDiags* diags = lia_diags_create();
    char* json = explain_at(&s, "theta = pi/6, x' = 2, t = 1.5, s = -0.25", diags);
    check(json != NULL, "at", "not understood");
    if (json) {
        check(number_of(json, "state", "t") == 1.5, "at", "t");
        check(number_of(json, "state", "theta") == 3.14159265358979323846 / 6, "at", "theta");
        check(number_of(json, "state", "x'") == 2.0, "at", "x'");
        double y = number_of(json, "state", "y'") - 2.0 * 0.57735026918962573;
        check(y < 1e-14 && y > -1e-14, "at", "y' is not admissible");
    }
    lia_free(json);
    // a momentum stands for its velocity
    json = explain_at(&s, "p(theta) = 3, s = 0", diags);
    if (json) {
        double v = number_of(json, "state", "theta'");  // 3 theta' + s' = 3, s' = 1
        check(v > 2.0 / 3 - 1e-14 && v < 2.0 / 3 + 1e-14, "at", "p(theta)");
    }
    check(json != NULL, "at", "p(theta) not understood");
    lia_free(json);
    check(lia_diags_errors(diags) == 0, "at", "errors");
    lia_diags_destroy(diags);
    scene_clear(&s);
}

static void wrong_states_are_told(void) {
    static const struct {
        const char *at, *code, *part;
    } wrong[] = {
        {"bogus = 1", "E0501", "no coordinate"},
        {"x = ", "E0501", "not a number"},
        {"x", "E0501", "value is missing"},
        {"x = 1 2", "E0501", "not a number"},
        {", x = 1", "E0501", "name is missing"},
        {"x = 1/0", "E0501", "not a number"},
        {"theta = 0, x' = 0, y' = 1", "E0502", "contradicts 'blade'"},
        {"p(y) = 1, p(z) = 2", "E0501", "no coordinate"},
    };
    Scene s = scene_of("skater", skater);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        LiaDiags* diags = lia_diags_create();
        char* json = explain_at(&s, wrong[i].at, diags);
        char* said = lia_diags_text(diags);
        check(!json && said && strstr(said, wrong[i].code) && strstr(said, wrong[i].part),
              wrong[i].at, said ? said : "");
        lia_free(said);
        lia_free(json);
        lia_diags_destroy(diags);
    }
    scene_clear(&s);
}

// That the gap of shapes that roll stays closed follows from the rolling: that equation has no
// force, and those of the rolling are unique.
static void forces_of_rolling_are_its_own(void) {
    Scene s = scene_of(
        "disk", "body coin: mass 1, inertia [1, 1, 2], free\n"
                "gravity [0, 0, -9.81]\n"
                "joint roll: rolling(disk(coin, 0.5), plane(ground))\n"
                "start coin.position = [0, 0, 0.4], coin.attitude = rotx(0.9272952180016122)\n"
                "run t = 0..1\n");
    char* said = s.system ? lia_explain(s.system, &(LiaExplainOptions){0}, s.diags) : NULL;
    check(said && strstr(said, "force(roll)[3]"), "disk", "the normal force is not told");
    check(said && !strstr(said, "force(roll)[4]"), "disk", "a force that there is not");
    check(said && !strstr(said, "not unique"), "disk", "its forces are unique");
    lia_free(said);
    scene_clear(&s);
}

// Names and titles that LaTeX would choke on.
static void latex_survives_names(void) {
    explain_all("names",
                "model odd_name \"50% of #1 & {two} \\\\ ~ ^ _ $ <\xC3\xA9\xCE\xB8\xE2\x82\xAC>\"\n"
                "parameter m_1_a = 2, \xCE\xB8"
                "0 = 1\n"
                "coordinate \xCE\xB8, x_a[i = 1..3], lambda2 : line\n"
                "kinetic m_1_a*(\xCE\xB8'^2 + sum(i = 1..3, x_a[i]'^2) + lambda2'^2)\n"
                "potential if(\xCE\xB8 < \xCE\xB8"
                "0, abs(lambda2), hypot(x_a[1], x_a[2]) + 1e-7*sqrt(1 + x_a[3]^2))\n"
                "constraint a_b: x_a[1] = 2*x_a[2], 0 = x_a[3] - lambda2\n"
                "operator o: lambda2' = 3/7*sin(lambda2)\n"
                "force f: -2*x_a[1]'*d(x_a[1])\n"
                "symmetry s_1: \xCE\xB8' = 1, x_a[1]' = x_a[2]\n");
    explain_all("nothing driven is free",
                "coordinate x : line\nkinetic x'^2\noperator o: x = sin(t)\n");
    explain_all("not quadratic", "coordinate x, y : line\nlagrangian (x'^2 + y'^2)^2 + y'^2 - x*y\n"
                                 "start x' = 1, y' = 1\n");
    explain_all("singular", "coordinate x, y : line\nkinetic (x' + y')^2\nconstraint c: x = y\n");
    explain_all("uncoupled",
                "coordinate x, y : line\nkinetic x'^2 + y'^2\noperator o: x = sin(t) by d(y)\n");
}

// Joints are named and counted, equations of attitudes stand as they are written: nobody reads four
// numbers.
static void bodies_are_told_in_their_own_words(void) {
    Scene s =
        scene_of("bodies", "body a: mass 1, inertia [1, 2, 2.5], free\n"
                           "joint top: on_surface(a at [0, 0, 1], ground surface f)\n"
                           "function f(x, y, z) = z - x^2\n"
                           "operator turn: Omega(a.attitude).z^2 -   # by hand\n"
                           "  0.1*a.omega.x = 2 by d(a.position.x)\n"
                           "moment drag: -0.1*a.omega on a\nstart Omega(a.attitude) ~ [0, 0, 2]\n");
    static const char* const words[][6] = {
        {"top (on_surface joint of a and ground)", "leaves 5 of 6 parameters: 1 equation,",
         "Omega(a.attitude).z^2 - 0.1*a.omega.x = 2\n", "coordinates: a.position, a.attitude\n",
         "power(drag) = ... (of attitudes: in numbers)", "count: 1 free body of 6 parameters"},
        {"\\textbf{top} (on\\_surface joint of a and ground)",
         "Leaves 5 of 6 parameters: 1 equation,",
         "\\texttt{Omega(a.attitude).z\\^{}2 - 0.1*a.omega.x = 2}",
         "Coordinates $a_{\\mathrm{position}}$, $a_{\\mathrm{attitude}}$.",
         "power(drag) $\\displaystyle = \\dots$", "Count: 1 free body of 6 parameters"}};
    for (int k = 0; k < 2; k++) {
        LiaExplainOptions way = {.format = k ? LIA_EXPLAIN_LATEX : LIA_EXPLAIN_TEXT};
        char* said = lia_explain(s.system, &way, s.diags);
        for (int i = 0; i < 6; i++) check(said && strstr(said, words[k][i]), "bodies", words[k][i]);
        check(said && !strstr(said, "attitude.w") && !strstr(said, "attitude},w"), "bodies",
              "no quaternion");
        lia_free(said);
    }
    scene_clear(&s);
}

// Of a direction one number may be driven, and the others not.
static void parts_of_places_are_driven(void) {
    Scene s = scene_of("parts", "coordinate u : sphere\ncoordinate r : space\n"
                                "kinetic dot(u', u') + dot(r', r')\n"
                                "operator lift: u.z = 0.1*sin(t)\nstart u ~ [1, 0, 0]\n");
    char* said = lia_explain(s.system, NULL, s.diags);
    check(said && strstr(said, "coordinates: u.x, u.y, r; driven: u.z\n"), "parts", said);
    lia_free(said);
    scene_clear(&s);
}

static void a_start_that_cannot_be_is_told_only_where_asked_for(void) {
    Scene s = scene_of("contradiction",
                       "coordinate x, y : line\nkinetic x'^2 + y'^2\nconstraint c: x = y\n"
                       "start x = 1, y = 2\n");
    char* said = lia_explain(s.system, NULL, s.diags);
    check(said && lia_diags_errors(s.diags) == 0, "contradiction", "explained");
    lia_free(said);
    said = lia_explain(s.system, &(LiaExplainOptions){.at_start = true}, s.diags);
    check(!said && lia_diags_errors(s.diags) == 1, "contradiction", "told");
    lia_free(said);
    scene_clear(&s);
}

// Nothing satisfies the equations: no count is reported as if there were a state to take it at.
static void without_admissible_states_nothing_is_counted(void) {
    static const char* const models[] = {
        "coordinate x, y : line\nkinetic x'^2 + y'^2\nconstraint c: x^2 + y^2 = -1\n"
        "operator o: x' = 1 by d(y)\nsymmetry turn: x' = -y, y' = x\n",
        "body b: mass 1, inertia [1, 2, 3], free\n"
        "joint j: spherical(ground, b at [0, 0, 1])\nconstraint c: b.position.z^2 = -1 - t\n",
    };
    static const char* const unknown[] = {
        "\"C\": null, \"D\": null, \"W\": null",
        "\"freedom\": {\"positions\": null, \"velocities\": null, \"hidden\": null}",
        "\"l\": null, \"l_at_start\": null, \"c\": null",
        "\"configurations\": null, \"states\": null",
        "\"independent\": null",
        "\"H0\": null",
        "\"unique\": null",
        "\"regular\": null",
        "\"conserved\": null"};
    for (int i = 0; i < 2; i++) {
        Scene s = scene_of("nowhere", models[i]);
        char* json =
            lia_explain(s.system, &(LiaExplainOptions){.format = LIA_EXPLAIN_JSON}, s.diags);
        for (size_t k = 0; json && k < sizeof unknown / sizeof unknown[0]; k++)
            check(strstr(json, unknown[k]) != NULL, "nowhere", unknown[k]);
        char keys[1024] = "";
        const char* at = json ? json : "";
        check(read_value(&at, 1, keys, sizeof keys), "nowhere", "JSON");
        char* text = lia_explain(s.system, NULL, s.diags);
        check(text && strstr(text, "C, D, W and what is left to the motion are not known"),
              "nowhere", "text");
        check(text && !strstr(text, "dimension 4, velocities") &&
                  !strstr(text, "left to the motion:") && !strstr(text, "among themselves") &&
                  !strstr(text, " of them independent"),
              "nowhere", "no counts in the text");
        check(text && !strstr(text, "not conserved") && !strstr(text, "first type"), "nowhere",
              "no verdicts in the text");
        char* latex =
            lia_explain(s.system, &(LiaExplainOptions){.format = LIA_EXPLAIN_LATEX}, s.diags);
        check(latex && strstr(latex, "are not known") && !strstr(latex, "Left to the motion:") &&
                  !strstr(latex, "among themselves") && strstr(latex, "conserved is open"),
              "nowhere", "LaTeX");
        check(i == 0 || (text && strstr(text, "moving with time")), "nowhere", "moving");
        lia_free(json);
        lia_free(text);
        lia_free(latex);
        scene_clear(&s);
    }
}

int main(void) {
    explain_files();
    states_are_read_and_made_admissible();
    wrong_states_are_told();
    forces_of_rolling_are_its_own();
    latex_survives_names();
    bodies_are_told_in_their_own_words();
    parts_of_places_are_driven();
    a_start_that_cannot_be_is_told_only_where_asked_for();
    without_admissible_states_nothing_is_counted();
    return cases_end();
}
