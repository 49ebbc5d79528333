// Lexer: names, numbers, marks. Numbers are read exactly; what is not part of the language is said
// once, with what to write instead where a character was pasted from a paper or a word processor.
// SPDX-License-Identifier: MIT
#include "lang/syntax/lexer.h"
#include "base/text/plain.h"
#include "base/text/utf8.h"
#include "lang/syntax/characters.h"
#include "lang/syntax/slips.h"
#include <string.h>

static LiaSpan bytes(size_t begin, size_t size) {
    return (LiaSpan){(uint32_t)begin, (uint32_t)(begin + size)};
}

bool lia_lexer_check(LiaContext* context) {
    const char* text = context->source.text;
    size_t length = context->source.length;
    const char* nul = memchr(text, '\0', length);
    if (nul) {
        lia_diag_error(context->diags, bytes((size_t)(nul - text), 1), "E0101",
                       "a byte 0 in the text: this is not a model");
        lia_diag_help(context->diags, "a model is a text file in UTF-8");
        return false;
    }
    size_t bad = 0, first_bad = 0, return_at = SIZE_MAX, size = 1;
    for (size_t i = 0; i < length && bad <= 16; i += size) {
        size = 1;
        if ((unsigned char)text[i] >= 0x80) {
            if (lia_utf8_decode(text + i, length - i, &size) == UINT32_MAX) {
                first_bad = bad++ ? first_bad : i;
            }
        } else if (text[i] == '\r' && return_at == SIZE_MAX &&
                   (i + 1 == length || text[i + 1] != '\n')) {
            return_at = i;
        }
    }
    if (bad) {
        lia_diag_error(context->diags, bytes(first_bad, 1), "E0101",
                       "byte 0x%02X: this text is not UTF-8", (unsigned char)text[first_bad]);
        lia_diag_help(context->diags, "save the file as UTF-8");
        return bad <= 16;
    }
    if (return_at != SIZE_MAX) {
        lia_diag_error(context->diags, bytes(return_at, 1), "E0102",
                       "a carriage return without a line feed");
        lia_diag_help(context->diags, "save the file with LF or CRLF line ends");
        return false;
    }
    return true;
}

LiaLexer lia_lexer_begin(LiaContext* context) {
    const LiaSource* source = &context->source;
    bool bom = source->length >= 3 && memcmp(source->text, "\xEF\xBB\xBF", 3) == 0;
    return (LiaLexer){context, bom ? 3 : 0, (uint32_t)source->length, false};
}

