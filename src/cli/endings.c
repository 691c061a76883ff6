/* --out FILE with the ending of another kind of file than the one that is written: refused
 * before anything is computed. */
#include "cli.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* A well-known kind of file; and the words before and after a recording that convert it to this
 * kind. */
typedef struct kind {
    const char *name, *endings[3];
    const char *before, *behind;
} kind;

enum { HDF5, JSON, SVG, HTML, CSV, NPZ, VTKHDF, TEXT, NPY, PNG, PDF, URDF, XML, KINDS };

static const kind kinds[KINDS] = {
    [HDF5] = {.name = "HDF5", .endings = {".h5", ".hdf5"}},
    [JSON] = {.name = "JSON", .endings = {".json"}},
    [SVG] = {"SVG", {".svg"}, "plot", "energy"},
    [HTML] = {"HTML", {".html", ".htm"}, "view", ""},
    [CSV] = {"CSV", {".csv"}, "export", "--csv"},
    [NPZ] = {"npz", {".npz"}, "export", "--npz"},
    [VTKHDF] = {"VTKHDF", {".vtkhdf"}, "export", "--vtkhdf"},
    [TEXT] = {.name = "text", .endings = {".txt", ".dat"}},
    [NPY] = {.name = "npy", .endings = {".npy"}},
    [PNG] = {.name = "PNG", .endings = {".png"}},
    [PDF] = {.name = "PDF", .endings = {".pdf"}},
    [URDF] = {.name = "URDF", .endings = {".urdf"}},
    [XML] = {.name = "XML", .endings = {".xml"}},
};

/* The kinds that an option writes, alone or with another option that selects the kind. */
static const struct {
    cli_option_id out, format;
    const char *what;
    int kinds[2]; /* the second may be the first */
} written[] = {
    {CLI_OUT_FRAMES, CLI_END, "the recording is written in HDF5", {HDF5, HDF5}},
    {CLI_OUT_MOVED, CLI_END, "the recording is in HDF5", {HDF5, HDF5}},
    {CLI_OUT_MEMBERS, CLI_END, "the results are written in HDF5", {HDF5, HDF5}},
    {CLI_OUT_MODEL, CLI_END, "the model is written in JSON or HDF5", {JSON, HDF5}},
    {CLI_OUT_REST, CLI_END, "the model is written in JSON or HDF5", {JSON, HDF5}},
    {CLI_OUT_VIEW, CLI_END, "the page is written in HTML", {HTML, HTML}},
    {CLI_OUT_SVG, CLI_END, "the plot is written in SVG", {SVG, SVG}},
    {CLI_OUT_EFFORTS, CLI_END, "efforts are written as comma-separated values", {CSV, TEXT}},
    {CLI_OUT_DERIVATIVES,
     CLI_END,
     "derivatives are written as comma-separated values",
     {CSV, TEXT}},
    {CLI_OUT_EXPORT, CLI_EXPORT_CSV, "--csv writes comma-separated values", {CSV, TEXT}},
    {CLI_OUT_EXPORT, CLI_NPZ, "--npz writes arrays of numpy", {NPZ, NPZ}},
    {CLI_OUT_EXPORT, CLI_VTKHDF, "--vtkhdf writes VTKHDF", {VTKHDF, HDF5}},
};

/* KINDS: not a known kind. */
static int kind_of(const char *dot)
{
    for (int k = 0; k < KINDS; k++) {
        for (int i = 0; i < 3 && kinds[k].endings[i] != NULL; i++) {
            if (strcasecmp(dot, kinds[k].endings[i]) == 0) {
                return k;
            }
        }
    }
    return KINDS;
}

/* The ending of the path begins after `length` bytes. */
static bool refuse(const char *path, int length, int row, const kind *asked)
{
    const char *ending = kinds[written[row].kinds[0]].endings[0];
    char then[1024] = "";
    if (written[row].kinds[0] == HDF5 && written[row].out != CLI_OUT_MEMBERS &&
        asked->before != NULL) {
        snprintf(then, sizeof then, "; then `riccatree %s %.*s%s%s%s --out %s` makes %s of it",
                 asked->before, length, path, ending, asked->behind[0] != '\0' ? " " : "",
                 asked->behind, path, asked->name);
    }
    return cli_refuse("--out %s: %s; name it %.*s%s%s", path, written[row].what, length, path,
                      ending, then);
}

bool cli_check_ending(const cli_arguments *arguments)
{
    const char *path = arguments->out, *dot = path != NULL ? strrchr(path, '.') : NULL;
    const int asked = dot != NULL ? kind_of(dot) : KINDS;
    for (int i = 0; asked < KINDS && i < (int)(sizeof written / sizeof written[0]); i++) {
        if (arguments->given[written[i].out] &&
            (written[i].format == CLI_END || arguments->given[written[i].format]) &&
            asked != written[i].kinds[0] && asked != written[i].kinds[1]) {
            return refuse(path, (int)(dot - path), i, &kinds[asked]);
        }
    }
    return true;
}
