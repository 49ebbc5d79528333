// Forms: one-forms while they are put together, as a small graph that is written out at the end.
//
// sum(i = 1..N, f[i]*d(q[i])) would copy N lists of growing length; here a sum is one node.
// SPDX-License-Identifier: MIT
#pragma once
#include "lang/value/term.h"

typedef LiaExpr
    LiaFormId;  // an index into forms->nodes rather than the graph; {0} is the zero form

typedef struct LiaFormNode {
    LiaExpr coefficient;  // of a + b; {0}: one
    LiaExpr of;           // d(of) or virtual(of); {0}: a sum
    bool is_virtual;
    uint16_t has;  // of everything in it
    LiaFormId a, b;
    LiaSpan span;
} LiaFormNode;

typedef struct LiaForms {
    LIA_VECTOR(LiaFormNode) nodes;
} LiaForms;

LiaFormId lia_forms_of(LiaForms* forms, LiaTerms* terms, LiaExpr of, bool is_virtual, LiaSpan span);
LiaFormId lia_forms_sum(LiaForms* forms, LiaTerms* terms, LiaFormId a, LiaFormId b, LiaSpan span);
LiaFormId lia_forms_scale(LiaForms* forms, LiaTerms* terms, LiaExpr coefficient, LiaFormId a,
                          LiaSpan span);
uint16_t lia_forms_has(const LiaForms* forms, LiaFormId form);
/// The form as a list of coefficient * d(f); in the memory of the model.
LiaForm lia_forms_write(LiaForms* forms, LiaTerms* terms, LiaFormId form, LiaSpan span);
