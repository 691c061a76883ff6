"""The binary interface of the libraries, as lines: everything that a program compiled against the public headers relies on.

usage: abi.py COMPILER INCLUDE_FOLDER                  writes the lines of these headers
       abi.py COMPILER INCLUDE_FOLDER --hold FILE      compares: the lines of FILE must still hold, more may be added

A line is a function with its types, a field with its offset, size and type, the size of a struct, or an enumerator. Functions are read
from the headers, the other lines from the debugging information (DWARF) that the compiler makes of them.
"""
import os
import re
import subprocess
import sys
import tempfile

# These must never grow (riccatree/sized.h); other structs may grow at their end, and so may counts of enumerators.
FROZEN = {"rct_error", "rct_loop_term", "rct_ensemble_begun", "rct_in", "rct_out"}
COUNTS = re.compile(r"^RCT_(\w+_)?(TYPES|QUANTITIES|STATES|IDENTITIES)$")
SHOWN = re.compile(r"^ *<(\d+)><([0-9a-f]+)>: Abbrev Number: \d+ \(DW_TAG_(\w+)\)")
FORM = re.compile(r"^(\([^()]*\):? *)+")  # how the value is kept
ATTRIBUTE = re.compile(r"^ *<[0-9a-f]+> +DW_AT_(\w+) *: (.*)$")


def entries(compiler, include, folder):
    """Entries of the debugging information of a source that includes everything public, by their numbers."""
    source, made = os.path.join(folder, "all.c"), os.path.join(folder, "all.o")
    with open(source, "w", encoding="utf-8") as out:
        out.write("#include <riccatree/riccatree.h>\n#include <riccatree/reference.h>\n")
    subprocess.run([compiler, "-std=gnu11", "-gdwarf-4", "-fno-eliminate-unused-debug-types", "-I", include, "-c", source,
                    "-o", made], check=True)
    text = subprocess.run(["readelf", "--debug-dump=info", "--wide", made], check=True, capture_output=True, text=True,
                          env={**os.environ, "LC_ALL": "C"}).stdout
    found, path = {}, []
    for line in text.splitlines():
        head, attribute = SHOWN.match(line), ATTRIBUTE.match(line)
        if head:
            entry = {"tag": head[3], "inside": []}
            found[int(head[2], 16)] = entry
            path[int(head[1]):] = [entry]
            if len(path) > 1:
                path[-2]["inside"].append(entry)
        elif attribute and path:
            path[-1][attribute[1]] = FORM.sub("", attribute[2]).strip()
    return found


def target(found, entry):
    return found[int(re.match("<(0x[0-9a-f]+)>", entry["type"])[1], 16)] if "type" in entry else None


def length_of(subrange):
    """Elements of an array: GCC tells the last index, Clang how many there are."""
    return int(subrange["count"], 0) if "count" in subrange else int(subrange.get("upper_bound", "-1"), 0) + 1


def type_of(found, entry):
    """A type as C has it, near enough."""
    if entry is None:
        return "void"
    tag = entry["tag"]
    inner = target(found, entry)
    if tag == "pointer_type":
        return type_of(found, inner) + "*"
    if tag == "const_type":
        return "const " + type_of(found, inner)
    if tag == "array_type":
        return type_of(found, inner) + "".join(
            "[%d]" % length_of(x) for x in entry["inside"] if x["tag"] == "subrange_type")
    if tag == "subroutine_type":
        taken = [type_of(found, target(found, x)) for x in entry["inside"] if x["tag"] == "formal_parameter"]
        return "%s(%s)" % (type_of(found, inner), ", ".join(taken))
    return entry.get("name", "unnamed")


def size_of(found, entry):
    tag = entry["tag"]
    if "byte_size" in entry:
        return int(entry["byte_size"], 0)
    size = 8 if tag == "pointer_type" else size_of(found, target(found, entry))
    for x in entry["inside"]:
        size *= length_of(x) if x["tag"] == "subrange_type" else 1
    return size


def fields_of(found, name, entry):
    for x in entry["inside"]:
        if x["tag"] == "member":
            kind = target(found, x)
            yield "field %s.%s at %s, %d bytes, %s" % (name, x["name"], x["data_member_location"], size_of(found, kind),
                                                      type_of(found, kind))
            while kind["tag"] == "array_type":
                kind = target(found, kind)
            if kind["tag"] == "structure_type" and "name" not in kind:
                yield from fields_of(found, name + "." + x["name"], kind)


def data_lines(found):
    for entry in found.values():
        name = entry.get("name", "")
        if entry["tag"] == "structure_type" and name.startswith("rct_") and "byte_size" in entry:
            yield "struct %s has %d bytes" % (name, int(entry["byte_size"], 0))
            yield from fields_of(found, name, entry)
        if entry["tag"] == "enumerator" and name.startswith("RCT_"):
            yield "value %s is %d" % (name, int(entry["const_value"], 0))


def function_lines(include):
    folder = os.path.join(include, "riccatree")
    for header in sorted(os.listdir(folder)):
        with open(os.path.join(folder, header), encoding="utf-8") as text:
            code = re.sub(r"/\*.*?\*/", " ", text.read(), flags=re.S)
        for found in re.finditer(r"RCT_API ([^;{(]*?)(\w+)\(([^;]*)\);", code):
            taken = [re.sub(r"\s+", " ", x).strip() for x in found[3].split(",")]
            taken = [re.sub(r"\w+(\[[^]]*\])?$", r"\1", x).strip() if " " in x or "*" in x else x for x in taken]
            given = re.sub(r"\s+", " ", found[1]).strip()
            yield "function %s %s(%s)" % (given, found[2], ", ".join(taken))


def lines_of(compiler, include):
    with tempfile.TemporaryDirectory() as folder:
        found = entries(compiler, include, folder)
        return sorted(set(data_lines(found)) | set(function_lines(include)))


def may_have_become(old, now):
    """Whether the old line holds by what its subject is now."""
    struct = re.match(r"struct (\w+) has (\d+) bytes", old)
    value = re.match(r"value (\w+) is (-?\d+)", old)
    grown = int(now.rsplit(" ", 2)[1 if struct else 2]) if now and (struct or value) else 0
    if struct:
        return struct[1] not in FROZEN and grown >= int(struct[2])
    return bool(value and COUNTS.match(value[1]) and grown >= int(value[2]))


def subject_of(line):
    return re.match(r"(struct \w+|field [\w.]+|value \w+|function .*?\w+(?=\())", line)[1].split()[-1]


def hold(lines, path):
    with open(path, encoding="utf-8") as text:
        held = [x.rstrip("\n") for x in text if not x.startswith("#")]
    present, now = set(lines), {(x.split()[0], subject_of(x)): x for x in lines}
    broken = 0
    for old in held:
        line = now.get((old.split()[0], subject_of(old)))
        if old not in present and not may_have_become(old, line):
            print("was: %s\nnow: %s" % (old, line or "not there"))
            broken += 1
    if broken:
        print("abi: %d of %d lines of %s do not hold: programs compiled against that version would break. Put it back: fields go to"
              " the end of a struct, what is new gets a new name. If it must be, raise RCT_VERSION_MAJOR, which is the soname, and"
              " write the file again" % (broken, len(held), path))
    else:
        print("abi: %d lines hold, %d are new" % (len(held), len(present - set(held))))
    return broken == 0 and len(held) > 500


def main():
    lines = lines_of(sys.argv[1], sys.argv[2])
    if sys.argv[3:4] == ["--hold"]:
        return 0 if hold(lines, sys.argv[4]) else 1
    print("\n".join(lines))
    return 0


sys.exit(main())
