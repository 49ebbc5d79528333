// A program that uses the installed library: reads a model from memory, runs it, compares with the
// closed form. Built by install.sh through pkg-config and through CMake.
// SPDX-License-Identifier: MIT
#include <liaison/liaison.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char discs[] = "model discs\n"
                            "parameter A1 = 1, A2 = 2, k = 3\n"
                            "coordinate th1, th2 : line\n"
                            "kinetic A1/2*th1'^2 + A2/2*th2'^2\n"
                            "potential k/2*th1^2\n"
                            "operator follow: th1 - th2 = 0 by d(th2)\n"
                            "start th1 = 1\n"
                            "run t = 0..10\n";

int main(void) {
    LiaDiags* diags = lia_diags_create();
    LiaModel* model = NULL;
    LiaSystem* system = NULL;
    LiaTrajectory* motion = NULL;
    double th2 = NAN;
    if (lia_model_parse("discs", discs, strlen(discs), NULL, diags, &model) == LIA_OK &&
        lia_system_build(model, NULL, diags, &system) == LIA_OK &&
        lia_motion_run(system, NULL, diags, &motion) == LIA_OK) {
        lia_trajectory_final(motion, "th2", &th2);
    }
    const double error = fabs(th2 - cos(sqrt(3.0) * 10.0));
    if (!(error < 1e-10)) {
        char* text = lia_diags_text(diags);
        printf("th2 = %.17g, off by %g\n%s", th2, error, text ? text : "");
        lia_free(text);
    }
    lia_trajectory_destroy(motion);
    lia_system_destroy(system);
    lia_model_destroy(model);
    lia_diags_destroy(diags);
    return error < 1e-10 ? 0 : 1;
}
