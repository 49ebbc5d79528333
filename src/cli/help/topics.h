// Topics of `liaison help`: sections of the documentation that the program carries with it, found
// by a word.
//
// A word is the heading of a section, or one of several in it (`body, gravity`), or the code it
// begins with (`E0107: units do not fit`), or the name of a page; else something that a table of
// the language explains, a function for instance; else something that is spoken of.
// SPDX-License-Identifier: MIT
#pragma once
#include "cli/help/pages.h"
#include "cli/help/sheet.h"
#include <stdbool.h>

typedef struct LiaTopic {
    const LiaPage* page;
    const char *begin, *end;  // the section, its heading first
} LiaTopic;

/// The section or page of that name. False if there is none.
bool lia_topics_find(const char* word, LiaTopic* topic);
/// The section of docs/commands.md on a command.
bool lia_topics_command(const char* name, LiaTopic* topic);
/// The title of a topic, cut to `size`, without marks.
void lia_topics_title(const LiaTopic* topic, char* title, size_t size);

/// Call `visit` for each name of a section of a page, in order. NULL: of all pages.
void lia_topics_each(const char* page, void (*visit)(void* context, const char* name),
                     void* context);

/// Rows of tables of the language that explain a word, as Markdown into `out`, each table under the
/// name of its section. How many.
int lia_topics_rows(const char* word, LiaSheet* out);
/// Sections of the language in whose code the word stands; at most `most` of them. How many there
/// are.
int lia_topics_mentions(const char* word, LiaTopic* topics, int most);

const LiaPage* lia_topics_find_page(const char* name);
