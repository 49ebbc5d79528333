// Limits of the language, each a named number. What is over one is an error that names it. Together
// they bound the time and the memory that reading takes, so that a model from a stranger can be
// read.
// SPDX-License-Identifier: MIT
#pragma once

enum {
    LIA_LIMIT_FILE = 64 * 1024 * 1024,    // bytes of a model text
    LIA_LIMIT_BYTES = 900 * 1000 * 1000,  // that reading holds: with the text a gigabyte
    LIA_LIMIT_NESTING = 1000,             // brackets, signs and powers inside each other
    LIA_LIMIT_NAME = 200,                 // bytes of a name
    LIA_LIMIT_FIELDS = 2,                 // fields of a name: b.position.x
    LIA_LIMIT_INDICES = 6,                // indices of a family
    LIA_LIMIT_FAMILY = 1000 * 1000,       // members that one statement makes
    LIA_LIMIT_NESTED = 10 * 1000 * 1000,  // terms of sums inside each other
    LIA_LIMIT_TERMS =
        4 * 1000 * 1000,  // scalar terms of a model: half a gigabyte, with their formulas
    LIA_LIMIT_STEPS = 40 * 1000 * 1000,  // operations spent on spelling a model out: a few seconds
    LIA_LIMIT_CALLS = 2 * 1000 * 1000,   // calls of functions, each written out
    LIA_LIMIT_FRAMES = 200 * 1000,       // definitions waiting for each other
    LIA_LIMIT_FORM = 1000 * 1000,        // parts of a one-form
    LIA_LIMIT_BOUNDS = 100,              // family bounds that wait for other family bounds
};
