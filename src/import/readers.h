/* The readers of formats: a tree of elements in, parts and gravity out. */
#ifndef RCT_IMPORT_READERS_H
#define RCT_IMPORT_READERS_H

#include "import/parts.h"

/* `model` gets gravity, `parts` the bodies; source->root is the root element. */
rct_status rct_urdf_read(rct_model *model, rct_parts *parts, rct_source *source);
rct_status rct_mjcf_read(rct_model *model, rct_parts *parts, rct_source *source);

#endif
