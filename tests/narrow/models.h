// Models written by hand, with what is known of them.
// SPDX-License-Identifier: MIT
#pragma once

/// Run the models given, or all of tests/narrow/models, and print of each whether it is right. 0 if
/// all are.
int models_run(int count, char** paths);
