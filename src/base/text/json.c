// JSON, read strictly. See json.h.
//
// One pass over the bytes, by recursion: the nesting is limited.
// SPDX-License-Identifier: MIT
#include "base/text/json.h"
#include "base/memory/memory.h"
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Reader {
    LiaArena* arena;
    LiaDiags* diags;
    const char* text;
    size_t length, at;
    int depth;
} Reader;

static LiaJson* read_value(Reader* r);

// --- bytes -------------------------------------------------------------------------------------

// The byte at a place, 0 after the end. A 0 in the text fits nowhere either.
static unsigned char byte_at(const Reader* r, size_t at) {
    return at < r->length ? (unsigned char)r->text[at] : 0;
}

static unsigned char here(const Reader* r) { return byte_at(r, r->at); }

static bool is_digit(unsigned char c) { return c >= '0' && c <= '9'; }

static bool is_letter(unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static void skip_space(Reader* r) {
    while (r->at < r->length && strchr(" \t\n\r", r->text[r->at]) && r->text[r->at]) r->at++;
}

static LiaSpan span_of(size_t begin, size_t end) {
    return (LiaSpan){(uint32_t)begin, (uint32_t)end};
}

// Bytes of the UTF-8 character at a place, 0 if there is none (RFC 3629: no surrogates, no long
// forms).
static size_t character_at(const Reader* r, size_t at) {
    unsigned char c = byte_at(r, at);
    size_t n = c < 0x80 ? 1 : c < 0xC2 ? 0 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : c < 0xF5 ? 4 : 0;
    uint32_t code = c;
    for (size_t i = 1; i < n; i++) {
        unsigned char next = byte_at(r, at + i);
        if ((next & 0xC0) != 0x80) return 0;
        code = (i == 1 ? code & (0x7Fu >> n) : code) << 6 | (next & 0x3Fu);
    }
    if (n == 3 && (code < 0x800 || (code >= 0xD800 && code <= 0xDFFF))) return 0;
    if (n == 4 && (code < 0x10000 || code > 0x10FFFF)) return 0;
    return n;
}

// The mistake at a place: the whole word where one stands there, one character elsewhere.
static LiaJson* fail(Reader* r, size_t begin, const char* message, const char* help) {
    size_t end = begin;
    while (end < r->length && (is_letter(byte_at(r, end)) || is_digit(byte_at(r, end)))) end++;
    if (end == begin && begin < r->length) {
        size_t n = character_at(r, begin);
        end = begin + (n ? n : 1);
    }
    // An empty text has no place; anything else that ends too early has one after its last byte.
    lia_diag_error(r->diags, span_of(begin, end), "E0310", "this is not JSON: %s", message);
    if (help) lia_diag_help(r->diags, "%s", help);
    return NULL;
}

// --- values ------------------------------------------------------------------------------------

static LiaJson* make(Reader* r, LiaJsonKind kind, size_t begin) {
    LiaJson* value = LIA_ARENA_NEW(r->arena, LiaJson, 1);
    if (value) {
        value->kind = kind;
        value->span = span_of(begin, r->at);
    }
    return value;
}

static LiaJson* read_word(Reader* r) {
    static const struct {
        const char* word;
        LiaJsonKind kind;
    } words[] = {{"null", LIA_JSON_NULL}, {"true", LIA_JSON_TRUE}, {"false", LIA_JSON_FALSE}};
    size_t begin = r->at, end = begin;
    while (is_letter(byte_at(r, end)) || is_digit(byte_at(r, end))) end++;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i].word);
        if (end - begin == n && memcmp(r->text + begin, words[i].word, n) == 0) {
            r->at = end;
            return make(r, words[i].kind, begin);
        }
    }
    return fail(r, begin, "a value was expected",
                "words are null, true and false; what is not a number is null");
}

static size_t skip_digits(const Reader* r, size_t at) {
    while (is_digit(byte_at(r, at))) at++;
    return at;
}

