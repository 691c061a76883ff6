/* A model as a JSON file or on standard output: what `generate` and `import` end with. */
#include "cli.h"
#include "output.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int copy(FILE *from)
{
    char block[1 << 14];
    size_t size = 0;
    size_t written = 0;
    do {
        size = fread(block, 1, sizeof block, from);
        written = fwrite(block, 1, size, stdout);
    } while (size > 0 && written == size);
    if (ferror(from)) {
        return cli_fail(CLI_FAILED, "cannot read back a temporary file: %s", strerror(errno));
    }
    cli_output out = cli_output_start();
    out.failure = written < size ? errno : 0;
    return cli_output_finish(&out);
}

/* The library writes to a path. Standard output may be a file that others write on as well, which
 * opening it a second time would overwrite; so by way of a temporary file without a name. */
static int write_standard_output(const rct_model *model)
{
    rct_error error;
    char path[CLI_SHORT_TEXT];
    FILE *file = tmpfile();
    if (file == NULL) {
        return cli_fail(CLI_FAILED, "cannot make a temporary file: %s; use --out FILE",
                        strerror(errno));
    }
    snprintf(path, sizeof path, "/dev/fd/%d", fileno(file));
    const int status = rct_model_write(model, path, &error) == RCT_OK
                           ? copy(file)
                           : cli_fail(CLI_FAILED, "%s", error.text);
    fclose(file);
    return status;
}

static int write_file(const rct_model *model, const char *path)
{
    rct_error error;
    if (rct_model_write(model, path, &error) != RCT_OK) {
        return cli_fail_library(&error);
    }
    cli_output out = cli_output_start();
    cli_print(&out, "%s: %" PRId32 " bodies\n", path, rct_model_body_count(model));
    return cli_output_finish(&out);
}

static bool to_file(const cli_arguments *arguments)
{
    return arguments->out != NULL && strcmp(arguments->out, "-") != 0;
}

int cli_check_model_out(const cli_arguments *arguments)
{
    return cli_check_out(arguments, to_file(arguments) ? arguments->out : NULL);
}

int cli_write_model(const cli_arguments *arguments, const rct_model *model)
{
    return to_file(arguments) ? write_file(model, arguments->out) : write_standard_output(model);
}
