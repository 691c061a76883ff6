/* Strict parsing of a command's words into cli_arguments, by the table of options. A number must be the whole word,
 * finite, and in range; nothing that was given is ignored. */
#include "option_rules.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What was given is no number, or not one of these. */
static int fail_count(const cli_option_rule *rule, const char *text, bool too_large)
{
    char range[64];
    if (rule->most > 0 || too_large) {
        snprintf(range, sizeof range, "from %" PRId64 " to %" PRId64, rule->least,
                 rule->most > 0 ? rule->most : INT64_MAX);
    } else {
        snprintf(range, sizeof range, "%" PRId64 " or more", rule->least);
    }
    return cli_fail(CLI_BAD_INPUT, "%s \"%s\": give %sa whole number in digits, %s",
                    rule->option.name, text, rule->kind == KIND_SEGMENT ? "auto, whole or " : "",
                    range);
}

static int parse_count(const cli_option_rule *rule, const char *text, int64_t *count)
{
    const int64_t most = rule->most > 0 ? rule->most : INT64_MAX;
    char *end = NULL;
    if (rule->kind == KIND_SEGMENT && (strcmp(text, "auto") == 0 || strcmp(text, "whole") == 0)) {
        *count = text[0] == 'a' ? RCT_SEGMENT_AUTO : RCT_SEGMENT_WHOLE;
        return CLI_OK;
    }
    errno = 0;
    *count = strtoll(text, &end, 10);
    const bool whole = text[0] != '\0' && strspn(text, "-0123456789") == strlen(text) &&
                       end == text + strlen(text) && end != text;
    const bool fits = errno != ERANGE, in_range = fits && *count >= rule->least && *count <= most;
    return whole && in_range ? CLI_OK : fail_count(rule, text, whole && !fits && *count > 0);
}

static int parse_real(const cli_option_rule *rule, const char *text, double *real)
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

/* "100": steps; "60s": seconds. */
static int parse_interval(const cli_option_rule *rule, const char *text, cli_interval *interval)
{
    char *end = NULL;
    *interval = (cli_interval){.steps = 0};
    errno = 0;
    if (text[strspn(text, "0123456789")] == '\0') {
        interval->steps = strtoll(text, &end, 10);
    } else if (strspn(text, ".0123456789eE+-") + 1 == strlen(text)) {
        interval->seconds = strtod(text, &end);
        end += strcmp(end, "s") == 0;
    }
    const bool good = errno == 0 && end != NULL && *end == '\0' &&
                      (interval->steps > 0) != (interval->seconds > 0.0);
    return good ? CLI_OK
                : cli_fail(CLI_BAD_INPUT,
                           "%s \"%s\": give a number of steps such as 1000, or of seconds such as "
                           "60s",
                           rule->option.name, text);
}

static int parse_pair(const cli_option_rule *rule, const char *text, double pair[2])
{
    char first[64];
    const char *comma = strchr(text, ',');
    const size_t length = comma != NULL ? (size_t)(comma - text) : 0;
    if (comma == NULL || length >= sizeof first) {
        return cli_fail(CLI_BAD_INPUT, "%s \"%s\": give two numbers such as 10,10",
                        rule->option.name, text);
    }
    memcpy(first, text, length);
    first[length] = '\0';
    const int status = parse_real(rule, first, &pair[0]);
    return status == CLI_OK ? parse_real(rule, comma + 1, &pair[1]) : status;
}

static int parse_choice(const cli_option_rule *rule, const char *const *choices, const char *text,
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

static int parse_hinge(const cli_option_rule *rule, const char *text, int64_t *hinge)
{
    const char *names[RCT_HINGE_TYPES + 1] = {NULL};
    for (int i = 0; i < RCT_HINGE_TYPES; i++) {
        names[i] = rct_hinge_name((rct_hinge_type)i);
    }
    return parse_choice(rule, names, text, hinge);
}

static int check_text(const cli_option_rule *rule, const char *text)
{
    return text[0] != '\0' ? CLI_OK
                           : cli_fail(CLI_BAD_INPUT, "%s \"\": its %s is empty", rule->option.name,
                                      rule->option.value);
}

static int add_text(const cli_option_rule *rule, const char *text, cli_texts *texts)
{
    if (texts->count == CLI_MOST_TEXTS) {
        return cli_fail(CLI_BAD_INPUT, "%s is given more than %d times; give a sweep file",
                        rule->option.name, CLI_MOST_TEXTS);
    }
    texts->text[texts->count++] = text;
    return CLI_OK;
}

static int parse_value(const cli_option_rule *rule, const char *text, cli_arguments *arguments)
{
    void *field = (char *)arguments + rule->field;
    switch (rule->kind) {
    case KIND_FLAG: return CLI_OK;
    case KIND_TEXT: *(const char **)field = text; return check_text(rule, text);
    case KIND_TEXTS:
        return check_text(rule, text) == CLI_OK ? add_text(rule, text, field) : CLI_BAD_INPUT;
    case KIND_COUNT:
    case KIND_SEGMENT: return parse_count(rule, text, field);
    case KIND_CHOICE: return parse_choice(rule, rule->choices, text, field);
    case KIND_HINGE: return parse_hinge(rule, text, field);
    case KIND_PAIR: return parse_pair(rule, text, field);
    case KIND_REAL:
    case KIND_POSITIVE: return parse_real(rule, text, field);
    case KIND_INTERVAL: return parse_interval(rule, text, field);
    }
    return CLI_OK;
}

/* The command's option called `name`, of which `length` bytes count, or CLI_END. */
static cli_option_id find_option(const cli_command *command, const char *name, size_t length)
{
    const cli_option_id *id = command->options;
    while (*id != CLI_END && (strncmp(cli_rule_at(*id)->option.name, name, length) != 0 ||
                              cli_rule_at(*id)->option.name[length] != '\0')) {
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
    const cli_option *option = cli_option_at(id);
    if (arguments->given[id] && cli_rule_at(id)->kind != KIND_TEXTS) {
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
    return parse_value(cli_rule_at(id), value, arguments);
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
                                 .checkpoint_every = {.seconds = 60.0},
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
