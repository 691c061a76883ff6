/* The references. Their library is opened when the first of them is asked for, because it loads
 * a BLAS, which starts a thread for each processor, and these threads poll for work for a while. */
#include "cli.h"

#include <riccatree/reference.h>

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

typedef rct_status evaluate_at(const rct_model *, rct_reference, double, const double *,
                               const double *, rct_out, rct_error *);
typedef rct_status identities(const rct_model *, double, const double *, const double *, double *,
                              rct_error *);
typedef const char *name_of(rct_reference);
typedef const char *identity_name(int32_t);

/* Put the function `name` of the library into the pointer `function`. Returns false if there is
 * none, with `error` filled if it is not NULL. */
static bool find(const char *name, void *function, rct_error *error)
{
    static void *library;
    if (library == NULL) {
        library = dlopen(REFERENCE_LIBRARY, RTLD_NOW);
    }
    const void *found = library != NULL ? dlsym(library, name) : NULL;
    if (found == NULL && error != NULL) {
        const char *why = dlerror();
        *error = (rct_error){.status = RCT_ERROR_UNSUPPORTED, .body = -1, .step = -1};
        snprintf(error->text, sizeof error->text, "the library of references cannot be used: %s",
                 why != NULL ? why : "it lacks a function");
    }
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

rct_status rct_reference_evaluate_at_sized(const rct_model *model, rct_reference reference,
                                           double time, const double *coordinates,
                                           const double *rates, rct_out result, rct_error *error)
{
    evaluate_at *evaluate;
    return find(__func__, &evaluate, error)
               ? evaluate(model, reference, time, coordinates, rates, result, error)
               : RCT_ERROR_UNSUPPORTED;
}

rct_status rct_reference_identities(const rct_model *model, double time, const double *coordinates,
                                    const double *rates, double *apart, rct_error *error)
{
    identities *find_apart;
    return find(__func__, &find_apart, error)
               ? find_apart(model, time, coordinates, rates, apart, error)
               : RCT_ERROR_UNSUPPORTED;
}

const char *rct_reference_name(rct_reference reference)
{
    name_of *name;
    return find(__func__, &name, NULL) ? name(reference) : "unknown";
}

const char *rct_reference_identity_name(int32_t number)
{
    identity_name *name;
    return find(__func__, &name, NULL) ? name(number) : NULL;
}
