// States to begin from: as an earlier run printed them (`run --json`), or as somebody wrote them.
//
//   {"state": {"x": 1, "x'": 0.5, ...}, "t": 5, ...}     anything else in the object is not looked
//                                                        at
//   {"x": 1, "x'": 0.5, ..., "t": 5}                     the names alone
// SPDX-License-Identifier: MIT
#include "motion/result/state.h"
#include "base/file/input.h"
#include "base/memory/call.h"
#include "base/numeric/thresholds.h"
#include "base/text/json.h"
#include "base/text/plain.h"
#include "lang/syntax/nearest.h"
#include "motion/result/trajectory.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES_MOST = 12 };  // of a list in a message

// A name of the file as it can be shown: not too long, nothing that a terminal would obey.
typedef struct Shown {
    char text[80];
} Shown;

LiaState* lia_state_empty(const LiaModel* model, const char* name) {
    size_t n = model->coordinates_count, length = strlen(name);
    LiaState* state =
        lia_memory_zeros(1, sizeof *state + 2 * n * sizeof(double) + length + 1 + sizeof(Shown));
    if (!state) return NULL;
    state->model = model;
    state->t = NAN;
    state->q = (double*)(state + 1);
    state->v = state->q + n;
    state->name = (char*)(state->v + n);
    memcpy(state->name, name, length + 1);
    state->of = state->name + length + 1;
    for (size_t i = 0; i < 2 * n; i++) state->q[i] = NAN;
    return state;
}

void lia_state_destroy(LiaState* state) { free(state); }

// --- names of the state ------------------------------------------------------------------------

typedef struct Name {
    const char* text;
    double* value;  // in the state
    bool inner;     // of a contact: found again where it is missing
} Name;

// Positions, then velocities, and all of them sorted: families are long, and files in any order.
typedef struct Names {
    Name *all, *sorted;
    size_t count;
    LiaArena* arena;
} Names;

// x', r'.x for space and sphere; for a rotation R'.x, R'.y, R'.z, and none for its w.
static const char* velocity_name(LiaArena* arena, const LiaModel* m, uint32_t i) {
    const LiaCoordinate* x = &m->coordinates[i];
    if (!x->group) return lia_arena_printf(arena, "%s'", x->name);
    const LiaGroup* group = &m->groups[x->group - 1];
    bool turns = group->manifold == LIA_ROTATION;
    uint32_t at = i - group->first;
    if (turns && at == 0) return NULL;
    return lia_arena_printf(arena, "%s'.%c", group->name, (turns ? "wxyz" : "xyz")[at]);
}

static int compare_names(const void* a, const void* b) {
    return strcmp(((const Name*)a)->text, ((const Name*)b)->text);
}

static bool names_init(Names* names, LiaState* state) {
    const LiaModel* m = state->model;
    uint32_t n = m->coordinates_count;
    *names = (Names){.arena = lia_arena_create()};
    if (!names->arena) return false;
    names->all = LIA_ARENA_NEW(names->arena, Name, 2 * (size_t)n + 1);
    names->sorted = LIA_ARENA_NEW(names->arena, Name, 2 * (size_t)n + 1);
    if (!names->all || !names->sorted) return false;
    for (uint32_t i = 0; i < n; i++) {
        const LiaCoordinate* x = &m->coordinates[i];
        names->all[names->count++] = (Name){x->name, &state->q[i], x->inner};
    }
    for (uint32_t i = 0; i < n; i++) {
        const char* text = velocity_name(names->arena, m, i);
        bool inner = m->coordinates[i].inner;
        if (text) names->all[names->count++] = (Name){text, &state->v[i], inner};
    }
    memcpy(names->sorted, names->all, names->count * sizeof(Name));
    qsort(names->sorted, names->count, sizeof(Name), compare_names);
    return true;
}

// Where the value of this name goes. NULL: the model has no such name.
static double* slot(const Names* names, LiaJsonText key) {
    if (memchr(key.bytes, '\0', key.length)) return NULL;
    Name wanted = {.text = key.bytes};
    const Name* found = bsearch(&wanted, names->sorted, names->count, sizeof wanted, compare_names);
    return found ? found->value : NULL;
}

