#!/usr/bin/env bash
# Programs and libraries of a folder never look for libraries in a place that depends on the current folder: every element of
# RUNPATH and RPATH is absolute, or relative to the file ($ORIGIN), and none is empty.
# usage: run_paths.sh FOLDER NEEDED...   (files that must be among those read, by their names in the folder)
set -uo pipefail
folder=$1
shift

# elements FILE: the elements of the search paths of an ELF file, one per line, in brackets; nothing for other files.
elements() {
    LC_ALL=C readelf -dW "$1" 2>/dev/null |
        sed -nE 's/.*\((RPATH|RUNPATH)\).*\[(.*)\]$/[\2]/p' | sed 's/:/]\n[/g'
}

bad=0
files=0
read=()
while IFS= read -r file; do
    [[ $(head -c 4 "$file" | tr -d '\0') == $'\x7f'ELF ]] || continue
    files=$((files + 1))
    read+=("${file#"$folder"/}")
    while IFS= read -r element; do
        case $element in
        '[/'* | '[$ORIGIN]' | '[$ORIGIN/'*) ;;
        *)
            echo "run_paths: $file looks for libraries in $element" >&2
            bad=$((bad + 1))
            ;;
        esac
    done < <(elements "$file")
done < <(find "$folder" -type f \( -perm -100 -o -name '*.so*' \) ! -path '*/CMakeFiles/*')
for needed in "$@"; do
    found=$(cd "$folder" && readlink -f "$needed")
    [[ " ${read[*]} " == *" ${found#"$(readlink -f "$folder")"/} "* ]] || {
        echo "run_paths: $needed is not among the files read" >&2
        bad=$((bad + 1))
    }
done
echo "$files files, $bad bad"
((bad == 0))
