// Simplification of a curve, in one pass.
//
// From the last point kept, the anchor, all points since must be passed within the tolerance: each
// leaves a sector of directions, and their intersection is carried along (Williams 1978; Sklansky
// and Gonzalez 1980). A point outside the sector, or one that comes back towards the anchor by more
// than the tolerance (a cusp), makes the point before it the next anchor. O(n), where
// Douglas-Peucker needs O(n^2) for a spiral.
//
// A dense oscillation, a million samples under a few hundred pixels, is a band rather than a line.
// Where x does not turn back, each column of it is drawn by its first, lowest, highest and last
// points (Jugel et al. 2014): the same pixels as the whole.
// SPDX-License-Identifier: MIT
#include "output/plot/curve.h"
#include "base/memory/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double COLUMN = 0.5;  // of a picture unit: two columns for each pixel
static const double HALF_TURN = 3.14159265358979323846;

typedef struct Sector {
    LiaPoint anchor;
    double direction;    // of the first point beyond the tolerance
    double left, right;  // directions allowed, relative to `direction`
    double far;          // largest distance from the anchor yet
    bool open;           // all points so far are within the tolerance of the anchor
} Sector;

static Sector sector_at(LiaPoint anchor) { return (Sector){.anchor = anchor, .open = true}; }

// Can the point be reached from the anchor without leaving any earlier one by more than the
// tolerance?
static bool sector_admits(Sector* sector, LiaPoint p, double tolerance) {
    double dx = p.x - sector->anchor.x, dy = p.y - sector->anchor.y;
    double distance = hypot(dx, dy);
    if (sector->open) {
        if (distance > tolerance) {
            double room = asin(tolerance / distance);
            sector->direction = atan2(dy, dx);
            sector->left = room;
            sector->right = -room;
            sector->far = distance;
            sector->open = false;
        }
        return true;
    }
    if (distance < sector->far - tolerance) {
        return false;
    }
    double turn = remainder(atan2(dy, dx) - sector->direction, 2 * HALF_TURN);
    if (turn > sector->left || turn < sector->right) {
        return false;
    }
    double room = distance > tolerance ? asin(tolerance / distance) : HALF_TURN / 2;
    sector->left = fmin(sector->left, turn + room);
    sector->right = fmax(sector->right, turn - room);
    sector->far = fmax(sector->far, distance);
    return true;
}

size_t lia_curve_simplify(LiaPoint* points, size_t count, double tolerance) {
    if (count < 3) {
        return count;
    }
    size_t kept = 1;
    Sector sector = sector_at(points[0]);
    for (size_t i = 1; i < count; i++) {
        if (!sector_admits(&sector, points[i], tolerance)) {
            LiaPoint before = points[i - 1];
            points[kept++] = before;
            sector = sector_at(before);
            sector_admits(&sector, points[i], tolerance);
        }
    }
    points[kept++] = points[count - 1];
    return kept;
}

static bool turns_back(const LiaPoint* points, size_t count) {
    bool rises = false, falls = false;
    for (size_t i = 1; i < count; i++) {
        rises |= points[i].x > points[i - 1].x;
        falls |= points[i].x < points[i - 1].x;
    }
    return rises && falls;
}

static size_t keep_extremes(LiaPoint* points, size_t count) {
    size_t kept = 0;
    for (size_t begin = 0; begin < count;) {
        double column = floor(points[begin].x / COLUMN);
        size_t lowest = begin, highest = begin, end = begin;
        for (; end < count && floor(points[end].x / COLUMN) == column; end++) {
            lowest = points[end].y < points[lowest].y ? end : lowest;
            highest = points[end].y > points[highest].y ? end : highest;
        }
        size_t early = lowest < highest ? lowest : highest,
               late = lowest < highest ? highest : lowest;
        LiaPoint four[] = {points[begin], points[early], points[late], points[end - 1]};
        size_t rows[] = {begin, early, late, end - 1};
        for (int k = 0; k < 4; k++) {
            if (k == 0 || rows[k] != rows[k - 1]) {
                points[kept++] = four[k];
            }
        }
        begin = end;
    }
    return kept;
}

size_t lia_curve_thin(LiaPoint* points, size_t count, double tolerance, size_t most) {
    if (count > 2 * most && !turns_back(points, count)) {
        count = keep_extremes(points, count);
        return lia_curve_simplify(points, count, tolerance);
    }
    LiaPoint* all = lia_memory_take(count * sizeof *all);
    if (!all) {
        return lia_curve_simplify(points, count, tolerance);
    }
    memcpy(all, points, count * sizeof *all);
    size_t kept = lia_curve_simplify(points, count, tolerance);
    while (kept > most && kept > 2 && isfinite(tolerance)) {
        tolerance *= 1.5;
        memcpy(points, all, count * sizeof *all);
        kept = lia_curve_simplify(points, count, tolerance);
    }
    free(all);
    return kept;
}
