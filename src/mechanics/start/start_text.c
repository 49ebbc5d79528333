// What is said of a start: its values, and equations that it contradicts. See search.h.
// SPDX-License-Identifier: MIT
#include "base/numeric/quaternion.h"
#include "base/numeric/thresholds.h"
#include "lang/bodies/attitude.h"
#include "mechanics/diagnosis/domain.h"
#include "mechanics/diagnosis/driven_twice.h"
#include "mechanics/start/search/search.h"
#include "mechanics/start/start.h"
#include <math.h>
#include <string.h>

void lia_start_text_add_list(LiaText* text, const double* x, uint32_t count, double rounding) {
    for (uint32_t k = 0; k < count; k++) {
        lia_text_add(text, k ? ", " : "");
        lia_text_add_short(text, fabs(x[k]) > rounding ? x[k] : 0.0, 8);
    }
}

// "r = [1, 0, 0]", "omega(R) = [0, 0, 1]", "x' = 2": as one writes it in 'start'.
static void describe_one(const LiaSearch* z, int level, uint32_t i, double rounding,
                         LiaText* text) {
    const LiaModel* m = z->s->model;
    const double* x = (level == 0 ? z->w->q : z->w->v) + i;
    const LiaGroup* group =
        m->coordinates[i].group ? &m->groups[m->coordinates[i].group - 1] : NULL;
    double omega[3];
    if (!group) {
        lia_text_add(text, "%s%s = ", m->coordinates[i].name, level ? "'" : "");
        lia_start_text_add_list(text, x, 1, rounding);
        return;
    }
    bool rotation = group->manifold == LIA_ROTATION;
    if (rotation && level == 0) rounding = LIA_SHOWN_NONE;  // of a quaternion, whose length is 1
    if (rotation && level == 1) lia_quaternion_spin(z->w->q + i, x, omega);
    lia_text_add(text,
                 rotation && level == 1 ? "omega(%s) = ["
                 : rotation             ? "%s = quaternion("
                 : level                ? "%s' = ["
                                        : "%s = [",
                 group->name);
    lia_start_text_add_list(text, rotation && level == 1 ? omega : x,
                            rotation && level == 0 ? 4 : 3, rounding);
    lia_text_add(text, rotation && level == 0 ? ")" : "]");
}

void lia_start_text_describe(const LiaSearch* z, LiaText* text) {
    enum { MOST = 12 };
    const LiaModel* m = z->s->model;
    bool first = true, more = false;
    for (int level = 0; level < 2; level++) {
        const double* x = level == 0 ? z->w->q : z->w->v;
        double most = 0.0;  // what is rounding relative to the largest, there or asked for, is 0
        for (int i = 0; i < z->n; i++) {
            most = fmax(most, fmax(fabs(x[i]), fabs(z->target[level][i])));
        }
        uint32_t shown = 0;
        for (uint32_t i = 0; i < (uint32_t)z->n; i++) {
            uint32_t group = m->coordinates[i].group;
            if (m->coordinates[i].inner || (group && m->groups[group - 1].first != i)) continue;
            more |= shown == MOST;
            if (shown++ >= MOST) break;
            lia_text_add(text, first ? "" : ", ");
            describe_one(z, level, i, LIA_SHOWN_NONE * most, text);
            first = false;
        }
    }
    if (more) lia_text_add(text, ", ...");
}

// --- what is contradicted -----------------------------------------------------------------------

bool lia_start_text_powerless(const LiaSearch* z, LiaDiags* diags) {
    const LiaModel* m = z->s->model;
    for (uint32_t c = 0; c < m->constraints_count; c++) {
        if (m->constraints[c].internal) continue;
        lia_diag_error(diags, m->constraints[c].span, "E0367",
                       "forces along the directions of '%s'%s cannot keep it at the start",
                       m->constraints[c].name,
                       m->constraints_count > 2 ? " and of the other constraints" : "");
        lia_diag_help(diags,
                      "the rates of its left minus right along the directions, dphi(W), must "
                      "make a regular matrix");
        return true;
    }
    return false;
}

