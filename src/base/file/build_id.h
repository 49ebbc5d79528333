// Which build this is: a number made of its sources, the compiler and its flags
// (cmake/build_id.cmake).
// SPDX-License-Identifier: MIT
#pragma once

extern const char lia_build_id[];
