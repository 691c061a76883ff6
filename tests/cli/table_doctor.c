/* Computes the answers of `riccatree doctor` anew by the Lagrangian reference: prints
 * src/cli/doctor/answers.h.
 *     build/strict/tests/table_doctor >src/cli/doctor/answers.h */
#include "cli/doctor/doctor.h"
#include "tests/cli/doctor_answers.h"

#include <stdio.h>

int main(void)
{
    puts("/* Of src/cli/doctor/cases.c, in its order: by the Lagrangian system of every body and "
         "hinge\n"
         " * force (seed 004, eq. 10), by LU with residuals and solution in quadruple precision, "
         "refined\n"
         " * until corrections are below 1e-25, and rounded to double. Made by "
         "tests/cli/table_doctor.c;\n"
         " * t90_doctor makes the numbers again and compares. */\n"
         "/* clang-format off */");
    for (int i = 0; i < CLI_CASES; i++) {
        double answer[CLI_ANSWER_NUMBERS];
        if (!doctor_answer(&cli_cases[i], answer)) {
            fprintf(stderr, "%s: %s\n", cli_cases[i].name, cli_error.text);
            return 1;
        }
        printf("{{ /* %s */\n", cli_cases[i].name);
        for (int k = 0; k < CLI_ANSWER_NUMBERS; k++) {
            printf("    %.17g,%s", answer[k], k % 3 == 2 ? "\n" : "");
        }
        printf("}},\n");
    }
    return 0;
}