static Shown shown(LiaJsonText key) {
    Shown name = {0};
    size_t n = key.length;
    if (n >= sizeof name.text) {
        for (n = sizeof name.text - 4; n > 0 && ((unsigned char)key.bytes[n] & 0xC0) == 0x80;) n--;
        memcpy(name.text + n, "...", 3);
    }
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)key.bytes[i];
        name.text[i] = c < 0x20 || c == 0x7F ? '?' : (char)c;
    }
    return name;
}

static bool is_named(const LiaJson* value, const char* name) {
    return value->key.length == strlen(name) &&
           memcmp(value->key.bytes, name, value->key.length) == 0;
}

static void complain_unknown(const Names* names, const LiaModel* model, const LiaJson* value,
                             LiaDiags* diags) {
    Shown name = shown(value->key);
    lia_diag_error(diags, value->key_span, "E0312",
                   "the model '%s' has no coordinate or velocity '%s'", model->name, name.text);
    LiaNearest nearest = lia_nearest_begin(name.text);
    for (size_t i = 0; i < names->count && i < 1000; i++)
        lia_nearest_offer(&nearest, names->all[i].text);
    lia_nearest_say(&nearest, diags, NULL);
}

// A note on what the file does not say: it is found as in any start.
static void tell_missing(const Names* names, const LiaModel* model, LiaDiags* diags) {
    LiaText text = {0};
    size_t missing = 0;
    for (size_t i = 0; i < names->count; i++) {
        if (!isnan(*names->all[i].value) || names->all[i].inner) continue;
        if (missing++ < NAMES_MOST) {
            lia_text_add(&text, "%s%s", missing > 1 ? ", " : "", names->all[i].text);
        }
    }
    if (missing > NAMES_MOST) lia_text_add(&text, " and %zu more", missing - NAMES_MOST);
    if (missing > 0) {
        lia_diag_warning(diags, (LiaSpan){0, 0}, "W0315",
                         "not all of the state of '%s' is given; missing: %s", model->name,
                         text.data ? text.data : "");
        lia_diag_help(diags,
                      "what is missing becomes the nearest admissible value to the model's start");
    }
    lia_text_clear(&text);
}

// --- reading -----------------------------------------------------------------------------------

static bool take_number(const LiaJson* value, double* out, LiaDiags* diags) {
    Shown name = shown(value->key);
    if (!isnan(*out)) {
        lia_diag_error(diags, value->key_span, "E0313", "'%s' is given twice", name.text);
        return false;
    }
    if (value->kind != LIA_JSON_NUMBER) {
        lia_diag_error(diags, value->span, "E0314", "'%s' is not a number", name.text);
        if (value->kind == LIA_JSON_NULL) {
            lia_diag_help(diags, "null stands for what was not a number: that motion had failed");
        }
        return false;
    }
    *out = value->number;
    return true;
}

// The numbers of an angular velocity say something together only: some of them are no data.
static bool check_turns(const LiaState* state, LiaSpan span, LiaDiags* diags) {
    const LiaModel* m = state->model;
    bool whole = true;
    for (uint32_t g = 0; g < m->groups_count; g++) {
        const double* omega = state->v + m->groups[g].first + 1;
        if (m->groups[g].manifold != LIA_ROTATION) continue;
        int given = !isnan(omega[0]) + !isnan(omega[1]) + !isnan(omega[2]);
        if (given == 0 || given == 3) continue;
        whole = false;
        lia_diag_error(diags, span, "E0318",
                       "only %d of the 3 numbers of the angular velocity of '%s' %s given", given,
                       m->groups[g].name, given == 1 ? "is" : "are");
        lia_diag_help(diags, "give %s'.x, %s'.y and %s'.z, or none of them", m->groups[g].name,
                      m->groups[g].name, m->groups[g].name);
    }
    return whole;
}

// False if memory is out.
static bool take_values(LiaState* state, const LiaJson* values, bool bare, LiaDiags* diags) {
    Names names;
    size_t taken = 0, before = lia_diags_errors(diags);
    bool known = names_init(&names, state);
    for (const LiaJson* value = known ? values->first : NULL; value; value = value->next) {
        bool time = bare && is_named(value, "t");
        double* x = time ? &state->t : slot(&names, value->key);
        if (x) {
            taken += take_number(value, x, diags) && !time;
        } else {
            complain_unknown(&names, state->model, value, diags);
        }
    }
    if (known) check_turns(state, values->span, diags);
    if (known && taken > 0 && lia_diags_errors(diags) == before) {
        tell_missing(&names, state->model, diags);
    } else if (known && lia_diags_errors(diags) == before) {
        lia_diag_error(diags, values->span, "E0311",
                       "there is no state here: not one position or velocity");
    }
    lia_arena_destroy(names.arena);
    return known;
}

