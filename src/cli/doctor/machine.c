/* What this machine has: the build, the processor, memory, backends, and the libraries that this
 * process has loaded. */
#define _GNU_SOURCE 1 /* dl_iterate_phdr(), RTLD_DEFAULT, CPU_COUNT() */
#include "doctor/doctor.h"

#include <dlfcn.h>
#include <glob.h>
#include <inttypes.h>
#include <link.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_SIZE = 256, PATH_SIZE = 1024 };

/* ---- the processor, memory ------------------------------------------------------------------ */

/* The text after "KEY ... : " in the first such line of a file; "" if there is none. */
static void find_line(const char *path, const char *key, char text[TEXT_SIZE])
{
    char line[PATH_SIZE];
    FILE *file = fopen(path, "r");
    text[0] = '\0';
    while (file != NULL && text[0] == '\0' && fgets(line, sizeof line, file) != NULL) {
        const char *colon = strncmp(line, key, strlen(key)) == 0 ? strchr(line, ':') : NULL;
        if (colon != NULL) {
            colon += 1 + strspn(colon + 1, " \t");
            snprintf(text, TEXT_SIZE, "%.*s", (int)strcspn(colon, "\n"), colon);
        }
    }
    if (file != NULL) {
        fclose(file);
    }
}

/* The widths with which a solver of one body can be made. */
static void tell_lanes(void)
{
    char text[TEXT_SIZE] = "";
    const rct_family one = {.family = "chain", .bodies = 1};
    rct_model *model = rct_model_generate(&one, NULL);
    cli_json_open("lanes", '[');
    for (int lanes = 1; lanes <= 8; lanes *= 2) {
        rct_solver_options options = rct_solver_options_default();
        options.backend = "cpu";
        options.lanes = lanes;
        rct_solver *solver = model != NULL ? rct_solver_create(model, &options, NULL) : NULL;
        if (solver != NULL) {
            const size_t used = strlen(text);
            snprintf(text + used, sizeof text - used, " %d", lanes);
            cli_json_count(NULL, lanes);
        }
        rct_solver_free(solver);
    }
    cli_json_close("]");
    rct_model_free(model);
    cli_line("lanes", "%s numbers at once: compiled in, and this processor has them",
             text + (text[0] == ' '));
}

static void tell_processor(void)
{
    char text[TEXT_SIZE];
    cpu_set_t may;
    const long all = sysconf(_SC_NPROCESSORS_ONLN);
    const int own = sched_getaffinity(0, sizeof may, &may) == 0 ? CPU_COUNT(&may) : (int)all;
    find_line("/proc/cpuinfo", "model name", text);
    cli_text("processor", "processor", text[0] != '\0' ? text : "not known");
    tell_lanes();
    cli_json_count("threads", own);
    cli_json_count("processors", all);
    cli_line("threads", "%d, of %ld processors there are", own, all);
}

