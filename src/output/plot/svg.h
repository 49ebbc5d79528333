// A figure as an SVG file, and what else may be drawn in its box: under the grid and the curves.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/memory/memory.h"
#include "output/plot/layout.h"

typedef struct LiaLayer {
    const char* note;  // added to the line under the title; NULL: nothing
    double taken;      // pixels at the right of the line of the legend, which it uses itself
    void* context;
    /// Draw, in front of the paper and behind all else; `layout` says where numbers stand. The box
    /// of the panel is the clip path "box". False if memory is out.
    bool (*draw)(void* context, const LiaLayout* layout, LiaText* out);
} LiaLayer;

/// Draw one figure; `layer` may be NULL. Where memory is out, `out` has failed.
void lia_svg_draw(const LiaFigure* figure, const LiaLayer* layer, LiaText* out);
/// Write one as a file. LIA_FILE as for lia_output_csv(); LIA_MEMORY, and no file, also where
/// memory was out since the mark.
LiaStatus lia_svg_write(const LiaFigure* figure, const LiaLayer* layer, const char* path,
                        LiaMemoryMark since);
