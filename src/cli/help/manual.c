/* riccatree man: the manual page, made from the tables by which commands and options are parsed. */
#include "commands.h"
#include "files/files.h"

#include <stdio.h>
#include <string.h>

/* Text escaped for roff: no request at the start of a line, no escape, hyphens that can be
 * copied. A newline begins a line, an empty line a paragraph. */
static void put_text(FILE *out, const char *text)
{
    bool start = true;
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '\n') {
            fputs(start ? ".PP\n" : "\n", out);
        } else if (start && (*c == '.' || *c == '\'')) {
            fprintf(out, "\\&%c", *c);
        } else {
            fputs(*c == '\\' ? "\\e" : *c == '-' ? "\\-" : (const char[2]){*c, '\0'}, out);
        }
        start = *c == '\n';
    }
    fputs(start ? "" : "\n", out);
}

/* An option as the head of a paragraph, its description below. */
static void put_option(FILE *out, const char *name, const char *value, const char *help)
{
    fputs(".TP\n\\fB", out);
    for (const char *c = name; *c != '\0'; c++) {
        fputs(*c == '-' ? "\\-" : (const char[2]){*c, '\0'}, out);
    }
    fprintf(out, "\\fR%s%s%s\n", value != NULL ? " \\fI" : "", value != NULL ? value : "",
            value != NULL ? "\\fR" : "");
    put_text(out, help);
}

static void put_command(FILE *out, const cli_command *command)
{
    fprintf(out, ".SS \"%s%s%s%s%s [options]\"\n", command->name,
            command->operand != NULL ? " " : "", command->operand != NULL ? command->operand : "",
            command->more != NULL ? " " : "", command->more != NULL ? command->more : "");
    put_text(out, command->summary);
    for (const cli_option_id *id = command->options; *id != CLI_END; id++) {
        const cli_option *option = cli_option_at(*id);
        put_option(out, option->name, option->value, option->help);
    }
    if (command->details != NULL) {
        put_text(out, command->details);
    }
}

static bool manual(const cli_arguments *arguments)
{
    cli_text_file file;
    if (!cli_open_text(arguments, &file)) {
        return false;
    }
    FILE *out = file.stream;
    fprintf(
        out,
        ".\\\" Made by `riccatree man`.\n.TH RICCATREE 1 \"\" \"riccatree %s\" \"User Commands\"\n",
        rct_version());
    fprintf(out, ".SH NAME\nriccatree \\- %s\n.SH SYNOPSIS\n", cli_subject);
    for (int i = 0; cli_usage[i] != NULL; i++) {
        fputs(i > 0 ? ".br\n" : "", out);
        put_text(out, cli_usage[i]);
    }
    fputs(".SH DESCRIPTION\n", out);
    put_text(out, cli_models);
    for (const char *const *name = rct_family_names(); *name != NULL; name++) {
        fprintf(out, "%s%s\n", *name, name[1] != NULL ? "," : ".");
    }
    fputs(".SH COMMANDS\n", out);
    for (int i = 0; cli_commands[i] != NULL; i++) {
        put_command(out, cli_commands[i]);
    }
    fputs(".SH EXIT STATUS\n", out);
    put_text(out, cli_exits);
    return cli_close_text(&file, true);
}

const cli_command cli_man = {
    .name = "man",
    .summary = "Print the manual page, in roff.",
    .details = "\nTo read the page: riccatree man | man -l -\n",
    .options = CLI_LIST(CLI_OUT_TEXT, CLI_OVERWRITE),
    .run = manual,
};
