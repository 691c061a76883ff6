/* Options: one table of them all, and strict parsing of a command's words into cli_arguments. A
 * number must be the whole word, finite, and in range; nothing that was given is ignored. */
#include "cli.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum option_kind {
    KIND_FLAG,
    KIND_TEXT,
    KIND_TEXTS, /* may be given more than once: cli_texts */
    KIND_COUNT,
    KIND_COUNT_OR_AUTO, /* or the word auto: RCT_SEGMENT_AUTO */
    KIND_CHOICE,
    KIND_HINGE, /* a name of a hinge type */
    KIND_REAL,
    KIND_POSITIVE
} option_kind;

typedef struct option_rule {
    cli_option option;
    option_kind kind;
    size_t field;               /* offset in cli_arguments                    */
    int64_t least;              /* of a count                                 */
    int64_t most;               /* of a count, 0: no limit                    */
    const char *const *choices; /* NULL at the end; the field gets the number */
} option_rule;

static const char *const methods[] = {"abi", "riccati", NULL};

/* As rct_reference counts them. */
#define REFERENCES                                                                                 \
    "lagrange", "transfer", "spatial", "dense", "forces", "mixed", "spins", "augmented",           \
        "barycentres", "directions", "torques", "angles", "semi-recursive-1", "semi-recursive-2"

static const char *const any_methods[] = {"abi", "riccati", REFERENCES, NULL};
static const char *const references[] = {REFERENCES, "none", "all", NULL};
static const char *const formats[] = {"urdf", "mjcf", NULL};
static const char *const junctions[] = {"auto", "host", "device", NULL};
static const char *const lanes[] = {"0", "1", "2", "4", "8", NULL};

enum { MOST_THREADS = 1024 };

#define FIELD(name) .field = offsetof(cli_arguments, name)

