// Rounding of forces and energy. See noise.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "mechanics/kkt/workspace.h"

typedef struct LiaRunner LiaRunner;

typedef struct LiaNoise LiaNoise;  // noise.c

LiaNoise* lia_noise_create(const LiaRunner* run);
void lia_noise_destroy(LiaNoise* noise);
/// Sizes of what the forces are the sum of, by unknown coordinate, at the state in w with these
/// multipliers (rows).
const double* lia_noise_sizes(LiaNoise* noise, const LiaRunner* run, const LiaWorkspace* w,
                              const double* mu);
/// What rounding makes of them.
const double* lia_noise_forces(LiaNoise* noise, const LiaRunner* run, const LiaWorkspace* w,
                               const double* mu);
/// After accelerate(): what they and rounding of the rows make of the accelerations of all that is
/// tied to them by inertia and constraints, by unknown coordinate. 0 where that is not known.
const double* lia_noise_accelerations(LiaNoise* noise, const LiaRunner* run, const LiaWorkspace* w);
/// The rounding of the energy there.
double lia_noise_energy(LiaNoise* noise, const LiaRunner* run, const LiaWorkspace* w,
                        const double* mu);
/// The rounding of a condition, by its index in run->watch.floor, at time x of the step.
double lia_noise_condition(LiaNoise* noise, const LiaRunner* run, uint32_t index, double x);
/// The formula of event e at time x of the step: a number, infinite, or none where it has no value.
double lia_noise_event(LiaNoise* noise, const LiaRunner* run, uint32_t e, double x);
/// How far the argument of guard g's formula, a root, a logarithm or the like, is inside of where
/// that has a value; below 0: outside.
double lia_noise_inside(LiaNoise* noise, const LiaRunner* run, uint32_t g, double x);
/// What rounding makes of row c of K0 there: of phi and of psi.
void lia_noise_row(LiaNoise* noise, const LiaRunner* run, const LiaWorkspace* w, int c,
                   double of[2]);
/// After lia_noise_forces(): the largest acceleration of a coordinate of this kind by rounding of
/// the rows.
double lia_noise_rows(const LiaNoise* noise, const LiaRunner* run, const LiaWorkspace* w, int kind);
/// What is rounding of the terms of a law is nothing for the coordinate that it drives:
/// run->scales. At the state in run->w.
void lia_noise_drives(LiaNoise* noise, LiaRunner* run);
/// The same, and the accelerations that rounding of the forces makes.
void lia_noise_scales(LiaNoise* noise, LiaRunner* run);
