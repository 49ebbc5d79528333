// Contacts without a closed form.
// SPDX-License-Identifier: MIT
#include "contact.h"

static bool say_unknown(LiaElaboration* e, const LiaContact* c) {
    lia_diag_error(e->context->diags, c->A.span, "E0273",
                   "where a %s and a %s touch is not found in this version",
                   lia_surface_word(c->A.kind), lia_surface_word(c->B.kind));
    return false;
}

bool lia_foot_of_supports(LiaElaboration* e, LiaContact* c, const char* name) {
    (void)name;
    return say_unknown(e, c);
}
bool lia_foot_on_level(LiaElaboration* e, LiaContact* c, const char* name) {
    (void)name;
    return say_unknown(e, c);
}
bool lia_foot_of_levels(LiaElaboration* e, LiaContact* c, const char* name) {
    (void)name;
    return say_unknown(e, c);
}
bool lia_foot_on_plane(LiaElaboration* e, LiaContact* c, const char* name) {
    (void)name;
    return say_unknown(e, c);
}
