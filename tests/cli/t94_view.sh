#!/usr/bin/env bash
# riccatree view: pages of recordings, models, families and imports, and the messages about them; refused input, which leaves no
# page.
# usage: t94_view.sh RICCATREE JSON_GET
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/support/command_line/command_line.sh
source "$here/../support/command_line/command_line.sh"
examples=$here/../../examples

# ---- pages
works run chain --bodies 50 --perturb 0.1 --t-end 0.05 --out a.h5
works view a.h5
shows '^page +a\.html, [0-9.]+ kB$'
shows '^bodies +50 of 50 shown$'
shows '^frames +51 of 51 shown$'
shows '^positions +to [0-9.e-]+ m$'
expect "there is no page" grep -q '^<!DOCTYPE html>$' a.html
expect "the page is not whole" test "$(tail -1 a.html)" = '</html>'
expect "the page wants the network" test -z "$(grep -oE 'src=|href=|https?://' a.html)"
works view a.h5 --out b.html --most-bytes 60000 --json
equals file b.html
holds file_bytes 'x > 40000 && x <= 60000'
expect "the page has another size" test "$(get file_bytes)" = "$(stat -c %s b.html)"
equals bodies 50
equals bodies_shown 50
equals frames 51
holds frames_shown 'x >= 8 && x < 51'
holds position_error 'x > 0 && x < 1e-5'
works view a.h5 --out b.html --most-bytes 45000 --overwrite --json
equals frames_shown 8
holds bodies_shown 'x > 0 && x < 50'

# ---- models
works view necklace --bodies 12
shows '^page +necklace\.html, '
shows '^frames +none: the initial state of the model$'
works view "$examples/satellite.json"
shows '^page +satellite\.html, '
works view "$examples/arm7.urdf" --json
equals file arm7.html
equals frames 0
works generate chain --bodies 5 --out model.h5
works view model.h5
shows '^bodies +5 of 5 shown$'
works view "$here/../record/older/recording.h5" --out older.html
shows '^frames +3 of 3 shown$'

works ensemble chain --bodies 3 --members 7 --perturb 0.1 --t-end 0.01 --series 5 --track body2 --out members.h5
works view members.h5
shows '^members +7 of 7 shown$'
shows '^bodies +1 tracked$'
shows '^frames +5 of 5 shown$'
works view members.h5 --json --overwrite
equals members_shown 7
works ensemble chain --bodies 3 --members 2 --perturb 0.1 --t-end 0.01 --out plain.h5
works view plain.h5
shows '^frames +none: a run with --series has some$'

# ---- a page into a pipe or a device: its size is that of what was written
works view a.h5 --out c.html --json
mkfifo pipe
cat pipe >piped.html &
works view a.h5 --out pipe --json
wait $!
expect "another size" test "$(get file_bytes)" = "$(stat -c %s c.html)"
expect "another page" cmp -s piped.html c.html
works view a.h5 --out /dev/null --json
expect "another size" test "$(get file_bytes)" = "$(stat -c %s c.html)"
works view members.h5 --out /dev/null --json
expect "another size" test "$(get file_bytes)" = "$(stat -c %s members.html)"
rm c.html

# ---- refused input
pages=$(ls ./*.html | wc -l)
refuses 2 'a.html: it exists; add --overwrite to replace it, or give --out' view a.h5
refuses 2 '"none.json" is neither a file nor a family' view none.json
refuses 2 'none.h5: cannot open the file' view none.h5
refuses 2 '--bodies is for families, and "model.h5" is a file; leave it out' view model.h5 --bodies 3 --out c.html
refuses 2 '--bodies is for families, and "a.h5" is a file; leave it out' view a.h5 --bodies 3 --out c.html
refuses 2 'a page of 100 bytes cannot show one body; allow for [0-9]+ bytes or more' view a.h5 --most-bytes 100 --out c.html
refuses 2 '--most-bytes "0": give a whole number, 1 or more' view a.h5 --most-bytes 0
refuses 2 '--out -: pages cannot go to standard output; name a file' view a.h5 --out -
refuses 2 'nowhere/c.html' view a.h5 --out nowhere/c.html
head -c 2000 a.h5 >cut.h5
refuses 2 'cut.h5: is damaged' view cut.h5
refuses 2 'view needs a FILE.h5' view
expect "a page was left behind" test "$(ls ./*.html | wc -l)" = "$pages"
finish
