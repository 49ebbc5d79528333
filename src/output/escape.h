// Texts of the user's inside formats of others: JSON, XML, CSV.
//
// What is not UTF-8 becomes U+FFFD, so that the file is well-formed whatever the text was.
// SPDX-License-Identifier: MIT
#pragma once
#include "../base/text.h"

/// With the quotes. NULL is null.
void lia_escape_json(LiaText* out, const char* text);
/// For element content and attributes in double quotes; control characters are left out.
void lia_escape_xml(LiaText* out, const char* text);
/// A CSV field, in quotes where it needs them (RFC 4180).
void lia_escape_csv(LiaText* out, const char* text);
