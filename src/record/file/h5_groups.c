/* Groups and their content (h5.h). */
#include "record/file/h5.h"

hid_t rct_h5_open_group(rct_call *call, hid_t parent, const char *name)
{
    return RCT_TRY(call, "open a group", H5Gopen2(parent, name, H5P_DEFAULT));
}

hid_t rct_h5_create_group(rct_call *call, hid_t parent, const char *name)
{
    return RCT_TRY(call, "create a group",
                   H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
}

int rct_h5_has(rct_call *call, hid_t file, const char *name)
{
    return RCT_TRY(call, "look for a dataset", H5Lexists(file, name, H5P_DEFAULT)) > 0;
}

int rct_h5_has_group(rct_call *call, hid_t file, const char *name)
{
    int is = 0;
    if (rct_h5_has(call, file, name)) {
        hid_t object = RCT_TRY(call, "open a group", H5Oopen(file, name, H5P_DEFAULT));
        is = H5Iget_type(object) == H5I_GROUP;
        rct_h5_close(call, &object);
    }
    return is;
}

int rct_h5_link_name(rct_call *call, hid_t group, int64_t number, char name[RCT_H5_NAME])
{
    H5G_info_t info = {.nlinks = 0};
    RCT_TRY(call, "list a group", H5Gget_info(group, &info));
    if (call->status != RCT_OK || number >= (int64_t)info.nlinks) {
        return 0;
    }
    return RCT_TRY(call, "list a group",
                   (int64_t)H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC,
                                               (hsize_t)number, name, RCT_H5_NAME, H5P_DEFAULT)) >=
           0;
}
