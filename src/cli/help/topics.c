// Topics: words looked up in the headings, the tables and the code of the documentation.
// SPDX-License-Identifier: MIT
#include "cli/help/topics.h"
#include "cli/help/markdown.h"
#include <ctype.h>
#include <string.h>
#include <strings.h>

enum { NAME_MOST = 80 };

const LiaPage* lia_topics_find_page(const char* name) {
    for (size_t i = 0; i < lia_pages_count; i++) {
        if (strcasecmp(lia_pages[i].name, name) == 0) {
            return &lia_pages[i];
        }
    }
    return NULL;
}

static const char* end_of(const LiaPage* page) { return page->text + strlen(page->text); }

// Where a section ends: at the next heading that is not below its own.
static const char* section_end(const char* at, const char* end, int depth) {
    LiaBlock block;
    while (at < end) {
        const char* begin = at;
        if (!lia_markdown_next(&at, end, &block)) {
            break;
        }
        if (block.kind == LIA_BLOCK_HEADING && block.depth <= depth) {
            while (*begin != '#') {
                begin++;
            }
            return begin;
        }
    }
    return end;
}

// The names in a heading, one after the other: "force, moment" has two, "E0107: units" has "E0107".
static bool next_name(const char** at, const char* end, char* name) {
    size_t length = 0;
    while (*at < end && (**at == ',' || **at == ' ' || **at == '`')) {
        (*at)++;
    }
    if (*at >= end) {
        return false;
    }
    for (; *at < end && **at != ',' && **at != ':'; (*at)++) {
        if (**at != '`' && length + 1 < NAME_MOST) {
            name[length++] = **at;
        }
    }
    if (*at < end && **at == ':') {
        *at = end;
    }
    name[length] = '\0';
    return length > 0;
}

// The same word, or, if asked for, one is the other with an s.
static bool is_same(const char* a, const char* b, bool plurals) {
    size_t n = strlen(a), m = strlen(b);
    size_t shorter = n < m ? n : m;
    bool plural = plurals && n != m && shorter > 2 && (n > m ? n - m : m - n) == 1 &&
                  tolower((unsigned char)(n > m ? a : b)[shorter]) == 's';
    return (n == m || plural) && strncasecmp(a, b, shorter) == 0;
}

static bool has_name(const LiaBlock* heading, const char* word, bool plurals) {
    char name[NAME_MOST];
    const char* at = heading->begin;
    while (next_name(&at, heading->end, name)) {
        if (is_same(name, word, plurals)) {
            return true;
        }
    }
    size_t length = (size_t)(heading->end - heading->begin);
    return strlen(word) == length && strncasecmp(word, heading->begin, length) == 0;
}

// Deeper headings first: 'constraint' is a statement, and the word of a longer section too.
static bool find_in(const LiaPage* page, const char* word, bool plurals, LiaTopic* topic) {
    LiaBlock block;
    int best = 1;
    const char* end = end_of(page);
    for (const char* at = page->text; lia_markdown_next(&at, end, &block);) {
        if (block.kind == LIA_BLOCK_HEADING && block.depth > best &&
            has_name(&block, word, plurals)) {
            best = block.depth;
            const char* begin = block.begin;
            while (begin > page->text && begin[-1] != '\n') {
                begin--;
            }
            *topic = (LiaTopic){page, begin, section_end(at, end, block.depth)};
        }
    }
    return best > 1;
}

static bool find_section(const char* page, const char* word, LiaTopic* topic) {
    const LiaPage* found = lia_topics_find_page(page);
    return found && (find_in(found, word, false, topic) || find_in(found, word, true, topic));
}

// A section whose heading begins with the word: "friction" of "Friction while it slides".
static bool find_begun(const char* name, const char* word, LiaTopic* topic) {
    const LiaPage* page = lia_topics_find_page(name);
    LiaBlock block;
    size_t length = strlen(word);
    const char* end = page ? end_of(page) : "";
    for (const char* at = page ? page->text : end; lia_markdown_next(&at, end, &block);) {
        if (block.kind == LIA_BLOCK_HEADING && block.depth > 1 &&
            (size_t)(block.end - block.begin) > length &&
            strncasecmp(block.begin, word, length) == 0 && block.begin[length] == ' ') {
            const char* begin = block.begin - block.depth - 1;
            *topic = (LiaTopic){page, begin, section_end(at, end, block.depth)};
            return true;
        }
    }
    return false;
}

bool lia_topics_find(const char* word, LiaTopic* topic) {
    if (find_section("language", word, topic) || find_section("errors", word, topic)) {
        return true;
    }
    const LiaPage* page = lia_topics_find_page(word);
    if (page) {
        *topic = (LiaTopic){page, page->text, end_of(page)};
        return true;
    }
    for (size_t i = 0; i < lia_pages_count; i++) {
        if (find_section(lia_pages[i].name, word, topic)) {
            return true;
        }
    }
    return find_begun("modelling", word, topic) || find_begun("theory", word, topic) ||
           find_begun("numerics", word, topic);
}

