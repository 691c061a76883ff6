/* riccatree doctor: what this machine has, and whether the library computes correctly on it. */
#include "doctor/doctor.h"

/* Ranks started by mpirun are counted; the first does the rest. */
static bool doctor(const cli_arguments *arguments)
{
    cli_checks checks = {.passed = 0};
    if (!cli_is_first(arguments)) {
        return true;
    }
    cli_output_start(arguments->given[CLI_JSON], CLI_CHECK_WIDTH);
    if (!cli_doctor_machine(arguments)) {
        return false;
    }
    cli_checks_start();
    return cli_doctor_evaluate(&checks, cli_cases, CLI_CASES, cli_answers) &&
           cli_doctor_files(&checks) && cli_checks_finish(&checks, "the self-test");
}

const cli_command cli_doctor = {
    .name = "doctor",
    .summary = "List the hardware and libraries of this machine, and test the library.",
    .details =
        "\nThe test computes systems of all kinds by both methods, on every backend that runs "
        "here,\n"
        "and compares them with stored solutions of the Lagrangian system in quadruple precision.\n"
        "It also records a run, reads it back, and continues it from a checkpoint. The exit "
        "status\n"
        "is 1 if a test fails.\n",
    .options = CLI_LIST(CLI_JSON),
    .run = doctor,
    .on_ranks = true,
};
