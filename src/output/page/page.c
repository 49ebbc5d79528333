// The page of a motion: one file for the browser, with the model, its numbers, its pictures and its
// equations.
//
// The page itself is made from the folder `web` when the program is built; here its data are
// written into it, where the template says so. They are one JSON object:
//
//   version name title file text time  the model; the unit of the time
//   result                             what run --json says
//   choices reason                     sentences
//   latex                              what explain --latex says
//   t                                  [first, last] where samples are evenly spaced, else a packed
//                                      column
//   rows columns data                  the table: name, unit, kind of each column, up to which
//                                      number it is rounding all along (zero) and at the end
//                                      (rounding), and where its bytes begin
//                                      in `data` (base64); see packed.h for the code
//   plots                              columns of the plot lines
//   fields                             field pictures (field_data.h)
//   contacts                           the modes of contacts along the motion
//   scene                              what is drawn; a number, or "@12" for column 12
// SPDX-License-Identifier: MIT
#include "base/file/output_file.h"
#include "base/memory/call.h"
#include "base/numeric/thresholds.h"
#include "output/explain/explain.h"
#include "output/page/field_data.h"
#include "output/page/impacts.h"
#include "output/page/packed.h"
#include "output/page/scene.h"
#include "output/plot/figure.h"
#include "output/plot/zero.h"
#include "output/text/escape.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char MARK[] = "<!--liaison:data-->";

enum {
    BITS_MOST = 24,
    BITS_LEAST = 16,
    DATA_MOST = 2200000,   // bytes; above that numbers are kept with fewer digits
    EXPLAINED_MOST = 120,  // coordinates; equations of larger systems are no reading matter
};

typedef struct Page {
    LiaText out;
    const LiaTrajectory* trajectory;
    const LiaModel* model;
    LiaScene scene;
    LiaZero zero;
    LiaPacked* packed;  // of each column
    size_t columns;
    int bits;
} Page;

static void add_key(Page* page, const char* key) { lia_text_add(&page->out, ",\n\"%s\": ", key); }

// --- columns

static const char* const kinds[] = {"time",  "position", "velocity", "observe", "force",
                                    "power", "plot",     "momentum", "work"};

static bool pack(Page* page, int bits) {
    const LiaScene* scene = &page->scene;
    size_t own = page->trajectory->column_count, rows = scene->rows;
    double* x = lia_memory_take((rows + 1) * sizeof *x);
    bool good = x != NULL;
    for (size_t c = 0; good && c < page->columns; c++) {
        lia_packed_clear(&page->packed[c]);
        for (size_t i = 0; i < rows; i++) {
            x[i] = c < own ? lia_scene_row(scene, i)[c] : scene->extra[c - own][i];
        }
        good = lia_packed_make(&page->packed[c], x, rows, 1, bits);
    }
    free(x);
    page->bits = bits;
    return good;
}

static size_t packed_size(const Page* page) {
    size_t sum = 0;
    for (size_t c = 0; c < page->columns; c++) sum += page->packed[c].size;
    return sum;
}

// Of a coordinate that the model did not name: the scene may need it, nobody plots it.
static bool is_inner(const Page* page, const LiaColumn* column) {
    bool state = column->kind == LIA_COLUMN_POSITION || column->kind == LIA_COLUMN_VELOCITY;
    return state && page->model->coordinates[column->index].inner;
}

// Numbers without a unit that do not go with others: of an attitude, of a direction.
static const char* sort_of(const Page* page, const LiaColumn* column) {
    bool state = column->kind == LIA_COLUMN_POSITION || column->kind == LIA_COLUMN_VELOCITY;
    if (!state || !page->model->coordinates[column->index].group) return NULL;
    LiaManifold manifold = page->model->coordinates[column->index].manifold;
    return manifold == LIA_ROTATION ? "attitude" : manifold == LIA_SPHERE ? "direction" : NULL;
}

