#!/usr/bin/env bash
# The command line refuses --out FILE with the ending of another kind of file before any computation, and says what the command
# writes and which command makes such a file.
# usage: t90_endings.sh RICCATREE JSON_GET
# shellcheck disable=SC2016 # backquotes are of messages
set -uo pipefail
# shellcheck source=tests/support/command_line/command_line.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/command_line/command_line.sh"

# Would take hours
endless=(run chain --bodies 1e6 --t-end 1e3)
refuses 2 '^riccatree: --out result.csv: the recording is written in HDF5; name it result.h5; then `riccatree export result.h5 --csv --out result.csv` makes CSV of it$' \
    "${endless[@]}" --out result.csv
refuses 2 'then `riccatree export a.b/c.h5 --npz --out a.b/c.NPZ` makes npz of it$' "${endless[@]}" --out a.b/c.NPZ
refuses 2 'then `riccatree plot r.h5 energy --out r.svg` makes SVG of it$' "${endless[@]}" --out r.svg
refuses 2 'then `riccatree view r.h5 --out r.html` makes HTML of it$' "${endless[@]}" --out=r.html
for ending in json txt dat npy png pdf; do
    refuses 2 "^riccatree: --out r.$ending: the recording is written in HDF5; name it r.h5\$" "${endless[@]}" --out r.$ending
done
refuses 2 'the results are written in HDF5; name it e.h5$' ensemble chain --perturb 1 --members 1e6 --out e.csv
refuses 2 'the recording is in HDF5; name it r.h5; then' resume r.checkpoint --out r.vtkhdf
refuses 2 'the model is written in JSON or HDF5; name it m.json$' generate chain --bodies 1e6 --out m.csv
refuses 2 'the model is written in JSON or HDF5; name it m.json$' import m.urdf --out m.html
refuses 2 'the page is written in HTML; name it v.html$' view chain --out v.svg

# The command in the message makes the wanted file; other endings, and none, are accepted
for file in r.h5 r.hdf5 r.out r r.d/x; do
    mkdir -p r.d
    works run chain --bodies 3 --t-end 0.01 --out $file
done
run export r.h5 --csv --out r.csv
expect "exit status $status, not 0" test "$status" = 0
expect "r.csv is no CSV" grep -q '^time,' r.csv
works generate chain --out m.hdf5
run plot r.h5 energy --out r.plot
expect "exit status $status, not 0" test "$status" = 0
refuses 2 'the plot is written in SVG; name it r.svg$' plot r.h5 energy --out r.png
refuses 2 'csv writes comma-separated values; name it r.csv$' export r.h5 --csv --out r.npz
run export r.h5 --csv --out r.txt
expect "exit status $status, not 0" test "$status" = 0
refuses 2 'npz writes arrays of numpy; name it r.npz$' export r.h5 --npz --out r.csv
refuses 2 'vtkhdf writes VTKHDF; name it r.vtkhdf$' export r.h5 --vtkhdf --out r.csv
works export r.h5 --vtkhdf --out v.h5

finish
