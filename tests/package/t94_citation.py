"""CITATION.cff meets the requirements of the Citation File Format 1.2.0 for the keys that it uses, and cites every paper that
README.md lists. Skipped without PyYAML (python3-yaml). Where cffconvert is installed, it also checks the whole schema."""

import pathlib
import re
import shutil
import subprocess
import sys

try:
    import yaml
except ImportError:
    print("t94_citation: skipped, PyYAML is not installed")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
PERSON = {"family-names": str, "given-names": str}
ENTITY = {"name": str}
# The keys of the format that we use, each with the type of its value, and the required keys.
WORK = {"type": str, "title": str, "authors": list, "journal": str, "volume": int, "issue": int, "start": int, "end": int,
        "year": int, "number": str, "institution": dict}
CITATION = {"cff-version": str, "message": str, "type": str, "title": str, "abstract": str, "version": str, "license": str,
            "authors": list, "keywords": list, "references": list}


def check(what, where, keys, needed):
    """what, a mapping, has the needed keys, none but keys, and values of their types."""
    unknown, absent = set(what) - set(keys), set(needed) - set(what)
    assert not unknown, f"{where}: unknown keys {sorted(unknown)}"
    assert not absent, f"{where}: lacks {sorted(absent)}"
    for key, value in what.items():
        assert type(value) is keys[key] and value not in ("", []), f"{where}: {key} is {value!r}"


def check_authors(work, where):
    for author in work["authors"]:
        if "name" in author:
            check(author, where, ENTITY, ENTITY)
        else:
            check(author, where, PERSON, PERSON)


def main():
    citation = yaml.load((ROOT / "CITATION.cff").read_text(), yaml.SafeLoader)
    check(citation, "CITATION.cff", CITATION, CITATION)
    check_authors(citation, "CITATION.cff")
    assert citation["cff-version"] == "1.2.0" and citation["type"] == "software" and citation["license"] == "BSD-3-Clause"
    for work in citation["references"]:
        check(work, work.get("title"), WORK, ("type", "title", "authors"))
        check_authors(work, work["title"])
        assert work["type"] in ("article", "report"), work["type"]

    items = re.findall(r"^- \*\*00\d\*\* [^*]*\*([^*]+)\*", (ROOT / "README.md").read_text(), re.MULTILINE)
    papers = {" ".join(title.split()).lower() for title in items}
    assert len(papers) == 5, f"{len(papers)} papers found in README.md"
    cited = {work["title"].lower() for work in citation["references"]}
    assert cited == papers, f"of CITATION.cff or README.md alone: {cited ^ papers}"

    if shutil.which("cffconvert"):
        subprocess.run(["cffconvert", "--validate"], cwd=ROOT, check=True)
    print(f"citation: {len(papers)} papers")


main()
