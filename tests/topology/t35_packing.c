/* The packing of segments into tiles of 1, 2, 4 and 8 lanes: every number of every link has an address of
 * its own, constants are those of the plan, padding is neutral, slots are where subtrees hang. */
#include "tests/support/cmocka_all.h"

#include "tests/support/systems/odd_tree.h"
#include "tests/support/systems/random_system.h"
#include "tests/support/systems/tree_families.h"
#include "topology/packing.h"

#include <stdlib.h>
#include <string.h>

/* Every segment has one lane of one tile, and every lane one segment or none; a tile has as many steps as
 * its longest segment. */
static void check_lanes(const rct_packing *k)
{
    const rct_partition *p = k->partition;
    const rct_tiles *t = &k->tiles;
    int32_t placed = 0, most = 0;
    assert_int_equal(t->count, (p->segment_count + k->lanes - 1) / k->lanes);
    assert_int_equal(t->first_step[0], 0);
    assert_int_equal(t->steps, t->first_step[t->count]);
    for (int32_t tile = 0; tile < t->count; tile++) {
        const int64_t steps = t->first_step[tile + 1] - t->first_step[tile];
        int32_t longest = 0;
        for (int32_t lane = 0; lane < k->lanes; lane++) {
            const int32_t s = k->lane_segment[(int64_t)tile * k->lanes + lane];
            if (s >= 0) {
                assert_in_range(s, 0, p->segment_count - 1);
                assert_int_equal(k->tile_of[s], tile);
                assert_int_equal(k->at[s], t->first_step[tile] * k->lanes + lane);
                longest = p->segments[s].length > longest ? p->segments[s].length : longest;
                placed++;
            }
        }
        assert_int_equal(steps, longest);
        most = longest > most ? longest : most;
    }
    assert_int_equal(placed, p->segment_count);
    assert_int_equal(t->most_steps, most);
}

static void take(char *taken, int64_t room, int64_t at)
{
    assert_true(at >= 0 && at < room);
    assert_int_equal(taken[at], 0);
    taken[at] = 1;
}

/* No two numbers share an address; what no link has is padding. */
static void check_addresses(const rct_packing *k)
{
    const int64_t room = k->tiles.steps * STATE_FIELDS * k->lanes;
    const int64_t ends = (int64_t)k->tiles.count * END_FIELDS * k->lanes;
    char *taken = calloc((size_t)(room + ends) + 1, 1);
    assert_non_null(taken);
    int64_t numbers = 0;
    for (int32_t s = 0; s < k->partition->segment_count; s++) {
        for (int32_t i = 0; i < k->partition->segments[s].length; i++) {
            const int64_t at = rct_packing_address(k, s, i, STATE_FIELDS);
            for (int64_t f = 0; f < STATE_FIELDS; f++) {
                take(taken, room, at + f * k->lanes);
                numbers++;
            }
        }
        for (int64_t f = 0; f < END_FIELDS; f++) { /* what a tile holds once a segment */
            take(taken + room, ends, rct_packing_tile_address(k, s, END_FIELDS) + f * k->lanes);
        }
    }
    assert_int_equal(room - numbers, k->padding * STATE_FIELDS);
    free(taken);
}

/* What lane `lane` of step `step` of a tile should have for constants. */
static void expected_record(const rct_packing *k, int32_t tile, int64_t step, int32_t lane,
                            double record[TILE_LINK_FIELDS])
{
    const rct_links *links = &k->plan->links;
    const int32_t s = k->lane_segment[(int64_t)tile * k->lanes + lane];
    memset(record, 0, TILE_LINK_FIELDS * sizeof *record);
    if (s < 0 || step >= k->partition->segments[s].length) {
        record[LINK_INERTIA] = record[LINK_INERTIA + 1] = record[LINK_INERTIA + 2] = 1.0;
        return;
    }
    const int64_t i = k->partition->segments[s].first + step;
    const double *sweep = links->sweep + i * LINK_FIELDS;
    const double *inertia = k->about_com
                                ? links->inertia + i * LINK_INERTIA_FIELDS + LINK_COM_INERTIA
                                : sweep + LINK_INERTIA;
    record[LINK_MASS] = sweep[LINK_MASS];
    for (int a = 0; a < 6; a++) {
        record[LINK_INERTIA + a] = inertia[a];
    }
    for (int a = 0; a < 3; a++) {
        record[LINK_COM + a] = sweep[LINK_COM + a];
        if (links->child_begin[i] < links->child_begin[i + 1]) { /* the next link of the path */
            record[TILE_OUT + a] = sweep[LINK_FIELDS + LINK_AT + a];
        }
    }
}