static void add_column(Page* page, size_t c, size_t* begin) {
    LiaText* out = &page->out;
    const LiaPacked* packed = &page->packed[c];
    lia_text_add(out, c == 0 ? "\n {" : ",\n {");
    if (c < page->trajectory->column_count) {
        const LiaColumn* column = &page->trajectory->columns[c];
        const double* rounding = page->trajectory->final.rounding;
        double zero = lia_zero_bound(&page->zero, c), end = rounding ? rounding[c] : 0.0;
        lia_escape_add(out, "\"name\": %s", column->name);
        if (column->unit) {
            lia_escape_add(out, ", \"unit\": %s", column->unit);
        }
        const char* sort = sort_of(page, column);
        if (sort) lia_text_add(out, ", \"sort\": \"%s\"", sort);
        lia_text_add(out, column->shared ? ", \"unique\": false" : "");
        if (zero > 0.0) lia_escape_add(out, ", \"zero\": %g", zero);
        if (end > 0.0) lia_escape_add(out, ", \"rounding\": %g", end);
        lia_escape_add(out, ", \"kind\": %s, \"of\": %s",
                       is_inner(page, column) ? "inner" : kinds[column->kind], column->key);
    } else {
        lia_text_add(out, "\"name\": \"\", \"kind\": \"scene\"");
    }
    lia_escape_add(out, ", \"low\": %g", packed->low);
    if (packed->step > 0.0) {
        lia_escape_add(out, ", \"step\": %g, \"order\": %d, \"at\": %zu", packed->step,
                       packed->order, *begin);
        *begin += packed->size;
    }
    for (size_t i = 0; i < packed->hole_count; i++) {
        lia_text_add(out, "%s%u, %u%s", i == 0 ? ", \"holes\": [" : ", ", packed->holes[2 * i],
                     packed->holes[2 * i + 1], i + 1 == packed->hole_count ? "]" : "");
    }
    lia_text_add(out, "}");
}

static void add_columns(Page* page) {
    LiaText* out = &page->out;
    size_t begin = 0, size = packed_size(page);
    add_key(page, "rows");
    lia_text_add(out, "%zu", page->scene.rows);
    add_key(page, "columns");
    lia_text_add(out, "[");
    for (size_t c = 0; c < page->columns; c++) add_column(page, c, &begin);
    lia_text_add(out, "]");
    uint8_t* bytes = lia_memory_take(size + 1);
    if (!bytes) {
        out->failed = 1;
        return;
    }
    size_t at = 0;
    for (size_t c = 0; c < page->columns; c++) {
        if (page->packed[c].size > 0) {
            memcpy(bytes + at, page->packed[c].bytes, page->packed[c].size);
        }
        at += page->packed[c].size;
    }
    add_key(page, "data");
    lia_text_add(out, "\"");
    lia_packed_base64(out, bytes, size);
    lia_text_add(out, "\"");
    free(bytes);
}

// Evenly spaced samples need no list; others are reported exactly.
static void add_times(Page* page) {
    const LiaScene* scene = &page->scene;
    size_t rows = scene->rows;
    double first = rows ? lia_scene_row(scene, 0)[0] : 0.0;
    double last = rows ? lia_scene_row(scene, rows - 1)[0] : 0.0;
    bool even = true;
    for (size_t i = 0; i < rows && even; i++) {
        double t = first + (last - first) * (rows > 1 ? (double)i / (double)(rows - 1) : 0.0);
        even = fabs(t - lia_scene_row(scene, i)[0]) <= LIA_PAGE_EVEN * fabs(last - first);
    }
    add_key(page, "t");
    lia_text_add(&page->out, "[");
    for (size_t i = 0; i < rows && !even; i++) {
        lia_text_add(&page->out, i > 0 ? ", " : "");
        lia_escape_number(&page->out, lia_scene_row(scene, i)[0]);
    }
    if (even) {
        lia_escape_add(&page->out, "%g, %g", first, last);
    }
    lia_text_add(&page->out, "]");
}

// --- plots and scene

