/* The options of all commands, one in each row: OPTION(id, name, word for its value or NULL, the
 * rule of the value and its field in cli_arguments, a line of help). Files that make something
 * of each row include this list (cli.h, options.c). */
OPTION(BODIES, "--bodies", "N", COUNT(bodies, 1, 0), "bodies of a FAMILY (default 100)")
OPTION(SYSTEMS, "--systems", "N", COUNT(systems, 1, 0),
       "systems of a FAMILY side by side in one model, each with the next seed (default 1)")
OPTION(HINGE, "--hinge", "NAME", VALUE(hinge, hinge),
       "hinge type of a FAMILY: ball (default), fixed, revolute, ...")
OPTION(SEED, "--seed", "N", COUNT(seed, 0, 0),
       "seed of the family random and of --perturb (default 1)")
OPTION(PERTURB, "--perturb", "P", VALUE(real, perturb),
       "turn a FAMILY's bodies by up to P rad and spin them by up to P rad/s (default 0)")
OPTION(LENGTH, "--length", "M", POSITIVE(length), "length of the FAMILY rod in m (default 1)")
OPTION(DENSITY, "--density", "KG/M", POSITIVE(density), "mass of the rod in kg per m (default 1)")
OPTION(RADIUS, "--radius", "M", POSITIVE(radius), "radius of the rod in m (default 0.01)")
OPTION(BENDING, "--bending", "EI[,EI]", VALUE(bending, bending),
       "bending stiffness of the rod in N m^2, about both axes or about x and y (default 1)")
OPTION(TWIST, "--twist", "GJ", VALUE(real, twist),
       "torsional stiffness of the rod in N m^2 (default 1)")
OPTION(DELAY, "--delay", "S", VALUE(real, delay),
       "damping of the rod divided by its stiffness, in s (default 0)")
OPTION(PINNED, "--pinned", NULL, FLAG,
       "hang the rod from a ball hinge without resistance instead of a clamp")
OPTION(METHOD, "--method", "abi|riccati", CHOICE(method, methods),
       "elimination method (default abi)")
OPTION(ANY_METHOD, "--method", "NAME", CHOICE(method, any_methods),
       "abi (default), riccati or a reference: lagrange, transfer, ...")
OPTION(BACKEND, "--backend", "NAME", VALUE(text, backend),
       "auto (default) or a name that `backends` lists")
OPTION(THREADS, "--threads", "N", COUNT(threads, 0, MOST_THREADS),
       "threads to compute with; 0: as many as are useful (default)")
OPTION(LANES, "--lanes", "0|1|2|4|8", CHOICE(lanes, lanes),
       "links that a thread sweeps at once; 0: the most this machine has (default)")
OPTION(
    SEGMENT, "--segment", "L", SEGMENT(segment),
    "links per segment (subchain); 0: the serial sweep; whole: each tree in a lane; auto (default)")
OPTION(JUNCTION, "--junction", "auto|host|device", CHOICE(junction, junctions),
       "where the trunk (junction tree) is solved when an accelerator sweeps the segments")
OPTION(CLOSING, "--closing", "NAME", CHOICE(closing, closings),
       "how loops are closed: admittance (default), embedding, multipliers, qr, svd")
OPTION(DRIFT, "--drift", "NAME", CHOICE(drift, drifts),
       "how loops are kept closed: project (default), partition, baumgarte, none")
OPTION(BAUMGARTE, "--baumgarte", "A,B", VALUE(pair, baumgarte),
       "alpha and beta of --drift baumgarte in 1/s (default 10,10)")
OPTION(AS_GIVEN, "--as-given", NULL, FLAG, "use the initial state as it is, even if loops are open")
OPTION(INTEGRATOR, "--integrator", "NAME", CHOICE(integrator, integrators),
       "fixed steps: rk4 (default), conserving; error control: dopri5, implicit (stiff models)")
OPTION(TOLERANCE, "--tolerance", "E", POSITIVE(tolerance),
       "with error control: error allowed per step (default 1e-6)")
OPTION(T_END, "--t-end", "S", POSITIVE(t_end), "simulated time in seconds (default 1)")
OPTION(VERIFY_T_END, "--t-end", "S", POSITIVE(t_end),
       "simulated time in seconds (default: 100 steps, fewer for large models)")
OPTION(VERIFY_DT, "--dt", "S", POSITIVE(dt),
       "time step in seconds (default 1e-3, or shorter if the motion requires it)")
OPTION(DT, "--dt", "S", POSITIVE(dt),
       "time step in seconds (default 1e-3); with error control the longest step (default: the "
       "time between frames)")
OPTION(FRAMES, "--frames", "N", COUNT(frames, 2, 0),
       "states measured, first and last included (default about 100)")
OPTION(MAX_DRIFT, "--max-drift", "SHARE", POSITIVE(max_drift),
       "fail if the energy drifts by more than this share of the kinetic and transferred energy")
OPTION(OUT_FRAMES, "--out", "FILE.h5", VALUE(text, out), "record the frames into an HDF5 file")
OPTION(OUT_MODEL, "--out", "FILE.json", VALUE(text, out),
       "write to this file, in HDF5 if its name ends in .h5; -: standard output (default)")
OPTION(OUT_REST, "--out", "FILE.json", VALUE(text, out),
       "write the model, starting at rest, to this file, in HDF5 if its name ends in .h5")
OPTION(OUT_MOVED, "--out", "FILE.h5", VALUE(text, out),
       "present path of the recording, if it was moved")
