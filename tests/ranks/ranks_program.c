/* One rank of a job that t14_ranks.sh starts: ranks_program WHAT [PART]; with `numbers` it makes
 * one in PART operations. Exit status 1, with a line on stderr, if a check fails; 2 if the job
 * cannot be joined. */
#include "core/error.h"
#include "ranks/ranks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static rct_ranks *ranks;
static int32_t number, count;
static int64_t part = 1;

static void check(int right, const char *what, int line)
{
    if (!right) {
        fprintf(stderr, "rank %d: line %d: not so: %s\n", number, line, what);
        exit(1); /* and mpirun ends the others */
    }
}
#define CHECK(condition) check((condition) != 0, #condition, __LINE__)

static void together(void)
{
    CHECK(rct_ranks_agree(ranks, RCT_OK, NULL) == RCT_OK);
}

static void begin(void)
{
    CHECK(rct_ranks_begin(ranks, NULL) == RCT_OK);
    for (int32_t i = 0; i < RCT_SHARED_COUNT; i++) {
        CHECK(rct_ranks_read(ranks, i) == 0);
    }
    together();
}

/* Everything added arrives. */
static void add_up(void)
{
    const int64_t each = 1000 / part;
    int64_t last = -1;
    for (int64_t i = 0; i < each; i++) {
        const int64_t before = rct_ranks_add(ranks, RCT_SHARED_STEPS, number + 1);
        CHECK(before > last);
        last = before;
        rct_ranks_add(ranks, RCT_SHARED_STOP, i % 2 == 0 ? INT64_C(1) << 40 : -(INT64_C(1) << 40));
    }
    together();
    CHECK(rct_ranks_read(ranks, RCT_SHARED_STEPS) == each * count * (count + 1) / 2);
    CHECK(rct_ranks_read(ranks, RCT_SHARED_STOP) == 0);
    CHECK(rct_ranks_read(ranks, RCT_SHARED_NEXT) == 0);
}

/* Each number is claimed once. */
static void claim(void)
{
    enum { NUMBERS = 3000 };
    static unsigned char own[NUMBERS], all[64][NUMBERS];
    const int64_t end = NUMBERS / part;
    memset(own, 0, sizeof own);
    for (int64_t next = 0; next < end;) {
        next = rct_ranks_add(ranks, RCT_SHARED_NEXT, 1);
        if (next < end) {
            own[next]++;
        }
    }
    CHECK(count <= 64);
    rct_ranks_gather(ranks, own, NUMBERS, all);
    together();
    for (int64_t i = 0; i < end && number == 0; i++) {
        int times = 0;
        for (int r = 0; r < count; r++) {
            times += all[r][i];
        }
        CHECK(times == 1);
    }
    CHECK(rct_ranks_read(ranks, RCT_SHARED_NEXT) == end + count);
}

static void numbers(void)
{
    for (int again = 0; again < 3; again++) { /* each time from zero */
        begin();
        add_up();
        begin();
        claim();
    }
}

/* `failing` has a bit for every failing rank, which has a status and message of its own. */
static void agree_on(unsigned failing, int with_words)
{
    const rct_status statuses[] = {RCT_ERROR_IO, RCT_ERROR_LOOP, RCT_ERROR_MODEL, RCT_ERROR_DEVICE};
    rct_error error = {.text = "untouched"};
    rct_status own = RCT_OK;
    if ((failing >> number & 1) != 0) {
        own = rct_fail_body(&error, statuses[number % 4], 100 + number, "words of %d", number);
        error.step = INT64_C(1) << 33;
    }
    const rct_status status = rct_ranks_agree(ranks, own, with_words ? &error : NULL);
    int32_t first = 0;
    while (first < count && (failing >> first & 1) == 0) {
        first++;
    }
    CHECK(status == (first < count ? statuses[first % 4] : RCT_OK));
    if (first == count) {
        CHECK(strcmp(error.text, "untouched") == 0);
    } else if (with_words) {
        char words[64];
        const int at = count > 1 ? snprintf(words, sizeof words, "rank %d: ", first) : 0;
        snprintf(words + at, sizeof words - (size_t)at, "words of %d", first);
        CHECK(strcmp(error.text, words) == 0);
        CHECK(error.status == status && error.body == 100 + first);
        CHECK(error.step == INT64_C(1) << 33);
    }
}

static void agree(void)
{
    for (unsigned failing = 0; failing < 1u << count; failing++) {
        agree_on(failing, 1);
        agree_on(failing, 0);
    }
    rct_error error = {.text = "stale"}; /* of something else: not what failed */
    const rct_status own = number == count - 1 ? RCT_ERROR_SYNTAX : RCT_OK;
    CHECK(rct_ranks_agree(ranks, own, &error) == RCT_ERROR_SYNTAX);
    CHECK(strstr(error.text, "syntax") != NULL);
    memset(error.text, 'x', sizeof error.text - 1); /* as long as can be */
    error.text[sizeof error.text - 1] = '\0';
    error.status = RCT_ERROR_IO;
    CHECK(rct_ranks_agree(ranks, RCT_ERROR_IO, &error) == RCT_ERROR_IO);
    CHECK(strlen(error.text) == sizeof error.text - 1);
    CHECK(strncmp(error.text, count > 1 ? "rank 0: x" : "xxxxxxxx", 8) == 0);
}

