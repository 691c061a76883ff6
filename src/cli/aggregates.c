/* Aggregates on the command line: which bodies the active loops of a model tie together, and how
 * freely they move. */
#include "cli.h"

#include <inttypes.h>

enum { MOST_AGGREGATES = 20, MOST_NAMES = 20, MOST_NAMES_OF_LINE = 6 };

/* Sums over all aggregates. A number that is unknown for one aggregate is unknown for the sum. */
typedef struct totals {
    int32_t count, bodies, largest, loops, constraints, rates, rank;
    bool known;
} totals;

typedef void namer(const rct_model *model, int32_t number, char name[RCT_NAME_SIZE]);

static rct_aggregate_info at(const rct_aggregates *all, int32_t i)
{
    rct_aggregate_info one;
    rct_aggregates_get(all, i, &one, NULL);
    return one;
}

static totals add_up(const rct_aggregates *all)
{
    totals sum = {.count = rct_aggregates_count(all), .known = true};
    for (int32_t i = 0; i < sum.count; i++) {
        const rct_aggregate_info one = at(all, i);
        sum.bodies += one.bodies;
        sum.largest = one.bodies > sum.largest ? one.bodies : sum.largest;
        sum.loops += one.loops;
        sum.constraints += one.constraints;
        sum.rates += one.rates;
        sum.rank += one.rank;
        sum.known = sum.known && one.rank >= 0;
    }
    return sum;
}

/* ---- JSON --------------------------------------------------------------------------------- */

static void json_known(const char *key, bool known, int32_t value)
{
    if (known) {
        cli_json_count(key, value);
    } else {
        cli_json_text(key, NULL);
    }
}

static void json_counts(int32_t constraints, int32_t rates, int32_t rank, bool known)
{
    cli_json_count("constraints", constraints);
    cli_json_count("rates", rates);
    json_known("rank", known, rank);
    json_known("independent", known, rates - rank);
    json_known("redundant", known, constraints - rank);
}

static void json_names(const char *key, const rct_model *model, namer *name, const int32_t *number,
                       int32_t count)
{
    cli_json_open(key, '[');
    for (int32_t i = 0; i < count && i < MOST_NAMES; i++) {
        char own[RCT_NAME_SIZE];
        name(model, number[i], own);
        cli_json_text(NULL, own);
    }
    cli_json_close("]");
}

static void json_one(const rct_model *model, const rct_aggregates *all, int32_t i)
{
    const rct_aggregate_info one = at(all, i);
    char head[RCT_NAME_SIZE];
    if (one.body >= 0) {
        rct_model_body_name(model, one.body, head);
    }
    cli_json_open(NULL, '{');
    cli_json_text("head", one.body >= 0 ? head : NULL);
    cli_json_count("bodies", one.bodies);
    cli_json_count("loops", one.loops);
    json_counts(one.constraints, one.rates, one.rank, one.rank >= 0);
    json_names("body_names", model, rct_model_body_name, rct_aggregates_bodies(all, i), one.bodies);
    json_names("loop_names", model, rct_model_loop_name, rct_aggregates_loops(all, i), one.loops);
    cli_json_close("}");
}

static void print_json(const rct_model *model, const rct_aggregates *all, const totals *sum)
{
    cli_json_open("aggregates", '{');
    cli_json_count("count", sum->count);
    cli_json_count("bodies", sum->bodies);
    cli_json_count("single", rct_model_body_count(model) - sum->bodies);
    cli_json_count("largest", sum->largest);
    cli_json_count("loops", sum->loops);
    json_counts(sum->constraints, sum->rates, sum->rank, sum->known);
    cli_json_open("first", '[');
    for (int32_t i = 0; i < sum->count && i < MOST_AGGREGATES; i++) {
        json_one(model, all, i);
    }
    cli_json_close("]");
    cli_json_close("}");
}

/* ---- a table ------------------------------------------------------------------------------ */

