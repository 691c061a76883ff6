/* Cutting the tree into segments, tasks and trunk (partition.h). */
#include "topology/partition.h"

#include "core/memory.h"

#include <string.h>

/* Segment lengths of the automatic choice: below SERIAL_LINKS links the serial sweep is faster; then
 * FEW segments, enough for the lanes and threads of a small machine, until they are LONG. Measured in
 * docs/decisions.md. */
enum { SERIAL_LINKS = 128, FEW = 16, LONG = 192, TASK_LEAST = 256, TASK_SHARE = 32 };

/* What the cutting needs of each link; freed when the partition stands. */
typedef struct cutting {
    const rct_links *links;
    int32_t length;   /* L                                                                       */
    int whole;        /* leave runs whole                                                        */
    int32_t *size;    /* [links] links in the subtree                                            */
    int32_t *segment; /* [links] segment of the link, or -1                                      */
    int32_t *node;    /* [links] node of a serial link or of a segment's first link, else -1     */
} cutting;

static int32_t choose_length(int32_t links, int64_t asked)
{
    if (asked >= 0) {
        return asked < links ? (int32_t)asked : links;
    }
    if (links < SERIAL_LINKS) {
        return 0;
    }
    return links / FEW < LONG ? links / FEW : LONG;
}

static void measure_sizes(const cutting *cut)
{
    for (int32_t i = cut->links->count - 1; i >= 0; i--) {
        cut->size[i]++;
        if (cut->links->parent[i] >= 0) {
            cut->size[cut->links->parent[i]] += cut->size[i];
        }
    }
}

/* A link with a side subtree too large to rake. */
static int is_junction(const cutting *cut, int32_t i)
{
    const rct_links *links = cut->links;
    for (int32_t k = links->child_begin[i] + 1; k < links->child_begin[i + 1]; k++) {
        if (cut->size[links->child[k]] >= cut->length) {
            return 1;
        }
    }
    return 0;
}

/* How many segments a run of `length` links becomes: a multiple of FEW when there are many, so that
 * lanes and threads share them evenly. */
static int32_t segments_of_run(const cutting *cut, int32_t length)
{
    if (2 * (int64_t)length < cut->length) {
        return 0; /* too short to be worth a lane */
    }
    if (cut->whole) {
        return 1;
    }
    int32_t count = (length + cut->length - 1) / cut->length;
    if (count > FEW) {
        count = (count + FEW - 1) / FEW * FEW;
    }
    return count < length ? count : length;
}

/* Cut the run [first, first + length) into segments whose lengths differ by one at most. */
static void cut_run(const cutting *cut, rct_partition *p, int32_t first, int32_t length)
{
    const int32_t count = segments_of_run(cut, length);
    for (int32_t k = 0; k < count; k++) {
        const int32_t begin = first + (int32_t)((int64_t)length * k / count);
        const int32_t end = first + (int32_t)((int64_t)length * (k + 1) / count);
        if (p->segments != NULL) {
            p->segments[p->segment_count] = (rct_segment){begin, end - begin, -1};
        }
        for (int32_t i = begin; i < end; i++) {
            cut->segment[i] = p->segment_count;
        }
        p->segment_count++;
    }
}

/* Walk the paths; cut the runs between junctions of those that are not raked. */
static void cut_paths(const cutting *cut, rct_partition *p)
{
    const rct_links *links = cut->links;
    p->segment_count = 0;
    int32_t i = 0;
    while (i < links->count) {
        const int raked = cut->size[i] < cut->length;
        int32_t run = i;
        int32_t end = i;
        do { /* the path that starts at i */
            if (is_junction(cut, end)) {
                if (!raked) {
                    cut_run(cut, p, run, end - run);
                }
                run = end + 1;
            }
            end++;
        } while (end < links->count && links->parent[end] == end - 1);
        if (!raked) {
            cut_run(cut, p, run, end - run);
        }
        i = end;
    }
}

/* Lanes gain on segments and lose a little on what is raked onto them: on a comb, half of it, nothing
 * is gained. Fewer segments than lanes leave lanes empty. */
static int worth_it(const cutting *cut, const rct_partition *p)
{
    int64_t inside = 0;
    for (int32_t i = 0; i < cut->links->count; i++) {
        inside += cut->segment[i] >= 0;
    }
    return p->segment_count >= FEW / 2 && 3 * inside >= 2 * (int64_t)cut->links->count;
}

static void forget_segments(const cutting *cut, rct_partition *p)
{
    p->segment_count = 0;
    for (int32_t i = 0; i < cut->links->count; i++) {
        cut->segment[i] = -1;
    }
}

static int32_t number_nodes(const cutting *cut)
{
    int32_t count = 0;
    for (int32_t i = 0; i < cut->links->count; i++) {
        const int32_t s = cut->segment[i];
        const int inside = s >= 0 && i > 0 && cut->segment[i - 1] == s;
        cut->node[i] = inside ? -1 : count++;
    }
    return count;
}

