// Impacts in pictures: where a contact strikes, and with which impulse.
//
// The state of an impact is a row of the scene like a sample, with the impulse of the contact in
// place of its force: so the arrows of forces are those of impulses there.
// SPDX-License-Identifier: MIT
#pragma once
#include "output/page/scene.h"

/// Rows for the impacts of the motion, after those of the samples. False if memory is out.
bool lia_impacts_take(LiaScene* scene);
/// The impacts as JSON: of each its event, its place and the arrows of its impulse. False if memory
/// is out.
bool lia_impacts_write(LiaScene* scene, LiaText* out);
