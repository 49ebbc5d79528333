// Slips and coefficients of rough constraints as numbers: see rough_values.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "motion/contact/contacts.h"

/// NULL: memory is out.
struct LiaRoughValues* lia_rough_values_create(const LiaSystem* base);
void lia_rough_values_destroy(struct LiaRoughValues* values);
/// The slips of all of them at the state of run->w, zero where they are rounding.
void lia_rough_values_slips(const LiaRunner* run, double* slips);
/// The speeds that slip k is made of at the state of run->w, of which it is rounding or not.
double lia_rough_values_speed(const LiaRunner* run, uint32_t k);

// Coefficients of friction.
typedef struct LiaRoughLaws {
    double kinetic, most;
} LiaRoughLaws;
/// Is one of them not the same all along?
bool lia_rough_values_vary(const LiaRunner* run);
/// Those of rough constraint k at the state of run->w.
LiaRoughLaws lia_rough_values_laws(const LiaRunner* run, uint32_t k);