static rct_status allocate_reduced(rct_partition *p, int32_t nodes, rct_error *error)
{
    const char *what = "the reduced tree";
    p->label = rct_allocate(nodes, sizeof *p->label, what, error);
    p->segment = rct_allocate(nodes, sizeof *p->segment, what, error);
    p->parent = rct_allocate(nodes, sizeof *p->parent, what, error);
    p->child_begin = rct_allocate((int64_t)nodes + 1, sizeof *p->child_begin, what, error);
    p->child = rct_allocate(nodes, sizeof *p->child, what, error);
    p->sweep_records = rct_allocate(nodes, LINK_FIELDS * (int64_t)sizeof(double), what, error);
    p->inertia_records =
        rct_allocate(nodes, LINK_INERTIA_FIELDS * (int64_t)sizeof(double), what, error);
    p->tasks = rct_allocate(nodes, sizeof *p->tasks, what, error);
    p->trunk = rct_allocate(nodes, sizeof *p->trunk, what, error);
    const int whole = p->label != NULL && p->segment != NULL && p->parent != NULL &&
                      p->child_begin != NULL && p->child != NULL && p->sweep_records != NULL &&
                      p->inertia_records != NULL && p->tasks != NULL && p->trunk != NULL;
    return whole ? RCT_OK : RCT_ERROR_MEMORY;
}

/* The node of the link that link i hangs on: -1 for the ground, and beside a segment. */
static int32_t parent_node(const cutting *cut, const rct_partition *p, int32_t i)
{
    const int32_t up = cut->links->parent[i];
    if (up < 0 || cut->segment[up] < 0) {
        return up < 0 ? -1 : cut->node[up];
    }
    const rct_segment *segment = &p->segments[cut->segment[up]];
    const int on_path = i == up + 1 && i == segment->first + segment->length;
    return on_path ? segment->node : -1;
}

static void write_nodes(const cutting *cut, rct_partition *p, int32_t nodes)
{
    const rct_links *links = cut->links;
    for (int32_t i = 0; i < links->count; i++) {
        const int32_t n = cut->node[i];
        if (n >= 0) {
            const int32_t s = cut->segment[i];
            p->label[n] = i;
            p->segment[n] = s;
            if (s >= 0) {
                p->segments[s].node = n;
            }
            p->parent[n] = parent_node(cut, p, i);
            memcpy(p->sweep_records + (int64_t)n * LINK_FIELDS,
                   links->sweep + (int64_t)i * LINK_FIELDS, LINK_FIELDS * sizeof(double));
            memcpy(p->inertia_records + (int64_t)n * LINK_INERTIA_FIELDS,
                   links->inertia + (int64_t)i * LINK_INERTIA_FIELDS,
                   LINK_INERTIA_FIELDS * sizeof(double));
            p->child_begin[n + 1] = 0;
        }
    }
    for (int32_t n = 0; n < nodes; n++) {
        if (p->parent[n] >= 0) {
            p->child_begin[p->parent[n] + 1]++;
        }
    }
    for (int32_t n = 0; n < nodes; n++) {
        p->child_begin[n + 1] += p->child_begin[n];
    }
}

/* Children in label order: the order does not matter to a sum's value, only that it is fixed. */
static rct_status write_children(rct_partition *p, int32_t nodes, rct_error *error)
{
    int32_t *next = rct_allocate(nodes, sizeof *next, "the reduced tree", error);
    if (next == NULL) {
        return RCT_ERROR_MEMORY;
    }
    for (int32_t n = 0; n < nodes; n++) {
        next[n] = p->child_begin[n];
    }
    for (int32_t n = 0; n < nodes; n++) {
        if (p->parent[n] >= 0) {
            p->child[next[p->parent[n]]++] = n;
        }
    }
    rct_release(next);
    return RCT_OK;
}

/* Lengthen the last stretch by node n, or begin another. */
static void add_to_trunk(rct_partition *p, int32_t n)
{
    rct_stretch *last = p->trunk_count > 0 ? &p->trunk[p->trunk_count - 1] : NULL;
    const int32_t up = p->parent[n];
    const int links = p->segment[n] < 0 && up >= 0 && p->segment[up] < 0;
    if (links && last != NULL && last->first + last->count == n && p->segment[last->first] < 0) {
        last->count++;
    } else {
        p->trunk[p->trunk_count++] = (rct_stretch){n, 1};
    }
    p->trunk_nodes++;
}

/* Serial subtrees of at most `most` links are tasks; a subtree with a segment in it has a node for
 * fewer than each of its links. Everything else is trunk. */