// Two shapes have no places that face each other, or none was found.
static void say_lost(const LiaModel* model, uint32_t foot, LiaDiags* diags) {
    const LiaConstraint* c = &model->constraints[model->contact_points[foot].constraint];
    lia_diag_error(diags, c->span, "E0306", "where the shapes of '%s' touch was not found",
                   c->name);
    lia_diag_help(
        diags,
        "say in 'start' where the bodies are, near the place; a function of a shape is 0 on its "
        "surface, negative inside, and smooth");
}

enum { SAID_MOST = 12 };  // a mechanism that was not put together has hundreds of residuals

// Shapes that do not touch, by the residual r of one of their equations.
static void say_apart(const LiaConstraint* c, const LiaRow* row, double r, LiaDiags* diags) {
    uint32_t part = row->part + 1;
    if (part < c->gap || part >= c->gap + c->gap_count) {
        lia_diag_error(diags, row->span, "E0305",
                       "the shapes of '%s' do not touch along a line at the start: one of them "
                       "must be turned or moved (left minus right is %.6g)",
                       c->name, r);
    } else if (c->gap_count > 1) {
        lia_diag_error(diags, row->span, "E0305",
                       "the tips of the cones of '%s' are not together at the start: apart by %.6g "
                       "in %c",
                       c->name, fabs(r), "xyz"[part - c->gap]);
    } else {
        lia_diag_error(diags, row->span, "E0305",
                       "the shapes of '%s' do not touch at the start: they %s %s%.6g", c->name,
                       r > 0.0 ? "are apart by" : "overlap by", c->gap_rough ? "about " : "",
                       fabs(r));
    }
}

static const LiaRow* row_of(const LiaSearch* z, int c) {
    return &z->s->rows[z->w->dynamics->rows[c]];
}

// Does row c say that two rotations are the same? Half a turn from each other it has no value, and
// that is how much it misses by.
static bool is_turn(const LiaSearch* z, int c, int level) {
    return level == 0 && row_of(z, c)->turn != 0;
}

// Does the equation of row c miss by more than `least` of its row?
static bool misses(const LiaSearch* z, int c, int level, double least) {
    if (!lia_search_row_counts(z, c, level)) return false;
    if (is_turn(z, c, level)) return !(fabs(lia_search_residual(z, c, level)) <= least);
    return fabs(lia_search_residual(z, c, level)) >
           least * fmax(lia_search_row_size(z, c), LIA_START_ROW_LEAST);
}

// The length of a direction, which nobody wrote down: its rate is along it.
static void say_not_across(const LiaConstraint* constraint, double r, LiaDiags* diags) {
    lia_diag_error(diags, constraint->span, "E0301",
                   "the start velocity of a direction is at right angles to it: of '%.*s', "
                   "dot(u, u') is %.6g, not 0",
                   (int)strcspn(constraint->name + 1, "|"), constraint->name + 1, r);
}

// Rows of one equation of vectors, or of one joint, follow each other: the row after the last of
// them.
static int end_of_equation(const LiaSearch* z, int c) {
    const LiaRow* first = row_of(z, c);
    for (; c < z->nc; c++) {
        const LiaRow* row = row_of(z, c);
        if (row->constraint != first->constraint || row->span.begin != first->span.begin) break;
    }
    return c;
}

// What the rows [c, end) of an equation miss by.
static void say_missed(const LiaSearch* z, int c, int end, int level, double least,
                       LiaDiags* diags) {
    const LiaRow* row = row_of(z, c);
    LiaText numbers = {0};
    for (int k = c; k < end; k++) {
        if (!misses(z, k, level, least)) continue;
        lia_text_add(&numbers, "%s%.6g", k > c ? ", " : "", lia_search_residual(z, k, level));
    }
    lia_diag_error(diags, row->span, "E0301", "the start contradicts '%s': %s is %s, not 0",
                   z->s->model->constraints[row->constraint].name,
                   level == 1 && row->geometric ? "the rate of left minus right"
                                                : "left minus right",
                   numbers.data ? numbers.data : "");
    lia_text_clear(&numbers);
}

