/* `riccatree doctor` reports what this machine has, and tests the library on systems with stored
 * answers. */
#ifndef RCT_CLI_DOCTOR_H
#define RCT_CLI_DOCTOR_H

#include "checks.h"

enum { CLI_ANSWER_NUMBERS = 9, CLI_CASES = 6 };

/* The stored answer of a system: acceleration, angular acceleration and hinge force of one of
 * its bodies, in inertial axes. */
typedef struct cli_answer {
    double numbers[CLI_ANSWER_NUMBERS];
} cli_answer;

typedef struct cli_case {
    const char *name;
    int32_t body;       /* the body of the stored numbers                  */
    const char *advice; /* what to do after a failure, besides building again */
    rct_family family;  /* if its name is not NULL, the system is this family */
    const char *json;   /* else if not NULL, this model file */
    const char *urdf;
} cli_case;

/* cases.c: the systems and the stored answers of the reference (tests/cli/table_doctor.c makes
 * the table). */
extern const cli_case cli_cases[CLI_CASES];
extern const cli_answer cli_answers[CLI_CASES];
rct_model *cli_case_model(const cli_case *tested);

/* machine.c: version, build, processor, memory, backends, libraries. */
bool cli_doctor_machine(const cli_arguments *arguments);

/* evaluate.c: compare each system with `answers` by both methods, on every backend that runs
 * here, in single lanes and the widest, on 1 and 2 threads, with loops closed in every way.
 * Returns false, with an error printed, if memory is short. */
bool cli_doctor_evaluate(cli_checks *checks, const cli_case *cases, int count,
                         const cli_answer *answers);

/* files.c: record a run and read it back, continue a checkpoint, find a damaged recording. */
bool cli_doctor_files(cli_checks *checks);

#endif
