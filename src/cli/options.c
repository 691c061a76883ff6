/* Strict parsing of a command's words into cli_arguments, by the one list of options. A number
 * must be the whole word, finite and in range; nothing given is ignored. */
#include "cli.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The value of an option: `parse` makes it from the text, NULL for a flag. */
typedef struct option_rule {
    cli_option option;
    bool (*parse)(const struct option_rule *rule, const char *text, void *field);
    size_t field;               /* offset in cli_arguments                    */
    int64_t least;              /* of a count; of a real: 1 if it must be above 0 */
    int64_t most;               /* of a count, 0: no limit                    */
    const char *words;          /* words accepted instead of a count, or "" */
    const char *const *choices; /* NULL at the end; the field gets the number */
} option_rule;

static const char *const methods[] = {"abi", "riccati", NULL};

/* As rct_reference counts them. */
#define REFERENCES                                                                                 \
    "lagrange", "transfer", "spatial", "dense", "forces", "mixed", "spins", "augmented",           \
        "barycentres", "directions", "torques", "angles", "semi-recursive-1", "semi-recursive-2",  \
        "gauss", "closed-chain"

static const char *const any_methods[] = {"abi", "riccati", REFERENCES, NULL};
static const char *const references[] = {REFERENCES, "none", "all", NULL};
static const char *const formats[] = {"urdf", "mjcf", NULL};
static const char *const junctions[] = {"auto", "host", "device", NULL};
static const char *const closings[] = {"admittance", "embedding", "multipliers", "qr", "svd", NULL};
static const char *const drifts[] = {"project", "baumgarte", "none", "partition", NULL};
static const char *const integrators[] = {"rk4", "dopri5", "implicit", "conserving", NULL};
static const char *const abouts[] = {"start", "equilibrium", NULL};
static const char *const segments[] = {"auto", "whole", NULL}; /* besides their lengths */
static const char *const lanes[] = {"0", "1", "2", "4", "8", NULL};

/* Refuse a value that is no number, or not one of these words. */
static bool fail_count(const option_rule *rule, const char *text, bool too_large)
{
    char range[64];
    if (rule->most > 0 || too_large) {
        snprintf(range, sizeof range, "from %" PRId64 " to %" PRId64, rule->least,
                 rule->most > 0 ? rule->most : INT64_MAX);
    } else {
        snprintf(range, sizeof range, "%" PRId64 " or more", rule->least);
    }
    return cli_refuse("%s \"%s\": give %sa whole number, %s", rule->option.name, text, rule->words,
                      range);
}

static bool parse_count(const option_rule *rule, const char *text, void *field)
{
    int64_t *count = field;
    const int64_t most = rule->most > 0 ? rule->most : INT64_MAX;
    bool too_large = false;
    return (cli_whole(text, count, &too_large) && *count >= rule->least && *count <= most) ||
           fail_count(rule, text, too_large);
}

/* A count, auto or whole: RCT_SEGMENT_AUTO, RCT_SEGMENT_WHOLE. */
static bool parse_segment(const option_rule *rule, const char *text, void *field)
{
    int64_t *count = field;
    for (int i = 0; segments[i] != NULL; i++) {
        if (strcmp(text, segments[i]) == 0) {
            *count = i == 0 ? RCT_SEGMENT_AUTO : RCT_SEGMENT_WHOLE;
            return true;
        }
    }
    return parse_count(rule, text, count);
}

static bool parse_real(const option_rule *rule, const char *text, void *field)
{
    double *real = field;
    char *end = NULL;
    *real = strtod(text, &end);
    const bool whole = text[0] != '\0' && strspn(text, "+-.0123456789eE") == strlen(text) &&
                       end == text + strlen(text);
    return (whole ||
            cli_refuse("%s \"%s\": give a number such as 0.5 or 1e-3", rule->option.name, text)) &&
           ((isfinite(*real) && (rule->least > 0 ? *real > 0.0 : *real >= 0.0)) ||
            cli_refuse("%s %s: give a finite number %s", rule->option.name, text,
                       rule->least > 0 ? "above 0" : "that is 0 or more"));
}

/* "100": steps; "60s": seconds. */
static bool parse_interval(const option_rule *rule, const char *text, void *field)
{
    cli_interval *interval = field;
    char *end = NULL;
    bool too_large = false;
    *interval = (cli_interval){.steps = 0};
    bool good = cli_whole(text, &interval->steps, &too_large) && interval->steps > 0;
    if (!good && strspn(text, ".0123456789eE+-") + 1 == strlen(text)) {
        interval->seconds = strtod(text, &end);
        good = strcmp(end, "s") == 0 && isfinite(interval->seconds) && interval->seconds > 0.0;
    }
    return good ||
           cli_refuse("%s \"%s\": give a number of steps, such as 1000, or of seconds, such as 60s",
                      rule->option.name, text);
}

