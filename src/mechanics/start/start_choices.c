// What is said of values of a start that were chosen: the nearest admissible ones to their guesses.
// SPDX-License-Identifier: MIT
#include "base/numeric/quaternion.h"
#include "base/numeric/thresholds.h"
#include "lang/bodies/attitude.h"
#include "mechanics/start/search/search.h"
#include <math.h>
#include <string.h>

enum { CHOICES_MOST = 6 };  // more are counted

static const double UNTURNED[4] = {1.0, 0.0, 0.0, 0.0};

static bool is_driven(const LiaSystem* s, int coordinate) {
    for (uint32_t k = 0; k < s->reduced->drive_count; k++) {
        if ((int)s->reduced->drives[k].coordinate == coordinate) return true;
    }
    return false;
}

// Do operators' equations say alone how a number moves (count 1), or a rotation that is set equal
// to another, or whose spin is set? Then there is no choice. (A model in which something begins or
// ends has all equations, also those of coordinates that are driven.)
static bool is_led(const LiaSearch* z, int first, int count) {
    const LiaPattern* J = &z->w->dynamics->J;
    int needed = count > 1 ? 3 : 1;
    for (int c = 0; c < z->nc && needed > 0; c++) {
        const LiaRow* row = &z->s->rows[z->w->dynamics->rows[c]];
        bool turns = row->turn || !row->geometric;
        bool own = z->s->model->constraints[row->constraint].active && row->linear &&
                   (count == 1 || turns) && J->start[c] < J->start[c + 1];
        for (int e = J->start[c]; own && e < J->start[c + 1]; e++) {
            own = J->column[e] >= first && J->column[e] < first + count;
        }
        if (own) needed--;
    }
    return needed == 0;
}

// A value that was not given came out other than its guess. Those of driven coordinates are no
// choice; rotations and their rates are reported as a whole.
static bool is_choice(const LiaSearch* z, int level, int i, double x, double rounding) {
    const LiaCoordinate* coordinate = &z->s->model->coordinates[i];
    if (z->given[level][i] || coordinate->inner || is_driven(z->s, i)) return false;
    if (coordinate->manifold == LIA_ROTATION || (level == 1 && is_led(z, i, 1))) return false;
    return !(fabs(x - z->target[level][i]) <= rounding);
}

// Was a position put elsewhere than it was guessed, by an operator that sees it relative to others?
static bool is_put(const LiaSearch* z, int level, int i, double rounding) {
    const LiaCoordinate* coordinate = &z->s->model->coordinates[i];
    if (level != 0 || z->driven.by[i] < 0 || z->given[0][i] || coordinate->inner) return false;
    if (coordinate->manifold == LIA_ROTATION || is_driven(z->s, i)) return false;
    return !(fabs(z->w->q[i] - z->driven.asked[i]) <= rounding);
}

static const char* operator_of(const LiaSearch* z, int row) {
    const LiaSystem* s = z->s;
    return s->model->constraints[s->rows[z->w->dynamics->rows[row]].constraint].name;
}

// Differences up to this are rounding: relative to the largest position or velocity, there or asked
// for.
static double rounding_of(const LiaSearch* z, int level) {
    const double* x = level == 0 ? z->w->q : z->w->v;
    double size = 0.0;
    for (int i = 0; i < z->n; i++) size = fmax(size, fmax(fabs(x[i]), fabs(z->target[level][i])));
    return LIA_SHOWN_MOVED * size;
}

// What was given for velocities, one after the other: "x'", "omega(R)" for all of a rotation's
// spin, "p(x)". False where there are no more; `at` begins with 0.
static bool next_given(const LiaSearch* z, size_t* at, LiaText* name) {
    const LiaModel* m = z->s->model;
    for (; *at < (size_t)z->n; ++*at) {
        size_t i = *at;
        const LiaGroup* group = NULL;
        for (uint32_t k = 0; k < m->groups_count; k++) {
            bool in = i >= m->groups[k].first && i < m->groups[k].first + m->groups[k].count;
            if (in && m->groups[k].manifold == LIA_ROTATION) group = &m->groups[k];
        }
        if (!z->given[1][i] || (group && i != group->first)) continue;
        lia_text_add(name, group ? "omega(%s)" : "%s'",
                     group ? group->name : m->coordinates[i].name);
        ++*at;
        return true;
    }
    size_t c = *at - (size_t)z->n;
    if (c >= m->constraints_count) return false;
    ++*at;
    const char* said = m->constraints[c].name;
    if (strncmp(said, "p(", 2) == 0) lia_text_add(name, "%s", said);  // start_momenta.c
    return true;
}

// Velocities are those nearest to their guesses among the admissible ones with what was given: "
// with x' and y' as given".
static void add_given(const LiaSearch* z, LiaText* text) {
    enum { NAMED_MOST = 3 };
    int count = 0, told = 0;
    LiaText name = {0};
    for (size_t at = 0; next_given(z, &at, &name); lia_text_clear(&name)) count += name.length > 0;
    if (count > NAMED_MOST) lia_text_add(text, " with the %d velocities that were given", count);
    for (size_t at = 0; count <= NAMED_MOST && next_given(z, &at, &name); lia_text_clear(&name)) {
        if (name.length == 0) continue;
        const char* between = told == 0 ? " with " : told + 1 < count ? ", " : " and ";
        lia_text_add(text, "%s%s", between, name.data);
        if (++told == count) lia_text_add(text, " as given");
    }
    lia_text_clear(&name);
}

