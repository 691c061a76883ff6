#!/usr/bin/env python3
"""Counts how many models of a folder Riccatree imports, lists why it refuses others, and compares the motion of the imported ones.

    scripts/check-models.py FOLDER... [--without NAME] [--riccatree PROGRAM] [--repair-inertia] [--states N] [--seed N] [--seconds S] [--all] [--json FILE]

Reads every URDF and MJCF file below the folders, except in folders called NAME. A model is a file with a joint that moves and, in
URDF, a mass. Files that others include, URDF files with the same text as an earlier one (of any folder), xacro, and files of other
formats are counted apart. `riccatree import` imports each model as it is, or with --repair-inertia. The script compares the
accelerations of the imported models at N random states with those of MuJoCo (MJCF; with its constraints and actuators switched off)
and Pinocchio (URDF; with joints locked that move no mass), where these are installed (pip: mujoco, pin, numpy). Models with loops
are also compared with the reference `lagrange`, by `riccatree compare`. A difference is relative to the largest acceleration of the
state. Prints a table of figures, the refusals by reason, and every difference above 1e-9; exits with 1 if there is one. --all names
every file. MuJoCo and Pinocchio read the files too, so give only folders that you would give to them.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from xml.etree import ElementTree

try:
    import numpy as np
except ImportError:
    np = None
try:
    import mujoco
except ImportError:
    mujoco = None
try:
    import pinocchio
except ImportError:
    pinocchio = None

BOUND = 1e-9
MOST_COMPARED = 120  # most bodies of a model with loops that is compared with the reference


# ---- models in folders ---------------------------------------------------------------------------------------------------------------

def text_of(path):
    return path.read_text(encoding="utf-8", errors="replace")


def with_includes(path, depth=0):
    """The text of an MJCF file and of the files it includes, and the paths of these files."""
    text, files = text_of(path), []
    for name in re.findall(r"<include\b[^>]*?file\s*=\s*[\"']([^\"']*)", text):
        other = (path.parent / name).resolve()
        files.append(other)
        if depth < 8 and other.is_file():
            more, others = with_includes(other, depth + 1)
            text += more
            files += others
    return text, files


def without_comments(text):
    return re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)


def kind_of(path, text):
    """'urdf' or 'mjcf' for a model, else the reason why the file is not a model."""
    root = re.search(r"<([A-Za-z_][\w:.-]*)", re.sub(r"<\?.*?\?>", "", text, flags=re.DOTALL))
    if root is None or root.group(1) not in ("robot", "mujoco"):
        return "another format"
    if root.group(1) == "robot":
        if "<xacro:" in text:
            return "xacro"
        moves = re.search(r"<joint\b[^>]*?type\s*=\s*[\"'](?!fixed[\"'])", text)
        if moves and "<mass" not in text:
            return "without any mass"
        return "urdf" if moves else "nothing moves"
    text = without_comments(with_includes(path)[0])
    body = re.sub(r"<default\b.*?</default>(?!\s*</default>)|<(actuator|sensor|equality|tendon)\b.*?</\1>", "", text, flags=re.DOTALL)
    return "mjcf" if re.search(r"<(joint|freejoint)\b", body) else "nothing moves"


def find_models(folders, without):
    """(folder, path, kind) of every file, in order; files that others include have a kind of their own."""
    paths = [(folder, p) for folder in folders for p in sorted(pathlib.Path(folder).rglob("*"))
             if p.suffix in (".urdf", ".xml", ".mjcf") and p.is_file() and without not in p.relative_to(folder).parts[:-1]]
    included = set()
    for _, path in paths:
        if path.suffix != ".urdf":
            included.update(with_includes(path)[1])
    texts = set()
    for folder, path in paths:
        text = text_of(path)
        kind = kind_of(path, without_comments(text))
        if kind == "urdf" and text in texts:
            kind = "the same as another"
        texts.add(text)
        if kind == "mjcf" and path.resolve() in included:
            kind = "included by another"
        elif kind == "mjcf" and not all(p.is_file() for p in with_includes(path)[1]):
            kind = "without a file that it includes"
        yield folder, path, kind


def reason_of(error, path):
    """An error message without the parts that differ from file to file."""
    text = error.split("\n")[0].replace(str(path), "")
    text = re.sub(r"^.*?line \d+(, column \d+)?: ", "", text)
    text = re.sub(r"\"[^\"]*\"", '""', text)
    text = re.sub(r"^body \d+", "body N", text)
    return re.sub(r"-?\d+(\.\d+)?(e[-+]?\d+)?", "N", text)[:110]


# ---- Riccatree -------------------------------------------------------------------------------------------------------------------

class Riccatree:
    def __init__(self, program, seconds, options):
        self.program, self.seconds, self.options = program, seconds, options
        self.folder = tempfile.TemporaryDirectory()
        self.file = os.path.join(self.folder.name, "model.json")

    def run(self, *arguments):
        try:
            return subprocess.run([self.program, *arguments], capture_output=True, text=True, timeout=self.seconds, check=False)
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(arguments, 124, "", f"riccatree: it takes more than {self.seconds} s")

    def load(self, path):
        """The model as JSON, or None; and the messages of the import."""
        done = self.run("import", str(path), *self.options, "--out", self.file, "--overwrite")
        if done.returncode != 0:
            return None, done.stderr.strip()
        with open(self.file, encoding="utf-8") as file:
            model = json.load(file)
        model["forces"] = [force for force in model.get("forces", []) if force["type"] != "friction"]  # the others leave out friction
        return model, done.stderr.strip()

    def accelerations(self, model):
        with open(self.file, "w", encoding="utf-8") as file:
            json.dump(model, file)
        done = self.run("accel", self.file, "--json")
        if done.returncode != 0:
            raise RuntimeError(done.stderr.strip())
        return json.loads(done.stdout)["bodies"]

    def loops(self):
        """The largest difference of the methods from the reference, for the model as it was imported."""
        done = self.run("compare", self.file, "--json", "--repeat", "1", "--reference", "lagrange")
        if done.returncode != 0:
            raise RuntimeError(done.stderr.strip())
        entries = json.loads(done.stdout)
        if entries["base"] != "lagrange":
            raise RuntimeError("the reference does not cover it")
        return max(e["largest"] for e in entries["entries"] if e["available"])


def put(body, position, rate):
    """Sets the coordinates and rates of a hinge with axes."""
    one = len(position) == 1
    body["initial"] = {"position": position[0] if one else position, "rate": rate[0] if one else rate}


def difference(pairs):
    """The largest difference in pairs (own, other) of lists of numbers, relative to the largest number of `other`."""
    own = np.concatenate([np.atleast_1d(a) for a, _ in pairs])
    other = np.concatenate([np.atleast_1d(b) for _, b in pairs])
    return float(np.max(np.abs(own - other)) / max(np.max(np.abs(other)), 1.0))


# ---- MuJoCo ----------------------------------------------------------------------------------------------------------------------

class MujocoModel:
    def __init__(self, path, model):
        self.m = mujoco.MjModel.from_xml_path(str(path.resolve()))
        self.d = mujoco.MjData(self.m)
        self.m.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT | mujoco.mjtDisableBit.mjDSBL_ACTUATION
        self.model = model
        self.match()

    def match(self):
        """Finds for each body of MuJoCo our body of the same mass; bodies without mass come before it."""
        names = {b.get("name"): i for i, b in enumerate(self.model["bodies"])}
        moving = [b for b in range(1, self.m.nbody) if self.m.body_jntnum[b] > 0]
        self.at = {}
        if all(self.m.body(b).name in names for b in moving):
            self.at = {b: names[self.m.body(b).name] for b in moving}
            return
        kept = [i for i, b in enumerate(self.model["bodies"]) if b["mass"] > 0]
        there = [b for b in range(1, self.m.nbody) if self.m.body_jntnum[b] > 0 or self.m.body_mass[b] > 0]
        if len(kept) != len(there):
            raise LookupError("bodies without names that do not correspond")
        self.at = {b: i for b, i in zip(there, kept) if self.m.body_jntnum[b] > 0}

    def draw(self, random):
        m, d = self.m, self.d
        mujoco.mj_resetData(m, d)
        velocity = random.uniform(-1.0, 1.0, m.nv)
        mujoco.mj_integratePos(m, d.qpos, random.uniform(-1.0, 1.0, m.nv), 1.0)
        d.qvel[:] = velocity
        mujoco.mj_forward(m, d)
        mujoco.mj_rnePostConstraint(m, d)

    def hinges(self, b):
        """(our body, joints) of each hinge of a body."""
        first, count = self.m.body_jntadr[b], self.m.body_jntnum[b]
        joints = list(range(first, first + count))
        i = self.at[b]
        kind = self.model["bodies"][i]["hinge"]["type"]
        own = {"universal": 2, "cylindrical": 2, "planar": 3}.get(kind, 1)
        turns = all(self.m.jnt_type[j] == mujoco.mjtJoint.mjJNT_HINGE for j in joints)
        if kind == "ball" and count == 3 and turns or own == count:
            return [(i, joints)]  # the ball, where a free joint became three slides and a ball
        return [(i - count + 1 + k, [j]) for k, j in enumerate(joints)]

    def ordered(self, i, joints):
        """The joints in the order of our coordinates."""
        m, kind = self.m, self.model["bodies"][i]["hinge"]["type"]
        turns = [j for j in joints if m.jnt_type[j] == mujoco.mjtJoint.mjJNT_HINGE]
        slides = [j for j in joints if m.jnt_type[j] == mujoco.mjtJoint.mjJNT_SLIDE]
        if kind == "cylindrical":
            return turns + slides
        if kind == "planar":
            x, y = slides
            right = np.dot(np.cross(m.jnt_axis[turns[0]], m.jnt_axis[x]), m.jnt_axis[y]) > 0.5
            return [x, y, turns[0]] if right else [y, x, turns[0]]
        return joints

    def motion(self, b):
        velocity, acceleration = np.zeros(6), np.zeros(6)
        mujoco.mj_objectVelocity(self.m, self.d, mujoco.mjtObj.mjOBJ_XBODY, b, velocity, 0)
        mujoco.mj_objectAcceleration(self.m, self.d, mujoco.mjtObj.mjOBJ_XBODY, b, acceleration, 0)
        return velocity, acceleration

    def put_state(self):
        m, d = self.m, self.d
        for b in self.at:
            for i, joints in self.hinges(b):
                body, kind = self.model["bodies"][i], self.model["bodies"][i]["hinge"]["type"]
                if kind in ("ball", "free"):
                    if joints[-1] != m.body_jntadr[b] + m.body_jntnum[b] - 1:
                        raise LookupError("a ball joint that others follow")
                    velocity, _ = self.motion(b)
                    body["initial"] = {"orientation": list(d.xquat[b]), "angular_velocity": list(velocity[:3])}
                    if kind == "free":
                        body["initial"]["position"] = list(d.xpos[b])
                        body["initial"]["velocity"] = list(velocity[3:])
                    elif m.jnt_type[joints[0]] == mujoco.mjtJoint.mjJNT_FREE:
                        for k in range(3):
                            put(self.model["bodies"][i - 3 + k], [float(d.xpos[b][k])], [float(velocity[3 + k])])
                else:
                    order = self.ordered(i, joints)
                    put(body, [float(d.qpos[m.jnt_qposadr[j]]) for j in order], [float(d.qvel[m.jnt_dofadr[j]]) for j in order])

    def pairs(self, rows):
        m, d = self.m, self.d
        for b in self.at:
            for i, joints in self.hinges(b):
                kind = self.model["bodies"][i]["hinge"]["type"]
                if kind in ("ball", "free"):
                    yield rows[i]["angular"], self.motion(b)[1][:3]
                    if m.jnt_type[joints[0]] == mujoco.mjtJoint.mjJNT_FREE:
                        yield rows[i]["linear"], d.qacc[m.jnt_dofadr[joints[0]]:][:3]
                else:
                    yield rows[i]["derivatives"], [d.qacc[m.jnt_dofadr[j]] for j in self.ordered(i, joints)]


# ---- Pinocchio -------------------------------------------------------------------------------------------------------------------

class PinocchioModel:
    def __init__(self, path, model):
        whole = pinocchio.buildModelFromUrdf(str(path))
        self.model = model
        links = self.children(path)
        own = {b.get("name"): i for i, b in enumerate(model["bodies"])}
        locked = [j for j in range(1, whole.njoints) if links.get(whole.names[j]) not in own]
        self.p = pinocchio.buildReducedModel(whole, locked, pinocchio.neutral(whole))
        self.data = self.p.createData()
        self.at = {j: own[links[self.p.names[j]]] for j in range(1, self.p.njoints)}

    @staticmethod
    def children(path):
        """The link that each joint carries."""
        robot = ElementTree.fromstring(re.sub(r"^\s*<\?xml.*?\?>", "", text_of(path), flags=re.DOTALL))
        numbers = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}
        if any(not numbers <= set(i.keys()) or any(v != v.strip() for _, v in i.items()) for i in robot.iter("inertia")):
            raise LookupError("an inertia without six plain numbers, which is none for Pinocchio")
        return {j.get("name"): j.find("child").get("link") for j in robot.findall("joint") if j.find("child") is not None}

    def draw(self, random):
        self.q = pinocchio.integrate(self.p, pinocchio.neutral(self.p), random.uniform(-1.0, 1.0, self.p.nv))
        self.v = random.uniform(-1.0, 1.0, self.p.nv)

    def put_state(self):
        damping = np.zeros(self.p.nv)
        for j, i in self.at.items():
            joint, body = self.p.joints[j], self.model["bodies"][i]
            if joint.nv != 1:
                raise LookupError("a joint of several coordinates")
            q = self.q[joint.idx_q:joint.idx_q + joint.nq]
            angle = float(np.arctan2(q[1], q[0])) if joint.nq == 2 else float(q[0])
            put(body, [angle], [float(self.v[joint.idx_v])])
            damping[joint.idx_v] = body["hinge"].get("damping", 0.0)
        self.a = pinocchio.aba(self.p, self.data, self.q, self.v, -damping * self.v)

    def pairs(self, rows):
        for j, i in self.at.items():
            yield rows[i]["derivatives"], [self.a[self.p.joints[j].idx_v]]


# ---- comparing -------------------------------------------------------------------------------------------------------------------

def compare(riccatree, other, states, seed):
    """The largest difference over random states."""
    random = np.random.default_rng(seed)
    other.model.pop("loops", None)
    worst = 0.0
    for _ in range(states):
        other.draw(random)
        other.put_state()
        worst = max(worst, difference(list(other.pairs(riccatree.accelerations(other.model)))))
    return worst


def examine(riccatree, kind, path, states, seed):
    """The result of one model: {"loaded", "said", "agrees": {program: difference or why there is none}}."""
    model, said = riccatree.load(path)
    result = {"loaded": model is not None, "said": said, "agrees": {}}
    if model is None or states == 0:
        return result
    if model.get("loops") and len(model["bodies"]) <= MOST_COMPARED:
        try:
            result["agrees"]["lagrange"] = riccatree.loops()
        except (RuntimeError, ValueError) as error:
            result["agrees"]["lagrange"] = str(error)
    make = {"urdf": PinocchioModel if pinocchio else None, "mjcf": MujocoModel if mujoco else None}[kind]
    if make is not None and np is not None:
        who = "Pinocchio" if kind == "urdf" else "MuJoCo"
        try:
            result["agrees"][who] = compare(riccatree, make(path, model), states, seed)
        except (RuntimeError, ValueError, LookupError, ElementTree.ParseError) as error:
            result["agrees"][who] = (str(error).strip() or type(error).__name__).split("\n")[0]
    return result


# ---- tables ----------------------------------------------------------------------------------------------------------------------

def share(part, whole):
    return f"{part} of {whole} ({100.0 * part / whole:.0f} %)" if whole else "0 of 0"


def print_figures(results, apart):
    folders = sorted({r["folder"] for r in results})
    for kind, name in (("urdf", "URDF"), ("mjcf", "MJCF")):
        rows = [r for r in results if r["kind"] == kind]
        if rows:
            print(f"{name}: {share(sum(r['loaded'] for r in rows), len(rows))} are imported")
        for folder in folders if len(folders) > 1 else []:
            own = [r for r in rows if r["folder"] == folder]
            if own:
                print(f"  {folder}: {share(sum(r['loaded'] for r in own), len(own))}")
    if apart:
        print("apart: " + ", ".join(f"{count} {what}" for what, count in apart.most_common()))


def print_refusals(results):
    reasons = collections.defaultdict(list)
    for r in results:
        if not r["loaded"]:
            reasons[r["reason"]].append(r["path"])
    for reason, paths in sorted(reasons.items(), key=lambda item: -len(item[1])):
        print(f"{len(paths):5d}  {reason}\n       {paths[0]}")


def print_agreement(results):
    """Prints how many models agree; True if all do."""
    good = True
    for who in ("MuJoCo", "Pinocchio", "lagrange"):
        values = [(r["agrees"][who], r["path"]) for r in results if who in r["agrees"]]
        numbers = sorted(v for v in values if not isinstance(v[0], str))
        if not values:
            continue
        close = [v for v, _ in numbers if v <= BOUND]
        print(f"{who}: {share(len(close), len(numbers))} agree to {BOUND:g}"
              + (f"; the median is {numbers[len(numbers) // 2][0]:.1e}" if numbers else ""))
        for value, path in numbers:
            if not value <= BOUND:
                print(f"  {value:.1e}  {path}")
                good = False
        why = collections.Counter(re.sub(r"[\"'][^\"']*[\"']|\d+(\.\d+)?", "N", v)[:100] for v, _ in values if isinstance(v, str))
        for reason, count in why.most_common(12):
            print(f"  not compared: {count}  {reason}")
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--without", metavar="NAME", help="leave out folders of this name")
    parser.add_argument("--riccatree", default="build/release/riccatree", help="the program (default %(default)s)")
    parser.add_argument("--states", type=int, default=3, help="random states per model, 0: import only (default %(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=60.0, help="time limit of one command (default %(default)s)")
    parser.add_argument("--repair-inertia", action="store_true", help="import with this option")
    parser.add_argument("--all", action="store_true", help="name every file with its result")
    parser.add_argument("--json", help="write all results to this file")
    arguments = parser.parse_args()
    if shutil.which(arguments.riccatree) is None:
        parser.error(f"there is no program {arguments.riccatree}: build it by cmake --preset release && cmake --build --preset release"
                     " --target riccatree, or name another one by --riccatree")
    for folder in arguments.folders:
        if not os.path.isdir(folder):
            parser.error(f"there is no folder {folder}")
    riccatree = Riccatree(arguments.riccatree, arguments.seconds, ["--repair-inertia"] if arguments.repair_inertia else [])
    results, apart = [], collections.Counter()
    for folder, path, kind in find_models(arguments.folders, arguments.without):
        if kind not in ("urdf", "mjcf"):
            apart[kind] += 1
            continue
        result = examine(riccatree, kind, path, arguments.states, arguments.seed)
        result.update(folder=folder, path=str(path), kind=kind, reason=reason_of(result["said"], path))
        results.append(result)
        if arguments.all:
            print(json.dumps({"path": str(path), "loaded": result["loaded"], "agrees": result["agrees"]}), flush=True)
    print_figures(results, apart)
    print_refusals(results)
    good = print_agreement(results)
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump(results, file, indent=1)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
