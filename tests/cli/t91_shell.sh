#!/usr/bin/env bash
# The command line: the completions of bash, and the manual page, which groff accepts without a warning.
# usage: t91_shell.sh RICCATREE JSON_GET
set -uo pipefail
# shellcheck source=tests/support/command_line/command_line.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/command_line/command_line.sh"

works completion bash
cp out completion.bash
# shellcheck source=/dev/null
source completion.bash
expect "nothing completes riccatree" complete -p riccatree >/dev/null

# completes WANTED WORD...: the last, partial word is completed to one of WANTED, sorted.
completes() {
    local wanted=$1 joined
    shift
    last="completion of $*"
    COMP_WORDS=(riccatree "$@")
    COMP_CWORD=$#
    _riccatree
    joined=$( ((${#COMPREPLY[@]} > 0)) && printf '%s\n' "${COMPREPLY[@]}" | LC_ALL=C sort | paste -sd ' ')
    expect "there is \"$joined\", not \"$wanted\"" test "$joined" = "$wanted"
}

completes 'resume run' r
completes 'info' inf
completes '--version' --v
completes '' walk
completes 'chain' info cha
completes 'ball' run chain --hinge b
completes 'ball' run chain --hinge = b
completes 'ball cylindrical fixed free helical planar prismatic revolute universal' generate chain --hinge ''
completes 'conserving dopri5 implicit rk4' run chain --integrator =
completes 'abi riccati' info chain --method ''
completes 'lagrange' accel chain --method la
completes 'cuda' run chain --backend cu
completes 'whole' info chain --segment w
completes '--backend --baumgarte --bending --bodies' run chain --b
completes '' summary --bod
completes 'resume run' help r
completes 'bash' completion ''
completes '' run chain --bodies ''

# Files by their endings, folders, names with blanks; names that begin like families
mkdir models 'ch folder'
touch m.json m.h5 m.csv m.urdf 'm n.json' page.html p.svg sweep.json
completes 'm n.json m.h5 m.json m.urdf models' info m
completes 'm.h5 models' export m
completes 'm n.json m.json models' ensemble chain --sweep m
completes 'p.svg' plot m.h5 energy --out p
completes 'page.html' view m.h5 --out p
completes 'ch folder chain' info ch
completes 'm n.json m.csv m.h5 m.json m.urdf models' check m
refuses 2 '^riccatree: no completion for "zsh"; give bash$' completion zsh
refuses 2 'completion needs a SHELL' completion

# Both have every command and every option
works man
cp out page.1
works help
sed -n 's/^  \([a-z][a-z]*\) .*/\1/p' out >commands
expect "there are no commands" grep -qx run commands
while read -r command; do
    completes "$command" "$command"
    expect "the manual has no $command" grep -qE "^\.SS \"$command( |\")" page.1
    works help "$command"
    grep -oE '^  --[a-z-]+' out | tr -d ' ' >options
    while read -r option; do
        COMP_WORDS=(riccatree "$command" "$option")
        COMP_CWORD=2
        last="completion of $command $option"
        _riccatree
        expect "it is not completed" grep -qxF -- "$option" <(printf '%s\n' "${COMPREPLY[@]}")
        [[ $option == --help ]] || expect "the manual has no $option" grep -qF "${option//-/\\-}" page.1
    done <options
done <commands
last="man"
expect "groff is not there; scripts/install-dependencies.sh installs it" command -v groff >/dev/null
expect "groff fails" groff -man -ww -z -Tutf8 page.1 2>warnings
expect "groff warns: $(head -n 3 warnings)" test ! -s warnings
groff -man -Tascii -P-cbou page.1 >page.txt 2>/dev/null
expect "the page does not begin with the name" grep -qE '^ +riccatree - dynamics of' page.txt
expect "an option is not there as typed" grep -qE '^ +--t-end S$' page.txt
run man --out page.1
expect "the page was replaced" test "$status" = 2
works man --out -
expect "--out - is another page" cmp -s out page.1

finish