static void gather_of(int64_t bytes)
{
    unsigned char *own = malloc((size_t)bytes + 1);
    unsigned char *all = number == 0 ? malloc((size_t)(bytes * count) + 1) : NULL;
    CHECK(own != NULL && (all != NULL || number > 0));
    for (int64_t i = 0; i < bytes; i++) {
        own[i] = (unsigned char)(7 * i + i / 256 + 31 * number);
    }
    if (all != NULL) {
        memset(all, 0, (size_t)(bytes * count) + 1);
        all[bytes * count] = 99;
    }
    rct_ranks_gather(ranks, own, bytes, all);
    for (int64_t k = 0; k < bytes * count && all != NULL; k++) {
        const int64_t i = k % bytes;
        CHECK(all[k] == (unsigned char)(7 * i + i / 256 + 31 * (k / bytes)));
    }
    CHECK(all == NULL || all[bytes * count] == 99);
    free(own);
    free(all);
}

static void gather(void)
{
    const int64_t sizes[] = {0, 1, 8, 1000, 1 << 20, (1 << 20) + 1, 5 << 19};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        gather_of(sizes[i]);
    }
    together();
}

static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double used(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/* Rank 0 computes until all others have finished their additions, which proceed meanwhile; it could
 * not end otherwise. */
static void compute(void)
{
    const int64_t each = 100;
    begin();
    if (number == 0) {
        volatile double work = 1.0;
        const double started = seconds(CLOCK_MONOTONIC);
        while (rct_ranks_read(ranks, RCT_SHARED_MEMBERS) < count - 1) {
            for (int i = 0; i < 100000; i++) {
                work = work * 1.0000001;
            }
            rct_ranks_poll(ranks);
            CHECK(seconds(CLOCK_MONOTONIC) - started < 60.0);
        }
    } else {
        for (int64_t i = 0; i < each; i++) {
            rct_ranks_add(ranks, RCT_SHARED_STEPS, 1);
            rct_ranks_poll(ranks);
        }
        rct_ranks_add(ranks, RCT_SHARED_MEMBERS, 1);
    }
    together();
    CHECK(rct_ranks_read(ranks, RCT_SHARED_STEPS) == each * (count - 1));
}

/* Ranks that wait two seconds for the last one take less than a fifth of a processor, with every
 * way of waiting. */
static void idle(void)
{
    for (int way = 0; way < 3; way++) {
        const double before = used(), began = seconds(CLOCK_MONOTONIC);
        if (number == count - 1) {
            const struct timespec pause = {2, 0};
            nanosleep(&pause, NULL);
        }
        if (way == 0) {
            together();
        } else if (way == 1) {
            CHECK(rct_ranks_begin(ranks, NULL) == RCT_OK);
        } else {
            gather_of(100);
            together();
        }
        CHECK(used() - before < 0.2 * (seconds(CLOCK_MONOTONIC) - began));
    }
    if (number == count - 1) {
        sleep(2); /* the others wait while closing */
    }
}

static void leave_without_closing(int status)
{
    if (number == count - 1) {
        exit(status);
    }
    together(); /* that one never comes */
    CHECK(0);
}

int main(int words, char **word)
{
    const char *what = words >= 2 ? word[1] : "";
    rct_error error;
    ranks = rct_ranks_open(&error);
    if (ranks == NULL) {
        fprintf(stderr, "%s: %s\n", rct_status_name(error.status), error.text);
        return 2;
    }
    part = words >= 3 ? strtoll(word[2], NULL, 10) : 1;
    number = rct_ranks_number(ranks);
    count = rct_ranks_count(ranks);
    if (strcmp(what, "numbers") == 0) {
        numbers();
    } else if (strcmp(what, "agree") == 0) {
        agree();
    } else if (strcmp(what, "gather") == 0) {
        gather();
    } else if (strcmp(what, "compute") == 0) {
        compute();
    } else if (strcmp(what, "idle") == 0) {
        idle();
    } else if (strcmp(what, "fail") == 0) {
        leave_without_closing(3);
    } else if (strcmp(what, "vanish") == 0) {
        leave_without_closing(0);
    } else if (strcmp(what, "count") != 0) {
        fprintf(stderr, "ranks_program: what is \"%s\"?\n", what);
        return 1;
    }
    const double before = used(), began = seconds(CLOCK_MONOTONIC);
    rct_ranks_close(ranks);
    CHECK(strcmp(what, "idle") != 0 || number == count - 1 ||
          used() - before < 0.3 * (seconds(CLOCK_MONOTONIC) - began));
    printf("rank %d of %d is done\n", number, count);
    return 0;
}
