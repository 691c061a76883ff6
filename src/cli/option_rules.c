/* The options of all commands. */
#include "option_rules.h"

#include <stdlib.h>

static const char *const methods[] = {"abi", "riccati", NULL};

/* As rct_reference counts them. */
#define REFERENCES                                                                                 \
    "lagrange", "transfer", "spatial", "dense", "forces", "mixed", "spins", "augmented",           \
        "barycentres", "directions", "torques", "angles", "semi-recursive-1", "semi-recursive-2"

static const char *const any_methods[] = {"abi", "riccati", REFERENCES, NULL};
static const char *const references[] = {REFERENCES, "none", "all", NULL};
static const char *const formats[] = {"urdf", "mjcf", NULL};
static const char *const junctions[] = {"auto", "host", "device", NULL};
static const char *const closings[] = {"admittance", "embedding", "multipliers", "qr", "svd", NULL};
static const char *const drifts[] = {"project", "baumgarte", "none", NULL};
static const char *const lanes[] = {"0", "1", "2", "4", "8", NULL};

enum { MOST_THREADS = 1024 };

#define FIELD(name) .field = offsetof(cli_arguments, name)

static const cli_option_rule rules[CLI_OPTIONS] = {
    [CLI_BODIES] = {{"--bodies", "N", "bodies of a FAMILY (default 100)"},
                    KIND_COUNT,
                    FIELD(bodies),
                    .least = 1},
    [CLI_SYSTEMS] = {{"--systems", "N", "so many systems of a FAMILY, seed by seed (default 1)"},
                     KIND_COUNT,
                     FIELD(systems),
                     .least = 1},
    [CLI_HINGE] = {{"--hinge", "NAME", "hinges of a FAMILY: ball (default), fixed, revolute, ..."},
                   KIND_HINGE,
                   FIELD(hinge)},
    [CLI_SEED] = {{"--seed", "N", "seed of the family random and of --perturb (default 1)"},
                  KIND_COUNT,
                  FIELD(seed)},
    [CLI_PERTURB] = {{"--perturb", "P", "turn a FAMILY's bodies by up to P rad, spin by P rad/s"},
                     KIND_REAL,
                     FIELD(perturb)},
    [CLI_METHOD] = {{"--method", "abi|riccati", "elimination method (default abi)"},
                    KIND_CHOICE,
                    FIELD(method),
                    .choices = methods},
    [CLI_ANY_METHOD] = {{"--method", "NAME",
                         "abi (default), riccati or a reference: lagrange, transfer, ..."},
                        KIND_CHOICE,
                        FIELD(method),
                        .choices = any_methods},
    [CLI_BACKEND] = {{"--backend", "NAME", "auto (default) or one that `backends` lists"},
                     KIND_TEXT,
                     FIELD(backend)},
    [CLI_THREADS] = {{"--threads", "N", "threads to compute with; 0: as many as pay (default)"},
                     KIND_COUNT,
                     FIELD(threads),
                     .most = MOST_THREADS},
    [CLI_LANES] = {{"--lanes", "0|1|2|4|8", "links a thread sweeps at once; 0: the most (default)"},
                   KIND_CHOICE,
                   FIELD(lanes),
                   .choices = lanes},
    [CLI_JUNCTION] = {{"--junction", "auto|host|device", "what an accelerator solves the trunk on"},
                      KIND_CHOICE,
                      FIELD(junction),
                      .choices = junctions},
    [CLI_SEGMENT] = {{"--segment", "L",
                      "links a segment; 0: the serial sweep; whole: none; auto (default)"},
                     KIND_SEGMENT,
                     FIELD(segment)},
    [CLI_CLOSING] =
        {{"--closing", "NAME",
          "how loops are closed: admittance (default), embedding, multipliers, qr, svd"},
         KIND_CHOICE,
         FIELD(closing),
         .choices = closings},
    [CLI_DRIFT] = {{"--drift", "NAME",
                    "what keeps loops closed: project (default), baumgarte, none"},
                   KIND_CHOICE,
                   FIELD(drift),
                   .choices = drifts},
    [CLI_BAUMGARTE] = {{"--baumgarte", "A,B", "alpha and beta of --drift baumgarte in 1/s (10,10)"},
                       KIND_PAIR,
                       FIELD(baumgarte)},
    [CLI_AS_GIVEN] = {{"--as-given", NULL, "take the initial state as it is, with loops open"},
                      .kind = KIND_FLAG},
    [CLI_T_END] = {{"--t-end", "S", "simulated time in seconds (default 1)"},
                   KIND_POSITIVE,
                   FIELD(t_end)},
    [CLI_DT] = {{"--dt", "S", "time step in seconds (default 1e-3)"}, KIND_POSITIVE, FIELD(dt)},
    [CLI_FRAMES] = {{"--frames", "N", "states measured, first and last included (about 100)"},
                    KIND_COUNT,
                    FIELD(frames),
                    .least = 2},
    [CLI_OUT_FRAMES] = {{"--out", "FILE.h5", "record the frames into an HDF5 file"},
                        KIND_TEXT,
                        FIELD(out)},
    [CLI_OUT_MODEL] = {{"--out", "FILE.json", "write to this file; - is standard output (default)"},
                       KIND_TEXT,
                       FIELD(out)},
    [CLI_OUT_MOVED] = {{"--out", "FILE.h5", "where the recording lies now, if it was moved"},
                       KIND_TEXT,
                       FIELD(out)},
    [CLI_CHECKPOINT] = {{"--checkpoint", "FILE", "keep in this file what `resume` goes on from"},
                        KIND_TEXT,
                        FIELD(checkpoint)},
    [CLI_CHECKPOINT_EVERY] = {{"--checkpoint-every", "N|Ts",
                               "after N steps, or T seconds by the clock (default 60s)"},
                              KIND_INTERVAL,
                              FIELD(checkpoint_every)},
    [CLI_OVERWRITE] = {{"--overwrite", NULL, "replace the file if it exists"}, .kind = KIND_FLAG},
    [CLI_REFERENCE] = {{"--reference", "NAME",
                        "one of the references, none or all: what to compare with"},
                       KIND_CHOICE,
                       FIELD(reference),
                       .choices = references},
    [CLI_REPEAT] = {{"--repeat", "N", "timed evaluations of a method (default 5)"},
                    KIND_COUNT,
                    FIELD(repeat),
                    .least = 1},
    [CLI_JSON] = {{"--json", NULL, "results as JSON"}, .kind = KIND_FLAG},
    [CLI_CSV] = {{"--csv", NULL, "results as comma-separated values"}, .kind = KIND_FLAG},
    [CLI_FORMAT] = {{"--format", "urdf|mjcf", "what the file is (default: by its root element)"},
                    KIND_CHOICE,
                    FIELD(format),
                    .choices = formats},
    [CLI_FLOATING_ROOT] = {{"--floating-root", NULL, "URDF: the root link is free, not fixed"},
                           .kind = KIND_FLAG},
    [CLI_MEMBERS] = {{"--members", "N", "members (default: as many as the grids have points)"},
                     KIND_COUNT,
                     FIELD(members),
                     .least = 1},
    [CLI_VARY] = {{"--vary", "PATH=...",
                   "FROM:TO:COUNT, normal:MEAN:SD or uniform:LOW:HIGH; again for more"},
                  KIND_TEXTS,
                  FIELD(vary)},
    [CLI_MEMBERS_SEED] = {{"--seed", "N", "seed of what is drawn (default 1)"},
                          KIND_COUNT,
                          FIELD(seed)},
    [CLI_MEMBERS_PERTURB] = {{"--perturb", "P", "turn bodies by up to P rad, spin by P rad/s"},
                             KIND_REAL,
                             FIELD(perturb)},
    [CLI_SWEEP] = {{"--sweep", "FILE.json", "all this from a sweep file"}, KIND_TEXT, FIELD(sweep)},
    [CLI_SERIES] = {{"--series", "N", "frames of each member, first and last included"},
                    KIND_COUNT,
                    FIELD(series),
                    .least = 2},
    [CLI_TRACK] = {{"--track", "NAME", "a body whose path the series hold; again for more"},
                   KIND_TEXTS,
                   FIELD(track)},
    [CLI_ONLY] = {{"--only", "K", "member K alone, with the bits it has among the others"},
                  KIND_COUNT,
                  FIELD(only)},
    [CLI_BATCH] = {{"--batch", "N", "members swept side by side (default: by the caches)"},
                   KIND_COUNT,
                   FIELD(batch),
                   .most = 1 << 20},
    [CLI_OUT_MEMBERS] = {{"--out", "FILE.h5", "write the results of all members into an HDF5 file"},
                         KIND_TEXT,
                         FIELD(out)},
    [CLI_GO_ON] = {{"--resume", NULL, "go on with --out, if it is there: run what is missing"},
                   .kind = KIND_FLAG},
    [CLI_IGNORE_UNSUPPORTED] = {{"--ignore-unsupported", NULL,
                                 "go on without what is not supported"},
                                .kind = KIND_FLAG},
};

const cli_option_rule *cli_rule_at(cli_option_id id)
{
    return &rules[id];
}

const cli_option *cli_option_at(cli_option_id id)
{
    return &rules[id].option;
}

int32_t cli_lanes(const cli_arguments *arguments)
{
    return (int32_t)strtol(lanes[arguments->lanes], NULL, 10);
}