static void add_plots(Page* page) {
    const LiaTrajectory* t = page->trajectory;
    LiaText* out = &page->out;
    add_key(page, "plots");
    lia_text_add(out, "[");
    for (uint32_t p = 0; p < page->model->pictures.plots_count; p++) {
        const LiaPlot* plot = &page->model->pictures.plots[p];
        int x = -1;
        bool first = true;
        lia_text_add(out, "%s{\"curves\": [", p > 0 ? ", " : "");
        for (size_t c = 0; c < t->column_count; c++) {
            if (t->columns[c].kind != LIA_COLUMN_PLOT || t->columns[c].index != p) continue;
            if (t->columns[c].part == 0 && plot->x.term.index) {
                x = (int)c;
                continue;
            }
            lia_text_add(out, "%s%zu", first ? "" : ", ", c);
            first = false;
        }
        lia_text_add(out, x >= 0 ? "], \"x\": %d}" : "]}", x);
    }
    lia_text_add(out, "]");
}

static void add_channels(LiaText* out, const char* key, const int* at, const double* is,
                         int count) {
    lia_text_add(out, ", \"%s\": [", key);
    for (int i = 0; i < count; i++) {
        lia_text_add(out, i > 0 ? ", " : "");
        if (at[i] >= 0) {
            lia_text_add(out, "\"@%d\"", at[i]);
        } else {
            lia_escape_number(out, is[i]);
        }
    }
    lia_text_add(out, "]");
}

static void add_item(Page* page, const LiaSceneItem* item, bool first) {
    LiaText* out = &page->out;
    lia_text_add(out, "%s\n {\"kind\": \"%s\"", first ? "" : ",", item->kind);
    if (item->name) {
        lia_escape_add(out, ", \"name\": %s", item->name);
    }
    if (item->color) lia_text_add(out, ", \"color\": \"%s\"", item->color);
    if (item->driven) lia_text_add(out, ", \"driven\": true");
    if (item->trail) lia_text_add(out, ", \"trail\": true");
    if (item->role) lia_text_add(out, ", \"role\": \"%s\"", item->role);
    if (item->shared) lia_text_add(out, ", \"shared\": true");
    if (item->part) lia_text_add(out, ", \"part\": true");
    if (item->open) lia_text_add(out, ", \"open\": true");
    if (item->contact) {
        lia_escape_add(out, ", \"contact\": %s",
                       page->scene.system->contacts[item->contact - 1].name);
    }
    if (item->surface) lia_text_add(out, ", \"surface\": %s", item->surface);
    int sizes = 0;
    while (sizes < 3 && item->size[sizes].index) sizes++;
    if (sizes > 0) add_channels(out, "size", item->sampled.size_at, item->sampled.size_is, sizes);
    add_channels(out, "at", item->sampled.at_at, item->sampled.at_is, 3);
    if (item->to[0].index || item->to_given[0])
        add_channels(out, "to", item->sampled.to_at, item->sampled.to_is, 3);
    if (item->turn[0].index)
        add_channels(out, "turn", item->sampled.turn_at, item->sampled.turn_is, 4);
    if (item->slide[0].index)
        add_channels(out, "slide", item->sampled.slide_at, item->sampled.slide_is, 3);
    if (item->value.index)
        add_channels(out, "value", &item->sampled.value_at, &item->sampled.value_is, 1);
    lia_text_add(out, "}");
}

// The modes of each contact that was closed at some time: [time, mode] from which on.
static void add_courses(Page* page) {
    const LiaTrajectory* t = page->trajectory;
    LiaText* out = &page->out;
    add_key(page, "contacts");
    lia_text_add(out, "[");
    for (size_t i = 0; i < t->contacts.course_count; i++) {
        const LiaContactCourse* course = &t->contacts.courses[i];
        lia_text_add(out, i > 0 ? ",\n {\"name\": " : "\n {\"name\": ");
        lia_escape_add(out, "%s, \"modes\": [", course->name);
        for (size_t k = 0; k < course->count; k++) {
            lia_text_add(out, k > 0 ? ", [" : "[");
            lia_escape_add(out, "%g, %s]", course->changes[k].t, course->changes[k].word);
        }
        lia_text_add(out, "]}");
    }
    lia_text_add(out, "]");
}