// -?(0|[1-9][0-9]*)(.[0-9]+)?([eE][-+]?[0-9]+)?
static LiaJson* read_number(Reader* r) {
    size_t begin = r->at, at = begin + (here(r) == '-');
    size_t whole = at;
    at = skip_digits(r, at);
    if (at == whole) return fail(r, at, "a digit was expected after '-'", NULL);
    if (byte_at(r, whole) == '0' && at > whole + 1) {
        return fail(r, whole, "a number does not begin with 0", NULL);
    }
    if (byte_at(r, at) == '.') {
        size_t fraction = ++at;
        at = skip_digits(r, at);
        if (at == fraction) return fail(r, at, "a digit was expected after the point", NULL);
    }
    if (byte_at(r, at) == 'e' || byte_at(r, at) == 'E') {
        at++;
        at += byte_at(r, at) == '-' || byte_at(r, at) == '+';
        size_t exponent = at;
        at = skip_digits(r, at);
        if (at == exponent) return fail(r, at, "a digit of the exponent was expected", NULL);
    }
    char small[64];
    size_t n = at - begin;
    char* digits = n < sizeof small ? small : lia_memory_take(n + 1);
    if (!digits) return NULL;
    memcpy(digits, r->text + begin, n);
    digits[n] = '\0';
    double number = strtod(digits, NULL);
    if (digits != small) free(digits);
    if (!isfinite(number)) return fail(r, begin, "this number is too large", NULL);
    r->at = at;
    LiaJson* value = make(r, LIA_JSON_NUMBER, begin);
    if (value) value->number = number;
    return value;
}

// Four hexadecimal digits at a place; -1 if they are not there.
static int32_t hexadecimal(const Reader* r, size_t at) {
    int32_t code = 0;
    for (size_t i = at; i < at + 4; i++) {
        unsigned char c = byte_at(r, i);
        int digit = is_digit(c)            ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (digit < 0) return -1;
        code = code * 16 + digit;
    }
    return code;
}

static size_t put_character(char* out, int32_t c) {
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    size_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t i = n - 1; i > 0; i--) {
        out[i] = (char)(0x80 | (c & 0x3F));
        c >>= 6;
    }
    out[0] = (char)(lead[n] | c);
    return n;
}

// The escape at r->at, which is a backslash, into `out` (room for 4 bytes). 0: it is none.
static size_t read_escape(Reader* r, char* out) {
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    unsigned char c = byte_at(r, r->at + 1);
    const char* known = c ? strchr(from, c) : NULL;
    if (known) {
        *out = to[known - from];
        r->at += 2;
        return 1;
    }
    int32_t code = c == 'u' ? hexadecimal(r, r->at + 2) : -1;
    if (code < 0) return 0;
    size_t used = 6;
    if (code >= 0xD800 && code <= 0xDFFF) {  // one half of a pair
        bool pair = code < 0xDC00 && byte_at(r, r->at + 6) == '\\' && byte_at(r, r->at + 7) == 'u';
        int32_t low = pair ? hexadecimal(r, r->at + 8) : -1;
        if (low < 0xDC00 || low > 0xDFFF) return 0;
        code = 0x10000 + (code - 0xD800) * 0x400 + (low - 0xDC00);
        used = 12;
    }
    r->at += used;
    return put_character(out, code);
}

// The string at r->at, which is a quote. False: a mistake was reported, or memory is out.
static bool read_text(Reader* r, LiaJsonText* out) {
    size_t begin = r->at, end = begin + 1;
    while (end < r->length && r->text[end] != '"') end += r->text[end] == '\\' ? 2 : 1;
    if (end >= r->length) {
        fail(r, begin, "this string does not end", NULL);
        return false;
    }
    char* bytes = lia_arena_new(r->arena, end - begin);  // escapes only get shorter
    if (!bytes) return false;
    size_t length = 0;
    for (r->at = begin + 1; r->at < end;) {
        unsigned char c = here(r);
        size_t n = c == '\\'  ? read_escape(r, bytes + length)
                   : c < 0x20 ? 0
                              : character_at(r, r->at);
        if (n == 0) {
            const char* what = c == '\\' ? "there is no such escape"
                               : c < 0x20
                                   ? "a control character stands in a string as \\n, \\t or \\u00.."
                                   : "this is not UTF-8";
            fail(r, r->at, what, NULL);
            return false;
        }
        if (c != '\\') {
            memcpy(bytes + length, r->text + r->at, n);
            r->at += n;
        }
        length += n;
    }
    r->at = end + 1;
    *out = (LiaJsonText){bytes, length};
    return true;
}

