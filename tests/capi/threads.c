/* Asks one database from eight threads at once.
 *
 *     threads DATABASE SAMPLES
 */
#include <pthread.h>

#include "check.h"

enum { MOST = 2000, THREADS = 8, ROUNDS = 3 };

static sample samples[MOST];
static size_t count;
static millbase_database *database;

/* Asks all positions, each thread beginning elsewhere, now and then with a mistake. */
static void *ask(void *number)
{
    size_t begin = *(const size_t *)number * count / THREADS, i;
    for (i = 0; i < count * ROUNDS; i++) {
        const sample *expected = &samples[(begin + i) % count];
        millbase_answer answer;
        millbase_error error;
        millbase_turn best;
        size_t turns;
        CHECK(done(millbase_probe(database, expected->position, &answer, &error), &error));
        CHECK(answer.value == expected->value);
        CHECK(answer.has_plies ? answer.plies == expected->plies : expected->plies == -1);
        if (i % 16 == 0) {
            CHECK(millbase_moves(database, expected->position, &best, 1, &turns, &error) == MILLBASE_OK);
            CHECK(turns == 0 || best.value == expected->value);
        }
        if (i % 64 == 0) {
            CHECK(millbase_probe(database, "stort", &answer, &error) == MILLBASE_ERROR_POSITION);
            CHECK(strstr(error.message, "at least 12 fields") != NULL);
        }
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    size_t numbers[THREADS], i;
    CHECK(argc == 3);
    database = opened(argv[1]);
    count = read_samples(argv[2], samples, MOST);
    CHECK(count == MOST);
    for (i = 0; i < THREADS; i++) {
        numbers[i] = i;
        CHECK(pthread_create(&threads[i], NULL, ask, &numbers[i]) == 0);
    }
    for (i = 0; i < THREADS; i++) {
        CHECK(pthread_join(threads[i], NULL) == 0);
    }
    millbase_close(database);
    printf("%d threads agree\n", THREADS);
    return 0;
}