/* Two reals with a comma between. */
static bool parse_pair(const option_rule *rule, const char *text, void *field)
{
    double *pair = field;
    char first[64];
    const size_t length = strcspn(text, ",");
    if (text[length] == '\0' || length >= sizeof first) {
        return cli_refuse("%s \"%s\": give two numbers such as 10,10", rule->option.name, text);
    }
    snprintf(first, sizeof first, "%.*s", (int)length, text);
    return parse_real(rule, first, &pair[0]) && parse_real(rule, text + length + 1, &pair[1]);
}

/* One real for both axes, or two. */
static bool parse_bending(const option_rule *rule, const char *text, void *field)
{
    double *bending = field;
    if (strchr(text, ',') != NULL) {
        return parse_pair(rule, text, field);
    }
    const bool good = parse_real(rule, text, &bending[0]);
    bending[1] = bending[0];
    return good;
}

static bool parse_choice(const option_rule *rule, const char *text, void *field)
{
    int64_t *choice = field;
    char known[256] = "";
    for (int64_t i = 0; rule->choices[i] != NULL; i++) {
        if (strcmp(text, rule->choices[i]) == 0) {
            *choice = i;
            return true;
        }
        const size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", i > 0 ? ", " : "", rule->choices[i]);
    }
    char hint[RCT_ERROR_TEXT_SIZE], advice[sizeof known + 16];
    snprintf(advice, sizeof advice, "give one of %s", known);
    rct_did_you_mean(text, rule->choices, advice, hint);
    return cli_refuse("%s \"%s\": %s", rule->option.name, text, hint + strlen("; "));
}

static const char *const *hinge_names(void)
{
    static const char *names[RCT_HINGE_TYPES + 1];
    for (int i = 0; i < RCT_HINGE_TYPES; i++) {
        names[i] = rct_hinge_name((rct_hinge_type)i);
    }
    return names;
}

static bool parse_hinge(const option_rule *rule, const char *text, void *hinge)
{
    option_rule named = *rule;
    named.choices = hinge_names();
    return parse_choice(&named, text, hinge);
}

static bool parse_text(const option_rule *rule, const char *text, void *field)
{
    *(const char **)field = text;
    return text[0] != '\0' ||
           cli_refuse("%s \"\": its %s is empty", rule->option.name, rule->option.value);
}

/* May be given more than once. */
static bool parse_texts(const option_rule *rule, const char *text, void *field)
{
    cli_texts *texts = field;
    if (texts->count == CLI_MOST_TEXTS) {
        return cli_refuse("%s is given more than %d times; give a sweep file", rule->option.name,
                          CLI_MOST_TEXTS);
    }
    return parse_text(rule, text, &texts->text[texts->count++]);
}

enum { MOST_THREADS = 1024, MOST_BATCH = 1 << 20, MOST_MODES = 10000 };

#define VALUE(kind, name)                   .parse = parse_##kind, .field = offsetof(cli_arguments, name)
#define COUNT(name, from, to)               VALUE(count, name), .least = (from), .most = (to), .words = ""
#define POSITIVE(name)                      VALUE(real, name), .least = 1
#define SEGMENT(name)                       VALUE(segment, name), .words = "auto, whole or "
#define CHOICE(name, list)                  VALUE(choice, name), .choices = (list)
#define FLAG                                .parse = NULL
#define OPTION(id, name, value, rule, help) [CLI_##id] = {{name, value, help}, rule},

static const option_rule rules[CLI_OPTIONS] = {
#include "option_list.h"
};

const cli_option *cli_option_at(cli_option_id id)
{
    return &rules[id].option;
}

const char *const *cli_option_choices(cli_option_id id)
{
    return rules[id].parse == parse_hinge     ? hinge_names()
           : rules[id].parse == parse_segment ? segments
                                              : rules[id].choices;
}

const char *cli_given_of(const cli_arguments *arguments, const cli_option_id *ids)
{
    while (*ids != CLI_END && !arguments->given[*ids]) {
        ids++;
    }
    return rules[*ids].option.name;
}

int32_t cli_lanes(const cli_arguments *arguments)
{
    return (int32_t)strtol(lanes[arguments->lanes], NULL, 10);
}

/* The command's option with the name `name` of `length` bytes, or CLI_END. */
static cli_option_id find_option(const cli_command *command, const char *name, size_t length)
{
    const cli_option_id *id = command->options;
    while (*id != CLI_END && (strncmp(rules[*id].option.name, name, length) != 0 ||
                              rules[*id].option.name[length] != '\0')) {
        id++;
    }
    return *id;
}

static bool refuse_option(const cli_command *command, const char *word, size_t length)
{
    const char *names[CLI_OPTIONS + 1] = {"--help", NULL};
    char given[64], advice[64], hint[RCT_ERROR_TEXT_SIZE];
    for (int i = 0; command->options[i] != CLI_END; i++) {
        names[i + 1] = rules[command->options[i]].option.name;
    }
    snprintf(given, sizeof given, "%.*s", (int)length, word);
    snprintf(advice, sizeof advice, "see riccatree %s --help", command->name);
    return cli_refuse("%s has no option %.*s%s", command->name, (int)length, word,
                      rct_did_you_mean(given, names, advice, hint));
}

