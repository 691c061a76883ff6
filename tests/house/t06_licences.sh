#!/usr/bin/env bash
# Every linked library, also those linked by others, is listed in docs/licences.md with its licence, and none is under the GPL.
# usage: t06_licences.sh TABLE LIBRARY_OR_PLUGIN...
set -euo pipefail
document=$1
shift

# Rows of the table: | licence | `lib`, `lib`, ... |
table=$(grep '^|.*`' "$document" || true)
if grep -E '^\| *(A?GPL|GNU GPL)[^|]*\|' <<<"$table" | grep -vE 'or |exception'; then
    echo "a row of the table is under the GPL alone: nothing of it may be linked"
    exit 1
fi
listed=$(grep -oE '`[^`]+`' <<<"$table" | tr -d '`' | sort -u)

result=0
count=0
for file in "$@"; do
    found=$(ldd "$file" | awk '{ sub(/.*\//, "", $1); print $1 }' | sed -E 's/\.so(\..*)?$//' |
        grep -vE '^(linux-vdso|ld-linux.*|libriccatree(_reference)?|libasan|libubsan|libtsan)$' | sort -u)
    for name in $found; do
        count=$((count + 1))
        case $name in
        libumfpack | libcholmod | libspqr | librbio | libmongoose)
            echo "$(basename "$file") links $name, which is under the GPL: take it out"
            result=1
            ;;
        *)
            if ! grep -qxF "$name" <<<"$listed"; then
                echo "$(basename "$file") links $name, whose licence $document does not name:" \
                    "look it up, and add it to the table if it is not the GPL"
                result=1
            fi
            ;;
        esac
    done
done
echo "licences: $count libraries linked by $# files"
[[ $count -gt 0 ]] || result=1
exit $result