static bool take_object(LiaState* state, const LiaJson* root, LiaDiags* diags) {
    const LiaJson* values = lia_json_member(root, "state");
    // The names alone; a coordinate may be called 'state'.
    bool bare = root->kind == LIA_JSON_OBJECT && (!values || values->kind == LIA_JSON_NUMBER);
    if (bare) return take_values(state, root, true, diags);
    if (!values || values->kind != LIA_JSON_OBJECT) {
        lia_diag_error(diags, values ? values->span : root->span, "E0311",
                       "there is no state here: an object of names and numbers was expected");
        lia_diag_help(diags, "such as {\"state\": {\"x\": 1, \"x'\": 0}, \"t\": 5}, or all that "
                             "'liaison run --json' prints");
        return true;
    }
    for (const LiaJson* value = root->first; value; value = value->next) {
        if (is_named(value, "t")) take_number(value, &state->t, diags);
        if (is_named(value, "model") && value->kind == LIA_JSON_STRING) {
            Shown of = shown(value->text);
            if (strcmp(of.text, state->model->name) != 0) memcpy(state->of, of.text, sizeof of);
        }
        if (value != values && is_named(value, "state")) {
            lia_diag_error(diags, value->key_span, "E0313", "'state' is given twice");
        }
    }
    return take_values(state, values, false, diags);
}

LiaStatus lia_state_parse(const char* name, const char* text, size_t length, const LiaModel* model,
                          LiaDiags* diags, LiaState** out) {
    if (out) *out = NULL;
    if (!name || (!text && length > 0) || !model || !diags || !out) return LIA_ARGUMENT;
    if (!text) text = "";
    LiaCall call = lia_call_begin_work(diags);
    lia_diag_source(diags, name, text, length);
    size_t before = lia_diags_errors(diags);
    LiaArena* arena = lia_arena_create();
    LiaState* state = lia_state_empty(model, name);
    const LiaJson* root = arena && state ? lia_json_read(arena, text, length, diags) : NULL;
    bool taken = root && take_object(state, root, diags);
    lia_arena_destroy(arena);
    LiaStatus ended = lia_call_end(&call);
    if (!taken || ended != LIA_OK || lia_diags_errors(diags) > before) {
        lia_state_destroy(state);
        return ended != LIA_OK ? ended : LIA_MODEL;
    }
    *out = state;
    return LIA_OK;
}

LiaStatus lia_state_load(const char* path, const LiaModel* model, LiaDiags* diags, LiaState** out) {
    if (out) *out = NULL;
    if (!path || !model || !diags || !out) return LIA_ARGUMENT;
    LiaCall call = lia_call_begin_work(diags);
    size_t length = 0;
    LiaFileId file;
    char* text = lia_input_read(path, LIA_JSON_BYTES, &length, &file);
    if (!text) {
        int error = errno;
        lia_diag_source(diags, lia_input_name(path), "", 0);
        lia_diag_error(diags, (LiaSpan){0, 0}, "E0316", "the file cannot be read: %s",
                       strerror(error));
    }
    LiaStatus status = lia_call_end(&call);
    if (status == LIA_OK) {
        status = text ? lia_state_parse(lia_input_name(path), text, length, model, diags, out)
                      : LIA_FILE;
    }
    if (status == LIA_OK) (*out)->file = file;
    free(text);
    return status;
}

LiaState* lia_state_of(const LiaTrajectory* trajectory) {
    if (!trajectory) return NULL;
    LiaState* state = lia_state_empty(trajectory->model, trajectory->model->name);
    if (!state) return NULL;
    state->t = trajectory->t;
    for (size_t k = 0; k < trajectory->column_count; k++) {
        const LiaColumn* c = &trajectory->columns[k];
        if (c->kind == LIA_COLUMN_POSITION) state->q[c->index] = trajectory->final.values[k];
        if (c->kind == LIA_COLUMN_VELOCITY) state->v[c->index] = trajectory->final.values[k];
    }
    return state;
}

