// Running a tape order by order. See jet.h.
// SPDX-License-Identifier: MIT
#include "jet.h"
#include "ops/convolution.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool lia_jet_init(LiaJets* jets, const LiaTape* tape, int order) {
    *jets = (LiaJets){.tape = tape, .order = order};
    jets->stride = (order + 3 + 3) / 4 * 4;  // orders 0 .. order + 2
    size_t registers = tape->register_count, stride = (size_t)jets->stride;
    size_t doubles = registers * (stride + 2 + LIA_JET_LANES);
    jets->block = calloc(doubles * sizeof(double) + tape->guard_count + registers + 1, 1);
    if (!jets->block) return false;
    jets->s = jets->block;
    jets->delta_v = jets->s + registers * stride;
    jets->delta_q = jets->delta_v + registers;
    jets->lanes = jets->delta_q + registers;
    jets->side = (signed char*)(jets->lanes + registers * LIA_JET_LANES);
    jets->live = (unsigned char*)(jets->side + tape->guard_count);
    for (size_t r = 0; r < registers; r++) jets->s[r * stride] = tape->constants[r];
    jets->decide = true;
    return true;
}

void lia_jet_clear(LiaJets* jets) {
    free(jets->block);
    *jets = (LiaJets){0};
}

// --- one instruction ---------------------------------------------------------------------------

// On which side a formula that is not analytic everywhere stands, from the values met.
static int side_of(LiaGuardRule rule, const LiaInstr* in, double x, double y) {
    switch (rule) {
    case LIA_GUARD_ARGUMENT:
        return x < 0.0 ? -1 : 1;
    case LIA_GUARD_DIFFERENCE:
        if (in->op == LIA_OP_LESS_EQUAL) return x <= y ? -1 : 1;
        return x < y ? -1 : 1;
    default:
        return 0;
    }
}

// An angle next to its cut: `side` says on which side of zero it is to be taken.
static double take_side(double angle, int side) {
    const double turn = 6.283185307179586;
    if (side > 0 && angle < -turn / 4.0) return angle + turn;
    if (side < 0 && angle > turn / 4.0) return angle - turn;
    return angle;
}

static void call(const LiaJets* jets, const LiaInstr* in, int k) {
    const LiaOpKind* kind = lia_op_kinds[in->op];
    LiaJet jet = {.x = lia_jet_series(jets, in->x),
                  .y = lia_jet_series(jets, in->y),
                  .z = lia_jet_series(jets, in->z),
                  .out = lia_jet_series(jets, in->out),
                  .aux = lia_jet_series(jets, in->aux)};
    if (in->guard) {
        signed char* side = &jets->side[in->guard - 1];
        if (k == 0 && jets->decide) *side = (signed char)side_of(kind->guard, in, jet.x[0], jet.y[0]);
        jet.side = *side;
    } else if (kind->guard != LIA_GUARD_NONE) {
        jet.side = side_of(kind->guard, in, jet.x[0], jet.y[0]);
    }
    kind->series(k, &jet);
    if (k == 0 && kind->guard == LIA_GUARD_CUT) jet.out[0] = take_side(jet.out[0], jet.side);
}

static inline void run_instr(const LiaJets* jets, const LiaInstr* in, int k) {
    const double* x = lia_jet_series(jets, in->x);
    const double* y = lia_jet_series(jets, in->y);
    double* out = lia_jet_series(jets, in->out);
    switch ((LiaCode)in->code) {
    case LIA_CODE_ADD:
        out[k] = x[k] + y[k];
        return;
    case LIA_CODE_SUB:
        out[k] = x[k] - y[k];
        return;
    case LIA_CODE_NEG:
        out[k] = -x[k];
        return;
    case LIA_CODE_MUL:
        out[k] = lia_convolve(x, y, k, 0, k);
        return;
    case LIA_CODE_SCALE:
        out[k] = x[0] * y[k];
        return;
    case LIA_CODE_SQUARE:
        out[k] = lia_convolve_square(x, k);
        return;
    case LIA_CODE_DIV:
        out[k] = (x[k] - lia_convolve(out, y, k, 0, k - 1)) / y[0];
        return;
    case LIA_CODE_DIVIDE:
        out[k] = x[k] / y[0];
        return;
    case LIA_CODE_SINCOS: {
        double* aux = lia_jet_series(jets, in->aux);
        if (k == 0) {
            out[0] = sin(x[0]);
            aux[0] = cos(x[0]);
            return;
        }
        double s0 = 0.0, s1 = 0.0, c0 = 0.0, c1 = 0.0;
        int j = 1;
        for (; j + 1 <= k; j += 2) {
            double r0 = j * x[j], r1 = (j + 1) * x[j + 1];
            s0 += r0 * aux[k - j];
            c0 += r0 * out[k - j];
            s1 += r1 * aux[k - j - 1];
            c1 += r1 * out[k - j - 1];
        }
        if (j <= k) {
            s0 += j * x[j] * aux[k - j];
            c0 += j * x[j] * out[k - j];
        }
        out[k] = (s0 + s1) / k;
        aux[k] = -(c0 + c1) / k;
        return;
    }
    case LIA_CODE_CALL:
        call(jets, in, k);
        return;
    }
}

