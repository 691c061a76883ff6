/* URDF: links and joints in the order of the file, joined to a tree by their names. */
#ifndef RCT_IMPORT_URDF_H
#define RCT_IMPORT_URDF_H

#include "import/parts.h"

typedef struct rct_urdf_joint {
    const rct_xml_element *element;
    int32_t child, next; /* the link it carries; the next joint of the same parent, or -1 */
    rct_part part;       /* hinge and place, without mass                                 */
} rct_urdf_joint;

typedef struct rct_urdf_link {
    const rct_xml_element *element;
    rct_mass mass;
    int32_t joint;       /* the joint that carries it, or -1          */
    int32_t first, last; /* the joints by which it carries others, or -1 */
    int32_t parent;      /* link, or -1                               */
    int32_t part;        /* number it gets                            */
} rct_urdf_link;

typedef struct rct_urdf {
    rct_source *source;
    rct_urdf_link *link;     /* [links] in the order of the file */
    rct_urdf_joint *joint;   /* [joints]                         */
    struct rct_names *names; /* of links (model/names.h)       */
    int32_t links, joints;
    int32_t root;
} rct_urdf;

/* Read the content of <link>, and of <joint>, each alone. */
rct_mass rct_urdf_read_link(const rct_xml_element *link);
rct_part rct_urdf_read_joint(const rct_xml_element *joint);

/* Read the shapes of the link of that part: the primitives of its <visual>. */
void rct_urdf_read_visuals(rct_parts *parts, int32_t part, const rct_xml_element *link);

#endif