// Are forces known to be in newtons? Where energies are in joules and an equation has a unit,
// impulses have one.
static bool has_newtons(const LiaModel* m) {
    for (uint32_t i = 0; i < m->constraints_count; i++) {
        if (m->constraints[i].impulse_unit) return true;
    }
    return false;
}

static void add_scene(Page* page) {
    LiaText* out = &page->out;
    const double* g = page->model->pictures.gravity.value;
    add_key(page, "scene");
    lia_text_add(out, "{\"guessed\": %s, \"newtons\": %s, \"gravity\": [",
                 page->scene.guessed ? "true" : "false",
                 has_newtons(page->model) ? "true" : "false");
    for (int k = 0; k < 3; k++) {
        lia_text_add(out, k > 0 ? ", " : "");
        lia_escape_number(out, g[k]);
    }
    lia_text_add(out, "], \"items\": [");
    for (uint32_t i = 0; i < page->scene.count; i++) {
        add_item(page, &page->scene.items[i], i == 0);
    }
    lia_text_add(out, "], \"impacts\": ");
    out->failed |= !lia_impacts_write(&page->scene, out);
    lia_text_add(out, ", \"unplaced\": [");
    for (uint32_t i = 0; i < page->scene.unplaced_count; i++) {
        lia_text_add(out, i > 0 ? ", " : "");
        lia_escape_json(out, page->scene.unplaced[i]);
    }
    lia_text_add(out, "]}");
}

// --- words

static void add_model(Page* page) {
    LiaText* out = &page->out;
    const LiaModel* m = page->model;
    lia_escape_add(out, "{\"version\": %s, \"name\": %s", LIA_VERSION, m->name);
    add_key(page, "title");
    lia_escape_json(out, m->title);
    const char* slash = strrchr(m->text.source.name, '/');
    add_key(page, "file");
    lia_escape_json(out, slash ? slash + 1 : m->text.source.name);
    add_key(page, "text");
    lia_escape_json(out, m->text.source.text);
    add_key(page, "time");
    lia_escape_json(out, lia_figure_time_unit(m));
}

static void add_result(Page* page) {
    const LiaTrajectory* t = page->trajectory;
    LiaText* out = &page->out;
    char* result = lia_output_json(t);
    char* reason = lia_output_reason(t);
    add_key(page, "result");
    lia_text_add(out, "%s", result ? result : "{}");
    add_key(page, "reason");
    lia_escape_json(out, reason ? reason : "");
    add_key(page, "choices");
    lia_text_add(out, "[");
    for (size_t i = 0; i < t->choices.count; i++) {
        lia_text_add(out, i > 0 ? ", " : "");
        lia_escape_json(out, t->choices.sentences[i]);
    }
    lia_text_add(out, "]");
    add_key(page, "run");
    lia_escape_add(
        out,
        "{\"tolerance\": %g, \"order\": %d, \"t0\": %g, \"energy\": [%g, %g], \"rounding\": %g, "
        "\"ledger\": {",
        t->effort.tolerance, t->effort.order, t->t0, t->ledger.start, t->ledger.end,
        t->ledger.rounding);
    for (size_t i = 0; i < t->ledger.count; i++) {
        static const char* const words[] = {[LIA_LINE_CONSTRAINT] = "constraint",
                                            [LIA_LINE_OPERATOR] = "operator",
                                            [LIA_LINE_FORCE] = "force",
                                            [LIA_LINE_DISSIPATION] = "dissipation",
                                            [LIA_LINE_TIME] = "time",
                                            [LIA_LINE_EVENT] = "event",
                                            [LIA_LINE_PROJECTION] = "projection"};
        lia_text_add(out, i > 0 ? ", " : "");
        lia_escape_add(out, "%s: %s", t->ledger.lines[i].name,
                       t->ledger.lines[i].workless ? "workless" : words[t->ledger.lines[i].kind]);
    }
    lia_text_add(out, "}}");
    out->failed |= !result || !reason;
    lia_free(result);
    lia_free(reason);
}