// The source is closed by a NUL, so text[at] may be read up to at == length.
static char peek(const LiaLexer* lexer, uint32_t ahead) {
    uint32_t at = lexer->at + ahead;
    return at < lexer->length ? lexer->context->source.text[at] : '\0';
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static uint32_t character(const LiaLexer* lexer, uint32_t at, size_t* size) {
    *size = 1;
    if (at >= lexer->length) {
        return 0;
    }
    return lia_utf8_decode(lexer->context->source.text + at, lexer->length - at, size);
}

// Skip white space, line ends, comments; say whether what follows stands in column 1.
static bool skip_blank(LiaLexer* lexer) {
    const char* text = lexer->context->source.text;
    for (;;) {
        char c = peek(lexer, 0);
        if (c == '#') {
            const char* end = memchr(text + lexer->at, '\n', lexer->length - lexer->at);
            lexer->at = end ? (uint32_t)(end - text) : lexer->length;
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
            lexer->at++;
        } else {
            break;
        }
    }
    bool bom = lexer->at == 3 && (unsigned char)text[0] == 0xEF;
    return lexer->at == 0 || text[lexer->at - 1] == '\n' || bom;
}

static LiaToken read_name(LiaLexer* lexer, LiaToken token) {
    uint32_t begin = lexer->at;
    size_t size = 0;
    while (lia_characters_goes_on(character(lexer, lexer->at, &size))) {
        lexer->at += (uint32_t)size;
    }
    token.span.end = lexer->at;
    if (lexer->at - begin > LIA_LIMIT_NAME) {
        lia_diag_error(lexer->context->diags, token.span, "E0105",
                       "a name of %u bytes; the limit is %d", lexer->at - begin, LIA_LIMIT_NAME);
        token.kind = LIA_TOKEN_BAD;
        return token;
    }
    // Micro and ohm look like Greek letters and come from other keys: they are the same name.
    char name[LIA_LIMIT_NAME];
    uint32_t length = 0;
    for (uint32_t i = begin; i < lexer->at; i += (uint32_t)size) {
        uint32_t c = character(lexer, i, &size);
        const char* bytes_of = c == 0xB5 ? "\xCE\xBC" : c == 0x2126 ? "\xCE\xA9" : NULL;
        uint32_t count = bytes_of ? 2 : (uint32_t)size;
        memcpy(name + length, bytes_of ? bytes_of : lexer->context->source.text + i, count);
        length += count;
    }
    token.kind = LIA_TOKEN_NAME;
    token.symbol = lia_context_find_name(lexer->context, name, length);
    return token;
}

static void skip_digits(LiaLexer* lexer) {
    while (is_digit(peek(lexer, 0))) {
        lexer->at++;
    }
}

static LiaToken read_number(LiaLexer* lexer, LiaToken token) {
    LiaContext* context = lexer->context;
    skip_digits(lexer);
    size_t size = 1;
    if (peek(lexer, 0) == '.' && peek(lexer, 1) != '.' &&
        !lia_characters_is_letter(character(lexer, lexer->at + 1, &size))) {
        lexer->at++;
        skip_digits(lexer);
    }
    char e = peek(lexer, 0), sign = peek(lexer, 1);
    bool has_sign = sign == '+' || sign == '-';
    if ((e == 'e' || e == 'E') && is_digit(peek(lexer, has_sign ? 2 : 1))) {
        lexer->at += has_sign ? 2 : 1;
        skip_digits(lexer);
    }
    token.kind = LIA_TOKEN_NUMBER;
    token.span.end = lexer->at;
    const char* digits = context->source.text + token.span.begin;
    if (!lia_number_read(digits, token.span.end - token.span.begin, &token.number)) {
        lia_diag_error(context->diags, token.span, "E0104",
                       "'%s' is too large or too small for a number of 64 bits",
                       lia_context_quote(context, token.span));
        token.number = lia_number_whole(1);  // so that the rest is looked at too
    }
    if (lia_characters_is_letter(character(lexer, lexer->at, &size))) {
        LiaToken name = read_name(lexer, (LiaToken){.span = {lexer->at, lexer->at}});
        token.span.end = name.span.end;
        if (token.kind != LIA_TOKEN_BAD) {
            lia_diag_error(context->diags, token.span, "E0104", "'%s' is not a number",
                           lia_context_quote(context, token.span));
            lia_diag_help(context->diags, "%s", lia_slips_after_number(context, name.span));
        }
        token.kind = LIA_TOKEN_BAD;
    }
    return token;
}

static LiaToken read_text(LiaLexer* lexer, LiaToken token) {
    lexer->at++;
    while (lexer->at < lexer->length && peek(lexer, 0) != '"' && peek(lexer, 0) != '\n') {
        lexer->at++;
    }
    token.kind = LIA_TOKEN_TEXT;
    if (peek(lexer, 0) != '"') {
        token.span.end = token.span.begin + 1;
        lia_diag_error(lexer->context->diags, token.span, "E0106",
                       "the closing '\"' of this text is missing");
        token.kind = LIA_TOKEN_BAD;
        return token;
    }
    lexer->at++;
    token.span.end = lexer->at;
    return token;
}

typedef struct Mark {
    char text[3];
    LiaTokenKind kind;
} Mark;

static const Mark marks[] = {
    // longer ones first
    {"..", LIA_TOKEN_RANGE},      {"==", LIA_TOKEN_SAME},          {"!=", LIA_TOKEN_DIFFERENT},
    {"<=", LIA_TOKEN_LESS_EQUAL}, {">=", LIA_TOKEN_GREATER_EQUAL}, {"+", LIA_TOKEN_PLUS},
    {"-", LIA_TOKEN_MINUS},       {"*", LIA_TOKEN_STAR},           {"/", LIA_TOKEN_SLASH},
    {"^", LIA_TOKEN_CARET},       {"'", LIA_TOKEN_PRIME},          {"(", LIA_TOKEN_OPEN},
    {")", LIA_TOKEN_CLOSE},       {"[", LIA_TOKEN_OPEN_SQUARE},    {"]", LIA_TOKEN_CLOSE_SQUARE},
    {",", LIA_TOKEN_COMMA},       {":", LIA_TOKEN_COLON},          {".", LIA_TOKEN_DOT},
    {"~", LIA_TOKEN_TILDE},       {"=", LIA_TOKEN_EQUAL},          {"<", LIA_TOKEN_LESS},
    {">", LIA_TOKEN_GREATER},
};

static bool is_space(uint32_t c) {
    return c == 0xA0 || c == 0x3000 || (c >= 0x2000 && c <= 0x200B) || c == 0x202F;
}

// What a pasted character means, once it has been said: the reading goes on as if the mark had been
// written, so that the rest of the statement is looked at too. "^2", "in deg" and spaces are left
// out.
static LiaTokenKind meant(uint32_t c, const char* instead) {
    for (size_t i = 0; instead && i < sizeof marks / sizeof marks[0]; i++) {
        if (strcmp(instead, marks[i].text) == 0) return marks[i].kind;
    }
    bool ending = c == 0xB2 || c == 0xB3 || c == 0xB0 || c == 0x221A;
    return ending || is_space(c) ? LIA_TOKEN_END : LIA_TOKEN_BAD;
}

static LiaToken read_unknown(LiaLexer* lexer, LiaToken token, uint32_t c, size_t size) {
    LiaDiags* diags = lexer->context->diags;
    lexer->at += (uint32_t)size;
    token.kind = LIA_TOKEN_BAD;
    token.span.end = lexer->at;
    if (c == UINT32_MAX) {
        return token;  // said by lia_lexer_check()
    }
    const char* instead = lia_characters_instead(c);
    if ((c == '&' || c == '|') && peek(lexer, 0) == (char)c) {
        token.span.end = ++lexer->at;
    }
    if (is_space(c)) {
        lia_diag_error(diags, token.span, "E0103", "a special kind of space (U+%04X)", c);
        lia_diag_help(diags, "write an ordinary space");
    } else if (c >= 0x300 && c <= 0x36F) {
        lia_diag_error(diags, token.span, "E0103", "a combining accent (U+%04X)", c);
        lia_diag_help(diags, "write the letter as one character; a velocity is written x'");
    } else if (c < 0x20 || (c >= 0x7F && c < 0xA0)) {
        lia_diag_error(diags, token.span, "E0103", "a control character (0x%02X)", c);
    } else if (!lia_plain_is_seen(c)) {
        lia_diag_error(diags, token.span, "E0103", "a character that is not seen (U+%04X)", c);
        lia_diag_help(diags, "leave it out");
    } else {
        lia_diag_error(diags, token.span, "E0103", "'%.*s' (U+%04X) is not part of the language",
                       (int)(token.span.end - token.span.begin),
                       lexer->context->source.text + token.span.begin, c);
        const char* at = lexer->context->source.text + token.span.begin;
        bool index = c == '{' && token.span.begin > 0 && at[-1] == '_';  // x_{2}
        const char* slip = lia_slips_find(LIA_SLIP_CHARACTER, at - index, size + index);
        if (instead) {
            lia_diag_help(diags, "write '%s'", instead);
        } else if (slip) {
            lia_diag_help(diags, "%s", slip);
        }
    }
    token.kind = meant(c, instead);
    return token;
}

static LiaToken read_token(LiaLexer* lexer, LiaToken token) {
    char c = peek(lexer, 0);
    if (is_digit(c) || (c == '.' && is_digit(peek(lexer, 1)))) {
        return read_number(lexer, token);
    }
    if (c == '"') {
        return read_text(lexer, token);
    }
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        size_t n = strlen(marks[i].text);
        if (c == marks[i].text[0] && (n == 1 || peek(lexer, 1) == marks[i].text[1])) {
            lexer->at += (uint32_t)n;
            token.kind = marks[i].kind;
            token.span.end = lexer->at;
            return token;
        }
    }
    if (lexer->braces && (c == '{' || c == '}')) {
        token.span.end = ++lexer->at;
        token.kind = c == '{' ? LIA_TOKEN_OPEN_BRACE : LIA_TOKEN_CLOSE_BRACE;
        return token;
    }
    size_t size = 1;
    uint32_t code = character(lexer, lexer->at, &size);
    if (lia_characters_is_letter(code)) {
        return read_name(lexer, token);
    }
    return read_unknown(lexer, token, code, size);
}

LiaToken lia_lexer_next(LiaLexer* lexer) {
    bool first = false;
    for (;;) {
        first = skip_blank(lexer) || first;
        LiaToken token = {.first = first, .span = {lexer->at, lexer->at}};
        if (lexer->at >= lexer->length) {
            return token;
        }
        token = read_token(lexer, token);
        if (first) {
            lexer->braces = token.kind == LIA_TOKEN_NAME &&
                            lia_context_name_is(lexer->context, token.symbol, "bracket");
        }
        if (token.kind != LIA_TOKEN_END) {
            return token;
        }
    }
}

void lia_lexer_skip(LiaLexer* lexer) {
    const char* text = lexer->context->source.text;
    while (lexer->at < lexer->length) {
        const char* end = memchr(text + lexer->at, '\n', lexer->length - lexer->at);
        lexer->at = end ? (uint32_t)(end - text) + 1 : lexer->length;
        char c = peek(lexer, 0);
        if (c != ' ' && c != '\t' && c != '\n' && c != '\r' && c != '#') {
            return;
        }
    }
}
