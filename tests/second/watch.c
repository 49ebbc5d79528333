// Steps of the second way that cannot leap over a narrow feature.
//
// A formula of a few operations is narrow only where a function has an argument that moves fast:
// exp(-(x/w)^2), tanh(x/w), 1/(1 + (x/w)^2), r^-12. So a step is too long in which an argument
// moves by more than about 1/2, or, where it is large and its function flat, by more than a quarter
// of itself. A denominator, a base or a radicand moves by less than half of itself: the peak of
// 1/(1 + u^2) is met on the way by one of the stages.
// SPDX-License-Identifier: MIT
#include "parts.h"
#include <math.h>
#include <stdlib.h>

// Which argument of an operation is to be watched, 0: none.
static uint32_t argument(const Second* s, uint32_t i, double* absolute, double* relative) {
    const LiaNode* n = &s->g->nodes[i];
    *absolute = 0.5;
    *relative = 0.25;
    switch ((LiaOp)n->op) {
    case LIA_OP_EXP:
    case LIA_OP_SINH:
    case LIA_OP_COSH:
    case LIA_OP_TANH:
    case LIA_OP_ATAN:
        return n->a;
    case LIA_OP_SIN:
    case LIA_OP_COS:
    case LIA_OP_TAN:
    case LIA_OP_WRAP:
        *absolute = 3.0;
        *relative = 0.0;
        return n->a;
    case LIA_OP_ASIN:
    case LIA_OP_ACOS:
        *absolute = 0.1;
        *relative = 0.0;
        return n->a;
    case LIA_OP_DIV:
        *absolute = 0.0;
        *relative = 0.5;
        return n->b;
    case LIA_OP_LOG:
    case LIA_OP_SQRT:
        *absolute = 0.0;
        *relative = 0.5;
        return n->a;
    case LIA_OP_POW: {
        const LiaNode* p = &s->g->nodes[n->b];
        double power = p->op == LIA_OP_CONST ? fabs(s->g->numbers[p->a].value) : 2.0;
        bool whole =
            p->op == LIA_OP_CONST && s->g->numbers[p->a].value > 0.0 && power == floor(power);
        if (whole && power <= 4.0) return 0;  // a polynomial
        *absolute = whole ? 0.25 : 0.0;
        *relative = fmin(0.25, 2.0 / power);
        return n->a;
    }
    case LIA_OP_HYPOT:
    case LIA_OP_ATAN2:
        *absolute = n->op == LIA_OP_HYPOT ? 0.0 : 0.5;
        return i;
    default:
        return 0;
    }
}

void second_watch_create(Second* s) {
    const uint16_t moving = LIA_DEPENDS(TIME) | LIA_DEPENDS(POSITION) | LIA_DEPENDS(VELOCITY);
    s->watched = calloc((size_t)s->needed_count + 1, sizeof *s->watched);
    for (uint32_t i = 1; i < s->needed_count; i++) {
        Watched w = {0};
        if (s->needed[i]) w.node = argument(s, i, &w.absolute, &w.relative);
        uint16_t depends =
            s->g->nodes[w.node].depends;  // on forces and works: known after the solution only
        if (w.node && depends & moving && !(depends & ~moving & ~LIA_DEPENDS(PARAMETER)))
            s->watched[s->watched_count++] = w;
    }
}

void second_watch_look(Second* s) {
    for (uint32_t i = 0; i < s->watched_count; i++) {
        Watched* w = &s->watched[i];
        double u = s->value[w->node];
        if (s->watch_begins) {
            w->at_start = u;
            w->too_far = false;
            continue;
        }
        double most = s->watch.fraction * fmax(w->absolute, w->relative * fabs(w->at_start));
        if (!(fabs(u - w->at_start) <= most)) w->too_far = true;
    }
    s->watch_begins = false;
}

bool second_watch_moved(Second* s) {
    bool moved = false;
    for (uint32_t i = 0; i < s->watched_count; i++) {
        moved = moved || s->watched[i].too_far;
        s->watched[i].too_far = false;
    }
    return moved;
}
