// The language as one call: text in, LiaModel out.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "lang/elaborate/elaborate.h"
#include <locale.h>
#include <stdlib.h>
#include <string.h>

typedef struct Session {
    LiaContext context;
    LiaSyntax syntax;
    LiaElaboration elaboration;
    LiaModel* model;
} Session;

static void read_model(Session* s, const char* name, const char* text, size_t length) {
    LiaContext* context = &s->context;
    size_t name_length = strlen(name);
    char* kept_name = lia_context_keep(context, name_length + 1);
    memcpy(kept_name, name, name_length);
    char* kept_text = lia_context_keep(context, length + 1);
    if (length > 0) {
        memcpy(kept_text, text, length);
    }
    context->source = (LiaSource){kept_name, kept_text, length};
    lia_term_begin(&s->elaboration.work.terms, context);
    s->elaboration.work.context = context;
    s->elaboration.work.example = lia_scope_example;
    s->elaboration.work.example_of = &s->elaboration;
    s->elaboration.context = context;
    s->elaboration.syntax = &s->syntax;
    lia_statements_read(context, &s->syntax);
    if (!lia_context_enough(context)) {
        s->model = lia_elaborate(&s->elaboration);
    }
}

static bool run_session(Session* s, const char* name, const char* text, size_t length,
                        LiaModel** out) {
    size_t before = lia_diags_errors(s->context.diags);
    // Everything allocated hangs on *s, so a jump out of read_model() loses nothing.
    if (setjmp(s->context.stop) == 0) {
        read_model(s, name, text, length);
    }
    LiaModel* model = s->model;
    if (model && lia_diags_errors(s->context.diags) == before) {
        model->arena = s->context.kept;
        s->context.kept = NULL;
        s->elaboration.work.terms.graph = NULL;  // the model owns them now
        s->elaboration.work.terms.written = NULL;
        *out = model;
    }
    return *out != NULL;
}

bool lia_lang_parse(const char* name, const char* text, size_t length, const LiaDefines* defines,
                    LiaDiags* diags, LiaModel** out) {
    *out = NULL;
    if (length > LIA_LIMIT_FILE) {
        lia_diag_source(diags, name, "", 0);
        lia_diag_error(diags, (LiaSpan){0, 0}, "E0108", "the text has %zu MB; the limit is %d MB",
                       length >> 20, LIA_LIMIT_FILE >> 20);
        return false;
    }
    lia_diag_source(diags, name, text, length);
    Session* s = lia_memory_zeros(1, sizeof *s);
    if (s) {
        s->context.kept = lia_arena_create();
        s->context.scratch = lia_arena_create();
        s->context.diags = diags;
        if (defines) s->elaboration.defines = *defines;
    }
    // strtod and printf of numbers must not depend on the user's locale; per thread.
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!c) lia_memory_fail();
    if (s && s->context.kept && s->context.scratch && c) {
        locale_t before = uselocale(c);
        run_session(s, name, text, length, out);
        uselocale(before);
    }
    if (c) freelocale(c);
    if (s) {
        lia_term_clear(&s->elaboration.work.terms);
        lia_arena_destroy(s->context.kept);
        lia_arena_destroy(s->context.scratch);
        free(s);
    }
    return *out != NULL;
}

void lia_lang_destroy(LiaModel* model) {
    if (model) {
        lia_graph_destroy((LiaGraph*)model->graph);
        free((void*)model->text.written);
        lia_arena_destroy(model->arena);
    }
}
