/* Prints the table of docs/transfer-matrix.md: digits the plain transfer matrix product loses with
 * the length of a chain, against the refined Lagrangian solution. Not a test; run it by hand. */
#include "support/random_system.h"
#include "support/reference_case.h"

#include <math.h>
#include <stdio.h>

/* " 1.2e-12  11.9" for error and digits left, or why there is none. */
static void cell(reference_case *r, const reference_case *truth, char text[32])
{
    const rct_status status = reference_case_run(r, RCT_REFERENCE_TRANSFER);
    if (status != RCT_OK) {
        snprintf(text, 32, "%s | 0", rct_status_name(status));
        return;
    }
    const double error = reference_case_difference(r, truth);
    const double digits = error > 0.0 ? -log10(error) : 16.0;
    snprintf(text, 32, "%.1e | %.0f", error, fmax(0.0, digits));
}

static reference_case *random_chain(int32_t count)
{
    const random_system system = {.shape = SHAPE_CHAIN, .bodies = count, .spin = 1.0, .seed = 1};
    return reference_case_create(random_system_create(&system));
}

int main(void)
{
    printf(
        "| bodies | rods: error | digits | random: error | digits | lagrange: last correction |\n");
    printf("| ---: | ---: | ---: | ---: | ---: | ---: |\n");
    for (int32_t n = 2; n <= 256; n *= 2) {
        reference_case *plain[2] = {reference_swinging_chain(n), random_chain(n)};
        reference_case *truth[2] = {reference_swinging_chain(n), random_chain(n)};
        char text[2][32];
        double residual = 0.0;
        for (int k = 0; k < 2; k++) {
            reference_case_run(truth[k], RCT_REFERENCE_LAGRANGE);
            residual = fmax(residual, truth[k]->result.residual);
            cell(plain[k], truth[k], text[k]);
            reference_case_free(plain[k]);
            reference_case_free(truth[k]);
        }
        printf("| %d | %s | %s | %.0e |\n", (int)n, text[0], text[1], residual);
    }
    return 0;
}
