#!/usr/bin/env bash
# Checks that the layout of the sources is that of clang-format 14. Other versions differ in details,
# so the check is skipped without version 14. `check-format.sh --fix` rewrites the sources.
set -euo pipefail
[[ ${1:-} != @(-h|--help) ]] || { sed -n '2,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" && exit; }
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tool=$(command -v clang-format-14 || command -v clang-format || true)
if [[ -z $tool ]] || ! "$tool" --version | grep -q 'version 14\.'; then
    echo "format: skipped, clang-format 14 is not installed"
    exit 0
fi
mode=(--dry-run --Werror)
if [[ ${1:-} == --fix ]]; then
    mode=(-i)
fi
folders=()
for folder in include src kernels tests bench examples python; do
    [[ ! -d $folder ]] || folders+=("$folder")
done
mapfile -t files < <(find "${folders[@]}" -name '*.[ch]' -o -name '*.cpp' -o -name '*.cu' | sort)
"$tool" "${mode[@]}" "${files[@]}"
echo "format: ${#files[@]} files are in order"
