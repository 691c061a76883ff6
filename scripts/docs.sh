#!/usr/bin/env bash
# Builds the documentation site with the reference of the C interface, build/docs/site/index.html. Any warning is an error.
# usage: docs.sh
# Where Doxygen or MkDocs is missing, the script says so and exits with status 77.
set -euo pipefail
[[ ${1:-} != @(-h|--help) ]] || { sed -n '2,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" && exit; }
cd "$(dirname "${BASH_SOURCE[0]}")/.."

for tool in doxygen mkdocs; do
    command -v $tool >/dev/null || {
        echo "docs: skipped, $tool is not installed (scripts/install-dependencies.sh --all)" >&2
        exit 77
    }
done

# Pages link to each other and to sources by paths of the clone, so the copy keeps the layout of the clone.
source=build/docs/source
rm -rf build/docs
mkdir -p "$source"
cp -r ./*.md LICENSE CITATION.cff docs examples include "$source"
for page in ./*.md docs/*.md examples/*.md; do
    for link in $(grep -oE '\]\([^)#:]+[)#]' "$page" | sed -E 's/^..//; s/.$//'); do
        file=$(realpath --relative-to=. "${page%/*}/$link")
        [[ ! -f $file || -e $source/$file ]] || cp --parents "$file" "$source"
    done
done
for page in README.md docs/*.md; do
    grep -qE "^ +- .*: $page\$" mkdocs.yml || {
        echo "docs: $page has no line in mkdocs.yml" >&2
        exit 1
    }
done

doxygen cmake/Doxyfile
mv build/docs/reference "$source/reference"
mkdocs build --strict
echo "docs: build/docs/site/index.html"