static LiaJson* read_string(Reader* r) {
    size_t begin = r->at;
    LiaJsonText text;
    if (!read_text(r, &text)) return NULL;
    LiaJson* value = make(r, LIA_JSON_STRING, begin);
    if (value) value->text = text;
    return value;
}

// "name": of a member; the place after the colon is left in r->at.
static bool read_key(Reader* r, LiaJsonText* key, LiaSpan* span) {
    skip_space(r);
    size_t begin = r->at;
    if (here(r) != '"') {
        fail(r, begin, "a name in double quotes was expected",
             here(r) == '}' ? "no comma stands before '}'" : NULL);
        return false;
    }
    if (!read_text(r, key)) return false;
    *span = span_of(begin, r->at);
    skip_space(r);
    if (here(r) != ':') {
        fail(r, r->at, "a colon was expected after the name", NULL);
        return false;
    }
    r->at++;
    return true;
}

static LiaJson* read_list(Reader* r, LiaJsonKind kind) {
    size_t begin = r->at++;
    const char close = kind == LIA_JSON_OBJECT ? '}' : ']';
    if (++r->depth > LIA_JSON_NESTING) {
        return fail(r, begin, "brackets are nested too deeply; the limit is 100", NULL);
    }
    LiaJson* list = make(r, kind, begin);
    if (!list) return NULL;
    LiaJson* last = NULL;
    skip_space(r);
    bool more = here(r) != (unsigned char)close;
    while (more) {
        LiaJsonText key = {NULL, 0};
        LiaSpan key_span = {0, 0};
        if (kind == LIA_JSON_OBJECT && !read_key(r, &key, &key_span)) return NULL;
        skip_space(r);
        if (kind == LIA_JSON_ARRAY && last && here(r) == ']') {
            return fail(r, r->at, "a value was expected", "no comma stands before ']'");
        }
        LiaJson* value = read_value(r);
        if (!value) return NULL;
        value->key = key;
        value->key_span = key_span;
        if (last) {
            last->next = value;
        } else {
            list->first = value;
        }
        last = value;
        list->count++;
        skip_space(r);
        more = here(r) == ',';
        r->at += more;
    }
    if (here(r) != (unsigned char)close) {
        return fail(r, r->at,
                    kind == LIA_JSON_OBJECT ? "',' or '}' was expected" : "',' or ']' was expected",
                    NULL);
    }
    r->at++;
    r->depth--;
    list->span = span_of(begin, r->at);
    return list;
}

static LiaJson* read_value(Reader* r) {
    skip_space(r);
    unsigned char c = here(r);
    if (c == '{') return read_list(r, LIA_JSON_OBJECT);
    if (c == '[') return read_list(r, LIA_JSON_ARRAY);
    if (c == '"') return read_string(r);
    if (c == '-' || is_digit(c)) return read_number(r);
    if (is_letter(c)) return read_word(r);
    if (r->at >= r->length) return fail(r, r->at, "the text ends where a value was expected", NULL);
    return fail(r, r->at, "a value was expected",
                c == '\'' ? "strings stand in double quotes" : NULL);
}

const LiaJson* lia_json_read(LiaArena* arena, const char* text, size_t length, LiaDiags* diags) {
    Reader r = {.arena = arena, .diags = diags, .text = text, .length = length};
    if (length > LIA_JSON_BYTES) {
        lia_diag_error(diags, (LiaSpan){0, 0}, "E0310", "the text is too long; the limit is %d MB",
                       LIA_JSON_BYTES >> 20);
        return NULL;
    }
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) r.at = 3;
    // strtod must not depend on the user's locale; per thread.
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t before = c ? uselocale(c) : (locale_t)0;
    LiaJson* value = read_value(&r);
    if (c) {
        uselocale(before);
        freelocale(c);
    }
    skip_space(&r);
    if (value && r.at < length) {
        return fail(&r, r.at, "something stands after the end of the value", NULL);
    }
    return value;
}

const LiaJson* lia_json_member(const LiaJson* object, const char* name) {
    size_t length = strlen(name);
    const LiaJson* member = object && object->kind == LIA_JSON_OBJECT ? object->first : NULL;
    while (member &&
           (member->key.length != length || memcmp(member->key.bytes, name, length) != 0)) {
        member = member->next;
    }
    return member;
}
