#!/usr/bin/env bash
# Compares Riccatree with other libraries (docs/peers.md). Nothing else of the project needs what this script installs.
# usage: peers.sh build [RBDL [DISMECH]]
#                                  installs Simbody, Bullet, Eigen and Python's headers by apt-get, and MuJoCo, Pinocchio
#                                  and Drake by pip into build/peers/venv; then builds their drivers, and Riccatree as
#                                  release, in build/peers. RBDL: a clone of github.com/rbdl/rbdl; a copy of it is built by
#                                  -O3 -march=native, patched to make long chains. DISMECH: a clone of
#                                  github.com/StructuresComp/dismech-python, for rods; "" as RBDL: without RBDL.
#        peers.sh run CLASS RUN [open|closed]
#                                  measures all systems, or only those without or with loops: writes
#                                  bench/results/CLASS/peers-RUN.json and peers_closed-RUN.json, and the tables of
#                                  docs/peers.md from all runs there; some minutes each. Several runs, minutes apart, show
#                                  how much a shared machine varies.
#        peers.sh run CLASS RUN ropes|rods
#                                  measures motions of these instead of accelerations: bench/results/CLASS/ropes-RUN.json or
#                                  rods-RUN.json, and their tables and pictures; an hour each. At the end the runs that
#                                  count are repeated twice.
# A library that cannot be installed or built is left out, with a message.
set -euo pipefail
[[ ${1:-} != @(-h|--help) ]] || { sed -n '2,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" && exit; }
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage="usage: peers.sh build [RBDL [DISMECH]] | peers.sh run CLASS RUN [open|closed|ropes|rods]"
here=$PWD/build/peers
rounds=21 slice=0.006

install() {
    local packages=(libsimbody-dev libbullet-dev libeigen3-dev libpython3-dev) package
    for package in "${packages[@]}"; do
        dpkg-query -W "$package" >/dev/null 2>&1 ||
            apt-get -qq install -y --no-install-recommends "$package" ||
            echo "peers: no $package; as root: apt-get install $package"
    done
    [[ -x $here/venv/bin/pip ]] || python3 -m venv "$here/venv"
    for package in mujoco==4.0.0 pin==4.1.0 drake==1.51.1 pyelastica==1.0.0 nanobind; do
        "$here/venv/bin/pip" install --quiet "$package" || echo "peers: no $package"
    done
}

# Copies the headers of Pinocchio. Its Data has four arrays of n^3 numbers for n freedoms, for second derivatives, and no option
# leaves them out. The copy is without these arrays, so that systems of 1,000 freedoms fit into memory.
pinocchio() {
    local headers
    headers=$(echo "$here"/venv/lib/python3*/site-packages/cmeel.prefix/include/pinocchio)
    [[ -d $headers && ! -e $here/pinocchio ]] || return 0
    mkdir "$here/pinocchio"
    cp -r "$headers" "$here/pinocchio/"
    sed -i -e 's/(model\.nv, model\.nv, model\.nv)/(0, 0, 0)/' \
        -e 's/kinematic_hessians(6, model\.nv, model\.nv)/kinematic_hessians(6, 0, 0)/' \
        "$here/pinocchio/pinocchio/src/multibody/data.hxx"
}

# rbdl SOURCES: AddBody of RBDL sorts all joints by taking them from the front of a vector, which moves all others: n^3 steps
# for n bodies, minutes. With a deque it takes n^2 steps and gives the same order.
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

# dismech SOURCES: pyproject.toml of Py-DiSMech leaves out some of the modules that it imports.
dismech() {
    "$here/venv/bin/pip" install --quiet pypardiso ipython "$1" || echo "peers: no Py-DiSMech"
}

build() {
    [[ -z ${1:-} ]] || rbdl "$1"
    [[ -z ${2:-} ]] || dismech "$2"
    cmake -B "$here" -G Ninja -DCMAKE_BUILD_TYPE=Release -DRCT_TESTS=OFF -DRCT_PEERS=ON \
        -DRCT_PEERS_PYTHON="$("$here/venv/bin/python" -c 'import site; print(site.getsitepackages()[0])')" \
        -DRCT_PEERS_PINOCCHIO="$here/pinocchio" -DRCT_PEERS_RBDL="$here/rbdl" \
        -DPython_EXECUTABLE="$here/venv/bin/python" | grep Peers: || true
    cmake --build "$here" --target bench_peers riccatree_python
    local name
    for name in mujoco pinocchio simbody bullet rbdl drake; do
        [[ ! $(ninja -C "$here" -t targets all) =~ peer_$name: ]] ||
            cmake --build "$here" --target "peer_$name" || echo "peers: $name does not build"
    done
    [[ ! $(ninja -C "$here" -t targets all) =~ ropes_simbody: ]] || cmake --build "$here" --target ropes_simbody
}

# race FILE THREADS PEER.so...: one race of a run, after a comma except for the first. how=apart: see bench_peers.
race() {
    echo "$separator"
    "$here/bench/bench_peers" "${how:-race}" "$1" "$2" "$rounds" "$slice" "${@:3}"
    separator=,
}

# races open|closed: all races. Systems of independent parts race a second time with one model per part. Where there are two
# processors, `open` adds a race on the long chain: RBDL and Simbody against Riccatree with two threads.
races() {
    local file separator=
    for file in $("$here/bench/bench_peers" write "$1" "$here/systems"); do
        race "$file" 1 "$here"/bench/peer_*.so
        [[ $file != *-times-* ]] || how=apart race "$file" 1 "$here"/bench/peer_*.so
    done
    [[ $1 == closed ]] || (($(nproc) < 2)) ||
        rounds=63 race "$here/systems/chain-ball-33334.txt" 2 "$here"/bench/peer_{rbdl,simbody}.so
}

# run open|closed PATH: writes the results to PATH.
run() {
    local processor commit
    processor=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1)
    commit=$(git rev-parse --short=12 HEAD)
    git diff --quiet HEAD -- . ':!docs' ':!bench/results' || commit+=-dirty # runs rewrite these folders
    mkdir -p "$here/systems" "$(dirname "$2")"
    {
        printf '{"date": "%s", "processor": "%s", "compiler": "%s", "commit": "%s", "slice": %s, "races": [' \
            "$(date -u +%F)" "$processor" "$(c++ --version | head -1)" "$commit" "$slice"
        races "$1"
        echo ']}'
    } >"$here/peers.json"
    mv "$here/peers.json" "$2"
}