bool lia_topics_command(const char* name, LiaTopic* topic) {
    return find_section("commands", name, topic);
}

// The section that holds what `at` points at: a part of the page.
static LiaTopic section_around(const LiaPage* page, const char* at) {
    LiaBlock block;
    LiaTopic topic = {page, page->text, end_of(page)};
    for (const char* p = page->text; p < at && lia_markdown_next(&p, topic.end, &block);) {
        if (block.kind == LIA_BLOCK_HEADING && block.begin <= at) {
            topic.begin = block.begin - block.depth - 1;
        }
    }
    return topic;
}

void lia_topics_title(const LiaTopic* topic, char* title, size_t size) {
    const char* at = topic->begin;
    size_t length = 0;
    while (*at == '#' || *at == ' ') {
        at++;
    }
    for (; *at && *at != '\n' && length + 1 < size; at++) {
        if (*at != '`') {
            title[length++] = *at;
        }
    }
    title[length] = '\0';
}

void lia_topics_each(const char* page, void (*visit)(void* context, const char* name),
                     void* context) {
    for (size_t i = 0; i < lia_pages_count; i++) {
        LiaBlock block;
        if (page && strcmp(lia_pages[i].name, page) != 0) {
            continue;
        }
        const char* end = end_of(&lia_pages[i]);
        for (const char* at = lia_pages[i].text; lia_markdown_next(&at, end, &block);) {
            char name[NAME_MOST];
            const char* p = block.begin;
            while (block.kind == LIA_BLOCK_HEADING && block.depth > 1 &&
                   next_name(&p, block.end, name)) {
                visit(context, name);
            }
        }
    }
}

static bool goes_on(char c) { return isalnum((unsigned char)c) || c == '_'; }

// Does the word stand in this code, outside of brackets? `atan2(y, x)` explains atan2, not y.
static bool explains(const char* begin, const char* end, const char* word) {
    size_t n = strlen(word);
    int depth = 0;
    for (const char* p = begin; p < end; p++) {
        depth += *p == '(' || *p == '[';
        depth -= *p == ')' || *p == ']';
        bool begins = p == begin || !goes_on(p[-1]);
        if (depth == 0 && begins && (size_t)(end - p) >= n && strncmp(p, word, n) == 0 &&
            (p + n == end || !goes_on(p[n]))) {
            return true;
        }
    }
    return false;
}

static bool has_code(const char* begin, const char* end, const char* word) {
    LiaPiece piece;
    while (lia_markdown_piece(&begin, end, &piece)) {
        if (piece.kind == LIA_PIECE_CODE && explains(piece.begin, piece.end, word)) {
            return true;
        }
    }
    return false;
}

int lia_topics_rows(const char* word, LiaSheet* out) {
    const LiaPage* page = lia_topics_find_page("language");
    int count = 0;
    LiaBlock block;
    const char* end = page ? end_of(page) : "";
    for (const char* at = page ? page->text : end; lia_markdown_next(&at, end, &block);) {
        bool first = true;
        LiaCells cells;
        for (const char* p = block.begin; block.kind == LIA_BLOCK_TABLE && p < block.end;) {
            const char* row = p;
            if (!lia_markdown_row(&p, block.end, &cells)) {
                break;
            }
            if (cells.count == 0 || !has_code(cells.begin[0], cells.end[0], word)) {
                continue;
            }
            if (first) {
                char title[NAME_MOST];
                LiaTopic around = section_around(page, block.begin);
                lia_topics_title(&around, title, sizeof title);
                lia_sheet_print(out, "%s### %s\n\n", count ? "\n" : "", title);
            }
            while (row + 4 < p && strncmp(row, "| --", 4) == 0) {
                row = strchr(row, '\n') + 1;
            }
            lia_sheet_print(out, "%.*s", (int)(p - row), row);
            first = false;
            count++;
        }
    }
    return count;
}

int lia_topics_mentions(const char* word, LiaTopic* topics, int most) {
    const LiaPage* page = lia_topics_find_page("language");
    int count = 0;
    LiaBlock block;
    const char *end = page ? end_of(page) : "", *heading = NULL, *last = NULL;
    for (const char* at = page ? page->text : end; lia_markdown_next(&at, end, &block);) {
        if (block.kind == LIA_BLOCK_HEADING) {
            heading = block.depth > 1 ? block.begin - block.depth - 1 : NULL;
            continue;
        }
        if (!heading || heading == last || block.kind == LIA_BLOCK_CODE ||
            !has_code(block.begin, block.end, word)) {
            continue;
        }
        last = heading;
        if (count < most) {
            topics[count] = (LiaTopic){page, heading, section_end(at, end, 6)};
        }
        count++;
    }
    return count;
}