static void add_equations(Page* page) {
    LiaExplainOptions options = {.format = LIA_EXPLAIN_LATEX};
    LiaDiags* diags = lia_diags_create();
    char* latex = diags && page->model->coordinates_count <= EXPLAINED_MOST
                      ? lia_explain(page->trajectory->system, &options, diags)
                      : NULL;
    add_key(page, "latex");
    lia_escape_json(&page->out, latex);
    lia_free(latex);
    lia_diags_destroy(diags);
}

// --- the whole

static bool make(Page* page, const LiaTrajectory* trajectory) {
    *page = (Page){.trajectory = trajectory, .model = trajectory->model};
    if (!lia_scene_make(&page->scene, trajectory)) return false;
    if (!lia_zero_init(&page->zero, trajectory)) return false;
    page->columns = trajectory->column_count + page->scene.extra_count;
    page->packed = lia_memory_zeros(page->columns + 1, sizeof *page->packed);
    bool good = page->packed && pack(page, BITS_MOST);
    for (int bits = BITS_MOST - 4; good && bits >= BITS_LEAST && packed_size(page) > DATA_MOST;
         bits -= 4) {
        good = pack(page, bits);
    }
    if (!good) return false;
    add_model(page);
    add_result(page);
    add_equations(page);
    add_times(page);
    add_columns(page);
    add_plots(page);
    add_key(page, "fields");
    if (!lia_field_data_add(&page->out, trajectory)) return false;
    add_courses(page);
    add_scene(page);
    lia_text_add(&page->out, "}\n");
    return !page->out.failed;
}

static void clear(Page* page) {
    for (size_t c = 0; page->packed && c < page->columns; c++) lia_packed_clear(&page->packed[c]);
    free(page->packed);
    lia_zero_clear(&page->zero);
    lia_scene_clear(&page->scene);
    lia_text_clear(&page->out);
}

char* lia_output_page_data(const LiaTrajectory* trajectory) {
    if (!trajectory) return NULL;
    LiaCall call = lia_call_begin(NULL);
    Page page;
    LiaText data = {0};
    if (make(&page, trajectory)) {
        data = page.out;
        page.out = (LiaText){0};
    }
    clear(&page);
    return lia_call_text(&call, &data);
}

// Inside a script element nothing may look like a tag; in JSON a '<' stands in texts only.
static void add_hidden(LiaText* out, const char* data) {
    while (*data) {
        size_t plain = strcspn(data, "<");
        lia_text_add_bytes(out, data, plain);
        data += plain;
        if (*data == '<') {
            lia_text_add(out, "\\u003c");
            data++;
        }
    }
}

LiaStatus lia_output_page(const LiaTrajectory* trajectory, const char* page, size_t length,
                          const char* path) {
    if (!trajectory || !page || !path) return LIA_ARGUMENT;
    const char* mark = NULL;
    for (size_t i = 0; i + sizeof MARK - 1 <= length && !mark; i++) {
        mark = memcmp(page + i, MARK, sizeof MARK - 1) == 0 ? page + i : NULL;
    }
    if (!mark) {
        errno = EINVAL;
        return LIA_FILE;
    }
    LiaCall call = lia_call_begin(NULL);
    char* data = lia_output_page_data(trajectory);
    if (!data) return LIA_MEMORY;
    LiaOutputFile file;
    if (!lia_output_file_open(&file, path, &trajectory->reads)) {
        int error = errno;
        lia_free(data);
        errno = error;
        return lia_call_failed(&call) ? LIA_MEMORY : LIA_FILE;
    }
    const char* rest = mark + sizeof MARK - 1;
    lia_text_add_bytes(&file.text, page, (size_t)(mark - page));
    lia_text_add(&file.text, "<script type=\"application/json\" id=\"data\">");
    add_hidden(&file.text, data);
    lia_text_add(&file.text, "</script>");
    lia_text_add_bytes(&file.text, rest, length - (size_t)(rest - page));
    lia_free(data);
    return lia_output_file_close(&file) ? LIA_OK : errno == ENOMEM ? LIA_MEMORY : LIA_FILE;
}
