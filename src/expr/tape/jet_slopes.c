// Slopes: derivatives of order 0, by which the unknowns of an order come to what was computed
// without them, and by which K0 is found. See jet.h.
// SPDX-License-Identifier: MIT
#include "expr/tape/jet.h"
#include <string.h>

static inline double* series(const LiaJets* jets, uint32_t reg) {
    return lia_jet_series(jets, reg);
}

static inline double first(const LiaJets* jets, uint32_t reg) {
    return lia_jet_series(jets, reg)[0];
}

// Derivatives of order 0 of the codes that have no loop of their own below.
static LiaSlope slope_of(const LiaJets* jets, const LiaInstr* in) {
    LiaSlope slope = {0};
    switch ((LiaCode)in->code) {
    case LIA_CODE_SQUARE:
        slope.x = 2.0 * first(jets, in->x);
        break;
    case LIA_CODE_DIV:
        slope.x = 1.0 / first(jets, in->y);
        slope.y = -first(jets, in->out) / first(jets, in->y);
        break;
    case LIA_CODE_DIVIDE:
        slope.x = 1.0 / first(jets, in->y);
        break;
    case LIA_CODE_SINCOS:
        slope.x = first(jets, in->aux);
        slope.aux_x = -first(jets, in->out);
        break;
    default: {
        LiaJet jet = {.x = series(jets, in->x),
                      .y = series(jets, in->y),
                      .z = series(jets, in->z),
                      .out = series(jets, in->out),
                      .aux = series(jets, in->aux),
                      .side = in->guard ? jets->side[in->guard - 1] : 0};
        lia_op_kinds[in->op]->tangent(&jet, &slope);
        break;
    }
    }
    return slope;
}

// A branch that is not taken has the slope 0, and may itself be no number.
static inline double part(double slope, double d) { return slope != 0.0 ? slope * d : 0.0; }

// The slope of a product that may overflow is the other factor: next to it, what is 0 stays so
// (ops/product.c).
static inline LiaSlope keep_zeros(const LiaInstr* in, LiaSlope s, double dx, double dy) {
    if (in->code == LIA_CODE_CALL && in->op == LIA_OP_MUL) {
        if (dx == 0.0) s.x = 0.0;
        if (dy == 0.0) s.y = 0.0;
    }
    return s;
}

// Changes of the top coefficients run through a block: d(out) = sum of slope * d(argument), which
// is added to the coefficient of order `top`.
static inline void add_change(double* d, double* out, const LiaBoundChange* c, double change) {
    d[c->out] = change;
    out[c->at.out] += change;
}

// From its offset to coefficient k of a register of this room.
static inline size_t how_far(const LiaJets* jets, uint8_t room, int k) {
    if (room == LIA_ROOM_SERIES || room == LIA_ROOM_FIXED) return (size_t)k;
    return lia_jet_order(jets, k).from[room == LIA_ROOM_LAYER ? 1 : 2];
}

