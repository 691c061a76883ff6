#!/usr/bin/env bash
# Riccatree beside other libraries (docs/peers.md). Nothing else of the project needs what this installs.
# usage: peers.sh build [RBDL]     what registries have: Simbody and Eigen by apt-get, MuJoCo and Pinocchio by pip into
#                                  build/peers/venv; then their drivers, and a release build of Riccatree, into
#                                  build/peers. RBDL: a clone of github.com/rbdl/rbdl, a copy of which is built by
#                                  -O3 -march=native, patched to make long chains.
#        peers.sh run CLASS RUN    all systems: bench/results/CLASS/peers-RUN.json, and the tables of docs/peers.md from all
#                                  runs there; some two minutes. Several runs, minutes apart, show what a shared machine does.
# What cannot be had is left out with a word.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage="usage: peers.sh build [RBDL] | peers.sh run CLASS RUN"
here=$PWD/build/peers
rounds=21 slice=0.006

install() {
    local packages=(libsimbody-dev libeigen3-dev) package
    for package in "${packages[@]}"; do
        dpkg-query -W "$package" >/dev/null 2>&1 ||
            apt-get -qq install -y --no-install-recommends "$package" ||
            echo "peers: no $package; as root: apt-get install $package"
    done
    [[ -x $here/venv/bin/pip ]] || python3 -m venv "$here/venv"
    for package in mujoco==4.0.0 pin==4.1.0; do
        "$here/venv/bin/pip" install --quiet "$package" || echo "peers: no $package"
    done
}

# rbdl SOURCES: its AddBody sorts all joints by taking them from the front of a list, which of a vector moves all others: n^3 steps
# for n bodies, minutes. Of a deque they are n^2, and the order is the same.
rbdl() {
    [[ ! -e $here/rbdl/lib ]] || return 0
    cp -rT "$1" "$here/rbdl-source"
    sed -i -e 's/std::vector<std::pair<JointType, unsigned int> >/std::deque<std::pair<JointType, unsigned int> >/' \
        -e '0,/#include </s//#include <deque>\n&/' "$here/rbdl-source/src/Model.cc"
    cmake -S "$here/rbdl-source" -B "$here/rbdl-build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_CXX_FLAGS=-march=native -DCMAKE_INSTALL_PREFIX="$here/rbdl" -DCMAKE_INSTALL_LIBDIR=lib \
        -DRBDL_BUILD_EXECUTABLES=OFF >/dev/null
    cmake --build "$here/rbdl-build" --target install >/dev/null || echo "peers: RBDL does not build"
}

build() {
    [[ -z ${1:-} ]] || rbdl "$1"
    cmake -B "$here" -G Ninja -DCMAKE_BUILD_TYPE=Release -DRCT_TESTS=OFF -DRCT_PEERS=ON \
        -DRCT_PEERS_PYTHON="$("$here/venv/bin/python" -c 'import site; print(site.getsitepackages()[0])')" \
        -DRCT_PEERS_RBDL="$here/rbdl" | grep Peers: || true
    cmake --build "$here" --target bench_peers
    local name
    for name in mujoco pinocchio_LOCAL pinocchio_WORLD simbody rbdl; do
        [[ ! $(ninja -C "$here" -t targets all) =~ peer_$name: ]] ||
            cmake --build "$here" --target "peer_$name" || echo "peers: $name does not build"
    done
}

# race FILE THREADS PEER.so...: one of the races of a run, behind a comma but for the first.
race() {
    echo "$separator"
    "$here/bench/bench_peers" race "$1" "$2" "$rounds" "$slice" "${@:3}"
    separator=,
}

# run PATH: the results. Peers that hold the longest chain race once more on it, against two threads.
run() {
    local out=$1 file separator=
    local processor commit
    processor=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1)
    commit=$(git describe --always --dirty --abbrev=12 --exclude='*')
    mkdir -p "$here/systems" "$(dirname "$out")"
    {
        printf '{"date": "%s", "processor": "%s", "compiler": "%s", "commit": "%s", "slice": %s, "races": [' \
            "$(date -u +%F)" "$processor" "$(c++ --version | head -1)" "$commit" "$slice"
        for file in $("$here/bench/bench_peers" write "$here/systems"); do
            race "$file" 1 "$here"/bench/peer_*.so
        done
        rounds=63 race "$here/systems/chain-ball-33334.txt" 2 "$here"/bench/peer_{rbdl,simbody}.so
        echo ']}'
    } >"$here/peers.json"
    mv "$here/peers.json" "$out"
}

case ${1:-} in
build)
    (($# <= 2)) || { echo "$usage" >&2 && exit 2; }
    mkdir -p "$here"
    install
    build "${2:-}"
    ;;
run)
    if (($# != 3)) || [[ ! $2 =~ ^[A-Za-z0-9._-]+$ || ! $3 =~ ^[0-9]+$ ]]; then
        echo "$usage" >&2
        exit 2
    fi
    run "bench/results/$2/peers-$3.json"
    scripts/peers_table.py --write docs/peers.md "bench/results/$2"/peers-*.json
    ;;
*)
    echo "$usage" >&2
    exit 2
    ;;
esac