static void run_section(const LiaJets* jets, const LiaSection* section, int k) {
    for (uint32_t i = 0; i < section->count; i++) run_instr(jets, &section->instrs[i], k);
}

// --- stages ------------------------------------------------------------------------------------

void lia_jet_drive(LiaJets* jets, double t, int top) {
    const LiaTape* tape = jets->tape;
    double* time = lia_jet_series(jets, tape->time);
    time[0] = t;
    time[1] = 1.0;
    int last = top + 2 < jets->stride ? top + 2 : jets->stride - 1;
    for (int k = 0; k <= last; k++) {
        run_section(jets, &tape->law, k);
        for (uint32_t d = 0; d < tape->drive_count; d++) {
            const LiaDrive* drive = &tape->drives[d];
            double* q = lia_jet_series(jets, tape->position[drive->coordinate]);
            const double* law = lia_jet_series(jets, tape->drive_register[d]);
            if (drive->rate && k + 1 < jets->stride) q[k + 1] = law[k] / (k + 1);
        }
    }
    for (uint32_t d = 0; d < tape->drive_count; d++) {
        uint32_t i = tape->drives[d].coordinate;
        const double* q = lia_jet_series(jets, tape->position[i]);
        double* v = lia_jet_series(jets, tape->velocity[i]);
        double* a = lia_jet_series(jets, tape->acceleration[i]);
        for (int k = 0; k < last; k++) v[k] = (k + 1) * q[k + 1];
        for (int k = 0; k + 1 < last; k++) a[k] = (k + 1) * v[k + 1];
    }
    for (int k = 0; k <= last; k++) run_section(jets, &tape->drive, k);
}

void lia_jet_prologue(LiaJets* jets) {
    const LiaSection* main = &jets->tape->main;
    for (uint32_t i = 0; i < main->count; i++) {
        if (main->instrs[i].offset >= 1) run_instr(jets, &main->instrs[i], 0);
    }
    if (!jets->tape->ahead) return;
    for (uint32_t i = 0; i < main->count; i++) {
        if (main->instrs[i].offset == 2) run_instr(jets, &main->instrs[i], 1);
    }
}

void lia_jet_stage(LiaJets* jets, int k) {
    const LiaSection* main = &jets->tape->main;
    for (uint32_t i = 0; i < main->count; i++) {
        run_instr(jets, &main->instrs[i], k + main->instrs[i].offset);
    }
}

void lia_jet_reaction(LiaJets* jets, int k) { run_section(jets, &jets->tape->reaction, k); }

void lia_jet_post(LiaJets* jets, int k) { run_section(jets, &jets->tape->post, k); }

void lia_jet_sample(LiaJets* jets) { run_section(jets, &jets->tape->sample, 0); }

static void mark_live(const LiaJets* jets, const LiaSection* section, bool* guards) {
    unsigned char* live = jets->live;
    for (uint32_t i = section->count; i > 0; i--) {
        const LiaInstr* in = &section->instrs[i - 1];
        if (!live[in->out] && !(in->aux && live[in->aux])) continue;
        if (in->guard) guards[in->guard - 1] = true;
        live[in->x] = 1;
        if (in->code == LIA_CODE_CALL && in->op == LIA_OP_IF) {
            live[lia_jet_series(jets, in->x)[0] != 0.0 ? in->y : in->z] = 1;
        } else {
            live[in->y] = live[in->z] = 1;
        }
    }
}

void lia_jet_live(const LiaJets* jets, bool* guards) {
    const LiaTape* tape = jets->tape;
    memset(jets->live, 0, tape->register_count);
    for (uint32_t g = 0; g < tape->guard_count; g++) guards[g] = false;
    for (uint32_t r = 0; r < tape->wanted_count; r++) jets->live[tape->wanted[r]] = 1;
    jets->live[0] = 0;
    mark_live(jets, &tape->post, guards);
    mark_live(jets, &tape->reaction, guards);
    mark_live(jets, &tape->main, guards);
    mark_live(jets, &tape->drive, guards);
    mark_live(jets, &tape->law, guards);
}

// --- slopes ------------------------------------------------------------------------------------

