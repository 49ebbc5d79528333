// Random models with narrow features, judged one after the other.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdint.h>

/// Judge the models of these seeds; print each that is wrong or stopped, and tables of shapes,
/// places and widths. 0 if none is silently wrong, at most 1 in 100 stopped without need, and the
/// judge knew of most of them.
int campaign_run(uint64_t first, uint64_t last);
/// The same with the first so many models from seed 1 on that the judge needs few steps for.
int campaign_quick(int count);

/// Judge the judge: its motions against those with steps of a thirtieth of the time that the
/// feature lasts, for the models of these seeds that are not too narrow for that. 0 if all agree.
int campaign_judge_the_judge(uint64_t first, uint64_t last);