/* The constants as a kernel reads them. */
static void check_constants(const rct_packing *k)
{
    const rct_tiles *t = &k->tiles;
    const int64_t lanes = k->lanes;
    for (int32_t tile = 0; tile < t->count; tile++) {
        for (int64_t g = t->first_step[tile]; g < t->first_step[tile + 1]; g++) {
            double record[TILE_LINK_FIELDS], first[TILE_LINK_FIELDS];
            const int64_t r = t->record[g];
            int alike = 1;
            assert_true(r < k->constants.shared_count && ~r < k->constants.wide_count);
            for (int32_t lane = 0; lane < k->lanes; lane++) {
                expected_record(k, tile, g - t->first_step[tile], lane, record);
                for (int64_t f = 0; f < TILE_LINK_FIELDS; f++) {
                    const double *is = r >= 0
                                           ? &t->shared[r * TILE_LINK_FIELDS + f]
                                           : &t->wide[(~r * TILE_LINK_FIELDS + f) * lanes + lane];
                    assert_memory_equal(is, &record[f], sizeof *is);
                }
                if (lane == 0) {
                    memcpy(first, record, sizeof first);
                }
                alike = alike && memcmp(first, record, sizeof first) == 0;
            }
            assert_true(r >= 0 ? alike : !alike || k->constants.shared_count >= 256);
        }
    }
}

/* The next link's mass stands in for what follows a segment. */
static void check_stand_ins(const rct_packing *k)
{
    const rct_links *links = &k->plan->links;
    for (int64_t lane = 0; lane < (int64_t)k->tiles.count * k->lanes; lane++) {
        const int32_t s = k->lane_segment[lane];
        double mass = 0.0;
        if (s >= 0) {
            const int64_t last = k->partition->segments[s].first + k->partition->segments[s].length;
            if (links->child_begin[last - 1] < links->child_begin[last]) {
                mass = links->sweep[last * LINK_FIELDS + LINK_MASS];
            }
        }
        assert_true(k->tiles.stand_in[lane] == mass);
    }
}

/* Subtrees beside one link follow one another among those of a tile: the first of them may overwrite. */
static void check_neighbours(const rct_packing *k)
{
    const int32_t tasks = k->partition->task_count;
    int64_t *last = calloc((size_t)k->tiles.count + 1, sizeof *last);
    char *over = calloc((size_t)k->slot_count * (size_t)k->lanes + 1, 1);
    assert_true(last != NULL && over != NULL);
    for (int32_t j = 0; j < tasks; j++) {
        if (k->task_segment[j] >= 0) {
            int64_t *before = &last[k->tile_of[k->task_segment[j]]];
            if (*before != k->task_slot[j] + 1) {
                if (*before > 0) {
                    over[*before - 1] = 1;
                }
                assert_int_equal(over[k->task_slot[j]], 0);
                *before = k->task_slot[j] + 1;
            }
        }
    }
    free(last);
    free(over);
}

/* A step has a slot if something hangs beside one of its links. */
static void check_slots(const rct_packing *k)
{
    const rct_partition *p = k->partition;
    char *used = calloc((size_t)k->tiles.steps + 1, 1);
    char *slots = calloc((size_t)k->slot_count + 1, 1);
    assert_true(used != NULL && slots != NULL);
    for (int32_t j = 0; j < p->task_count; j++) {
        const int32_t beside = p->tasks[j].beside, s = k->task_segment[j];
        assert_int_equal(beside < 0, s < 0);
        assert_int_equal(beside < 0, k->task_slot[j] < 0);
        if (beside >= 0) {
            const int32_t step = beside - p->segments[s].first;
            const int64_t lane = k->at[s] % k->lanes, g = k->at[s] / k->lanes + step;
            double record[TILE_LINK_FIELDS];
            assert_in_range(step, 0, p->segments[s].length - 1);
            assert_int_equal(k->task_slot[j], (int64_t)k->tiles.slot[g] * k->lanes + lane);
            expected_record(k, k->tile_of[s], step, (int32_t)lane, record);
            used[g] = 1;
        }
    }
    for (int64_t g = 0; g < k->tiles.steps; g++) {
        assert_int_equal(k->tiles.slot[g] >= 0, used[g]);
        if (used[g]) {
            assert_in_range(k->tiles.slot[g], 0, k->slot_count - 1);
            assert_int_equal(slots[k->tiles.slot[g]]++, 0);
        }
    }
    for (int32_t i = 0; i < k->slot_count; i++) {
        assert_int_equal(slots[i], 1);
    }
    free(used);
    free(slots);
}

