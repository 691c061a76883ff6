/* riccatree completion: a script that completes commands, options and their values in bash, made
 * from the tables by which they are parsed. */
#include "commands.h"
#include "files/files.h"

#include <stdio.h>
#include <string.h>

/* Words in the usage of operands and values, and what completes them. */
static const struct {
    const char *word;
    const char *endings; /* of files; "any": all files */
    const char *const *(*names)(void);
} placeholders[] = {
    {"MODEL", "json h5 hdf5 urdf xml", NULL},
    {"FAMILY", "", rct_family_names},
    {"FILE", "any", NULL},
    {"FILE.h5", "h5 hdf5", NULL},
    {"FILE.json", "json", NULL},
    {"FILE.svg", "svg", NULL},
    {"FILE.html", "html", NULL},
    {"COMMAND", "", cli_command_names},
    {"SHELL", "", cli_shells},
};

static const char *const shells[] = {"bash", NULL};

const char *const *cli_shells(void)
{
    return shells;
}

static void put_names(FILE *out, const char *const *names)
{
    for (int i = 0; names != NULL && names[i] != NULL; i++) {
        fprintf(out, "%s%s", i > 0 ? " " : "", names[i]);
    }
}

/* Completions of a word such as "MODEL|FAMILY" or "[COMMAND]": words and endings of files, as
 * assignments of bash. A word in lower case completes to itself. */
static void put_placeholders(FILE *out, const char *text, const char *const *choices)
{
    char words[64], *rest = NULL, endings[64] = "";
    snprintf(words, sizeof words, "%s", text != NULL ? text : "");
    fputs("words=\"", out);
    put_names(out, choices);
    for (char *word = strtok_r(words, "[]|", &rest); word != NULL;
         word = strtok_r(NULL, "[]|", &rest)) {
        for (size_t i = 0; i < sizeof placeholders / sizeof placeholders[0]; i++) {
            if (strcmp(word, placeholders[i].word) == 0) {
                put_names(out, placeholders[i].names != NULL ? placeholders[i].names() : NULL);
                const size_t used = strlen(endings);
                snprintf(endings + used, sizeof endings - used, "%s%s",
                         used > 0 && placeholders[i].endings[0] != '\0' ? " " : "",
                         placeholders[i].endings);
            }
        }
    }
    fprintf(out, "\" endings=\"%s\" ;;\n", endings);
}

/* "auto", and the backends available here. */
static void put_backends(FILE *out)
{
    fputs("words=\"auto", out);
    for (int32_t i = 0; i < rct_backend_count(); i++) {
        rct_backend_info info;
        if (rct_backend_describe(i, &info, NULL) == RCT_OK) {
            fprintf(out, " %s", info.name);
        }
    }
    fputs("\" ;;\n", out);
}

static void put_command(FILE *out, const cli_command *command)
{
    fprintf(out, "%s)\n        options=\"--help", command->name);
    for (const cli_option_id *id = command->options; *id != CLI_END; id++) {
        fprintf(out, " %s", cli_option_at(*id)->name);
    }
    fputs("\"\n        case $before in\n", out);
    for (const cli_option_id *id = command->options; *id != CLI_END; id++) {
        const cli_option *option = cli_option_at(*id);
        if (option->value != NULL) {
            fprintf(out, "        %s) ", option->name);
            if (*id == CLI_BACKEND) {
                put_backends(out);
            } else {
                put_placeholders(out, option->value, cli_option_choices(*id));
            }
        }
    }
    fputs("        *) own=1 ", out);
    put_placeholders(out, command->operand, NULL);
    fputs("        esac\n        ;;\n", out);
}

static const char before_commands[] =
    "# Completion of riccatree in bash, made by `riccatree completion bash`.\n"
    "_riccatree()\n"
    "{\n"
    "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
    "    local words= endings= options= own= ending line\n"
    "    if [[ $word == = ]]; then # --option=value is three words\n"
    "        word=\n"
    "    elif [[ $before == = ]]; then\n"
    "        before=${COMP_WORDS[COMP_CWORD - 2]}\n"
    "    fi\n"
    "    COMPREPLY=()\n"
    "    case $COMP_CWORD,${COMP_WORDS[1]} in\n";

static const char behind_commands[] =
    "    esac\n"
    "    if [[ $own && $word == -* ]]; then\n"
    "        words=$options endings=\n"
    "    fi\n"
    "    while read -r line; do\n"
    "        COMPREPLY+=(\"$line\")\n"
    "    done < <(compgen -W \"$words\" -- \"$word\")\n"
    "    [[ $endings ]] || return 0\n"
    "    compopt -o filenames 2>/dev/null\n"
    "    while read -r line; do\n"
    "        for ending in $endings; do\n"
    "            if [[ -d $line || $ending == any || $line == *.$ending ]]; then\n"
    "                COMPREPLY+=(\"$line\")\n"
    "                break\n"
    "            fi\n"
    "        done\n"
    "    done < <(compgen -f -- \"$word\")\n"
    "}\n"
    "complete -F _riccatree riccatree\n";

static bool completion(const cli_arguments *arguments)
{
    cli_text_file file;
    if (strcmp(arguments->operand, shells[0]) != 0) {
        char hint[RCT_ERROR_TEXT_SIZE];
        return cli_refuse("no completion for \"%s\"%s", arguments->operand,
                          rct_did_you_mean(arguments->operand, shells, "give bash", hint));
    }
    if (!cli_open_text(arguments, &file)) {
        return false;
    }
    fputs(before_commands, file.stream);
    fputs("    1,*) words=\"", file.stream);
    put_names(file.stream, cli_command_names());
    fputs(" --help --version\" ;;\n", file.stream);
    for (int i = 0; cli_commands[i] != NULL; i++) {
        fputs("    *,", file.stream);
        put_command(file.stream, cli_commands[i]);
    }
    fputs(behind_commands, file.stream);
    return cli_close_text(&file, true);
}

const cli_command cli_completion = {
    .name = "completion",
    .operand = "SHELL",
    .summary = "Print a script with which a shell (bash) completes commands, options and values.",
    .details = "\nIn bash: source <(riccatree completion bash)\n",
    .options = CLI_LIST(CLI_OUT_TEXT, CLI_OVERWRITE),
    .run = completion,
};
