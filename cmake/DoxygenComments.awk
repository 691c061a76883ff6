# The headers as Doxygen wants to read them, which are written for people: plain comments become its own, one before several
# declarations that follow each other goes to each that has none behind it, and the exported forms behind inline functions (riccatree/sized.h) are left out.
# usage: awk -f DoxygenComments.awk HEADER

# The text of a comment line: no tags, commands or links where plain words were meant.
function plain(line) {
    gsub(/\\/, "\\\\", line)
    if (line !~ /^ \*     /) # Not in tables, which are shown as they are.
        gsub(/</, "\\<", line)
    gsub(/@/, "\\@", line)
    gsub(/#/, "\\#", line)
    return line
}

# A line of code with the comment that it ends in or begins.
function with_comment(line,    at, mark) {
    at = index(line, "/*")
    if (!at)
        return line
    mark = substr(line, 1, at - 1) ~ /^ *$/ ? "/**" : "/**<"
    inside = index(substr(line, at), "*/") == 0
    return substr(line, 1, at - 1) mark plain(substr(line, at + 2))
}

# Headlines are of no declaration.
/^\/\* ----/ { next }

# Comments over declarations. The first is of the file.
/^\/\*/ { comment = "/**" (NR == 1 ? " @file\n *" : "") plain(substr($0, 3)); gathers = !/\*\//; ended = 0
    if (!gathers) print comment
    next }
gathers { comment = comment "\n" plain($0)
    if (/\*\//) { gathers = 0; print comment }
    next }

# Comments that go on over several lines behind or between fields.
inside { print plain($0); inside = !/\*\//; next }

/^$/ { comment = ""; ended = 0; print; next }
/^#/ { print with_comment($0); next }

# Declarations: one that is exported for an inline function is left out.
/^extern/ { print; next }
/^[a-zA-Z]/ && !open { declaration = ""; open = 1 }
open == 1 {
    declaration = declaration (declaration == "" ? "" : "\n") with_comment($0)
    if (/[;{][^;{]*$/) {
        open = /{/ && !/^}/ && !/}/ ? 2 : 0
        if (declaration ~ /_sized\(|^RCT_API void rct_[a-z_]+_init\(rct_out/) { open = 0; next }
        if (ended && comment != "" && declaration !~ /_(free|close)\(|\/\*/) print comment
        print declaration
        if (!open) ended = 1
    }
    next
}
{ print with_comment($0) }
/^}/ { open = 0; ended = 1 }