// The rows [c, end) are 2 tan(angle/2) n, or no number.
static void say_turned(const LiaSearch* z, int c, int end, LiaDiags* diags) {
    const LiaRow* row = row_of(z, c);
    double angle = lia_branch_turned(z->s, row->turn, z->w->q, z->w->t), tangent = 0.0;
    for (int k = c; k < end; k++) tangent = hypot(tangent, lia_search_residual(z, k, 0) / 2.0);
    if (angle < 1.0) angle = 2.0 * atan(tangent);
    lia_diag_error(diags, row->span, "E0301",
                   "the start contradicts '%s': its sides are turned by %.6g degrees relative to "
                   "each other",
                   z->s->model->constraints[row->constraint].name, angle * 57.29577951308232);
}

// Each equation that does not hold, by more than `least` of its row; how many there are. Unit
// lengths and places of contacts are `internal`.
static int say_residuals(LiaSearch* z, int level, bool internal, double least, LiaDiags* diags) {
    int said = 0;
    for (int c = 0, next; c < z->nc; c = next) {
        const LiaRow* row = row_of(z, c);
        const LiaConstraint* constraint = &z->s->model->constraints[row->constraint];
        next = c + 1;
        if (constraint->internal != internal || !misses(z, c, level, least)) continue;
        bool apart = level == 0 && constraint->gap;
        bool across = internal && level == 1 && !constraint->foot;
        if (!apart && !across) next = end_of_equation(z, c);
        if (said++ >= SAID_MOST) continue;
        if (apart) {
            say_apart(constraint, row, lia_search_residual(z, c, level), diags);
        } else if (across) {
            say_not_across(constraint, lia_search_residual(z, c, level), diags);
        } else if (is_turn(z, c, level)) {
            say_turned(z, c, next, diags);
        } else {
            say_missed(z, c, next, level, least, diags);
        }
    }
    return said;
}

static const double UNTURNED[4] = {1.0, 0.0, 0.0, 0.0};

// "x = 0", "R turned by 30 degrees about [0, 0, 1]": where coordinate i was looked at.
static void add_guess(const LiaSearch* z, uint32_t i, LiaText* text) {
    const LiaModel* m = z->s->model;
    uint32_t group = lia_attitude_of(m, i);
    lia_text_add(text, group ? "%s " : "%s = ", lia_attitude_name(m, i));
    if (group) {
        lia_attitude_describe(text, UNTURNED, z->target[0] + m->groups[group - 1].first);
    } else {
        lia_text_add_short(text, z->target[0][i], 6);
    }
}

// "x = 0, y = 0": the coordinates of a row, where it was looked at.
static int add_guesses(const LiaSearch* z, int c, LiaText* text) {
    enum { TOLD = 4 };
    LiaEntries J = lia_workspace_J(z->w, c);
    int count = 0;
    uint32_t last = 0;  // the four numbers of a rotation stand next to each other
    for (int k = 0; k < J.count; k++) {
        uint32_t i = (uint32_t)lia_entry_column(&J, k), rotation;
        if (J.value[k] == 0.0 || z->s->model->coordinates[i].inner) continue;
        rotation = lia_attitude_of(z->s->model, i);
        if (rotation && rotation == last) continue;
        last = rotation;
        if (count++ >= TOLD) continue;
        lia_text_add(text, count > 1 ? ", " : "");
        add_guess(z, i, text);
    }
    if (count > TOLD) lia_text_add(text, ", ...");
    return count;
}

// The equation of row c has no value at the time of the start, wherever one begins: 0.1/t at t = 0.
static bool say_lawless(const LiaSearch* z, int c, LiaDiags* diags) {
    const LiaRow* row = row_of(z, c);
    const LiaConstraint* constraint = &z->s->model->constraints[row->constraint];
    LiaText what = {0};
    LiaSpan span = {0, 0};
    bool found =
        lia_domain_law(z->s->model, row->constraint, z->s->parameters, z->w->t, &what, &span);
    if (found && what.data) {
        lia_diag_error(
            diags, span, "E0308", "no start was found: %s'%s' has no value at t = %.6g, %s",
            constraint->active ? "the law of " : "", constraint->name, z->w->t, what.data);
        lia_diag_help(diags, "begin at another time, 'run t = 0.1..1', or write what has a value "
                             "there");
    }
    lia_text_clear(&what);
    return found;
}