static void print_names(const rct_model *model, namer *name, const int32_t *number, int32_t count)
{
    const int32_t most = count <= MOST_NAMES_OF_LINE ? count : MOST_NAMES_OF_LINE - 1;
    for (int32_t i = 0; i < most; i++) {
        char own[RCT_NAME_SIZE], plain[RCT_NAME_SIZE];
        name(model, number[i], own);
        cli_print("%s%s", i > 0 ? " " : "", cli_plain_name(own, plain));
    }
    if (most < count) {
        cli_print(" and %" PRId32 " more", count - most);
    }
}

/* Print how many of the rates are independent, with the constraints and their rank. */
static void print_rates(int32_t rates, int32_t constraints, int32_t rank, bool known)
{
    char text[CLI_COUNTED];
    cli_print("%s", cli_counted(rates, "rate", text));
    if (known) {
        cli_print(", %" PRId32 " independent and %" PRId32 " dependent", rates - rank, rank);
    }
    cli_print("; %s of ", cli_counted(constraints, "constraint", text));
    if (known) {
        cli_print("rank %" PRId32, rank);
    } else {
        cli_print("a rank that is not known");
    }
}

/* Print the link it hangs on, its bodies and its cuts. */
static void print_one(const rct_model *model, const rct_aggregates *all, int32_t i)
{
    const rct_aggregate_info one = at(all, i);
    char head[RCT_NAME_SIZE], plain[RCT_NAME_SIZE], text[CLI_COUNTED];
    if (one.body >= 0) {
        rct_model_body_name(model, one.body, head);
    }
    cli_print("%s on %s: ", cli_counted(one.bodies, "body", text),
              one.body >= 0 ? cli_plain_name(head, plain) : "the ground");
    print_names(model, rct_model_body_name, rct_aggregates_bodies(all, i), one.bodies);
    cli_print("; cut at ");
    print_names(model, rct_model_loop_name, rct_aggregates_loops(all, i), one.loops);
}

static void print_several(const rct_model *model, const rct_aggregates *all, const totals *sum)
{
    char text[CLI_COUNTED];
    cli_line("aggregates",
             "%" PRId32 ", with %" PRId32 " of the %" PRId32 " bodies, %" PRId32
             " in the largest; %s",
             sum->count, sum->bodies, rct_model_body_count(model), sum->largest,
             cli_counted(sum->loops, "cut edge", text));
    cli_label("");
    print_rates(sum->rates, sum->constraints, sum->rank, sum->known);
    cli_print("\n");
    for (int32_t i = 0; i < sum->count && i < MOST_AGGREGATES; i++) {
        const rct_aggregate_info one = at(all, i);
        cli_print("  ");
        print_one(model, all, i);
        cli_print("; ");
        print_rates(one.rates, one.constraints, one.rank, one.rank >= 0);
        cli_print("\n");
    }
    if (sum->count > MOST_AGGREGATES) {
        cli_print("  and %" PRId32 " more\n", sum->count - MOST_AGGREGATES);
    }
}

static void print_single(const rct_model *model, const rct_aggregates *all, const totals *sum)
{
    cli_label("aggregates");
    cli_print("1, of ");
    print_one(model, all, 0);
    cli_print("\n");
    cli_label("");
    print_rates(sum->rates, sum->constraints, sum->rank, sum->known);
    cli_print("\n");
}

void cli_print_aggregates(const rct_model *model, const rct_aggregates *all)
{
    const totals sum = add_up(all);
    if (sum.count == 0) {
        cli_json_text("aggregates", NULL);
        if (rct_model_loop_count(model) > 0) {
            cli_line("aggregates", "none: no loop is active");
        }
        return;
    }
    print_json(model, all, &sum);
    if (sum.count == 1) {
        print_single(model, all, &sum);
    } else {
        print_several(model, all, &sum);
    }
}

void cli_print_freedom(const rct_aggregates *all, int64_t dof)
{
    const totals sum = add_up(all);
    cli_json_count("dof", dof);
    if (sum.count == 0) {
        cli_line("degrees of freedom", "%" PRId64, dof);
    } else if (sum.known) {
        cli_line("degrees of freedom",
                 "%" PRId64 " of the tree with its loops open, %" PRId64
                 " of them independent with these closed",
                 dof, dof - sum.rank);
    } else {
        cli_line("degrees of freedom", "%" PRId64 " of the tree with its loops open", dof);
    }
}
