// Keywords: the words that statements begin with.
// SPDX-License-Identifier: MIT
#include "lang/syntax/syntax.h"
#include <string.h>

static const char* const keyword_words[] = {
#define LIA_KEYWORD(id, word) word,
#include "lang/syntax/keywords.def"
#undef LIA_KEYWORD
};

LiaKeyword lia_keywords_find(const char* word) {
    int i = 0;
    while (i < LIA_KEYWORD_COUNT && strcmp(keyword_words[i], word) != 0) {
        i++;
    }
    return (LiaKeyword)i;
}

const char* lia_keywords_word(LiaKeyword keyword) {
    return keyword < LIA_KEYWORD_COUNT ? keyword_words[keyword] : "";
}