static const option_rule rules[CLI_OPTIONS] = {
    [CLI_BODIES] = {{"--bodies", "N", "bodies of a FAMILY (default 100)"},
                    KIND_COUNT,
                    FIELD(bodies),
                    .least = 1},
    [CLI_SYSTEMS] = {{"--systems", "N", "so many systems of a FAMILY, seed by seed (default 1)"},
                     KIND_COUNT,
                     FIELD(systems),
                     .least = 1},
    [CLI_HINGE] = {{"--hinge", "NAME", "hinges of a FAMILY: ball (default), fixed, revolute, ..."},
                   KIND_HINGE,
                   FIELD(hinge)},
    [CLI_SEED] = {{"--seed", "N", "seed of the family random and of --perturb (default 1)"},
                  KIND_COUNT,
                  FIELD(seed)},
    [CLI_PERTURB] = {{"--perturb", "P", "turn a FAMILY's bodies by up to P rad, spin by P rad/s"},
                     KIND_REAL,
                     FIELD(perturb)},
    [CLI_METHOD] = {{"--method", "abi|riccati", "elimination method (default abi)"},
                    KIND_CHOICE,
                    FIELD(method),
                    .choices = methods},
    [CLI_ANY_METHOD] = {{"--method", "NAME",
                         "abi (default), riccati or a reference: lagrange, transfer, ..."},
                        KIND_CHOICE,
                        FIELD(method),
                        .choices = any_methods},
    [CLI_BACKEND] = {{"--backend", "NAME", "auto (default) or one that `backends` lists"},
                     KIND_TEXT,
                     FIELD(backend)},
    [CLI_THREADS] = {{"--threads", "N", "threads of a sweep; 0: as many as pay (default)"},
                     KIND_COUNT,
                     FIELD(threads),
                     .most = MOST_THREADS},
    [CLI_LANES] = {{"--lanes", "0|1|2|4|8", "links a thread sweeps at once; 0: the most (default)"},
                   KIND_CHOICE,
                   FIELD(lanes),
                   .choices = lanes},
    [CLI_JUNCTION] = {{"--junction", "auto|host|device", "what an accelerator solves the trunk on"},
                      KIND_CHOICE,
                      FIELD(junction),
                      .choices = junctions},
    [CLI_SEGMENT] = {{"--segment", "L", "links a segment; 0: the serial sweep; auto (default)"},
                     KIND_COUNT_OR_AUTO,
                     FIELD(segment)},
    [CLI_T_END] = {{"--t-end", "S", "simulated time in seconds (default 1)"},
                   KIND_POSITIVE,
                   FIELD(t_end)},
    [CLI_DT] = {{"--dt", "S", "time step in seconds (default 1e-3)"}, KIND_POSITIVE, FIELD(dt)},
    [CLI_FRAMES] = {{"--frames", "N", "states measured, first and last included (about 100)"},
                    KIND_COUNT,
                    FIELD(frames),
                    .least = 2},
    [CLI_OUT_FRAMES] = {{"--out", "FILE.h5", "record the frames into an HDF5 file"},
                        KIND_TEXT,
                        FIELD(out)},
    [CLI_OUT_MODEL] = {{"--out", "FILE.json", "write to this file; - is standard output (default)"},
                       KIND_TEXT,
                       FIELD(out)},
    [CLI_OVERWRITE] = {{"--overwrite", NULL, "replace the file if it exists"}, .kind = KIND_FLAG},
    [CLI_REFERENCE] = {{"--reference", "NAME",
                        "one of the references, none or all: what to compare with"},
                       KIND_CHOICE,
                       FIELD(reference),
                       .choices = references},
    [CLI_REPEAT] = {{"--repeat", "N", "timed evaluations of a method (default 5)"},
                    KIND_COUNT,
                    FIELD(repeat),
                    .least = 1},
    [CLI_JSON] = {{"--json", NULL, "results as JSON"}, .kind = KIND_FLAG},
    [CLI_CSV] = {{"--csv", NULL, "results as comma-separated values"}, .kind = KIND_FLAG},
    [CLI_FORMAT] = {{"--format", "urdf|mjcf", "what the file is (default: by its root element)"},
                    KIND_CHOICE,
                    FIELD(format),
                    .choices = formats},
    [CLI_FLOATING_ROOT] = {{"--floating-root", NULL, "URDF: the root link is free, not fixed"},
                           .kind = KIND_FLAG},
    [CLI_MEMBERS] = {{"--members", "N", "members (default: as many as the grids have points)"},
                     KIND_COUNT,
                     FIELD(members),
                     .least = 1},
    [CLI_VARY] = {{"--vary", "PATH=...",
                   "FROM:TO:COUNT, normal:MEAN:SD or uniform:LOW:HIGH; again"},
                  KIND_TEXTS,
                  FIELD(vary)},
    [CLI_MEMBERS_SEED] = {{"--seed", "N", "seed of what is drawn (default 1)"},
                          KIND_COUNT,
                          FIELD(seed)},
    [CLI_MEMBERS_PERTURB] = {{"--perturb", "P", "turn bodies by up to P rad, spin by P rad/s"},
                             KIND_REAL,
                             FIELD(perturb)},
    [CLI_SWEEP] = {{"--sweep", "FILE.json", "all this from a sweep file"}, KIND_TEXT, FIELD(sweep)},
    [CLI_SERIES] = {{"--series", "N", "frames of each member, first and last included"},
                    KIND_COUNT,
                    FIELD(series),
                    .least = 2},
    [CLI_TRACK] = {{"--track", "NAME", "a body whose path the series hold; again for more"},
                   KIND_TEXTS,
                   FIELD(track)},
    [CLI_ONLY] = {{"--only", "K", "member K alone, with the bits it has among the others"},
                  KIND_COUNT,
                  FIELD(only)},
    [CLI_BATCH] = {{"--batch", "N", "members swept side by side (default: by the caches)"},
                   KIND_COUNT,
                   FIELD(batch),
                   .most = 1 << 20},
    [CLI_OUT_MEMBERS] = {{"--out", "FILE.h5", "write the results of all members into an HDF5 file"},
                         KIND_TEXT,
                         FIELD(out)},
    [CLI_IGNORE_UNSUPPORTED] = {{"--ignore-unsupported", NULL,
                                 "go on without what is not supported"},
                                .kind = KIND_FLAG},
};

const cli_option *cli_option_at(cli_option_id id)
{
    return &rules[id].option;
}

int32_t cli_lanes(const cli_arguments *arguments)
{
    return (int32_t)strtol(lanes[arguments->lanes], NULL, 10);
}

