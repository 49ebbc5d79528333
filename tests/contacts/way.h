// The second way with contacts: DOP853 within a mode, events by bisection, modes by trying them
// all.
//
// Nothing of the program is used. Equations of motion are solved densely at every stage; where a
// contact begins or ends, every combination of open, closed, sliding and sticking is followed for a
// moment, and the one that keeps its own conditions is taken.
// SPDX-License-Identifier: MIT
#pragma once
#include "world.h"

typedef enum WayKind { WAY_IMPACT, WAY_RELEASE, WAY_STICK, WAY_SLIP } WayKind;
typedef enum WayOutcome {
    WAY_GOOD,
    WAY_NEAR,       // a graze, or slip in space that nearly ends: not for this judge
    WAY_UNDECIDED,  // no mode keeps its conditions, or several do
} WayOutcome;

enum { WAY_EVENTS = 11 };

typedef struct WayEvent {
    double t;
    int contact;
    WayKind kind;
} WayEvent;

typedef struct Way {
    WayOutcome outcome;
    int count;  // WAY_EVENTS: it ended there
    WayEvent events[WAY_EVENTS];
    int crashes;  // impacts of several contacts, not all of them smooth
    double t, q[WORLD_N], v[WORLD_N];
} Way;

/// Run a world up to w->end, or to the last event that has room.
void way_run(const World* w, Way* way);