// No start was found, and nothing was contradicted: an equation has no value at the guess.
static bool say_nowhere(LiaSearch* z, LiaDiags* diags) {
    for (int c = 0; c < z->nc; c++) {
        if (!lia_search_row_counts(z, c, 0) || is_turn(z, c, 0)) continue;
        if (lia_search_row_has_value(z, c)) continue;
        if (say_lawless(z, c, diags)) return true;
        LiaText guesses = {0};
        const LiaRow* row = &z->s->rows[z->w->dynamics->rows[c]];
        bool any = add_guesses(z, c, &guesses) > 0 && guesses.data;
        if (any) {
            lia_diag_error(diags, row->span, "E0308", "no start was found: '%s' has no %s at %s",
                           z->s->model->constraints[row->constraint].name,
                           isfinite(z->w->phi[c]) ? "gradient" : "value", guesses.data);
            lia_diag_help(diags,
                          "no nearest admissible positions were found around there: give others in "
                          "'start', or guess them with '~'");
        }
        lia_text_clear(&guesses);
        if (any) return true;
    }
    return false;
}

// An equation has no value or no rate in the state that was looked at, as acos(cos(t)) at t = 0:
// nothing can be said of residuals.
static bool say_valueless(const LiaSearch* z, int level, LiaDiags* diags) {
    for (int c = 0; c < z->nc; c++) {
        if (!lia_search_row_counts(z, c, level) || is_turn(z, c, level)) continue;
        if (isfinite(lia_search_residual(z, c, level))) continue;
        if (say_lawless(z, c, diags)) return true;
        const LiaRow* row = &z->s->rows[z->w->dynamics->rows[c]];
        LiaText what = {0};
        LiaSpan span = row->span;
        bool edge =
            lia_domain_pole(z->s->model, z->s->parameters, z->w->t, LIA_START_AHEAD, &what, &span);
        lia_diag_error(diags, span, "E0308", "no start was found: '%s' has no %s at t = %.6g%s%s",
                       z->s->model->constraints[row->constraint].name,
                       level == 1 && row->geometric ? "rate" : "value", z->w->t, edge ? ": " : "",
                       edge && what.data ? what.data : "");
        lia_diag_help(diags, "a function is at the edge of where it is smooth: begin at another "
                             "time or place");
        lia_text_clear(&what);
        return true;
    }
    return false;
}

// Is there a value to move that was given, and not only guessed?
static bool anything_given(const LiaSearch* z, int level) {
    for (int i = 0; i < z->n; i++) {
        if (z->given[0][i] || (level == 1 && z->given[1][i])) return true;
    }
    return false;
}

// The coordinate or group that an operator has alone on the left of row c: its first coordinate,
// UINT32_MAX if there is none. Of an equation between rotations that is the one rotation in it.
static uint32_t driven_by(const LiaSearch* z, int c) {
    const LiaModel* m = z->s->model;
    const LiaRow* row = row_of(z, c);
    const LiaNode* left = lia_graph_node(z->s->graph, row->left);
    bool symbol = left->op == LIA_OP_SYMBOL && (left->symbol_kind == LIA_SYMBOL_POSITION ||
                                                left->symbol_kind == LIA_SYMBOL_VELOCITY);
    uint32_t found = symbol ? left->a : UINT32_MAX;
    if (!m->constraints[row->constraint].active) return UINT32_MAX;
    LiaEntries J = lia_workspace_J(z->w, c);
    for (int k = 0; row->turn && k < J.count; k++) {
        uint32_t i = (uint32_t)lia_entry_column(&J, k), group = m->coordinates[i].group;
        if (J.value[k] == 0.0) continue;
        if (!group || (found != UINT32_MAX && found != m->groups[group - 1].first))
            return UINT32_MAX;
        found = m->groups[group - 1].first;
    }
    uint32_t group = found != UINT32_MAX ? m->coordinates[found].group : 0;
    return group ? m->groups[group - 1].first : found;
}

