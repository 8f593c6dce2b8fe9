/* What the tests of the C interface have in common: checks, and positions with what they are worth. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "millbase.h"

/* Ends the program with a sentence if something is not so. */
#define CHECK(what)                                                                    \
    do {                                                                               \
        if (!(what)) {                                                                 \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #what);         \
            exit(1);                                                                   \
        }                                                                              \
    } while (0)

/* A position and what `millbase sample` says of it. */
typedef struct sample {
    int32_t value;
    int32_t plies; /* -1: none */
    char position[MILLBASE_POSITION_SIZE];
} sample;

static int32_t value_named(const char *name)
{
    static const char *const names[] = {"unknown", "loss", "draw", "win"};
    int32_t value;
    for (value = MILLBASE_UNKNOWN; value <= MILLBASE_WIN; value++) {
        if (strcmp(names[value], name) == 0) {
            return value;
        }
    }
    fprintf(stderr, "no value: %s\n", name);
    exit(1);
}

/* Reads lines of VALUE PLIES POSITION, at most `most` of them, and says how many. */
static size_t read_samples(const char *path, sample *samples, size_t most)
{
    char line[512], value[16], plies[16];
    size_t count = 0;
    FILE *file = fopen(path, "r");
    CHECK(file != NULL);
    while (count < most && fgets(line, sizeof line, file) != NULL) {
        sample *next = &samples[count++];
        CHECK(sscanf(line, "%15s %15s %191[^\n]", value, plies, next->position) == 3);
        next->value = value_named(value);
        next->plies = strcmp(plies, "null") == 0 ? -1 : (int32_t)atoi(plies);
    }
    fclose(file);
    return count;
}

/* Whether a function has done what it was to do; if not, says why. */
static int done(int32_t code, const millbase_error *error)
{
    if (code != MILLBASE_OK) {
        fprintf(stderr, "%s\n", error->message);
    }
    return code == MILLBASE_OK && error->code == MILLBASE_OK && error->message[0] == '\0';
}

static millbase_database *opened(const char *path)
{
    millbase_database *database = NULL;
    millbase_error error;
    CHECK(done(millbase_open(path, &database, &error), &error));
    CHECK(database != NULL);
    return database;
}

#endif /* CHECK_H */
