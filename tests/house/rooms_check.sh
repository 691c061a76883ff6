#!/usr/bin/env bash
# Rooms include one another only as rooms.txt allows: checks every #include "..." of src/, kernels/, bench/, tests/ and python/.
# usage: rooms_check.sh [ROOT]
set -euo pipefail
rooms=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/rooms.txt
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}"
mapfile -t files < <(find src kernels bench tests python -name '*.[ch]' -o -name '*.cu' -o -name '*.cpp')
grep -nE '^ *# *include *"' "${files[@]}" /dev/null | awk -v files="${files[*]}" -v rooms="$rooms" '
    function breach(text) { print text; breaches++ }
    function folder(path) { sub(/\/?[^\/]*$/, "", path); return path }
    function room(path) { # the room of a file, or ""
        while (path != "" && !(path in may)) path = folder(path)
        return path
    }
    function meant(name, from,    place, i) { # the file by an include, or ""
        place[1] = folder(from) "/"; place[2] = room(from) "/"; place[3] = "src/"; place[4] = ""
        for (i = 1; i <= 4; i++) if (place[i] name in exists) return place[i] name
        return ""
    }
    function allowed(to, own,    home) { # itself, a folder that it is in, its room
        home = room(to)
        while (to != home && index(may[own], " " to " ") == 0) to = folder(to)
        return home == own || index(may[own], " " to " ") > 0
    }
    BEGIN {
        count = split(files, name, " ")
        for (i = 1; i <= count; i++) exists[name[i]]
        while ((getline line <rooms) > 0)
            if (line ~ /^[^#]/) may[substr(line, 1, index(line, ":") - 1)] = substr(line, index(line, ":") + 1) " "
    }
    {
        includes++
        split($0, word, "\"")
        split($0, at, ":")
        here = at[1] ":" at[2] ": "
        own = room(at[1])
        to = meant(word[2], at[1])
        if (own == "") breach(here "a file of no room; give its folder a line in tests/house/rooms.txt")
        else if (to == "") breach(here "there is no file " word[2])
        else if (!allowed(to, own)) {
            gsub(/ +/, " ", may[own])
            breach(here own " may not include " to "; it may include" may[own] "(tests/house/rooms.txt)")
        }
    }
    END {
        print "rooms check: " includes + 0 " includes, " breaches + 0 " breaches"
        exit breaches > 0 || includes == 0
    }'
