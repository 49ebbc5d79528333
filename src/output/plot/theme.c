// How pictures look.
//
// Colours are classes of a style sheet that follows the reader's light or dark mode; k colours
// lines, f areas. They are those of Okabe and Ito, which people with any kind of colour vision tell
// apart, and lighter ones of the same hues on a dark ground. More curves than that are the members
// of a family: they get shades of one ramp, dark to light, readable on both grounds.
// SPDX-License-Identifier: MIT
#include "output/plot/theme.h"
#include <math.h>

enum { COLOURS = 7 };

static const char style[] =
    "  <style>\n"
    "    svg { color-scheme: light dark }\n"
    "    text { font: 12px system-ui, -apple-system, 'Segoe UI', Roboto, Arial, sans-serif;\n"
    "      font-variant-numeric: tabular-nums; fill: #57606a }\n"
    "    .paper, .open { fill: #ffffff }\n"
    "    .title { font-size: 17px; font-weight: 600; fill: #1f2328 }\n"
    "    .label { font-size: 13px; fill: #1f2328 }\n"
    "    .end { text-anchor: end } .middle { text-anchor: middle }\n"
    "    .halo { stroke: #ffffff; stroke-width: 4; stroke-linejoin: round; paint-order: stroke }\n"
    "    .grid { stroke: #e7eaee; fill: none } .zero { stroke: #bcc3cb; fill: none }\n"
    "    .curve { fill: none; stroke-width: 1.8; stroke-linejoin: round; stroke-linecap: round }\n"
    "    .mark { stroke-width: 1.6 }\n"
    "    .mode { fill: #efeee9 } .closed { fill: #7fb2e5 } .sticks { fill: #57b894 }\n"
    "    .slides { fill: #f0b64a } .struck { stroke: #8a2be2; stroke-width: 1.4 }\n"
    "    .k0 { stroke: #0072b2 } .k1 { stroke: #d55e00 } .k2 { stroke: #009e73 }\n"
    "    .k3 { stroke: #cc79a7 } .k4 { stroke: #e69f00 } .k5 { stroke: #56b4e9 }\n"
    "    .k6 { stroke: #4d4d4d }\n"
    "    .f0 { fill: #0072b2 } .f1 { fill: #d55e00 } .f2 { fill: #009e73 }\n"
    "    .f3 { fill: #cc79a7 } .f4 { fill: #e69f00 } .f5 { fill: #56b4e9 }\n"
    "    .f6 { fill: #4d4d4d }\n"
    "    @media (prefers-color-scheme: dark) {\n"
    "      text { fill: #9aa4af } .title, .label { fill: #e6eaef }\n"
    "      .paper, .open { fill: #12161c } .halo { stroke: #12161c }\n"
    "      .mode { fill: #1b212a } .closed { fill: #37699c } .sticks { fill: #2f7f63 }\n"
    "      .slides { fill: #a2761f } .struck { stroke: #c99bff }\n"
    "      .grid { stroke: #262d36 } .zero { stroke: #4b5561 }\n"
    "      .k0 { stroke: #4aa8e0 } .k1 { stroke: #f07f3c } .k2 { stroke: #2fc79b }\n"
    "      .k3 { stroke: #e09cc2 } .k6 { stroke: #c8ced6 }\n"
    "      .f0 { fill: #4aa8e0 } .f1 { fill: #f07f3c } .f2 { fill: #2fc79b }\n"
    "      .f3 { fill: #e09cc2 } .f6 { fill: #c8ced6 }\n"
    "    }\n"
    "  </style>\n";

const char* lia_theme_style(void) { return style; }

// A shade of the ramp, s from 0 to 1: straight lines between the stops.
static void add_shade(LiaText* out, double s) {
    static const double stops[][3] = {
        {70, 80, 160}, {42, 120, 184}, {31, 155, 140}, {110, 180, 80}, {224, 165, 40}};
    enum { LAST = sizeof stops / sizeof *stops - 1 };
    int k = s >= 1.0 ? LAST - 1 : (int)(s * LAST);
    double f = s * LAST - k;
    lia_text_add(out, "#");
    for (int c = 0; c < 3; c++) {
        lia_text_add(out, "%02x", (unsigned)lround(stops[k][c] * (1.0 - f) + stops[k + 1][c] * f));
    }
}

void lia_theme_colour(LiaText* out, const char* class, bool filled, size_t i, size_t count) {
    if (count <= COLOURS) {
        lia_text_add(out, " class=\"%s %c%zu\"", class, filled ? 'f' : 'k', i);
        return;
    }
    lia_text_add(out, " class=\"%s\" style=\"%s: ", class, filled ? "fill" : "stroke");
    add_shade(out, (double)i / (double)(count - 1));
    lia_text_add(out, "\"");
}