OPTION(OUT_MEMBERS, "--out", "FILE.h5", VALUE(text, out),
       "write the results of all members into an HDF5 file")
OPTION(OUT_VIEW, "--out", "FILE.html", VALUE(text, out),
       "write the page to this file (default: the name of FILE, MODEL or FAMILY with .html)")
OPTION(OUT_SVG, "--out", "FILE.svg", VALUE(text, out),
       "write to this file; -: standard output (default)")
OPTION(OUT_TEXT, "--out", "FILE", VALUE(text, out),
       "write to this file; -: standard output (default)")
OPTION(OUT_EFFORTS, "--out", "FILE.csv", VALUE(text, out),
       "write the efforts to this file; -: standard output (default)")
OPTION(OUT_DERIVATIVES, "--out", "FILE.csv", VALUE(text, out),
       "write the derivatives to this file; -: standard output (default)")
OPTION(OUT_EXPORT, "--out", "FILE", VALUE(text, out),
       "write to this file; -: standard output (default), with --csv only")
OPTION(EXPORT_CSV, "--csv", NULL, FLAG, "comma-separated values, a line per frame")
OPTION(NPZ, "--npz", NULL, FLAG, "the whole recording as numpy arrays")
OPTION(VTKHDF, "--vtkhdf", NULL, FLAG, "moving hinge points, the tree and motions, for ParaView")
OPTION(MOST_BYTES, "--most-bytes", "N", COUNT(most_bytes, 1, 0),
       "largest page in bytes, met by omitting frames, then bodies (default 20000000)")
OPTION(OVERWRITE, "--overwrite", NULL, FLAG, "replace the file if it exists")
OPTION(CHECKPOINT, "--checkpoint", "FILE", VALUE(text, checkpoint),
       "write checkpoints to this file; `resume` continues from it")
OPTION(CHECKPOINT_EVERY, "--checkpoint-every", "N|Ts", VALUE(interval, checkpoint_every),
       "write a checkpoint every N steps, or every T seconds of wall-clock time (default 60s)")
OPTION(REFERENCE, "--reference", "NAME", CHOICE(reference, references),
       "base of the comparison: one of the references; or none or all of them")
OPTION(IDENTITIES, "--identities", NULL, FLAG,
       "with --reference spatial or closed-chain: check the lemmas of its operators")
OPTION(REPEAT, "--repeat", "N", COUNT(repeat, 1, 0), "timed evaluations per method (default 5)")
OPTION(PARTITION, "--partition", NULL, FLAG,
       "also how sweeps divide the model: segments (subchains), tasks (subtrees), trunk, ...")
OPTION(JSON, "--json", NULL, FLAG, "results as JSON")
OPTION(CSV, "--csv", NULL, FLAG, "results as comma-separated values")
OPTION(FORMAT, "--format", "urdf|mjcf", CHOICE(format, formats),
       "format of the file (default: by its root element)")
OPTION(FLOATING_ROOT, "--floating-root", NULL, FLAG, "URDF: the root link is free, not fixed")
OPTION(IGNORE_UNSUPPORTED, "--ignore-unsupported", NULL, FLAG,
       "URDF and MJCF: omit unsupported elements and list them")
OPTION(REPAIR_INERTIA, "--repair-inertia", NULL, FLAG,
       "URDF and MJCF: replace an impossible inertia by the closest possible one")
OPTION(MEMBERS, "--members", "N", COUNT(members, 1, 0),
       "number of members (default: the number of grid points)")
OPTION(VARY, "--vary", "PATH=...", VALUE(texts, vary),
       "FROM:TO:COUNT, normal:MEAN:SD or uniform:LOW:HIGH; may be repeated")
OPTION(MEMBERS_SEED, "--seed", "N", COUNT(seed, 0, 0), "seed of the random numbers (default 1)")
OPTION(MEMBERS_PERTURB, "--perturb", "P", VALUE(real, perturb),
       "turn the bodies of each member by up to P rad and spin them by up to P rad/s")
OPTION(SWEEP, "--sweep", "FILE.json", VALUE(text, sweep),
       "read members, variations, seed, times and series from a sweep file")
OPTION(SERIES, "--series", "N", COUNT(series, 2, 0),
       "store N frames of each member, first and last included")
OPTION(TRACK, "--track", "NAME", VALUE(texts, track),
       "store the path of this body in the series; may be repeated")
OPTION(ONLY, "--only", "K", COUNT(only, 0, 0),
       "run member K alone, with the same bits as among the others")
OPTION(BATCH, "--batch", "N", COUNT(batch, 0, MOST_BATCH),
       "members swept side by side (default: as many as the caches hold)")
OPTION(GO_ON, "--resume", NULL, FLAG,
       "continue with the file of --out if it exists: run the missing members")
OPTION(MOTION, "--motion", "FILE", VALUE(text, motion),
       "table of the motion: times, coordinates, rates and derivatives of rates")
OPTION(ALONG, "--along", "FILE", VALUE(text, motion),
       "table of directions: changes of positions, rates and efforts")
OPTION(MODES, "--count", "N", COUNT(count, 1, MOST_MODES),
       "number of modes, the lowest (default 10)")
OPTION(ABOUT, "--about", "start|equilibrium", CHOICE(about, abouts),
       "state of rest: the start (default), or the equilibrium found from the start")
OPTION(ABOUT_WHICH, "--about", "start|equilibrium", CHOICE(about, abouts),
       "state: the start (default), or the equilibrium found from the start")
OPTION(SHAPES, "--shapes", NULL, FLAG,
       "with --json: also the shape of each mode, one number per rate")
