// The data of a page, read back as a browser does. See page_data.h.
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include "page_data.h"
#include "support/cases.h"
#include "unpacked.h"
#include <stdlib.h>
#include <string.h>

const char page_skater[] = "model skater \"Skater\"\n"
                           "parameter m = 60, I1 = 1.8, I2 = 1.2\n"
                           "coordinate x, y : line in m\n"
                           "coordinate theta, s : circle\n"
                           "kinetic m/2*(x'^2 + y'^2) + I1/2*theta'^2 + I2/2*(theta' + s')^2\n"
                           "constraint blade: x'*sin(theta) - y'*cos(theta) = 0\n"
                           "operator twist: s = 0.8*sin(2*t)\n"
                           "symmetry turn: theta' = 1\n"
                           "start x' = 1.5, theta' = 0.2\n"
                           "run t = 0..10\n"
                           "plot x, y\n";

uint8_t* page_bytes(const char* base64, size_t length) {
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint8_t* bytes = calloc(length + 8, 1);
    uint32_t word = 0;
    size_t n = 0;
    for (size_t i = 0; i < length && base64[i] != '='; i++) {
        const char* at = strchr(letters, base64[i]);
        assert_non_null(at);
        word = word << 6 | (uint32_t)(at - letters);
        if (i % 4 != 0) bytes[n++] = (uint8_t)(word >> (6 - 2 * (i % 4)));
    }
    return bytes;
}

Page page_of_motion(Motion motion) {
    Page page = {.motion = motion, .arena = lia_arena_create(), .diags = lia_diags_create()};
    assert_non_null(motion.t);
    page.text = lia_output_page_data(motion.t);
    assert_non_null(page.text);
    lia_diag_source(page.diags, "page", page.text, strlen(page.text));
    page.json = lia_json_read(page.arena, page.text, strlen(page.text), page.diags);
    assert_non_null(page.json);
    const LiaJson* data = lia_json_member(page.json, "data");
    assert_non_null(data);
    page.bytes = page_bytes(data->text.bytes, data->text.length);
    return page;
}

Page page_of(const char* text) { return page_of_motion(motion_of(text, NULL)); }

void page_clear(Page* page) {
    lia_free(page->text);
    lia_arena_destroy(page->arena);
    lia_diags_destroy(page->diags);
    free(page->bytes);
    motion_clear(&page->motion);
}

const LiaJson* page_at(const LiaJson* list, size_t i) {
    const LiaJson* value = list ? list->first : NULL;
    while (value && i-- > 0) value = value->next;
    return value;
}

size_t page_rows(const Page* page) { return (size_t)lia_json_member(page->json, "rows")->number; }

void page_column(const Page* page, size_t i, double* x) {
    const LiaJson* column = page_at(lia_json_member(page->json, "columns"), i);
    const LiaJson* step = lia_json_member(column, "step");
    size_t begin = step ? (size_t)lia_json_member(column, "at")->number : 0;
    int order = step ? (int)lia_json_member(column, "order")->number : 0;
    unpack(page->bytes + begin, page_rows(page), lia_json_member(column, "low")->number,
           step ? step->number : 0.0, order, x);
}

const LiaJson* page_item(const Page* page, const char* kind, size_t n) {
    const LiaJson* items = lia_json_member(lia_json_member(page->json, "scene"), "items");
    for (const LiaJson* i = items->first; i; i = i->next) {
        if (strcmp(lia_json_member(i, "kind")->text.bytes, kind) == 0 && n-- == 0) return i;
    }
    return NULL;
}

size_t page_count(const Page* page, const char* kind) {
    size_t n = 0;
    while (page_item(page, kind, n)) n++;
    return n;
}

void page_channel(const Page* page, const LiaJson* of, const char* key, size_t i, double* x) {
    const LiaJson* value = page_at(lia_json_member(of, key), i);
    assert_non_null(value);
    if (value->kind == LIA_JSON_STRING) {
        assert_int_equal(value->text.bytes[0], '@');
        page_column(page, (size_t)atoi(value->text.bytes + 1), x);
        return;
    }
    for (size_t k = 0; k < page_rows(page); k++) x[k] = value->number;
}
