#!/usr/bin/env bash
# Runs clang-tidy with the checks of .clang-tidy over the sources of the dev build; any finding is
# an error. Skipped where clang-tidy is not installed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if ! command -v clang-tidy >/dev/null; then
    echo "tidy: skipped, clang-tidy is not installed"
    exit 0
fi
cmake --preset dev >/dev/null
folders=()
for folder in src kernels tests bench; do
    [[ ! -d $folder ]] || folders+=("$folder")
done
# Only what the build compiles; tests/consumer is a project of its own.
mapfile -t files < <(find "${folders[@]}" -name '*.c' -o -name '*.cpp' | sort |
    while read -r file; do
        ! grep -qF "$PWD/$file\"" build/dev/compile_commands.json || echo "$file"
    done)
printf '%s\0' "${files[@]}" |
    xargs -0 -n 1 -P "$(nproc)" clang-tidy -p build/dev --quiet --warnings-as-errors='*' 2>/dev/null
echo "tidy: ${#files[@]} files are in order"
