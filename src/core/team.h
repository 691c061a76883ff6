/* A team of threads that share jobs: member 0 is the caller; the others wait between jobs, first
 * spinning for some microseconds, then asleep.
 *
 * A job is work that members claim piece by piece until none is left. Members that come in time
 * take part. The caller never waits for a member that has not begun, so a busy machine costs no
 * more speed than the threads it takes away. A member may be called more than once for one job.
 *
 * In a forked child the caller is alone: jobs run as on a busy machine, and freeing waits for no
 * thread. */
#ifndef RCT_CORE_TEAM_H
#define RCT_CORE_TEAM_H

#include <riccatree/status.h>

typedef struct rct_team rct_team;

/* `members` >= 1 threads, including that of the caller. NULL: RCT_ERROR_MEMORY. */
rct_team *rct_team_create(int32_t members, rct_error *error);
void rct_team_free(rct_team *team);
int32_t rct_team_members(const rct_team *team);

/* Run job(context, member, members) on the caller and on every other member that comes in time;
 * return when all calls that have begun are over. */
typedef void rct_job(void *context, int32_t member, int32_t members);
void rct_team_run(rct_team *team, rct_job *job, void *context);

/* Processors this process may use. */
int32_t rct_processors(void);

#endif
