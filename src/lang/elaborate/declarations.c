// Declarations: who declares what. A name is declared once, or by several parts of one family.
// SPDX-License-Identifier: MIT
#include "lang/elaborate/builtin.h"
#include "lang/elaborate/elaborate.h"
#include <string.h>

const char* lia_declarations_words(LiaKeyword keyword) {
    switch (keyword) {
    case LIA_KEYWORD_PARAMETER:
        return "a parameter";
    case LIA_KEYWORD_LET:
        return "a definition";
    case LIA_KEYWORD_FUNCTION:
        return "a function";
    case LIA_KEYWORD_COORDINATE:
        return "a coordinate";
    case LIA_KEYWORD_CONTROL:
        return "a control";
    case LIA_KEYWORD_FORCE:
        return "an applied force";
    case LIA_KEYWORD_MOMENT:
        return "an applied moment";
    case LIA_KEYWORD_CONSTRAINT:
        return "a constraint";
    case LIA_KEYWORD_OPERATOR:
        return "an operator";
    case LIA_KEYWORD_SYMMETRY:
        return "a symmetry";
    case LIA_KEYWORD_EVENT:
        return "an event";
    case LIA_KEYWORD_OBSERVE:
        return "an observed quantity";
    case LIA_KEYWORD_BODY:
        return "a body";
    case LIA_KEYWORD_CONTACT:
        return "a contact";
    case LIA_KEYWORD_JOINT:
        return "a joint";
    default:
        return "something else";
    }
}

static bool hides_builtin(LiaElaboration* e, const LiaHead* head, LiaKeyword keyword) {
    const char* name = lia_context_name_text(e->context, head->symbol);
    LiaDiags* diags = e->context->diags;
    if (lia_builtin_is_quantity(name)) {
        lia_diag_error(diags, head->name_span, "E0122", "'%s' is built in and cannot be declared",
                       name);
        lia_diag_help(diags, "choose another name");
        return true;
    }
    if (keyword == LIA_KEYWORD_FUNCTION && lia_builtin_find(name)) {
        lia_diag_error(diags, head->name_span, "E0122",
                       "'%s()' is a built-in function and cannot be declared", name);
        lia_diag_help(diags, "choose another name");
        return true;
    }
    if (strcmp(name, "not") == 0) {
        lia_diag_error(diags, head->name_span, "E0122", "'not' is a word of conditions");
        return true;
    }
    return false;
}

// A second declaration of a name is right only for further members of the same family.
static bool fits_earlier(LiaElaboration* e, const LiaDeclaration* earlier, const LiaHead* head,
                         LiaKeyword keyword) {
    bool family = head->index_count > 0 && earlier->head->index_count > 0;
    bool function = keyword == LIA_KEYWORD_FUNCTION;
    bool parts = earlier->phrase && earlier->phrase->clause;  // of bodies: some free, some not
    if (family && !function && (earlier->keyword == keyword || parts) &&
        earlier->head->index_count == head->index_count) {
        return true;
    }
    const char* name = lia_context_name_text(e->context, head->symbol);
    LiaDiags* diags = e->context->diags;
    int line = 0, column = 0;
    lia_diag_line_column(diags, earlier->head->name_span, &line, &column);
    if (family && earlier->keyword == keyword) {
        lia_diag_error(diags, head->name_span, "E0144",
                       "'%s' has %u indices here and %u in line %d", name, head->index_count,
                       earlier->head->index_count, line);
        return false;
    }
    if (earlier->keyword == keyword) {
        lia_diag_error(diags, head->name_span, "E0121", "'%s' is declared twice, first in line %d",
                       name, line);
    } else {
        lia_diag_error(diags, head->name_span, "E0121",
                       "'%s' is declared twice: in line %d it is %s", name, line,
                       lia_declarations_words(earlier->keyword));
    }
    lia_diag_help(diags, "choose another name");
    return false;
}

static bool declare(LiaElaboration* e, const LiaStatement* statement, LiaKeyword keyword,
                    const LiaHead* head, const LiaPhrase* phrase) {
    if (head->symbol == 0 || hides_builtin(e, head, keyword)) {
        return false;
    }
    uint32_t earlier = e->context->names.items[head->symbol].declaration;
    bool poisoned = statement->failed;
    if (earlier != 0 && poisoned) {
        return false;  // one mistake at a time
    }
    if (earlier != 0) {
        const LiaDeclaration* first = &e->declarations.items[earlier];
        if (!fits_earlier(e, first, head, keyword)) {
            return false;
        }
    }
    uint32_t id = e->declarations.count;
    LiaDeclaration* declaration = LIA_ADD(e->context, e->declarations);
    declaration->keyword = keyword;
    declaration->poisoned = poisoned;
    declaration->symbol = head->symbol;
    declaration->head = head;
    declaration->phrase = phrase;
    declaration->statement = statement;
    LiaName* name = &e->context->names.items[head->symbol];
    if (earlier == 0) {
        name->declaration = id;
    } else {
        e->declarations.items[name->last].next = id;
    }
    name->last = id;
    return true;
}

// A body, and its parts as names of their own: b.position is a definition, or a coordinate if b is
// free.
static void declare_body(LiaElaboration* e, const LiaStatement* statement) {
    if (!declare(e, statement, LIA_KEYWORD_BODY, &statement->head, NULL) || statement->failed) {
        return;
    }
    for (uint32_t k = 0; k < statement->phrase_count; k++) {
        const LiaPhrase* phrase = &statement->phrases[k];
        bool free = phrase->right.begin == phrase->right.end;
        declare(e, statement, free ? LIA_KEYWORD_COORDINATE : LIA_KEYWORD_LET, &phrase->head,
                phrase);
    }
}

void lia_declarations_enter(LiaElaboration* e) {
    (void)LIA_ADD(e->context, e->declarations);
    (void)LIA_ADD(e->context, e->members);
    e->given.t = lia_context_find_name(e->context, "t", 1);
    e->given.pi = lia_context_find_name(e->context, "pi", 2);
    e->given.energy = lia_context_find_name(e->context, "energy", 6);
    e->given.kinetic = lia_context_find_name(e->context, "kinetic", 7);
    e->given.potential = lia_context_find_name(e->context, "potential", 9);
    e->given.ground = lia_context_find_name(e->context, "ground", 6);
    for (uint32_t i = 0; i < e->syntax->statements.count; i++) {
        const LiaStatement* statement = &e->syntax->statements.items[i];
        switch (statement->keyword) {
        case LIA_KEYWORD_PARAMETER:
        case LIA_KEYWORD_LET:
        case LIA_KEYWORD_COORDINATE:
        case LIA_KEYWORD_CONTROL:
        case LIA_KEYWORD_OBSERVE:
            for (uint32_t k = 0; k < statement->phrase_count; k++) {
                declare(e, statement, statement->keyword, &statement->phrases[k].head,
                        &statement->phrases[k]);
            }
            break;
        case LIA_KEYWORD_FUNCTION:
        case LIA_KEYWORD_FORCE:
        case LIA_KEYWORD_CONSTRAINT:
        case LIA_KEYWORD_OPERATOR:
        case LIA_KEYWORD_SYMMETRY:
        case LIA_KEYWORD_EVENT:
        case LIA_KEYWORD_CONTACT:
        case LIA_KEYWORD_JOINT:
        case LIA_KEYWORD_MOMENT:
            declare(e, statement, statement->keyword, &statement->head, NULL);
            break;
        case LIA_KEYWORD_BODY:
            declare_body(e, statement);
            break;
        default:
            break;
        }
    }
}
