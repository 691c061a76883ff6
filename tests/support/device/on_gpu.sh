#!/usr/bin/env bash
# Runs a test with the CUDA backend of this build on this machine's GPU. If the test cannot run: one line and exit status 77,
# skipped.
# usage: on_gpu.sh RICCATREE PLUGIN_FOLDER PROGRAM [ARGUMENT...]
set -euo pipefail
riccatree=$1
export RICCATREE_PLUGINS=$2
shift 2
said=$("$riccatree" backends | sed -n 's/^cuda  *//p')
if [[ $said != available ]]; then
    echo "skipped: cuda ${said:-is not known}"
    exit 77
fi
exec "$@"
