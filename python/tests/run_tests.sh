#!/usr/bin/env bash
# Runs a file of tests of the Python package that lies in a build folder.
# usage: run_tests.sh PYTHON PACKAGE FILE     PACKAGE: the folder with riccatree/ in it; none: there is none
# Exit status 77: skipped.
set -euo pipefail
python=$1 package=$2 file=$3
cd "$(dirname "${BASH_SOURCE[0]}")"

skip() {
    echo "python: skipped, $1"
    exit 77
}
[[ $package != none ]] || skip "this build has no Python package: it wants python3-dev, and nanobind by pip"
for module in numpy tqdm pytest; do
    "$python" -c "import $module" 2>/dev/null || skip "there is no $module; scripts/install-dependencies.sh --all gets it"
done
PYTHONPATH=$package PYTHONDONTWRITEBYTECODE=1 "$python" -m pytest -q -p no:cacheprovider "$file"
