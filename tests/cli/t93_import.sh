#!/usr/bin/env bash
# The command line: `import`, and URDF and MJCF files as MODEL in other commands.
# usage: t93_import.sh RICCATREE JSON_GET
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
examples=$here/../../examples
# shellcheck source=tests/support/command_line/command_line.sh
source "$here/../support/command_line/command_line.sh"

works import "$examples/arm7.urdf"
equals name arm7
equals bodies.0.name link1
equals bodies.6.name link7
run import "$examples/figure17.xml" --format mjcf --out figure.json
shows '^figure.json: 17 bodies$'
expect "no notice" grep -q '17.xml: 3 shapes are left out: meshes, or forms that are not drawn' err # ellipsoids
refuses 2 'figure.json: it exists; add --overwrite' import "$examples/figure17.xml" --out figure.json
run import "$examples/figure17.xml" --out figure.json --overwrite
expect "exit status $status, not 0" test "$status" = 0
refuses 2 'the root element must be <mujoco>' import "$examples/arm7.urdf" --format mjcf
refuses 2 'floating-root is for URDF' import "$examples/figure17.xml" --floating-root
refuses 2 'none.urdf: cannot open the file' import none.urdf

# Files of other kinds
cp "$examples/arm7.urdf" xml.txt
cp "$examples/four-bar.json" json.txt
works generate chain --bodies 2 --out sealed.h5
cp sealed.h5 h5.txt
works run chain --bodies 2 --t-end 0.01 --checkpoint a.rct
refuses 2 'xml.txt: it is no model but XML; rct_model_import reads URDF and MJCF, and so does riccatree import' info xml.txt
refuses 2 'json.txt: it is no URDF or MJCF but JSON; rct_model_read reads models, and riccatree import if the name ends in .json' import json.txt
refuses 2 'h5.txt: it is no URDF or MJCF but HDF5; rct_model_read_h5 reads models, and riccatree import if the name ends in .h5' import h5.txt
refuses 2 'a.rct: it is no URDF or MJCF but a checkpoint of a run; riccatree resume continues it' import a.rct
works import "$examples/arm7.urdf" --out -
equals name arm7

# A model file has everything that the import read: the same accelerations, to the last bit, and the same file again.
for file in arm7.urdf figure17.xml; do
    run import "$examples/$file" --out written.json --overwrite
    expect "exit status $status, not 0" test "$status" = 0
    works accel "$examples/$file" --json
    cp out direct
    works accel written.json --json
    expect "the model file of $file gives other accelerations" cmp -s direct out
    # the feet of the figure are too stiff for 1 ms
    works run "$examples/$file" --t-end 0.01 --dt 5e-4 --json
    kinetic=$(get kinetic_final)
    works run written.json --t-end 0.01 --dt 5e-4 --json
    equals kinetic_final "$kinetic"
done

# What is not supported
cat >spring.urdf <<'END'
<robot name="r">
  <link name="a"/>
  <link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
  <joint name="j" type="fixed"><parent link="a"/><child link="b"/><spring/></joint>
</robot>
END
refuses 2 'spring.urdf: line 4: <spring>: .*; remove it, or continue without it' import spring.urdf
run import spring.urdf --ignore-unsupported
expect "exit status $status, not 0" test "$status" = 0
expect "no notice" grep -qx 'riccatree: warning: spring.urdf: 1 ignored that may change the motion:' err
expect "no line" grep -q '^riccatree: warning:   line 4: <spring>' err
equals bodies.0.name b

# Elements of the file that the model does not have in this form
cat >changed.urdf <<'END'
<robot name="r">
  <link name="a"/>
  <link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="9"/></inertial></link>
  <link name="tip"/>
  <joint name="j" type="revolute"><parent link="a"/><child link="b"/><dynamics friction="0.5"/></joint>
  <joint name="k" type="revolute"><parent link="b"/><child link="tip"/></joint>
