/* The options of all commands, one a row: OPTION(id, name, word for its value or NULL, what the value is and the field
 * of cli_arguments that it goes to, a line of help). Included where each row is made something of (cli.h, options.c). */
OPTION(BODIES, "--bodies", "N", COUNT(bodies, 1, 0), "bodies of a FAMILY (default 100)")
OPTION(SYSTEMS, "--systems", "N", COUNT(systems, 1, 0),
       "number of systems of a FAMILY side by side, each of the next seed (default 1)")
OPTION(HINGE, "--hinge", "NAME", VALUE(hinge, hinge),
       "hinge type of a FAMILY: ball (default), fixed, revolute, ...")
OPTION(SEED, "--seed", "N", COUNT(seed, 0, 0),
       "seed of the family random and of --perturb (default 1)")
OPTION(PERTURB, "--perturb", "P", VALUE(real, perturb),
       "turn a FAMILY's bodies by up to P rad, spin by P rad/s")
OPTION(LENGTH, "--length", "M", POSITIVE(length), "length of the FAMILY rod in m (default 1)")
OPTION(DENSITY, "--density", "KG/M", POSITIVE(density), "its mass in kg per m (default 1)")
OPTION(RADIUS, "--radius", "M", POSITIVE(radius), "its radius in m (default 0.01)")
OPTION(BENDING, "--bending", "EI[,EI]", VALUE(bending, bending),
       "its stiffness in N m^2 against bending, about both axes or about x and y (default 1)")
OPTION(TWIST, "--twist", "GJ", VALUE(real, twist), "and against twist (default 1)")
OPTION(DELAY, "--delay", "S", VALUE(real, delay),
       "its dampers, in s: so many times its springs (default 0)")
OPTION(PINNED, "--pinned", NULL, FLAG,
       "it hangs from a ball hinge that nothing resists, not a clamp")
OPTION(METHOD, "--method", "abi|riccati", CHOICE(method, methods),
       "elimination method (default abi)")
OPTION(ANY_METHOD, "--method", "NAME", CHOICE(method, any_methods),
       "abi (default), riccati or a reference: lagrange, transfer, ...")
OPTION(BACKEND, "--backend", "NAME", VALUE(text, backend),
       "auto (default) or one that `backends` lists")
OPTION(THREADS, "--threads", "N", COUNT(threads, 0, MOST_THREADS),
       "threads to compute with; 0: as many as pay (default)")
OPTION(LANES, "--lanes", "0|1|2|4|8", CHOICE(lanes, lanes),
       "links swept at once by a thread; 0: the most (default)")
OPTION(
    SEGMENT, "--segment", "L", SEGMENT(segment),
    "links per segment (subchain); 0: the serial sweep; whole: each tree in a lane; auto (default)")
OPTION(JUNCTION, "--junction", "auto|host|device", CHOICE(junction, junctions),
       "where the trunk (junction tree) is solved when an accelerator sweeps the segments")
OPTION(CLOSING, "--closing", "NAME", CHOICE(closing, closings),
       "how loops are closed: admittance (default), embedding, multipliers, qr, svd")
OPTION(DRIFT, "--drift", "NAME", CHOICE(drift, drifts),
       "what keeps loops closed: project (default), partition, baumgarte, none")
OPTION(BAUMGARTE, "--baumgarte", "A,B", VALUE(pair, baumgarte),
       "alpha and beta of --drift baumgarte in 1/s (10,10)")
OPTION(AS_GIVEN, "--as-given", NULL, FLAG, "take the initial state as it is, with loops open")
OPTION(
    INTEGRATOR, "--integrator", "NAME", CHOICE(integrator, integrators),
    "rk4 (default); conserving; with error control dopri5, or implicit for stiff hinges and cables")
OPTION(TOLERANCE, "--tolerance", "E", POSITIVE(tolerance),
       "with error control: error allowed per step (default 1e-6)")
OPTION(T_END, "--t-end", "S", POSITIVE(t_end), "simulated time in seconds (default 1)")
OPTION(VERIFY_T_END, "--t-end", "S", POSITIVE(t_end),
       "simulated time in seconds (default: 100 steps, fewer of large models)")
OPTION(VERIFY_DT, "--dt", "S", POSITIVE(dt),
       "time step in seconds (default 1e-3, or as short as the motion asks)")
OPTION(DT, "--dt", "S", POSITIVE(dt),
       "time step in seconds (default 1e-3); with error control the longest one (default: as far "
       "as frames are apart)")
OPTION(FRAMES, "--frames", "N", COUNT(frames, 2, 0),
       "states measured, first and last included (about 100)")
OPTION(MAX_DRIFT, "--max-drift", "SHARE", POSITIVE(max_drift),
       "fail if the energy drifts by more, as a share of the kinetic and transferred energy")
OPTION(OUT_FRAMES, "--out", "FILE.h5", VALUE(text, out), "record the frames into an HDF5 file")
OPTION(OUT_MODEL, "--out", "FILE.json", VALUE(text, out),
       "write to this file, in HDF5 if it ends in .h5; - is standard output (default)")
OPTION(OUT_REST, "--out", "FILE.json", VALUE(text, out),
       "write the model, started at rest, to this file, in HDF5 if it ends in .h5")
OPTION(OUT_MOVED, "--out", "FILE.h5", VALUE(text, out), "the recording, if it was moved")
OPTION(OUT_MEMBERS, "--out", "FILE.h5", VALUE(text, out),
       "write the results of all members into an HDF5 file")