static int parse_count(const option_rule *rule, const char *text, int64_t *count)
{
    const bool automatic = rule->kind == KIND_COUNT_OR_AUTO;
    const char *other = automatic ? "auto or " : "";
    const int64_t most = rule->most > 0 ? rule->most : INT64_MAX;
    char *end = NULL;
    if (automatic && strcmp(text, "auto") == 0) {
        *count = RCT_SEGMENT_AUTO;
        return CLI_OK;
    }
    errno = 0;
    *count = strtoll(text, &end, 10);
    const bool whole = text[0] != '\0' && strspn(text, "-0123456789") == strlen(text) &&
                       end == text + strlen(text) && end != text;
    if (!whole) {
        return cli_fail(CLI_BAD_INPUT, "%s \"%s\": give %sa whole number in digits",
                        rule->option.name, text, other);
    }
    if (rule->most == 0 && (errno == ERANGE || *count < rule->least)) {
        return cli_fail(CLI_BAD_INPUT, "%s %s: give %sa number of 64 bits, %" PRId64 " or more",
                        rule->option.name, text, other, rule->least);
    }
    if (errno == ERANGE || *count < rule->least || *count > most) {
        return cli_fail(CLI_BAD_INPUT, "%s %s: give %sa number from %" PRId64 " to %" PRId64,
                        rule->option.name, text, other, rule->least, most);
    }
    return CLI_OK;
}

static int parse_real(const option_rule *rule, const char *text, double *real)
{
    char *end = NULL;
    *real = strtod(text, &end);
    const bool whole = text[0] != '\0' && strspn(text, "+-.0123456789eE") == strlen(text) &&
                       end == text + strlen(text);
    if (!whole) {
        return cli_fail(CLI_BAD_INPUT, "%s \"%s\": give a number such as 0.5 or 1e-3",
                        rule->option.name, text);
    }
    const bool positive = rule->kind == KIND_POSITIVE;
    if (!isfinite(*real) || *real < 0.0 || (positive && *real == 0.0)) {
        return cli_fail(CLI_BAD_INPUT, "%s %s: give a finite number %s", rule->option.name, text,
                        positive ? "above 0" : "that is 0 or more");
    }
    return CLI_OK;
}

static int parse_choice(const option_rule *rule, const char *const *choices, const char *text,
                        int64_t *choice)
{
    char known[256] = "";
    for (int64_t i = 0; choices[i] != NULL; i++) {
        if (strcmp(text, choices[i]) == 0) {
            *choice = i;
            return CLI_OK;
        }
        const size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", i > 0 ? ", " : "", choices[i]);
    }
    return cli_fail(CLI_BAD_INPUT, "%s \"%s\": give one of %s", rule->option.name, text, known);
}

static int parse_hinge(const option_rule *rule, const char *text, int64_t *hinge)
{
    const char *names[RCT_HINGE_TYPES + 1] = {NULL};
    for (int i = 0; i < RCT_HINGE_TYPES; i++) {
        names[i] = rct_hinge_name((rct_hinge_type)i);
    }
    return parse_choice(rule, names, text, hinge);
}

static int check_text(const option_rule *rule, const char *text)
{
    return text[0] != '\0' ? CLI_OK
                           : cli_fail(CLI_BAD_INPUT, "%s \"\": its %s is empty", rule->option.name,
                                      rule->option.value);
}

static int add_text(const option_rule *rule, const char *text, cli_texts *texts)
{
    if (texts->count == CLI_MOST_TEXTS) {
        return cli_fail(CLI_BAD_INPUT, "%s is given more than %d times; give a sweep file",
                        rule->option.name, CLI_MOST_TEXTS);
    }
    texts->text[texts->count++] = text;
    return CLI_OK;
}

static int parse_value(const option_rule *rule, const char *text, cli_arguments *arguments)
{
    void *field = (char *)arguments + rule->field;
    switch (rule->kind) {
    case KIND_FLAG: return CLI_OK;
    case KIND_TEXT: *(const char **)field = text; return check_text(rule, text);
    case KIND_TEXTS:
        return check_text(rule, text) == CLI_OK ? add_text(rule, text, field) : CLI_BAD_INPUT;
    case KIND_COUNT:
    case KIND_COUNT_OR_AUTO: return parse_count(rule, text, field);
    case KIND_CHOICE: return parse_choice(rule, rule->choices, text, field);
    case KIND_HINGE: return parse_hinge(rule, text, field);
    case KIND_REAL:
    case KIND_POSITIVE: return parse_real(rule, text, field);
    }
    return CLI_OK;
}