// One pass through the derivatives of order 0: d[out] = sum of slope * d[argument], `lanes` columns
// side by side. The compiler unrolls it for the two widths in use.
static inline void run_slopes(const LiaJets* jets, const LiaSection* section, double* d, int lanes) {
    for (uint32_t i = 0; i < section->count; i++) {
        const LiaInstr* in = &section->instrs[i];
        const double* dx = d + (size_t)in->x * (size_t)lanes;
        const double* dy = d + (size_t)in->y * (size_t)lanes;
        double* out = d + (size_t)in->out * (size_t)lanes;
        double x0 = lia_jet_series(jets, in->x)[0], y0 = lia_jet_series(jets, in->y)[0];
        switch ((LiaCode)in->code) {
        case LIA_CODE_ADD:
            for (int l = 0; l < lanes; l++) out[l] = dx[l] + dy[l];
            break;
        case LIA_CODE_SUB:
            for (int l = 0; l < lanes; l++) out[l] = dx[l] - dy[l];
            break;
        case LIA_CODE_NEG:
            for (int l = 0; l < lanes; l++) out[l] = -dx[l];
            break;
        case LIA_CODE_MUL:
            for (int l = 0; l < lanes; l++) out[l] = y0 * dx[l] + x0 * dy[l];
            break;
        case LIA_CODE_SCALE:
            for (int l = 0; l < lanes; l++) out[l] = x0 * dy[l];
            break;
        case LIA_CODE_SQUARE:
            for (int l = 0; l < lanes; l++) out[l] = 2.0 * x0 * dx[l];
            break;
        case LIA_CODE_DIV: {
            double q0 = lia_jet_series(jets, in->out)[0];
            for (int l = 0; l < lanes; l++) out[l] = (dx[l] - q0 * dy[l]) / y0;
            break;
        }
        case LIA_CODE_DIVIDE:
            for (int l = 0; l < lanes; l++) out[l] = dx[l] / y0;
            break;
        case LIA_CODE_SINCOS: {
            double s0 = lia_jet_series(jets, in->out)[0], c0 = lia_jet_series(jets, in->aux)[0];
            double* aux = d + (size_t)in->aux * (size_t)lanes;
            for (int l = 0; l < lanes; l++) {
                out[l] = c0 * dx[l];
                aux[l] = -s0 * dx[l];
            }
            break;
        }
        case LIA_CODE_CALL: {
            LiaJet jet = {.x = lia_jet_series(jets, in->x),
                          .y = lia_jet_series(jets, in->y),
                          .z = lia_jet_series(jets, in->z),
                          .out = lia_jet_series(jets, in->out),
                          .aux = lia_jet_series(jets, in->aux),
                          .side = in->guard ? jets->side[in->guard - 1] : 0};
            LiaSlope slope = {0};
            lia_op_kinds[in->op]->tangent(&jet, &slope);
            const double* dz = d + (size_t)in->z * (size_t)lanes;
            // A branch that is not taken has the slope 0, and may itself be no number.
            for (int l = 0; l < lanes; l++) {
                double sum = slope.x != 0.0 ? slope.x * dx[l] : 0.0;
                if (slope.y != 0.0) sum += slope.y * dy[l];
                if (slope.z != 0.0) sum += slope.z * dz[l];
                out[l] = sum;
            }
            if (in->aux) {
                double* aux = d + (size_t)in->aux * (size_t)lanes;
                for (int l = 0; l < lanes; l++) aux[l] = slope.aux_x * dx[l] + slope.aux_y * dy[l];
            }
            break;
        }
        }
    }
}

static void add_changes(const LiaJets* jets, const LiaSection* section, const double* d, int k) {
    for (uint32_t i = 0; i < section->count; i++) {
        const LiaInstr* in = &section->instrs[i];
        int top = k + in->offset;
        lia_jet_series(jets, in->out)[top] += d[in->out];
        if (in->aux) lia_jet_series(jets, in->aux)[top] += d[in->aux];
    }
}

void lia_jet_correct(LiaJets* jets, int k) {
    const LiaTape* tape = jets->tape;
    for (uint32_t i = 0; i < tape->coordinate_count; i++) {
        jets->delta_v[tape->velocity[i]] = lia_jet_series(jets, tape->velocity[i])[k + 1];
        jets->delta_q[tape->position[i]] = lia_jet_series(jets, tape->position[i])[k + 2];
    }
    for (uint32_t d = 0; d < tape->drive_count; d++) {  // driven: never unknown
        jets->delta_v[tape->velocity[tape->drives[d].coordinate]] = 0.0;
        jets->delta_q[tape->position[tape->drives[d].coordinate]] = 0.0;
    }
    run_slopes(jets, &tape->slope_v, jets->delta_v, 1);
    add_changes(jets, &tape->slope_v, jets->delta_v, k);
    run_slopes(jets, &tape->slope_q, jets->delta_q, 1);
    add_changes(jets, &tape->slope_q, jets->delta_q, k);
}

// The lanes are shared by both probes: registers outside the section at hand must read zero.
static void probe(LiaJets* jets, const LiaSection* section, const uint32_t* symbols,
                  const uint32_t* coordinates, int count) {
    memset(jets->lanes, 0, (size_t)jets->tape->register_count * LIA_JET_LANES * sizeof(double));
    for (int l = 0; l < count; l++) {
        jets->lanes[(size_t)symbols[coordinates[l]] * LIA_JET_LANES + (size_t)l] = 1.0;
    }
    run_slopes(jets, section, jets->lanes, LIA_JET_LANES);
}

void lia_jet_probe_v(LiaJets* jets, const uint32_t* coordinates, int count) {
    probe(jets, &jets->tape->slope_v, jets->tape->velocity, coordinates, count);
}

void lia_jet_probe_q(LiaJets* jets, const uint32_t* coordinates, int count) {
    probe(jets, &jets->tape->slope_q, jets->tape->position, coordinates, count);
}
