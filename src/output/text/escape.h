// Texts of the user's, and numbers, inside formats of others: JSON, XML, CSV.
//
// What is not UTF-8 becomes U+FFFD, so that the file is well-formed whatever the text was.
// Controls, marks of direction and characters that are not seen are written by their numbers (JSON,
// XML) or as U+FFFD: a terminal on which the file is shown does not obey them.
// CSV needs no more: names of columns begin with a letter and all else are numbers, so that no
// field is a formula of a spreadsheet.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/text/text.h"
#include <stdbool.h>

/// With the quotes. NULL is null.
void lia_escape_json(LiaText* out, const char* text);
/// A number of JSON, to the last bit; null where it is none.
void lia_escape_number(LiaText* out, double x);
/// Text of JSON: %s is a text as lia_escape_json() writes it, %g a number as lia_escape_number()
/// does; %d, %u, %zu, %llu are whole numbers. There is nothing else.
void lia_escape_add(LiaText* out, const char* format, ...) __attribute__((format(printf, 2, 3)));
/// A member of an object: a comma unless it is the first, and its key.
void lia_escape_key(LiaText* out, bool* first, const char* key);
/// The same, and its number.
void lia_escape_member(LiaText* out, bool* first, const char* key, double x);
/// For element content and attributes in double quotes; control characters are left out.
void lia_escape_xml(LiaText* out, const char* text);
/// A CSV field, in quotes where it needs them (RFC 4180).
void lia_escape_csv(LiaText* out, const char* text);
