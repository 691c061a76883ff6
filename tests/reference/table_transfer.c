/* Prints the table of docs/transfer-matrix.md: the digits that the plain transfer matrix product
 * loses with the length of a chain, and the digits that riccati and abi keep, against the refined
 * Lagrangian solution. Not a test; run it by hand. */
#include "tests/support/answers/reference_case.h"
#include "tests/support/answers/solution.h"
#include "tests/support/larger.h"
#include "tests/support/systems/random_system.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Error and remaining digits of the product, or why there are none; errors of the sweeps. */
static void cells(reference_case *r, const reference_case *truth, char text[64])
{
    const rct_status status = reference_case_run(r, RCT_REFERENCE_TRANSFER);
    if (status != RCT_OK) {
        snprintf(text, 64, "%s | 0", rct_status_name(status));
    } else {
        const double error = reference_case_difference(r, truth);
        const double digits = error > 0.0 ? -log10(error) : 16.0;
        snprintf(text, 64, "%.1e | %.0f", error, fmax(0.0, digits));
    }
    const rct_method methods[2] = {RCT_METHOD_RICCATI, RCT_METHOD_ABI};
    for (int k = 0; k < 2; k++) {
        solution s = solution_by(r->model, methods[k]);
        const reference_case swept = {
            .model = r->model,
            .linear = s.linear,
            .angular = s.angular,
            .force = s.force,
            .moment = s.moment,
        };
        const size_t used = strlen(text);
        snprintf(text + used, 64 - used, " | %.1e", reference_case_difference(&swept, truth));
        solution_free(&s);
    }
}

static reference_case *random_chain(int32_t count)
{
    const random_system system = {.shape = SHAPE_CHAIN, .bodies = count, .spin = 1.0, .seed = 1};
    return reference_case_create(random_system_create(&system));
}

int main(void)
{
    printf("| bodies | rods: product | digits | riccati | abi | random: product | digits | riccati "
           "| abi | lagrange: last correction |\n");
    printf("| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
    for (int32_t n = 2; n <= 256; n *= 2) {
        reference_case *plain[2] = {reference_swinging_chain(n), random_chain(n)};
        reference_case *truth[2] = {reference_swinging_chain(n), random_chain(n)};
        char text[2][64];
        double residual = 0.0;
        for (int k = 0; k < 2; k++) {
            reference_case_run(truth[k], RCT_REFERENCE_LAGRANGE);
            residual = larger(residual, truth[k]->result.residual);
            cells(plain[k], truth[k], text[k]);
            reference_case_free(plain[k]);
            reference_case_free(truth[k]);
        }
        printf("| %d | %s | %s | %.0e |\n", (int)n, text[0], text[1], residual);
    }
    return 0;
}
