/* The answers of the Lagrangian reference for a system of the self-test. */
#ifndef RCT_TESTS_CLI_DOCTOR_ANSWERS_H
#define RCT_TESTS_CLI_DOCTOR_ANSWERS_H

#include "cli/accelerations.h"
#include "cli/doctor/doctor.h"

#include <string.h>

static inline bool doctor_answer(const cli_case *tested, double answer[CLI_ANSWER_NUMBERS])
{
    cli_accelerations rows;
    rct_model *model = cli_case_model(tested);
    if (model == NULL || !cli_accelerations_create(&rows, model)) {
        return false;
    }
    const bool good =
        cli_accelerations_of_reference(&rows, model, RCT_REFERENCE_LAGRANGE, NULL, NULL) == RCT_OK;
    for (int k = 0; k < 3; k++) {
        memcpy(answer + 3 * k, rows.vectors[k] + 3 * tested->body, 3 * sizeof *answer);
    }
    cli_accelerations_free(&rows);
    rct_model_free(model);
    return good;
}

#endif