static rct_status write_tasks(const cutting *cut, rct_partition *p, int32_t nodes, rct_error *error)
{
    const int32_t share = cut->links->count / TASK_SHARE;
    const int32_t least = cut->length > TASK_LEAST ? cut->length : TASK_LEAST; /* rakes are tasks */
    const int32_t most = share > least ? share : least;
    int32_t *count =
        rct_allocate(nodes, sizeof *count, "the reduced tree", error); /* 0: not serial */
    if (count == NULL) {
        return RCT_ERROR_MEMORY;
    }
    for (int32_t n = nodes - 1; n >= 0; n--) {
        int32_t sum = p->segment[n] < 0;
        for (int32_t k = p->child_begin[n]; k < p->child_begin[n + 1] && sum > 0; k++) {
            const int32_t below = count[p->child[k]];
            sum = below > 0 ? sum + below : 0;
        }
        count[n] = sum;
    }
    int32_t n = 0;
    while (n < nodes) {
        if (count[n] > 0 && count[n] <= most) {
            const int32_t up = cut->links->parent[p->label[n]];
            const int beside = up >= 0 && cut->segment[up] >= 0 && p->parent[n] < 0;
            p->tasks[p->task_count++] = (rct_task){n, count[n], beside ? up : -1};
            n += count[n];
        } else {
            add_to_trunk(p, n++);
        }
    }
    rct_release(count);
    return RCT_OK;
}

static rct_status reduce(const cutting *cut, rct_partition *p, rct_error *error)
{
    const int32_t nodes = number_nodes(cut);
    rct_status status = allocate_reduced(p, nodes, error);
    if (status == RCT_OK) {
        write_nodes(cut, p, nodes);
        status = write_children(p, nodes, error);
    }
    if (status == RCT_OK) {
        p->reduced = *cut->links;
        p->reduced.count = nodes;
        p->reduced.parent = p->parent;
        p->reduced.child_begin = p->child_begin;
        p->reduced.child = p->child;
        p->reduced.sweep = p->sweep_records;
        p->reduced.inertia = p->inertia_records;
        status = write_tasks(cut, p, nodes, error);
    }
    return status;
}

static rct_status build(const rct_plan *plan, rct_partition *p, int64_t length, int whole,
                        rct_error *error)
{
    const int32_t n = plan->links.count;
    cutting cut = {.links = &plan->links, .length = choose_length(n, length), .whole = whole};
    cut.size = rct_allocate(n, sizeof *cut.size, "the partition", error);
    cut.segment = rct_allocate(n, sizeof *cut.segment, "the partition", error);
    cut.node = rct_allocate(n, sizeof *cut.node, "the partition", error);
    rct_status status = RCT_ERROR_MEMORY;
    if (cut.size != NULL && cut.segment != NULL && cut.node != NULL) {
        status = RCT_OK;
        measure_sizes(&cut);
        for (int32_t i = 0; i < n; i++) {
            cut.segment[i] = -1;
        }
        if (cut.length > 0) {
            cut_paths(&cut, p); /* counts them */
            if (length == SEGMENT_AUTO && !worth_it(&cut, p)) {
                cut.length = 0;
                forget_segments(&cut, p);
            }
            p->segments =
                rct_allocate(p->segment_count, sizeof *p->segments, "the segments", error);
            status = p->segments == NULL ? RCT_ERROR_MEMORY : RCT_OK;
        }
        if (status == RCT_OK && cut.length > 0) {
            cut_paths(&cut, p);
        }
    }
    p->length = cut.length;
    if (status == RCT_OK) {
        status = reduce(&cut, p, error);
    }
    rct_release(cut.size);
    rct_release(cut.segment);
    rct_release(cut.node);
    return status;
}

static rct_partition *create(const rct_plan *plan, int64_t length, int whole, rct_error *error)
{
    rct_partition *p = rct_allocate(1, sizeof *p, "a partition", error);
    if (p != NULL && build(plan, p, length, whole, error) != RCT_OK) {
        rct_partition_free(p);
        p = NULL;
    }
    return p;
}

rct_partition *rct_partition_create(const rct_plan *plan, int64_t length, rct_error *error)
{
    return create(plan, length, 0, error);
}

rct_partition *rct_partition_create_whole(const rct_plan *plan, int64_t length, rct_error *error)
{
    return create(plan, length, 1, error);
}

void rct_partition_free(rct_partition *p)
{
    if (p != NULL) {
        rct_release(p->segments);
        rct_release(p->label);
        rct_release(p->segment);
        rct_release(p->parent);
        rct_release(p->child_begin);
        rct_release(p->child);
        rct_release(p->sweep_records);
        rct_release(p->inertia_records);
        rct_release(p->tasks);
        rct_release(p->trunk);
        rct_release(p);
    }
}

int64_t rct_partition_bytes(const rct_partition *p)
{
    const int64_t node = 5 * (int64_t)sizeof(int32_t) + (int64_t)sizeof(rct_task) +
                         (int64_t)sizeof(rct_stretch) + LINK_FIELDS * (int64_t)sizeof(double);
    return (int64_t)sizeof *p + p->segment_count * (int64_t)sizeof *p->segments +
           p->reduced.count * node;
}