/* Parse the option at words[*at], as `--name value` or `--name=value`, and move to its last
 * word. */
static bool parse_option(const cli_command *command, int count, char *const *words, int *at,
                         cli_arguments *arguments)
{
    const char *word = words[*at];
    const char *equals = strchr(word, '=');
    const size_t length = equals != NULL ? (size_t)(equals - word) : strlen(word);
    const cli_option_id id = find_option(command, word, length);
    if (id == CLI_END) {
        return refuse_option(command, word, length);
    }
    const cli_option *option = &rules[id].option;
    if (arguments->given[id] && rules[id].parse != parse_texts) {
        return cli_refuse("%s is given twice; give it once", option->name);
    }
    if (option->value == NULL && equals != NULL) {
        return cli_refuse("%s takes no value; see riccatree %s --help", option->name,
                          command->name);
    }
    const char *value = equals != NULL ? equals + 1 : NULL;
    if (option->value != NULL && value == NULL) {
        /* A word with two dashes is the next option: the value was forgotten. */
        if (*at + 1 == count || strncmp(words[*at + 1], "--", 2) == 0) {
            return cli_refuse("%s needs a value, %s; see riccatree %s --help", option->name,
                              option->value, command->name);
        }
        *at += 1;
        value = words[*at];
    }
    arguments->given[id] = true;
    return value == NULL || rules[id].parse(&rules[id], value, (char *)arguments + rules[id].field);
}

static bool parse_operand(const cli_command *command, const char *word, cli_arguments *arguments)
{
    if (command->more != NULL && arguments->operand != NULL) {
        if (arguments->more.count == CLI_MOST_TEXTS) {
            return cli_refuse("more than %d quantities; give at most %d at once", CLI_MOST_TEXTS,
                              CLI_MOST_TEXTS);
        }
        arguments->more.text[arguments->more.count++] = word;
        return word[0] != '\0' ||
               cli_refuse("a QUANTITY is empty; see riccatree %s --help", command->name);
    }
    if (command->operand == NULL || arguments->operand != NULL) {
        return cli_refuse("unexpected argument \"%s\"; see riccatree %s --help", word,
                          command->name);
    }
    if (word[0] == '\0') {
        return cli_refuse("the %s is empty; see riccatree %s --help", command->operand,
                          command->name);
    }
    arguments->operand = word;
    return true;
}

double cli_step(const cli_arguments *arguments, double t_end, int64_t frames)
{
    const int64_t intervals = frames > 1 ? frames - 1 : CLI_USUAL_INTERVALS;
    return rct_integrator_adapts((rct_integrator)arguments->integrator) && !arguments->given[CLI_DT]
               ? t_end / (double)intervals
               : arguments->dt;
}

static void choose_dt(cli_arguments *arguments)
{
    const int64_t frames = arguments->given[CLI_FRAMES] ? arguments->frames : 0;
    arguments->dt = cli_step(arguments, arguments->t_end, frames);
}

bool cli_parse(const cli_command *command, int count, char *const *words, cli_arguments *arguments,
               bool *help)
{
    const rct_family family = rct_family_default();
    const rct_rod rod = rct_rod_default();
    *arguments = (cli_arguments){.bodies = family.bodies,
                                 .systems = family.systems,
                                 .hinge = RCT_HINGE_BALL,
                                 .seed = (int64_t)family.seed,
                                 .length = rod.length,
                                 .density = rod.density,
                                 .radius = rod.radius,
                                 .bending = {rod.bending[0], rod.bending[1]},
                                 .twist = rod.twist,
                                 .delay = rod.delay,
                                 .backend = "auto",
                                 .segment = RCT_SEGMENT_AUTO,
                                 .t_end = 1.0,
                                 .dt = 1e-3,
                                 .tolerance = 1e-6,
                                 .checkpoint_every = {.seconds = 60.0},
                                 .repeat = 5,
                                 .count = 10};
    *help = false;
    bool options = true; /* until "--" */
    bool good = true;
    for (int i = 0; i < count && good && !*help; i++) {
        if (options && (strcmp(words[i], "--help") == 0 || strcmp(words[i], "-h") == 0)) {
            *help = true;
        } else if (options && strcmp(words[i], "--") == 0) {
            options = false;
        } else if (options && words[i][0] == '-' && words[i][1] != '\0') {
            good = parse_option(command, count, words, &i, arguments);
        } else {
            good = parse_operand(command, words[i], arguments);
        }
    }
    choose_dt(arguments);
    if (good && !*help && command->operand != NULL && command->operand[0] != '[' &&
        arguments->operand == NULL) {
        return cli_refuse("%s needs a %s; see riccatree %s --help", command->name, command->operand,
                          command->name);
    }
    return good && (*help || cli_check_ending(arguments));
}