// A block in a window, or, where w is NULL, in none: then all counts from 0. So does a window with
// codes that are not plain.
static inline __attribute__((always_inline)) void change_block(const LiaJets* jets,
                                                               const LiaBoundWindow* w,
                                                               const LiaBlock* b,
                                                               const LiaBoundCorrections* of,
                                                               double* d, int top) {
    const LiaBoundChange *c = of->first + b->begin, *end = of->first + b->end;
    const double *x = jets->s, *y = jets->s;
    double* out = jets->s + how_far(jets, b->out, top);
    double *to = d, *dx = d, *dy = d;
    if (w) {
        const size_t offset[LIA_ROOMS] = {w->series, w->layer, w->brief, 0, 0};
        const size_t reg[LIA_ROOMS] = {w->reg, w->reg, w->reg, 0, 0};
        x += offset[b->x], y += offset[b->y], out += offset[b->out];
        to += reg[b->out], dx += reg[b->x], dy += reg[b->y];
    }
    switch ((LiaCode)b->code) {
    case LIA_CODE_ADD:
        for (; c < end; c++) add_change(to, out, c, dx[c->x] + dy[c->y]);
        return;
    case LIA_CODE_SUB:
        for (; c < end; c++) add_change(to, out, c, dx[c->x] - dy[c->y]);
        return;
    case LIA_CODE_NEG:
        for (; c < end; c++) add_change(to, out, c, -dx[c->x]);
        return;
    case LIA_CODE_MUL:
        for (; c < end; c++) add_change(to, out, c, y[c->at.y] * dx[c->x] + x[c->at.x] * dy[c->y]);
        return;
    case LIA_CODE_SCALE:
        for (; c < end; c++) add_change(to, out, c, x[c->at.x] * dy[c->y]);
        return;
    case LIA_CODE_SQUARE:
        for (; c < end; c++) add_change(to, out, c, part(2.0 * x[c->at.x], dx[c->x]));
        return;
    case LIA_CODE_DIVIDE:
        for (; c < end; c++) add_change(to, out, c, part(1.0 / y[c->at.y], dx[c->x]));
        return;
    default:
        for (const LiaInstr* in = of->instrs + b->begin; c < end; c++, in++) {
            double of_x = d[in->x], of_y = d[in->y], of_z = d[in->z];
            LiaSlope slope = keep_zeros(in, slope_of(jets, in), of_x, of_y);
            add_change(d, out, c, part(slope.x, of_x) + part(slope.y, of_y) + part(slope.z, of_z));
            if (!in->aux) continue;
            d[in->aux] = slope.aux_x * of_x + slope.aux_y * of_y;
            series(jets, in->aux)[top] += d[in->aux];
        }
    }
}

static inline __attribute__((always_inline)) void correct_blocks(const LiaJets* jets,
                                                                 const LiaBoundWindow* w,
                                                                 const LiaBoundCorrections* of,
                                                                 double* d, int k) {
    for (const LiaBlock* b = of->begin; b < of->end; b++)
        change_block(jets, w, b, of, d, k + b->offset);
}

void lia_jet_slopes_correct_window(const LiaJets* jets, const LiaBoundWindow* w, int k) {
    correct_blocks(jets, w, &w->of_v, jets->change_v, k);
    correct_blocks(jets, w, &w->of_q, jets->change_q, k);
}

static const LiaBoundChange* changes_of(const LiaJets* jets, const LiaSection* section) {
    return jets->changes + (section->first - jets->sections->slope_v.first);
}

static inline __attribute__((always_inline)) void change_section(const LiaJets* jets,
                                                                 const LiaSection* section,
                                                                 double* d, int k) {
    LiaBoundCorrections of = {section->blocks, section->blocks + section->block_count,
                              changes_of(jets, section), section->instrs};
    correct_blocks(jets, NULL, &of, d, k);
}

void lia_jet_slopes_correct(LiaJets* jets, int k) {
    const LiaTape* tape = jets->tape;
    if (tape->window_count && !jets->correct_all) {
        for (uint32_t i = 0; i < tape->window_count; i++)
            lia_jet_slopes_correct_window(jets, &jets->windows[i], k);
        return;
    }
    const LiaSection* of_v =
        jets->correct_all ? &jets->sections->slope_v : &jets->sections->correct_v;
    const LiaSection* of_q =
        jets->correct_all ? &jets->sections->slope_q : &jets->sections->correct_q;
    if (of_v->count) change_section(jets, of_v, jets->change_v, k);
    if (of_q->count) change_section(jets, of_q, jets->change_q, k);
}

static void probe_several(const LiaInstr* in, LiaSlope s, const double* dx, const double* dy,
                          const double* dz, double* restrict out) {
    for (int l = 0; l < LIA_JET_LANES; l++) {
        LiaSlope of = keep_zeros(in, s, dx[l], dy[l]);
        out[l] = part(of.x, dx[l]) + part(of.y, dy[l]) + part(of.z, dz[l]);
    }
}

