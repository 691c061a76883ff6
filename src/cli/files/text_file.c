/* Text that a command writes to its own file, or to standard output. */
#include "accelerations.h"
#include "core/character.h"
#include "files/files.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

bool cli_check_text(const cli_arguments *arguments)
{
    return (!arguments->given[CLI_JSON] || arguments->out == NULL ||
            cli_refuse("--json and --out exclude each other: --out writes a table; give one")) &&
           cli_check_out(arguments, arguments->out);
}

bool cli_open_text(const cli_arguments *arguments, cli_text_file *file)
{
    const char *out = arguments->out;
    file->path = out != NULL && strcmp(out, "-") != 0 ? out : NULL;
    file->stream = stdout;
    if (file->path == NULL) {
        return true;
    }
    if (!cli_check_out(arguments, file->path)) {
        return false;
    }
    file->stream = fopen(file->path, "w");
    return file->stream != NULL ||
           cli_refuse("%s: cannot create the file: %s", file->path, strerror(errno));
}

bool cli_close_text(cli_text_file *file, bool good)
{
    bool written = !ferror(file->stream) && fflush(file->stream) == 0;
    int number = errno;
    if (file->path != NULL && fclose(file->stream) != 0 && written) {
        number = errno;
        written = false;
    }
    if (file->path != NULL && !(good && written)) {
        unlink(file->path);
    }
    return good &&
           (written ||
            (file->path == NULL
                 ? cli_output_failed(number)
                 : cli_refuse("%s: cannot write the file: %s%s", file->path, strerror(number),
                              number == ENOSPC ? "; free space or choose another disk" : "")));
}

void cli_put_field(FILE *out, const char *text)
{
    const int number = errno; /* of a write before */
    const bool plain = text[strcspn(text, ",\"\n\r")] == '\0', shown = isatty(fileno(out)) != 0;
    errno = number;
    if (!plain) {
        fputc('"', out);
    }
    for (int size = 0; *text != '\0'; text += size > 0 ? size : 1) {
        size = rct_character_size(text, 4);
        if (shown && (size == 0 || rct_character_steers(text, size))) {
            fputc('?', out);
        } else {
            fprintf(out, "%s%.*s", *text == '"' ? "\"" : "", size > 0 ? size : 1, text);
        }
    }
    if (!plain) {
        fputc('"', out);
    }
}

void cli_put_freedoms(FILE *out, const rct_model *model, const char *quantity)
{
    char name[RCT_NAME_SIZE], label[RCT_NAME_SIZE + 32];
    for (int32_t b = 0; b < rct_model_body_count(model); b++) {
        const int freedoms = rct_hinge_freedoms(cli_hinge_of(model, b));
        rct_model_body_name(model, b, name);
        for (int i = 0; i < freedoms; i++) {
            snprintf(label, sizeof label, "%s_%d:%s", quantity, i + 1, name);
            fputc(',', out);
            cli_put_field(out, label);
        }
    }
    fputc('\n', out);
}