</robot>
END
refuses 2 'changed.urdf: line 3: body 0 "b": the inertia violates' import changed.urdf
run import changed.urdf --repair-inertia
expect "exit status $status, not 0" test "$status" = 0
expect "no word of the inertia" grep -qx 'riccatree: warning: changed.urdf: 1 inertia is repaired' err
expect "no word of the tip" grep -qx 'riccatree: warning: changed.urdf: 1 body that moves without mass is left out' err
expect "no word of the friction" grep -qx 'riccatree: warning: changed.urdf: 1 coordinate has dry friction, regularized below 0.01 rad/s or m/s' err
equals bodies.0.name b
run accel changed.urdf --repair-inertia
expect "exit status $status, not 0" test "$status" = 0
refuses 2 'repair-inertia is for URDF and MJCF' import "$examples/crane.json" --repair-inertia
refuses 2 'repair-inertia is for URDF and MJCF files' accel "$examples/boom.json" --repair-inertia
cat >tied.xml <<'END'
<mujoco>
  <include file="part.xml"/>
  <equality><connect body1="a" anchor="0 0 -1"/></equality>
</mujoco>
END
cat >part.xml <<'END'
<mujoco><worldbody><body name="a"><joint/><geom size="1"/></body></worldbody></mujoco>
END
run import tied.xml
expect "exit status $status, not 0" test "$status" = 0
expect "no word of the constraint" grep -qx 'riccatree: warning: tied.xml: 1 constraint is exact here, but soft in the file' err
equals loops.0.type ball

# What is not drawn
cat >seen.urdf <<'END'
<robot name="r">
  <link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>
    <visual><origin xyz="0 0 1"/><geometry><sphere radius="0.5"/></geometry></visual>
    <visual><geometry><mesh filename="a.stl"/></geometry></visual></link>
</robot>
END
run import seen.urdf
expect "exit status $status, not 0" test "$status" = 0
expect "no notice" grep -qx 'riccatree: warning: seen.urdf: 1 shape is left out: a mesh, or a form that is not drawn' err
equals bodies.0.shapes.0.type sphere
equals bodies.0.shapes.0.at.2 1.0
works view seen.urdf

# Everywhere
cat >pendulum.xml <<'END'
<mujoco model="pendulum">
  <worldbody>
    <body name="bob"><joint type="ball"/><geom type="capsule" fromto="0 0 0 0.6 0 -0.8" size="0.05"/></body>
  </worldbody>
</mujoco>
END
works info pendulum.xml --json
equals model pendulum
equals dof 3
works run pendulum.xml --t-end 0.01 --json
equals bodies 1
works import pendulum.xml --out pendulum.json
works accel pendulum.xml --json
cp out direct
works accel pendulum.json --json
expect "the model file gives other accelerations" cmp -s direct out
refuses 2 'spring.urdf: line 4' info spring.urdf
refuses 2 'bodies is for families' info pendulum.xml --bodies 3

# Every command that takes a model leaves out what import leaves out, and says so; and refuses the option if there is nothing to import
cat >other.urdf <<'END'
<robot name="mimic">
  <link name="base"/>
  <link name="arm"><inertial><origin xyz="0 0 -1"/><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
  <joint name="j" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/><spring/></joint>
</robot>
END
works run chain --bodies 2 --t-end 0.01 --out chain.h5
for command in accel compare 'ensemble --perturb 0.1 --members 2 --t-end 0.01' info 'run --t-end 0.01' 'view --out page.html --overwrite'; do
    read -ra words <<<"$command"
    refuses 2 'other.urdf: line 4: <spring>: ' "${words[0]}" other.urdf "${words[@]:1}"
    run "${words[0]}" other.urdf "${words[@]:1}" --ignore-unsupported
    expect "exit status $status, not 0" test "$status" = 0
    expect "no notice" grep -qx 'riccatree: warning: other.urdf: 1 ignored that may change the motion:' err
    expect "no line" grep -q '^riccatree: warning:   line 4: <spring>' err
    refuses 2 '^riccatree: --ignore-unsupported is for URDF and MJCF files, and "chain" is neither; leave it out$' \
        "${words[0]}" chain "${words[@]:1}" --ignore-unsupported
    refuses 2 'for URDF and MJCF files, and "pendulum.json" is neither' \
        "${words[0]}" pendulum.json "${words[@]:1}" --ignore-unsupported
done
refuses 2 'for URDF and MJCF files, and "chain.h5" is neither' view chain.h5 --ignore-unsupported
refuses 2 '--ignore-unsupported is for URDF and MJCF, and "pendulum.json" is a model file' \
    import pendulum.json --ignore-unsupported

finish
