# Converts the headers for Doxygen: plain comments become Doxygen comments. A comment before several adjacent declarations goes to
# each of them that has no comment behind it. The exported forms of inline functions (riccatree/sized.h) are left out.
# usage: awk -f DoxygenComments.awk HEADER

# Escapes a comment line, so that plain words do not become tags, commands or links.
function plain(line) {
    gsub(/\\/, "\\\\", line)
    if (line !~ /^ \*     /) # not in tables, which Doxygen shows unchanged
        gsub(/</, "\\<", line)
    gsub(/@/, "\\@", line)
    gsub(/#/, "\\#", line)
    return line
}

# A line of code with the comment at its end or the beginning of a comment.
function with_comment(line,    at, mark) {
    at = index(line, "/*")
    if (!at)
        return line
    mark = substr(line, 1, at - 1) ~ /^ *$/ ? "/**" : "/**<"
    inside = index(substr(line, at), "*/") == 0
    return substr(line, 1, at - 1) mark plain(substr(line, at + 2))
}

# Headlines belong to no declaration.
/^\/\* ----/ { next }

# Comments before declarations. The first one is that of the file.
/^\/\*/ { comment = "/**" (NR == 1 ? " @file\n *" : "") plain(substr($0, 3)); gathers = !/\*\//; ended = 0
    if (!gathers) print comment
    next }
gathers { comment = comment "\n" plain($0)
    if (/\*\//) { gathers = 0; print comment }
    next }

# Comments of several lines behind or between fields.
inside { print plain($0); inside = !/\*\//; next }

/^$/ { comment = ""; ended = 0; print; next }
/^#/ { print with_comment($0); next }

# Declarations. A function that is exported for an inline function is left out.
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
