/* The one table of options: how each is written and what its value is. */
#ifndef CLI_OPTION_RULES_H
#define CLI_OPTION_RULES_H

#include "cli.h"

#include <stddef.h>

typedef enum cli_option_kind {
    KIND_FLAG,
    KIND_TEXT,
    KIND_TEXTS, /* may be given more than once: cli_texts */
    KIND_COUNT,
    KIND_SEGMENT, /* a count, auto or whole: RCT_SEGMENT_AUTO, RCT_SEGMENT_WHOLE */
    KIND_CHOICE,
    KIND_HINGE, /* a name of a hinge type */
    KIND_REAL,
    KIND_PAIR, /* of reals, with a comma between */
    KIND_POSITIVE,
    KIND_INTERVAL /* steps, or seconds with an s behind */
} cli_option_kind;

typedef struct cli_option_rule {
    cli_option option;
    cli_option_kind kind;
    size_t field;               /* offset in cli_arguments                    */
    int64_t least;              /* of a count                                 */
    int64_t most;               /* of a count, 0: no limit                    */
    const char *const *choices; /* NULL at the end; the field gets the number */
} cli_option_rule;

const cli_option_rule *cli_rule_at(cli_option_id id);

#endif