// "leave s out of 'start': 'm' drives it" for what 'start' gives, an operator decides and asks to
// be another. False: there is nothing like that.
static bool add_driven(const LiaSearch* z, int level, LiaText* text) {
    const LiaModel* m = z->s->model;
    uint32_t last = UINT32_MAX;
    bool some = false;
    for (int c = 0; c < z->nc; c++) {
        uint32_t i = driven_by(z, c);
        if (i == UINT32_MAX || i == last || !misses(z, c, level, LIA_START_MISSED)) continue;
        uint32_t group = m->coordinates[i].group;
        for (uint32_t k = 0; k < m->start.values_count && i != last; k++) {
            const LiaStart* start = &m->start.values[k];
            bool same = start->coordinate == i ||
                        (group && m->coordinates[start->coordinate].group == group);
            if (start->guess || start->velocity != (level == 1) || !same) continue;
            last = i;
            lia_text_add(text, "%sleave %s%s out of 'start': '%s' drives it", some ? "; " : "",
                         group ? m->groups[group - 1].name : m->coordinates[i].name,
                         level ? "'" : "", m->constraints[row_of(z, c)->constraint].name);
            some = true;
        }
    }
    return some;
}

// The search ends near an admissible place, not on it: small numbers that may be 0 as well are 0.
static void drop_digits(LiaSearch* z) {
    for (int level = 0; level < 2; level++) {
        double *x = level == 0 ? z->w->q : z->w->v, most = 0.0;
        for (int i = 0; i < z->n; i++)
            most = fmax(most, fmax(fabs(x[i]), fabs(z->target[level][i])));
        for (int i = 0; i < z->n; i++) {
            double kept = x[i];
            if (kept == 0.0 || fabs(kept) > LIA_START_MAY_BE_NONE * most) continue;
            x[i] = 0.0;
            lia_search_evaluate(z);
            if (lia_search_worst(z, 0) <= LIA_START_ADMISSIBLE &&
                lia_search_worst(z, 1) <= LIA_START_ADMISSIBLE)
                continue;
            x[i] = kept;
        }
    }
    lia_search_evaluate(z);
}

// As little as possible is moved: the given values are the targets now.
static void say_nearest(LiaSearch* z, int level, LiaText* text) {
    double left = anything_given(z, level) ? lia_search_find(z, 0, true) : INFINITY;
    if (left < LIA_START_ADMISSIBLE) left = lia_search_find(z, 1, true);
    if (left < LIA_START_ADMISSIBLE && lia_start_singular_move(z)) {
        drop_digits(z);
        lia_text_add(text, "nearest admissible start: ");
        lia_start_text_describe(z, text);
    } else if (!lia_driven_twice_find(z->s, text)) {
        lia_text_add(text, "no admissible start was found near these values: do the equations "
                           "contradict each other?");
    }
}

void lia_start_text_contradiction(LiaSearch* z, int level, LiaDiags* diags) {
    const LiaModel* model = z->s->model;
    if (level == 0 && model->contact_points_count > 0) {
        int lost = lia_start_contact_find(z->s, z->w);  // shapes are apart where they are nearest
        if (lost) {
            say_lost(model, (uint32_t)lost - 1, diags);
            return;
        }
        lia_search_evaluate(z);
    }
    if (level == 0 && z->nowhere && say_nowhere(z, diags)) return;
    if (say_valueless(z, level, diags)) return;
    int said = say_residuals(z, level, false, LIA_START_MISSED, diags);
    if (said == 0) said = say_residuals(z, level, true, LIA_START_MISSED, diags);
    if (said == 0) said = say_residuals(z, level, false, 0.0, diags);  // small numbers all of them
    LiaText text = {0};
    if (said > SAID_MOST) lia_text_add(&text, "%d more equations do not hold; ", said - SAID_MOST);
    // what is driven is set first where it is not given: then nothing else need move
    if (!add_driven(z, level, &text)) say_nearest(z, level, &text);
    lia_diag_help(diags, "%s", text.data ? text.data : "");
    lia_text_clear(&text);
}
