// An explanation in three ways: for people (prose*.c), for programs (explain_json.c), as a LaTeX
// document (latex*.c). Only output uses this header.
// SPDX-License-Identifier: MIT
#pragma once
#include "geometry/explanation.h"

/// For people.
void lia_prose_explain(LiaExplanation* explanation, const LiaTextStyle* style, LiaText* out);
/// One JSON object.
void lia_explain_json(LiaExplanation* explanation, LiaText* out);
/// Of a model of a phase space: what stands after its name (prose_poisson.c).
void lia_prose_poisson_json(LiaExplanation* explanation, LiaText* out);
/// A LaTeX document that compiles.
void lia_latex_explain(LiaExplanation* explanation, LiaText* out);

// --- what they share

/// One of the numbers of a rotation or a direction, or of a contact's own: its equation is not the
/// user's.
bool lia_explain_is_inner(const LiaExplanation* explanation, uint32_t coordinate);
/// A formula of the four numbers of an attitude, which nobody reads.
bool lia_explain_has_attitude(const LiaExplanation* explanation, LiaExpr f);
/// An equation as the model has it, on one line.
void lia_explain_quote(const LiaExplanation* explanation, LiaSpan span, LiaText* out);
/// The group that begins at which[i], where all of its numbers are in the list; NULL: the
/// coordinate stands for itself. Parts of places may be driven, and the others not.
const LiaGroup* lia_explain_group(const LiaModel* model, const uint32_t* which, uint32_t count,
                                  uint32_t i);
/// Too long for anybody to read.
bool lia_explain_is_long(const LiaExplanation* explanation, LiaExpr f);
const char* lia_explain_verdict(LiaVerdict v, const char* yes, const char* no, const char* open);

/// How a coefficient stands before its symbol in a sum of terms: "-", a bracket about a sum,
/// nothing at all for 1.
typedef struct LiaCoefficient {
    bool sum, one, minus;
} LiaCoefficient;

/// `printed` is the coefficient as text or as LaTeX; a minus in front of it is the sign of the
/// term.
LiaCoefficient lia_explain_coefficient(const LiaGraph* graph, LiaExpr f, const LiaText* printed);
/// What joins the term to those before: "", "-", " + " or " - ".
const char* lia_explain_joint(LiaCoefficient coefficient, bool first);

/// The fields of D_Y = D_0 - X_K + H(Y) + eta - Z + Q, as columns of a table.
typedef struct LiaFieldColumn {
    LiaFieldId id;
    const char *text, *latex;
} LiaFieldColumn;

enum { LIA_FIELD_COLUMNS = LIA_FIELD_PARTS };
extern const LiaFieldColumn lia_explain_columns[LIA_FIELD_COLUMNS];

/// D_Y, and what is not zero everywhere.
bool lia_explain_column_counts(const LiaFields* fields, int column);
/// x of the column's field as it stands in the sum: Z is taken away.
double lia_explain_column_value(int column, double x);
