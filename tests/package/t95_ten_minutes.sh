#!/usr/bin/env bash
# docs/ten-minutes.md and examples/ten_minutes.sh have the same commands in the same order. The script runs, finds what it looks
# for, and prints the lines that the page shows.
# usage: t95_ten_minutes.sh BUILD_FOLDER   (works in BUILD_FOLDER/tests/ten_minutes)
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$1
work=$build/tests/ten_minutes
page=$root/docs/ten-minutes.md

# block LANGUAGE: of the page.
block() { awk -v open="\`\`\`$1" '$0 == "```" { on = 0 } on; $0 == open { on = 1 }' "$page"; }

rm -rf "$work"
mkdir -p "$work"
cp -r "$root/examples" "$work/examples"
block sh >"$work/told"
# Commands of the script, without its own tools, checks and remarks.
sed -E 's/^ +//' "$root/examples/ten_minutes.sh" |
    grep -vE '^(#|$|set |cd "|rm -rf|check |check\(|last\(|less\(|command -v|\})' >"$work/done"
diff "$work/told" "$work/done" || { echo "t95_ten_minutes: the page and the script have other commands" >&2; exit 1; }

PATH=$build:$PATH bash "$work/examples/ten_minutes.sh" | tee "$work/said"
block text >"$work/shown"
[[ $(wc -l <"$work/shown") -ge 5 ]] || { echo "t95_ten_minutes: the page shows no lines" >&2; exit 1; }
while IFS= read -r line; do
    grep -qxF -- "$line" "$work/said" || { echo "t95_ten_minutes: not said: $line" >&2; exit 1; }
done <"$work/shown"