// --- beginning a run ---------------------------------------------------------------------------

static void tell_switched(const LiaModel* model, LiaDiags* diags) {
    const char* name = NULL;
    LiaDuration of = {0};
    LiaSpan span = {0};
    for (uint32_t i = 0; !name && i < model->constraints_count; i++) {
        of = model->constraints[i].duration, span = model->constraints[i].span;
        if (lia_model_begins_or_ends(of)) name = model->constraints[i].name;
    }
    for (uint32_t i = 0; !name && i < model->forces_count; i++) {
        of = model->forces[i].duration, span = model->forces[i].span;
        if (lia_model_begins_or_ends(of)) name = model->forces[i].name;
    }
    if (!name) return;
    lia_diag_warning(diags, span, "W0319",
                     "'%s' is %s here, as at the start of the model: what was on is no part of a "
                     "state",
                     name, of.from ? "off" : "on");
    lia_diag_help(diags, "to go on with what was on: --checkpoint and --resume");
}

static void tell_sampled(const LiaModel* model, double t, double t0, LiaDiags* diags) {
    for (uint32_t i = 0; i < model->controls_count; i++) {
        const LiaControl* u = &model->controls[i];
        double away = u->every > 0.0 ? fabs(remainder(t - t0, u->every)) : 0.0;
        if (!(away > LIA_EVENT_SAME_TIME * fmax(fabs(t), fabs(t0)))) continue;
        LiaText text = {0};
        lia_text_add_short(&text, u->every, 10);
        lia_diag_warning(diags, u->span, "W0319",
                         "'%s' takes a new value here and every %s from here on, not at the "
                         "instants of the run before",
                         u->name, text.data ? text.data : "");
        lia_diag_help(diags,
                      "begin at one of its instants; or go on with --checkpoint and --resume");
        lia_text_clear(&text);
        return;
    }
}

// What a state of another time does not say: which statements were on, what a control saw last.
static void tell_lost(const LiaState* state, const LiaModel* model, LiaDiags* diags) {
    double t0 = model->run.given ? model->run.t0 : 0.0;
    if (isnan(state->t) || state->t == t0) return;
    tell_switched(model, diags);
    tell_sampled(model, state->t, t0, diags);
}

LiaStatus lia_state_check(const LiaState* state, const LiaModel* model, bool until,
                          LiaDiags* diags) {
    const LiaRunStatement* run = &model->run;
    // A system with other force rules has a model of its own, with the same coordinates.
    if (state->model->coordinates != model->coordinates) return LIA_ARGUMENT;
    if (!check_turns(state, (LiaSpan){0, 0}, diags)) return LIA_MODEL;
    bool over = run->t1 < run->t0 ? state->t < run->t1 : state->t > run->t1;
    if (until || !run->given || !over) {
        tell_lost(state, model, diags);
        return LIA_OK;
    }
    LiaText text = {0};
    lia_text_add_short(&text, state->t, 10);
    lia_diag_error(diags, run->span, "E0317",
                   "the state is at t = %s, where this run is already over",
                   text.data ? text.data : "");
    lia_diag_help(diags, "say how far to go: --until T");
    lia_text_clear(&text);
    return LIA_MODEL;
}

void lia_state_begin(const LiaState* state, double end, LiaStartState* start) {
    start->given_q = state->q;
    start->given_v = state->v;
    lia_text_add(&start->choices, "start: from ");
    lia_plain_add(&start->choices, state->name, strlen(state->name), LIA_PLAIN_WORD);
    lia_text_add(&start->choices, ", ");
    if (state->of[0]) lia_text_add(&start->choices, "a state of the model '%s', ", state->of);
    lia_text_add(&start->choices, "at t = ");
    lia_text_add_short(&start->choices, start->t, 10);
    const LiaRunStatement* run = &state->model->run;
    lia_text_add(&start->choices, "%s; works are counted from there\n",
                 isnan(state->t) ? " as the model says" : "");
    if (run->given && run->t1 == start->t && end == start->t) {
        lia_text_add(&start->choices,
                     "the model's run ends there: nothing is left to run (--until T goes on)\n");
    }
}
