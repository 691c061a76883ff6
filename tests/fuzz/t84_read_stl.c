/* STL meshes of any bytes, from which a body of an MJCF file takes its mass, are refused with a
 * message, or give a model that meets its requirements. */
#include "tests/fuzz/imports.h"

#include <string.h>

enum { HEAD = 80, ROW = 50, CORNERS = 12, MOST = 20 };

/* A tetrahedron, and triangles of any corners. */
static void make(fuzz_take *take, void *context)
{
    static const float corner[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const int face[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    for (uint32_t count = 4; count <= MOST; count += 4) {
        uint8_t bytes[HEAD + 4 + MOST * ROW] = "made by a test";
        memcpy(bytes + HEAD, &count, sizeof count);
        for (uint32_t i = 0; i < count; i++) {
            uint8_t *row = bytes + HEAD + 4 + i * ROW + CORNERS;
            for (int k = 0; k < 3; k++, row += sizeof *corner) {
                float at[3];
                for (int x = 0; x < 3; x++) {
                    at[x] = corner[face[i % 4][k]][x] * (float)(1 + i / 4);
                }
                memcpy(row, at, sizeof at);
            }
        }
        take(context, bytes, HEAD + 4 + count * ROW);
    }
}

const fuzz_target fuzz_this = {.name = "stl", .accepted = 100, .make = make};

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char model[] =
        "<mujoco><asset><mesh name='a' file='m.stl'/><mesh name='b' file='m.stl' inertia='exact'/>"
        "</asset><worldbody><body><joint/><geom type='mesh' mesh='a'/><body><joint/>"
        "<geom type='mesh' mesh='b' mass='2'/></body></body></worldbody></mujoco>";
    fuzz_file("m.stl", bytes, size);
    fuzz_import_file(fuzz_file("m.xml", (const uint8_t *)model, sizeof model - 1));
    return 0;
}
