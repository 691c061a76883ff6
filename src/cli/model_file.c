/* A model as a JSON file or on standard output: what `generate` and `import` end with. */
#include "cli.h"
#include "output.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool copy(FILE *from)
{
    char block[1 << 14];
    size_t size = 0;
    cli_output_start(false, 0);
    do {
        size = fread(block, 1, sizeof block, from);
        cli_print("%.*s", (int)size, block); /* text, without zeros */
    } while (size > 0);
    if (ferror(from)) {
        return cli_fail(CLI_FAILED, "cannot read back a temporary file: %s", strerror(errno));
    }
    return cli_output_finish();
}

/* The library writes to a path. Standard output may be a file that others write on as well, which
 * opening it a second time would overwrite; so by way of a temporary file without a name. */
static bool write_standard_output(const rct_model *model)
{
    char path[CLI_SHORT_TEXT];
    FILE *file = tmpfile();
    if (file == NULL) {
        return cli_fail(CLI_FAILED, "cannot make a temporary file: %s; use --out FILE",
                        strerror(errno));
    }
    snprintf(path, sizeof path, "/dev/fd/%d", fileno(file));
    const bool written = cli_closed(rct_model_write(model, path, &cli_error)) && copy(file);
    fclose(file);
    return written;
}

static bool write_file(const rct_model *model, const char *path)
{
    if (!cli_did(rct_model_write(model, path, &cli_error))) {
        return false;
    }
    cli_output_start(false, 0);
    cli_print("%s: %" PRId32 " bodies\n", path, rct_model_body_count(model));
    return cli_output_finish();
}

static bool to_file(const cli_arguments *arguments)
{
    return arguments->out != NULL && strcmp(arguments->out, "-") != 0;
}

bool cli_check_model_out(const cli_arguments *arguments)
{
    return cli_check_out(arguments, to_file(arguments) ? arguments->out : NULL);
}

bool cli_write_model(const cli_arguments *arguments, const rct_model *model)
{
    return to_file(arguments) ? write_file(model, arguments->out) : write_standard_output(model);
}
