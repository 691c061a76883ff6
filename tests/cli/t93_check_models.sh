#!/usr/bin/env bash
# scripts/check-models.py: which files it counts and leaves out, the reasons of refusals, and its requirements; where MuJoCo and
# Pinocchio are installed, that they agree.
# usage: t93_check_models.sh RICCATREE JSON_GET
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$here/../..
# shellcheck source=tests/support/command_line/command_line.sh
source "$here/../support/command_line/command_line.sh"

check() {
    python3 "$root/scripts/check-models.py" --riccatree "$riccatree" "$@" >out 2>err
    status=$?
}

check "$root/examples"
expect "exit status $status, not 0" test "$status" = 0
shows '^URDF: 1 of 1 .100 %. are imported$'
shows '^MJCF: 1 of 1 .100 %. are imported$'

mkdir -p models/in
cp "$root/examples/arm7.urdf" models/arm.urdf
cp "$root/examples/arm7.urdf" models/again.urdf
cat >models/in/main.xml <<'END'
<mujoco><include file="part.xml"/><equality><connect body1="a" anchor="1 0 -1"/></equality></mujoco>
END
cat >models/in/part.xml <<'END'
<mujoco><worldbody>
  <body name="a"><joint type="slide"/><joint axis="1 1 0"/><joint axis="0 1 1" pos="0 1 0"/><geom size="1"/></body>
</worldbody></mujoco>
END
echo '<mujoco><include file="none.xml"/><worldbody><body><joint/></body></worldbody></mujoco>' >models/in/open.xml
echo '<mujoco><worldbody><geom size="1"/></worldbody></mujoco>' >models/still.xml
echo '<mujoco><worldbody><body><joint/><geom type="odd"/></body></worldbody></mujoco>' >models/odd.xml
echo '<robot xmlns:xacro="x"><xacro:arm/></robot>' >models/x.urdf
echo '<robot><link name="a"/><link name="b"/><joint name="j" type="revolute"/></robot>' >models/light.urdf
echo '<package/>' >models/package.xml
check models --json found.json
expect "exit status $status, not 0" test "$status" = 0
shows '^URDF: 1 of 1 .100 %. are imported$'
shows '^MJCF: 1 of 2 .50 %. are imported$'
for what in '1 the same as another' '1 included by another' '1 without a file that it includes' '1 nothing moves' '1 xacro' \
    '1 without any mass' '1 another format'; do
    shows "^apart: .*$what"
done
shows '^    1  <geom>: the mass of a geom of type odd is not known'
shows '^lagrange: 1 of 1 .100 %. agree to 1e-09'
expect "no results in the file" grep -q '"loaded": true' found.json

check models --states 0 --without in
shows '^MJCF: 0 of 1 .0 %. are imported$'
check models "$root/examples" --states 0
shows '^URDF: 1 of 1 .100 %. are imported$' # the arm is in both folders
shows '^apart: .*2 the same as another'

check models --riccatree none/riccatree
expect "exit status $status, not 2" test "$status" = 2
expect "no word of what to build" grep -q 'there is no program none/riccatree: build it by' err
check nowhere
expect "exit status $status, not 2" test "$status" = 2
expect "no word of the folder" grep -q 'there is no folder nowhere' err

finish