# motion ropes|rods PATH: writes the results to PATH.
motion() {
    mkdir -p "$(dirname "$2")"
    bench/peers/motion/race.py "$1" "$here" >"$here/$1.json"
    mv "$here/$1.json" "$2"
    bench/peers/motion/race.py again "$2" "$here" 2
    scripts/motion_tables.py --write docs/peers.md "$2"
}

case ${1:-} in
build)
    (($# <= 3)) || { echo "$usage" >&2 && exit 2; }
    mkdir -p "$here"
    install
    pinocchio
    build "${2:-}" "${3:-}"
    ;;
run)
    if (($# < 3 || $# > 4)) || [[ ! $2 =~ ^[A-Za-z0-9._-]+$ || ! $3 =~ ^[0-9]+$ || ! ${4:-open} =~ ^(open|closed|ropes|rods)$ ]]; then
        echo "$usage" >&2
        exit 2
    fi
    if [[ ${4:-} == ropes || ${4:-} == rods ]]; then
        motion "$4" "bench/results/$2/$4-$3.json"
        exit
    fi
    [[ ${4:-} == closed ]] || run open "bench/results/$2/peers-$3.json"
    [[ ${4:-} == open ]] || run closed "bench/results/$2/peers_closed-$3.json"
    scripts/peers_table.py --write docs/peers.md "bench/results/$2"/peers*-*.json
    ;;
*)
    echo "$usage" >&2
    exit 2
    ;;
esac