static void tell_memory(void)
{
    char text[TEXT_SIZE], most[CLI_SHORT_TEXT], left[CLI_SHORT_TEXT];
    const int64_t bytes = (int64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
    find_line("/proc/meminfo", "MemAvailable", text);
    const int64_t free_bytes = 1024 * strtoll(text, NULL, 10);
    cli_json_count("memory_bytes", bytes);
    cli_json_count("memory_free_bytes", free_bytes);
    cli_line("memory", "%s, of which %s are free", cli_bytes_text(bytes, most),
             cli_bytes_text(free_bytes, left));
}

/* ---- backends, accelerators ------------------------------------------------------------------ */

static bool tell_backends(void)
{
    cli_json_open("backends", '[');
    for (int32_t i = 0; i < rct_backend_count(); i++) {
        rct_backend_info info;
        char label[CLI_SHORT_TEXT];
        if (!cli_did(rct_backend_describe(i, &info, &cli_error))) {
            return false;
        }
        snprintf(label, sizeof label, "backend %s", info.name);
        cli_json_open(NULL, '{');
        cli_json_text("name", info.name);
        cli_json_bool("available", info.available != 0);
        cli_json_text("reason", info.reason);
        cli_json_close("}");
        cli_line(label, "%s%s", info.available != 0 ? "available" : "not available: ",
                 info.reason != NULL ? info.reason : "");
    }
    cli_json_close("]");
    return true;
}

/* The accelerators as the driver names them, whether a backend can use them or not. */
static void tell_accelerators(void)
{
    char text[TEXT_SIZE];
    glob_t found = {.gl_pathc = 0};
    const bool any = glob("/proc/driver/nvidia/gpus/*/information", 0, NULL, &found) == 0;
    cli_json_open("gpus", '[');
    for (size_t i = 0; any && i < found.gl_pathc; i++) {
        find_line(found.gl_pathv[i], "Model", text);
        cli_json_text(NULL, text);
        cli_line("GPU", "%s", text);
    }
    cli_json_close("]");
    if (!any) {
        cli_line("GPU", "none that an NVIDIA driver knows");
    } else {
        globfree(&found);
    }
}

/* ---- libraries that are loaded -------------------------------------------------------------- */

typedef struct search {
    const char *part;
    char path[PATH_SIZE];
} search;

static int see_object(struct dl_phdr_info *info, size_t size, void *context)
{
    search *s = context;
    const char *slash = strrchr(info->dlpi_name, '/');
    (void)size;
    if (slash != NULL && strncmp(slash + 1, s->part, strlen(s->part)) == 0) {
        snprintf(s->path, sizeof s->path, "%s", info->dlpi_name);
    }
    return s->path[0] != '\0';
}

/* The version of each, as "1.10.8". Returns 1 or 0 if the library is built with threads or
 * without, else -1. */
static int version_hdf5(char text[TEXT_SIZE])
{
    int (*version)(unsigned *, unsigned *, unsigned *) = NULL, (*threads)(void *) = NULL;
    unsigned n[3] = {0, 0, 0};
    unsigned char safe[8] = {0}; /* a bool, in older versions an int */
    void *symbol = dlsym(RTLD_DEFAULT, "H5get_libversion");
    memcpy(&version, &symbol, sizeof symbol);
    symbol = dlsym(RTLD_DEFAULT, "H5is_library_threadsafe");
    memcpy(&threads, &symbol, sizeof symbol);
    if (version != NULL && version(&n[0], &n[1], &n[2]) >= 0) {
        snprintf(text, TEXT_SIZE, "%u.%u.%u", n[0], n[1], n[2]);
    }
    return threads != NULL && threads(safe) >= 0 ? safe[0] : -1;
}

static int version_xml(char text[TEXT_SIZE])
{
    void *symbol = dlsym(RTLD_DEFAULT, "xmlParserVersion");
    const char *number = NULL;
    if (symbol != NULL) {
        memcpy(&number, symbol, sizeof number);
        const long version = strtol(number, NULL, 10);
        snprintf(text, TEXT_SIZE, "%ld.%ld.%ld", version / 10000, version / 100 % 100,
                 version % 100);
    }
    return -1;
}

static int version_sparse(char text[TEXT_SIZE])
{
    int (*version)(int *) = NULL, n[3] = {0, 0, 0};
    void *symbol = dlsym(RTLD_DEFAULT, "SuiteSparse_version");
    memcpy(&version, &symbol, sizeof symbol);
    if (version != NULL) {
        version(n);
        snprintf(text, TEXT_SIZE, "%d.%d.%d", n[0], n[1], n[2]);
    }
    return -1;
}

static const struct {
    const char *key, *label, *part;
    int (*version)(char text[TEXT_SIZE]);
} libraries[] = {
    {"hdf5", "files: HDF5", "libhdf5.so", version_hdf5},
    {"xml", "importer: libxml2", "libxml2", version_xml},
    {"sparse", "sparse: SuiteSparse", "libklu", version_sparse},
};

static void find_object(const char *part, search *s)
{
    *s = (search){.part = part};
    dl_iterate_phdr(see_object, s);
}

static void tell_libraries(void)
{
    for (size_t i = 0; i < sizeof libraries / sizeof libraries[0]; i++) {
        search s;
        char text[TEXT_SIZE] = "";
        const int threads = libraries[i].version(text);
        find_object(libraries[i].part, &s);
        if (s.path[0] == '\0' && i == 0) {
            find_object("libhdf5_serial.so", &s); /* its name in Debian */
        }
        cli_json_open(libraries[i].key, '{');
        cli_json_text("version", text[0] != '\0' ? text : NULL);
        cli_json_text("path", s.path[0] != '\0' ? s.path : NULL);
        if (threads >= 0) {
            cli_json_bool("thread_safe", threads != 0);
        }
        cli_json_close("}");
        cli_line(libraries[i].label, "%s%s, %s", text[0] != '\0' ? text : "version not known",
                 threads > 0    ? ", thread-safe"
                 : threads == 0 ? ", not thread-safe: one thread at a time uses files"
                                : "",
                 s.path[0] != '\0' ? s.path : "linked in");
    }
}

/* The plugin of ranks is beside the library or where the environment says. Only processes that
 * mpirun starts open it. */
static void tell_ranks(const cli_arguments *arguments)
{
    search s;
    char path[PATH_SIZE + CLI_SHORT_TEXT];
    const char *given = getenv("RICCATREE_PLUGINS");
    find_object("libriccatree.so", &s);
    char *slash = strrchr(s.path, '/');
    if (slash != NULL) {
        *slash = '\0';
    }
    const bool elsewhere = given != NULL && given[0] != '\0';
    snprintf(path, sizeof path, "%.*s/libriccatree_mpi.so", PATH_SIZE, elsewhere ? given : s.path);
    const bool there = access(path, R_OK) == 0;
    const int32_t ranks = rct_ranks_count(arguments->ranks);
    cli_json_open("mpi", '{');
    cli_json_bool("plugin", there);
    cli_json_text("path", there ? path : NULL);
    cli_json_count("ranks", ranks);
    cli_json_close("}");
    cli_line("MPI", "%s%s; %" PRId32 " rank%s", there ? "" : "no plugin: not built, or not at ",
             path, ranks, ranks == 1 ? ", as mpirun has not started this process" : "s");
}

bool cli_doctor_machine(const cli_arguments *arguments)
{
    cli_text("version", "riccatree", rct_version());
    cli_text("build", "build", rct_build());
    tell_processor();
    tell_memory();
    if (!tell_backends()) {
        return false;
    }
    tell_accelerators();
    tell_ranks(arguments);
    tell_libraries();
    return true;
}