// The same in LIA_JET_LANES columns side by side, for probes.
static inline void probe_block(const LiaJets* jets, const LiaBlock* b, const LiaBoundChange* first,
                               const LiaInstr* instrs, double* d) {
    enum { lanes = LIA_JET_LANES };
    const LiaBoundChange *c = first + b->begin, *end = first + b->end;
    for (const LiaInstr* in = instrs + b->begin; c < end; c++, in++) {
        const double *dx = d + (size_t)c->x * lanes, *dy = d + (size_t)c->y * lanes;
        double* restrict out = d + (size_t)c->out * lanes;
        switch ((LiaCode)b->code) {
        case LIA_CODE_ADD:
            for (int l = 0; l < lanes; l++) out[l] = dx[l] + dy[l];
            break;
        case LIA_CODE_SUB:
            for (int l = 0; l < lanes; l++) out[l] = dx[l] - dy[l];
            break;
        case LIA_CODE_MUL: {
            double x = jets->s[c->at.x], y = jets->s[c->at.y];
            for (int l = 0; l < lanes; l++) out[l] = y * dx[l] + x * dy[l];
            break;
        }
        case LIA_CODE_SCALE: {
            double x = jets->s[c->at.x];
            for (int l = 0; l < lanes; l++) out[l] = x * dy[l];
            break;
        }
        case LIA_CODE_NEG:
            for (int l = 0; l < lanes; l++) out[l] = -dx[l];
            break;
        default: {
            LiaSlope s = slope_of(jets, in);
            bool product = in->code == LIA_CODE_CALL && in->op == LIA_OP_MUL;
            if (s.y == 0.0 && s.z == 0.0 && !product) {  // of one argument: most are
                for (int l = 0; l < lanes; l++) out[l] = s.x != 0.0 ? s.x * dx[l] + 0.0 : 0.0;
            } else {
                probe_several(in, s, dx, dy, d + (size_t)in->z * lanes, out);
            }
            double* aux = d + (size_t)in->aux * lanes;
            for (int l = 0; in->aux && l < lanes; l++) aux[l] = s.aux_x * dx[l] + s.aux_y * dy[l];
            break;
        }
        }
    }
}

// Beside what the section writes, only the symbols are ever set: the rest of the lanes stays zero.
typedef struct Probed {  // slopes by velocities, or by positions
    const LiaSection* section;
    double* lanes;
    const uint32_t* symbols;
} Probed;

static void probe(LiaJets* jets, const Probed* of, const uint32_t* coordinates, const uint8_t* lane,
                  uint32_t count) {
    const LiaSection* section = of->section;
    const uint32_t* symbols = of->symbols;
    double* lanes = jets->lanes = of->lanes;
    for (uint32_t i = 0; i < jets->tape->coordinate_count; i++) {
        memset(lanes + (size_t)symbols[i] * LIA_JET_LANES, 0, LIA_JET_LANES * sizeof *lanes);
    }
    for (uint32_t i = 0; i < count; i++) {
        lanes[(size_t)symbols[coordinates[i]] * LIA_JET_LANES + lane[i]] = 1.0;
    }
    const LiaBoundChange* first = changes_of(jets, section);
    for (uint32_t i = 0; i < section->block_count; i++) {
        probe_block(jets, &section->blocks[i], first, section->instrs, lanes);
    }
}

void lia_jet_slopes_probe_v(LiaJets* jets, const uint32_t* coordinates, const uint8_t* lane,
                            uint32_t count) {
    Probed of = {&jets->sections->slope_v, jets->lanes_v, jets->tape->velocity};
    probe(jets, &of, coordinates, lane, count);
}

void lia_jet_slopes_probe_q(LiaJets* jets, const uint32_t* coordinates, const uint8_t* lane,
                            uint32_t count) {
    Probed of = {&jets->sections->slope_q, jets->lanes_q, jets->tape->position};
    probe(jets, &of, coordinates, lane, count);
}
