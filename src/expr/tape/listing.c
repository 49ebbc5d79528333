// A tape as text one can read.
// SPDX-License-Identifier: MIT
#include "expr/tape/tape.h"

static void dump_section(const char* name, const LiaSection* section, LiaText* out) {
    static const char* const codes[] = {"add",    "sub", "neg",    "mul",    "scale",
                                        "square", "div", "divide", "sincos", "call"};
    if (!section->count) return;
    lia_text_add(out, "section %s: %u instructions\n", name, section->count);
    for (uint32_t i = 0; i < section->count; i++) {
        const LiaInstr* in = &section->instrs[i];
        const char* code = in->code == LIA_CODE_CALL ? lia_op_name((LiaOp)in->op) : codes[in->code];
        lia_text_add(out, "  r%u", in->out);
        if (in->aux) lia_text_add(out, ", r%u", in->aux);
        lia_text_add(out, " = %s r%u", code, in->x);
        int arity = in->code == LIA_CODE_SQUARE ? 1 : lia_op_arity((LiaOp)in->op);
        if (arity > 1) lia_text_add(out, ", r%u", in->y);
        if (arity > 2) lia_text_add(out, ", r%u", in->z);
        lia_text_add(out, "   # class %c", "CTQVFA"[in->class]);
        if (in->offset) lia_text_add(out, ", %d ahead", in->offset);
        if (in->guard) lia_text_add(out, ", guard %u", in->guard - 1);
        lia_text_add(out, "\n");
    }
}

void lia_listing_tape(const LiaTape* tape, LiaText* out) {
    lia_text_add(out, "registers: %u\n", tape->register_count);
    lia_text_add(out, "t: r%u\n", tape->time);
    for (uint32_t i = 0; i < tape->coordinate_count; i++) {
        lia_text_add(out, "q%u: r%u  v%u: r%u  a%u: r%u\n", i, tape->position[i], i,
                     tape->velocity[i], i, tape->acceleration[i]);
    }
    for (uint32_t j = 0; j < tape->multiplier_count; j++) {
        lia_text_add(out, "mu%u: r%u\n", j, tape->multiplier[j]);
    }
    for (uint32_t r = 1; r < tape->register_count; r++) {
        if (tape->constants[r] == 0.0) continue;
        lia_text_add(out, "r%u = ", r);
        lia_text_add_short(out, tape->constants[r], 17);
        lia_text_add(out, "\n");
    }
    dump_section("law", &tape->sections.law, out);
    dump_section("drive", &tape->sections.drive, out);
    dump_section("main", &tape->sections.main, out);
    dump_section("aside", &tape->sections.aside, out);
    dump_section("reaction", &tape->sections.reaction, out);
    dump_section("post", &tape->sections.post, out);
    dump_section("sample", &tape->sections.sample, out);
}
