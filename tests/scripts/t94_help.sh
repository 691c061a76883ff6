#!/usr/bin/env bash
# Every script prints with -h and --help what it does, and does nothing else.
# usage: t94_help.sh SCRIPTS_FOLDER
set -uo pipefail
failures=0
count=0
for script in "$1"/*.sh; do
    [[ -x $script ]] || continue # sourced by another
    count=$((count + 1))
    for option in -h --help; do
        said=$(timeout 10 "$script" "$option" 2>&1) && [[ $said == *"${script##*/}"* || $said == "$(sed -n '2s/^# //p' "$script")"* ]] || {
            echo "FAILED: ${script##*/} $option says: $said"
            failures=1
        }
    done
done
echo "$count scripts"
((failures == 0 && count > 10))