/* The command's option called `name`, of which `length` bytes count, or CLI_END. */
static cli_option_id find_option(const cli_command *command, const char *name, size_t length)
{
    const cli_option_id *id = command->options;
    while (*id != CLI_END && (strncmp(rules[*id].option.name, name, length) != 0 ||
                              rules[*id].option.name[length] != '\0')) {
        id++;
    }
    return *id;
}

/* Parse the option at words[*at], as `--name value` or `--name=value`, and move to its last word. */
static int parse_option(const cli_command *command, int count, char *const *words, int *at,
                        cli_arguments *arguments)
{
    const char *word = words[*at];
    const char *equals = strchr(word, '=');
    const size_t length = equals != NULL ? (size_t)(equals - word) : strlen(word);
    const cli_option_id id = find_option(command, word, length);
    if (id == CLI_END) {
        return cli_fail(CLI_BAD_INPUT, "%s has no option %.*s; see riccatree %s --help",
                        command->name, (int)length, word, command->name);
    }
    const cli_option *option = &rules[id].option;
    if (arguments->given[id] && rules[id].kind != KIND_TEXTS) {
        return cli_fail(CLI_BAD_INPUT, "%s is given twice; give it once", option->name);
    }
    if (option->value == NULL && equals != NULL) {
        return cli_fail(CLI_BAD_INPUT, "%s takes no value; see riccatree %s --help", option->name,
                        command->name);
    }
    const char *value = equals != NULL ? equals + 1 : NULL;
    if (option->value != NULL && value == NULL) {
        /* A word of dashes is the next option: the value was forgotten. */
        if (*at + 1 == count || strncmp(words[*at + 1], "--", 2) == 0) {
            return cli_fail(CLI_BAD_INPUT, "%s needs a value, %s; see riccatree %s --help",
                            option->name, option->value, command->name);
        }
        *at += 1;
        value = words[*at];
    }
    arguments->given[id] = true;
    return parse_value(&rules[id], value, arguments);
}

static int parse_operand(const cli_command *command, const char *word, cli_arguments *arguments)
{
    if (command->operand == NULL || arguments->operand != NULL) {
        return cli_fail(CLI_BAD_INPUT, "unexpected argument \"%s\"; see riccatree %s --help", word,
                        command->name);
    }
    if (word[0] == '\0') {
        return cli_fail(CLI_BAD_INPUT, "the %s is empty; see riccatree %s --help", command->operand,
                        command->name);
    }
    arguments->operand = word;
    return CLI_OK;
}

int cli_parse(const cli_command *command, int count, char *const *words, cli_arguments *arguments,
              bool *help)
{
    const rct_family family = rct_family_default();
    *arguments = (cli_arguments){.bodies = family.bodies,
                                 .systems = family.systems,
                                 .hinge = RCT_HINGE_BALL,
                                 .seed = (int64_t)family.seed,
                                 .backend = "auto",
                                 .segment = RCT_SEGMENT_AUTO,
                                 .t_end = 1.0,
                                 .dt = 1e-3,
                                 .repeat = 5};
    *help = false;
    bool options = true; /* until "--" */
    int status = CLI_OK;
    for (int i = 0; i < count && status == CLI_OK && !*help; i++) {
        if (options && (strcmp(words[i], "--help") == 0 || strcmp(words[i], "-h") == 0)) {
            *help = true;
        } else if (options && strcmp(words[i], "--") == 0) {
            options = false;
        } else if (options && words[i][0] == '-' && words[i][1] != '\0') {
            status = parse_option(command, count, words, &i, arguments);
        } else {
            status = parse_operand(command, words[i], arguments);
        }
    }
    if (status == CLI_OK && !*help && command->operand != NULL && arguments->operand == NULL) {
        status = cli_fail(CLI_BAD_INPUT, "%s needs a %s; see riccatree %s --help", command->name,
                          command->operand, command->name);
    }
    return status;
}