static void note_values(const LiaSearch* z, int level, int* told, LiaText* text) {
    const double* x = level == 0 ? z->w->q : z->w->v;
    double rounding = rounding_of(z, level);
    LiaText given = {0};
    if (level == 1) add_given(z, &given);
    if (level == 1 && z->momenta) {
        lia_text_add(&given, "%s", given.data ? " and the momenta" : " with the momenta as given");
    }
    for (int i = 0; i < z->n; i++) {
        bool choice = is_choice(z, level, i, x[i], rounding);
        if (!choice && !is_put(z, level, i, rounding)) continue;
        ++*told;
        lia_text_add(text, "start: %s%s = ", z->s->model->coordinates[i].name, level ? "'" : "");
        lia_text_add_short(text, x[i], 10);
        if (!choice) {
            lia_text_add(text, ", where '%s' puts it\n", operator_of(z, z->driven.by[i]));
            continue;
        }
        lia_text_add(text, ", the nearest admissible value %sto ", z->doubt[level] ? "found " : "");
        lia_text_add_short(text, z->target[level][i], 6);
        lia_text_add(text, "%s\n", given.data ? given.data : "");
    }
    lia_text_clear(&given);
}

// Each attitude that was not given and came out other than its guess, by the turn between them.
static void note_attitudes(const LiaSearch* z, int* told, LiaText* text) {
    const LiaModel* m = z->s->model;
    for (uint32_t k = 0; k < m->groups_count; k++) {
        uint32_t first = m->groups[k].first;
        if (m->groups[k].manifold != LIA_ROTATION || z->given[0][first]) continue;
        if (is_driven(z->s, (int)first)) continue;
        const double *q = z->w->q + first, *guess = z->target[0] + first;
        double axis[3];
        bool put =
            z->driven.by[first] >= 0 && !(lia_attitude_turn(guess, q, axis) > LIA_SHOWN_TURNED);
        if (put) guess = z->driven.asked + first;
        if (!(lia_attitude_turn(guess, q, axis) > LIA_SHOWN_TURNED)) continue;
        ++*told;
        bool unturned = !(lia_attitude_turn(UNTURNED, guess, axis) > LIA_SHOWN_TURNED);
        lia_text_add(text, "start: %s is ", m->groups[k].name);
        lia_attitude_describe(text, guess, q);
        lia_text_add(text, " from %s, ", unturned ? "the axes of space" : "its guess");
        if (put) {
            lia_text_add(text, "where '%s' puts it\n", operator_of(z, z->driven.by[first]));
        } else {
            lia_text_add(text, "the nearest admissible attitude%s\n", z->doubt[0] ? " found" : "");
        }
    }
}

// omega = 2 q' q^-1 of each rotation whose rate was not given and came out other than its guess.
static void note_spins(const LiaSearch* z, int* told, LiaText* text) {
    const LiaModel* m = z->s->model;
    double rounding = rounding_of(z, 1);
    for (uint32_t k = 0; k < m->groups_count; k++) {
        uint32_t first = m->groups[k].first;
        if (m->groups[k].manifold != LIA_ROTATION || z->given[1][first]) continue;
        if (is_led(z, (int)first, (int)m->groups[k].count)) continue;
        const double *q = z->w->q + first, *v = z->w->v + first;
        double omega[3], guess[3], rate = 0.0, away = 0.0, guessed = 0.0;
        lia_quaternion_spin(q, v, omega);
        lia_quaternion_spin(q, z->target[1] + first, guess);
        for (int i = 0; i < 3; i++) {
            rate += fabs(omega[i]);
            guessed += fabs(guess[i]);
            away += fabs(omega[i] - guess[i]);
        }
        if (!(away > LIA_SHOWN_SPIN * (rate + guessed)) ||
            away < fmax(LIA_SHOWN_SPIN_NONE, rounding))
            continue;
        ++*told;
        lia_text_add(text, "start: omega(%s) = [", m->groups[k].name);
        lia_start_text_add_list(text, omega, 3, LIA_SHOWN_NONE * rate);
        lia_text_add(text, "], the nearest admissible to %s", guessed > 0.0 ? "[" : "rest\n");
        if (!(guessed > 0.0)) continue;
        lia_start_text_add_list(text, guess, 3, LIA_SHOWN_NONE * guessed);
        lia_text_add(text, "]\n");
    }
}

void lia_start_choices_note(const LiaSearch* z, LiaText* text, LiaText* all) {
    int told = 0;
    if (z->nowhere) {
        lia_text_add(text,
                     "start: at the guess an equation has no value or no gradient; it was looked "
                     "for around it\n");
    }
    note_values(z, 0, &told, all);
    note_attitudes(z, &told, all);
    if (!z->s->model->phase.is) {  // rates follow from the values
        note_values(z, 1, &told, all);
        note_spins(z, &told, all);
    }
    if (told > CHOICES_MOST) {
        lia_text_add(text,
                     "start: %d values that were not given are the nearest admissible ones%s to "
                     "their guesses, or where operators put them ('run --json' lists them)\n",
                     told, z->doubt[0] || z->doubt[1] ? " found" : "");
    } else if (told > 0 && all->data) {
        lia_text_add(text, "%s", all->data);
    }
    for (int level = 0; level < 2 && told > 0; level++) {
        if (!z->doubt[level]) continue;
        lia_text_add(
            text,
            "start: there may be nearer admissible %s than those found: guess them with '~'\n",
            level ? "velocities" : "positions");
    }
}
