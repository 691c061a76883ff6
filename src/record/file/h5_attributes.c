/* Attributes: single values, small arrays and texts at the file or at a dataset; and datasets of
 * texts. */
#include "record/file/h5.h"

#include <inttypes.h>
#include <string.h>

enum { ATTRIBUTE_BYTES = 16384 }; /* more than any attribute has */

void rct_h5_put_values(rct_call *call, hid_t object, const char *name, hid_t type, int64_t count,
                       const void *values)
{
    const char *what = "write an attribute";
    const hsize_t extent = (hsize_t)count;
    hid_t space =
        RCT_TRY(call, what, count > 0 ? H5Screate_simple(1, &extent, NULL) : H5Screate(H5S_SCALAR));
    hid_t attribute =
        RCT_TRY(call, what, H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT));
    RCT_TRY(call, what, H5Awrite(attribute, type, values));
    rct_h5_close(call, &attribute);
    rct_h5_close(call, &space);
}

void rct_h5_put_text(rct_call *call, hid_t object, const char *name, const char *text)
{
    const int64_t length = (int64_t)strlen(text);
    hid_t type = rct_h5_text_type(call, length > 0 ? length : 1);
    rct_h5_put_values(call, object, name, type, 0, text);
    rct_h5_close(call, &type);
}

int rct_h5_has_attribute(rct_call *call, hid_t object, const char *name)
{
    return RCT_TRY(call, "read an attribute", H5Aexists(object, name)) > 0;
}

int rct_h5_attribute_name(rct_call *call, hid_t group, int64_t number, char name[RCT_H5_NAME])
{
    const char *what = "list the attributes";
    return number < RCT_TRY(call, what, (int64_t)H5Aget_num_attrs(group)) &&
           RCT_TRY(call, what,
                   (int64_t)H5Aget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC,
                                               (hsize_t)number, name, RCT_H5_NAME, H5P_DEFAULT)) >=
               0;
}

int rct_h5_has_values(rct_call *call, hid_t object, const char *name, hid_t type, int64_t bytes,
                      const void *values)
{
    const char *what = "read an attribute";
    char found[ATTRIBUTE_BYTES];
    if (!rct_h5_has_attribute(call, object, name)) {
        return 0;
    }
    hid_t attribute = RCT_TRY(call, what, H5Aopen(object, name, H5P_DEFAULT));
    int same = RCT_TRY(call, what, (int64_t)H5Aget_storage_size(attribute)) == bytes &&
               bytes <= ATTRIBUTE_BYTES;
    if (same) {
        RCT_TRY(call, what, H5Aread(attribute, type, found));
        same = call->status == RCT_OK && memcmp(found, values, (size_t)bytes) == 0;
    }
    rct_h5_close(call, &attribute);
    return same;
}

int rct_h5_has_text(rct_call *call, hid_t object, const char *name, const char *text)
{
    const int64_t length = (int64_t)strlen(text);
    hid_t type = rct_h5_text_type(call, length > 0 ? length : 1);
    const int same = rct_h5_has_values(call, object, name, type, length > 0 ? length : 1, text);
    rct_h5_close(call, &type);
    return same;
}

/* The type of texts of `size` bytes in memory, in the encoding of the file: HDF5 does not
 * convert encodings. */
static hid_t text_type_like(rct_call *call, hid_t own, int64_t size)
{
    hid_t type = rct_h5_text_type(call, size);
    RCT_TRY(call, "describe a text", H5Tset_cset(type, H5Tget_cset(own)));
    return type;
}

/* The attribute, if it has this many values. */
static hid_t open_attribute(rct_call *call, hid_t object, const char *name, int64_t count)
{
    const char *what = "read an attribute";
    hid_t attribute = RCT_TRY(call, what, H5Aopen(object, name, H5P_DEFAULT));
    hid_t space = RCT_TRY(call, what, H5Aget_space(attribute));
    const int64_t found = RCT_TRY(call, what, H5Sget_simple_extent_npoints(space));
    if (call->status == RCT_OK && found != count) {
        rct_call_fail(call, RCT_ERROR_IO,
                      "is damaged: its attribute %s has %" PRId64 " values, not %" PRId64, name,
                      found, count);
    }
    rct_h5_close(call, &space);
    return attribute;
}

static void get(rct_call *call, hid_t object, const char *name, hid_t type, int64_t count,
                void *values)
{
    hid_t attribute = open_attribute(call, object, name, count);
    RCT_TRY(call, "read an attribute", H5Aread(attribute, type, values));
    rct_h5_close(call, &attribute);
}

void rct_h5_get_values(rct_call *call, hid_t object, const char *name, hid_t type, void *values)
{
    get(call, object, name, type, 1, values);
}

void rct_h5_get_vector(rct_call *call, hid_t object, const char *name, int64_t count,
                       double *vector)
{
    get(call, object, name, H5T_NATIVE_DOUBLE, count, vector);
}

/* Other programs write texts of variable length. */
static void get_variable(rct_call *call, hid_t attribute, hid_t type, int64_t size, char *text)
{
    char *found = NULL;
    RCT_TRY(call, "read an attribute", H5Aread(attribute, type, &found));
    if (call->status == RCT_OK && found != NULL) {
        strncpy(text, found, (size_t)size - 1);
        H5free_memory(found);
    }
}

void rct_h5_get_text(rct_call *call, hid_t object, const char *name, int64_t size, char *text)
{
    hid_t attribute = open_attribute(call, object, name, 1);
    hid_t own = RCT_TRY(call, "read an attribute", H5Aget_type(attribute));
    memset(text, 0, (size_t)size);
    if (RCT_TRY(call, "read an attribute", H5Tis_variable_str(own)) > 0) {
        get_variable(call, attribute, own, size, text);
    } else {
        hid_t type = text_type_like(call, own, size - 1);
        RCT_TRY(call, "read an attribute", H5Aread(attribute, type, text));
        rct_h5_close(call, &type);
    }
    rct_h5_close(call, &own);
    rct_h5_close(call, &attribute);
}

char *rct_h5_get_rows(rct_call *call, hid_t dataset, int64_t first, int64_t count, int64_t *size)
{
    const rct_table narrow = {.rank = 1};
    hid_t own = rct_h5_type(call, dataset);
    if (RCT_TRY(call, "read texts", H5Tis_variable_str(own)) > 0) {
        rct_call_fail(call, RCT_ERROR_IO,
                      "holds texts of variable length; give texts of fixed length");
    }
    *size = RCT_TRY(call, "read numbers", (int64_t)H5Tget_size(own)) + 1;
    char *texts = rct_call_allocate(call, count, *size, "texts of a file");
    hid_t type = text_type_like(call, own, *size);
    if (first < 0) {
        rct_h5_read(call, dataset, type, texts);
    } else {
        rct_h5_read_block(call, dataset, type, &narrow, first, count, texts);
    }
    for (int64_t i = 0; i < count && texts != NULL; i++) {
        texts[(i + 1) * *size - 1] = '\0';
    }
    rct_h5_close(call, &type);
    rct_h5_close(call, &own);
    return texts;
}

char *rct_h5_get_texts(rct_call *call, hid_t parent, const char *name, int64_t count, int64_t *size)
{
    hid_t dataset = rct_h5_open_dataset(call, parent, name);
    char *texts = rct_h5_get_rows(call, dataset, -1, count, size);
    rct_h5_close(call, &dataset);
    return texts;
}