OPTION(OUT_VIEW, "--out", "FILE.html", VALUE(text, out),
       "write the page to this file (default: the name of FILE, MODEL or FAMILY, .html)")
OPTION(OUT_SVG, "--out", "FILE.svg", VALUE(text, out),
       "write to this file; - is standard output (default)")
OPTION(OUT_TEXT, "--out", "FILE", VALUE(text, out),
       "write to this file; - is standard output (default)")
OPTION(OUT_EFFORTS, "--out", "FILE.csv", VALUE(text, out),
       "write the efforts to this file; - is standard output (default)")
OPTION(OUT_DERIVATIVES, "--out", "FILE.csv", VALUE(text, out),
       "write the derivatives to this file; - is standard output (default)")
OPTION(OUT_EXPORT, "--out", "FILE", VALUE(text, out),
       "write to this file; - is standard output (default), of --csv alone")
OPTION(EXPORT_CSV, "--csv", NULL, FLAG, "comma-separated values, a line per frame")
OPTION(NPZ, "--npz", NULL, FLAG, "arrays of numpy, of all that the recording has")
OPTION(VTKHDF, "--vtkhdf", NULL, FLAG, "hinge points, the tree and what moves, for ParaView")
OPTION(MOST_BYTES, "--most-bytes", "N", COUNT(most_bytes, 1, 0),
       "largest size of the page in bytes: frames, then bodies are omitted (default 20000000)")
OPTION(OVERWRITE, "--overwrite", NULL, FLAG, "replace the file if it exists")
OPTION(CHECKPOINT, "--checkpoint", "FILE", VALUE(text, checkpoint),
       "keep a checkpoint in this file, from which `resume` continues")
OPTION(CHECKPOINT_EVERY, "--checkpoint-every", "N|Ts", VALUE(interval, checkpoint_every),
       "after N steps, or T seconds by the clock (default 60s)")
OPTION(REFERENCE, "--reference", "NAME", CHOICE(reference, references),
       "what to compare with: one of the references, none or all")
OPTION(IDENTITIES, "--identities", NULL, FLAG,
       "with --reference spatial: how well the lemmas of its operators hold")
OPTION(REPEAT, "--repeat", "N", COUNT(repeat, 1, 0), "timed evaluations per method (default 5)")
OPTION(
    PARTITION, "--partition", NULL, FLAG,
    "also how sweeps divide it: segments (subchains), tasks (subtrees), trunk (junction tree), ...")
OPTION(JSON, "--json", NULL, FLAG, "results as JSON")
OPTION(CSV, "--csv", NULL, FLAG, "results as comma-separated values")
OPTION(FORMAT, "--format", "urdf|mjcf", CHOICE(format, formats),
       "what the file is (default: by its root element)")
OPTION(FLOATING_ROOT, "--floating-root", NULL, FLAG, "URDF: the root link is free, not fixed")
OPTION(IGNORE_UNSUPPORTED, "--ignore-unsupported", NULL, FLAG,
       "of URDF and MJCF: omit what is not supported, and say what that was")
OPTION(
    REPAIR_INERTIA, "--repair-inertia", NULL, FLAG,
    "of URDF and MJCF: put the closest inertia that a body can have in place of one that none can")
OPTION(MEMBERS, "--members", "N", COUNT(members, 1, 0),
       "members (default: as many as the grids have points)")
OPTION(VARY, "--vary", "PATH=...", VALUE(texts, vary),
       "FROM:TO:COUNT, normal:MEAN:SD or uniform:LOW:HIGH; again for more")
OPTION(MEMBERS_SEED, "--seed", "N", COUNT(seed, 0, 0), "seed of what is drawn (default 1)")
OPTION(MEMBERS_PERTURB, "--perturb", "P", VALUE(real, perturb),
       "turn bodies by up to P rad, spin by P rad/s")
OPTION(SWEEP, "--sweep", "FILE.json", VALUE(text, sweep),
       "members, variations, seed, times and series from a sweep file")
OPTION(SERIES, "--series", "N", COUNT(series, 2, 0),
       "frames of each member, first and last included")
OPTION(TRACK, "--track", "NAME", VALUE(texts, track),
       "a body whose path the series hold; again for more")
OPTION(ONLY, "--only", "K", COUNT(only, 0, 0),
       "member K alone, with the same bits as among the others")
OPTION(BATCH, "--batch", "N", COUNT(batch, 0, MOST_BATCH),
       "members swept side by side (default: by the caches)")
OPTION(GO_ON, "--resume", NULL, FLAG,
       "continue with --out if it exists: run the members that are missing")
OPTION(MOTION, "--motion", "FILE", VALUE(text, motion),
       "the motion: a table of times, coordinates, rates and derivatives of rates")
OPTION(ALONG, "--along", "FILE", VALUE(text, motion),
       "changes to take derivatives along: a table of those of positions, rates and efforts")
OPTION(MODES, "--count", "N", COUNT(count, 1, MOST_MODES), "modes, the lowest (default 10)")
OPTION(ABOUT, "--about", "start|equilibrium", CHOICE(about, abouts),
       "the state that they are about: the start, which must rest (default), or the rest found "
       "from it")
OPTION(ABOUT_WHICH, "--about", "start|equilibrium", CHOICE(about, abouts),
       "the state that they are about: the start (default), or the rest found from it")
OPTION(SHAPES, "--shapes", NULL, FLAG, "with --json: also the shape of each, a number a rate")
