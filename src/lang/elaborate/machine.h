// Machine, inside: what machine.c (running code) and references.c (what names stand for) share.
// SPDX-License-Identifier: MIT
#pragma once
#include "lang/elaborate/elaborate.h"

void lia_machine_push(LiaElaboration* e, LiaValue value);
/// The frame that runs.
LiaFrame* lia_machine_top_frame(LiaElaboration* e);
/// Begin a frame, a piece of code to run.
void lia_machine_push_frame(LiaElaboration* e, LiaFrame frame);
/// A call of a function of the model (function_call.c).
void lia_function_call(LiaElaboration* e, const LiaSyntaxNode* node);
/// Push what was read from the text at `span`, unless it may not stand in this frame's setting.
void lia_references_push_allowed(LiaElaboration* e, LiaValue value, LiaSpan span);
/// The same in place of `count` values on the stack.
void lia_references_replace(LiaElaboration* e, uint32_t count, LiaValue value, LiaSpan span);
/// Parameter, let, control, observe: defined by code.
bool lia_machine_is_definition(LiaKeyword keyword);
/// Push a frame that defines a member.
void lia_machine_begin(LiaElaboration* e, uint32_t member, LiaSpan span);
void lia_machine_say_circle(LiaElaboration* e, uint32_t member, LiaSpan span);

/// An index or argument that is visible now; NULL if there is none.
const LiaValue* lia_references_binding(const LiaElaboration* e, LiaSymbol symbol);
/// t, pi, energy, ...
bool lia_references_quantity(LiaElaboration* e, LiaSymbol symbol, LiaSpan span, LiaValue* out);
/// Run one node. False: a definition was begun, run the node again when it is done.
bool lia_references_name(LiaElaboration* e, const LiaSyntaxNode* node);
bool lia_references_member(LiaElaboration* e, const LiaSyntaxNode* node);
void lia_references_named(LiaElaboration* e, const LiaSyntaxNode* node);
/// The value of a member into *out. False: its definition was begun, run the node again.
bool lia_references_use(LiaElaboration* e, uint32_t member, LiaSpan span, LiaValue* out);