/* All states are neutral, and nothing hangs anywhere yet. */
static void check_start(const rct_packing *k)
{
    for (int64_t i = 0; i < k->tiles.steps * STATE_FIELDS * k->lanes; i++) {
        assert_true(k->tiles.state[i] == (i / k->lanes % STATE_FIELDS == 0 ? 1.0 : 0.0));
    }
    for (int64_t i = 0; i < (int64_t)k->slot_count * SIDE_FIELDS * k->lanes; i++) {
        assert_true(k->tiles.side[i] == 0.0);
    }
    assert_memory_equal(k->tiles.gravity, k->plan->gravity, sizeof k->tiles.gravity);
    assert_true(rct_packing_bytes(k) >= k->tiles.steps * k->lanes * 3 * STATE_FIELDS * 8);
}

/* Takes the model over. */
static void check_model(rct_model *model)
{
    static const int64_t lengths[] = {0, 1, 2, 5, 16, 1000, SEGMENT_AUTO};
    rct_plan *plan = model != NULL ? rct_plan_create(model, NULL) : NULL;
    assert_non_null(plan);
    for (size_t l = 0; l < sizeof lengths / sizeof lengths[0]; l++) {
        rct_partition *p = rct_partition_create(plan, lengths[l], 0, NULL);
        assert_non_null(p);
        for (int32_t lanes = 1; lanes <= 8; lanes *= 2) {
            rct_packing *k = rct_packing_create(plan, p, lanes, lanes == 2 || lanes == 8, NULL);
            assert_non_null(k);
            check_lanes(k);
            check_addresses(k);
            check_constants(k);
            check_stand_ins(k);
            check_slots(k);
            check_neighbours(k);
            check_start(k);
            rct_packing_free(k);
        }
        rct_partition_free(p);
    }
    rct_plan_free(plan);
    rct_model_free(model);
}

static void test_families(void **state)
{
    (void)state;
    for (int f = 0; tree_families[f] != NULL; f++) {
        for (int64_t bodies = 7; bodies <= 3000; bodies *= 6) {
            const rct_family family = {tree_families[f], bodies, RCT_HINGE_BALL, 1, 0.0, 1};
            check_model(rct_model_generate(&family, NULL));
        }
    }
}

/* Chains of bodies that are all different, more than are shared; trees; welds. */
static void test_random_systems(void **state)
{
    (void)state;
    for (int i = 0; i < 48; i++) {
        const random_system system = {.shape = (random_shape)(i % 4),
                                      .bodies = 1 + 13 * i * (1 + i / 8),
                                      .fixed = i % 3 * 0.2,
                                      .shuffled = i % 2,
                                      .seed = (uint64_t)i};
        check_model(random_system_create(&system));
    }
}

static void test_odd_trees(void **state)
{
    (void)state;
    for (int kind = 0; kind < ODD_KINDS; kind++) {
        for (int32_t bodies = 3; bodies <= 3000; bodies = 4 * bodies + 1) {
            check_model(odd_tree_create((odd_tree)kind, bodies, 1));
        }
    }
}

/* Alike bodies are stored once, whatever their number. */
static void test_alike_bodies_are_stored_once(void **state)
{
    (void)state;
    const rct_family family = {"chain", 5000, RCT_HINGE_BALL, 1, 0.0, 1};
    rct_model *model = rct_model_generate(&family, NULL);
    rct_plan *plan = rct_plan_create(model, NULL);
    rct_partition *p = rct_partition_create(plan, 50, 0, NULL);
    rct_packing *k = rct_packing_create(plan, p, 8, 0, NULL);
    assert_int_equal(p->segment_count, 112);     /* 100, made a multiple of 16 */
    assert_true(k->constants.shared_count <= 2); /* the rod, and where all lanes are padding */
    assert_true(k->constants.wide_count <= 2 * k->tiles.count);
    rct_packing_free(k);
    rct_partition_free(p);
    rct_plan_free(plan);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_families),
        cmocka_unit_test(test_random_systems),
        cmocka_unit_test(test_odd_trees),
        cmocka_unit_test(test_alike_bodies_are_stored_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
