/* What `riccatree doctor` does: says what there is on this machine, and tests the library on systems whose answers are stored. */
#ifndef RCT_CLI_DOCTOR_H
#define RCT_CLI_DOCTOR_H

#include "checks.h"

enum { CLI_ANSWER_NUMBERS = 9, CLI_CASES = 6 };

/* Stored of each system: acceleration, angular acceleration and hinge force of one of its bodies, inertial axes. */
typedef struct cli_answer {
    double numbers[CLI_ANSWER_NUMBERS];
} cli_answer;

typedef struct cli_case {
    const char *name;
    int32_t body;       /* whose numbers are stored                        */
    const char *advice; /* what to do where it fails, beside building again */
    rct_family family;  /* its name NULL: */
    const char *json;   /* NULL: */
    const char *urdf;
} cli_case;

/* cases.c: the systems, and what the reference says of them (tests/cli/table_doctor.c makes the table anew). */
extern const cli_case cli_cases[CLI_CASES];
extern const cli_answer cli_answers[CLI_CASES];
rct_model *cli_case_model(const cli_case *tested);

/* machine.c: version, build, processor, memory, backends, libraries. */
bool cli_doctor_machine(const cli_arguments *arguments);

/* evaluate.c: each system by both methods, on every backend that runs here, in single lanes and the widest, on 1 and 2 threads, loops closed in
 * every way, against `answers`. False, with an error printed: no memory. */
bool cli_doctor_evaluate(cli_checks *checks, const cli_case *cases, int count,
                         const cli_answer *answers);

/* files.c: a run recorded and read back, a checkpoint gone on with, a damaged recording found. */
bool cli_doctor_files(cli_checks *checks);

#endif
