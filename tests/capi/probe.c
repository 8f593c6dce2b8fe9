/* Asks databases of `six` through the C interface.
 *
 *     probe WHOLE VALUES PART SAMPLES
 *
 * WHOLE is the database, VALUES one without distances, PART one that lacks a sector, SAMPLES what `millbase
 * sample` says of positions. Valid C99 and valid C++. */
#include "check.h"

enum { MOST = 2000, TURNS = 512 };

static sample samples[MOST];

/* Every answer is that of the program; of a database without distances as far as it can tell. */
static void agrees(const millbase_database *database, size_t count, int with_plies)
{
    millbase_answer answer;
    millbase_error error;
    size_t i;
    for (i = 0; i < count; i++) {
        const sample *expected = &samples[i];
        int has_plies = with_plies && expected->plies >= 0;
        CHECK(done(millbase_probe(database, expected->position, &answer, &error), &error));
        CHECK(answer.value == expected->value);
        CHECK(answer.has_plies == has_plies);
        CHECK(answer.plies == (has_plies ? expected->plies : 0));
        CHECK(answer.missing[0] == '\0');
        CHECK(strcmp(answer.position, expected->position) == 0);
        CHECK(answer.side == (strstr(answer.position, " w ") ? MILLBASE_WHITE : MILLBASE_BLACK));
    }
}

/* How good a turn is, the best first. */
static int32_t rank(const millbase_turn *turn)
{
    switch (turn->value) {
    case MILLBASE_WIN:
        return turn->plies;
    case MILLBASE_DRAW:
        return 1000;
    case MILLBASE_LOSS:
        return 3000 - turn->plies;
    default:
        return 4000;
    }
}

/* The best turn is worth what the position is, and each turn the opposite of where it leads. */
static void turns_fit(const millbase_database *database, size_t count)
{
    static millbase_turn turns[TURNS];
    millbase_answer answer;
    size_t i, t, found, ended = 0;
    for (i = 0; i < count; i += 7) {
        const char *position = samples[i].position;
        CHECK(millbase_moves(database, position, turns, TURNS, &found, NULL) == MILLBASE_OK);
        CHECK(found <= TURNS);
        if (found == 0) {
            ended++;
            CHECK(samples[i].plies == 0 || samples[i].value == MILLBASE_DRAW);
            continue;
        }
        CHECK(turns[0].value == samples[i].value);
        CHECK(turns[0].has_plies ? turns[0].plies == samples[i].plies : samples[i].plies == -1);
        for (t = 0; t < found; t++) {
            CHECK(t == 0 || rank(&turns[t - 1]) <= rank(&turns[t]));
            CHECK(turns[t].move[0] != '\0');
            CHECK(millbase_probe(database, turns[t].position, &answer, NULL) == MILLBASE_OK);
            CHECK(answer.value == MILLBASE_WIN + MILLBASE_LOSS - turns[t].value);
            CHECK(answer.has_plies == turns[t].has_plies);
            CHECK(!answer.has_plies || answer.plies == turns[t].plies - 1);
        }
    }
    CHECK(ended < count / 7);
}

/* A list may be shorter than what there is to say. */
static void short_lists(const millbase_database *database)
{
    millbase_turn all[32], some[32];
    size_t count = 99;
    CHECK(millbase_moves(database, "start", NULL, 0, &count, NULL) == MILLBASE_OK);
    CHECK(count == 16);
    CHECK(millbase_moves(database, "start", all, 32, &count, NULL) == MILLBASE_OK);
    CHECK(count == 16);
    memset(some, 0x55, sizeof some);
    CHECK(millbase_moves(database, "start", some, 3, &count, NULL) == MILLBASE_OK);
    CHECK(count == 16);
    CHECK(memcmp(all, some, 3 * sizeof all[0]) == 0);
    CHECK(some[3].value == 0x55555555);
}

/* A man may be due in the middle of a turn. */
static void inside_a_turn(const millbase_database *database)
{
    /* a1 b2 c1 b3 e1 */
    const char *closed = "*****@@*/***OOO** w p r 3 3 2 4 1 0 0 0 0 0 1";
    millbase_turn turns[4];
    millbase_answer answer;
    size_t count;
    CHECK(millbase_probe(database, closed, &answer, NULL) == MILLBASE_OK);
    CHECK(answer.side == MILLBASE_WHITE && answer.value == MILLBASE_WIN && answer.plies == 33);
    CHECK(millbase_moves(database, closed, turns, 4, &count, NULL) == MILLBASE_OK);
    CHECK(count == 2);
    CHECK(strcmp(turns[0].move, "xb2") == 0 && turns[0].plies == 33);
    CHECK(strcmp(turns[1].move, "xb3") == 0 && turns[1].value == MILLBASE_DRAW);
}

/* What is missing is not taken for a draw, nor for anything else. */
static void parts(const char *path, size_t count)
{
    millbase_database *database = opened(path);
    millbase_answer answer;
    size_t i, unknown = 0;
    for (i = 0; i < count; i++) {
        CHECK(millbase_probe(database, samples[i].position, &answer, NULL) == MILLBASE_OK);
        if (answer.value == MILLBASE_UNKNOWN) {
            CHECK(strcmp(answer.missing, "4-4") == 0 && !answer.has_plies);
            unknown++;
        } else {
            CHECK(answer.value == samples[i].value && answer.missing[0] == '\0');
            CHECK(!answer.has_plies || answer.plies == samples[i].plies);
        }
    }
    CHECK(0 < unknown && unknown < count);
    millbase_close(database);
}

/* A position text that cannot be read, and where it says the fault is. */
static void refused(const millbase_database *database, const char *position, int32_t code,
                    uint32_t field, uint32_t character, const char *said)
{
    millbase_answer answer;
    millbase_error error;
    millbase_turn turn;
    size_t count = 99;
    memset(&answer, 0x55, sizeof answer);
    memset(&error, 0x55, sizeof error);
    CHECK(millbase_probe(database, position, &answer, &error) == code);
    CHECK(error.code == code && error.field == field && error.character == character);
    if (strstr(error.message, said) == NULL) {
        fprintf(stderr, "%s\n", error.message);
    }
    CHECK(strstr(error.message, said) != NULL);
    CHECK(answer.value == MILLBASE_UNKNOWN && answer.side == 0 && answer.position[0] == '\0');
    CHECK(millbase_probe(database, position, &answer, NULL) == code);
    CHECK(millbase_moves(database, position, &turn, 1, &count, &error) == code);
    CHECK(count == 0 && error.code == code);
}

static void wrong_positions(const millbase_database *database)
{
    size_t length = 1000000;
    char *text = (char *)malloc(length + 1);
    CHECK(text != NULL);
    memset(text, 'O', length);
    text[length] = '\0';
    refused(database, text, MILLBASE_ERROR_POSITION, 2, 1000001, "at least 12 fields");
    free(text);
    refused(database, "", MILLBASE_ERROR_POSITION, 1, 1, "at least 12 fields");
    refused(database, "O*******/******** x p p 1 5 0 6 0 0 0 0", MILLBASE_ERROR_POSITION, 2, 19,
            "`x` is neither w nor b");
    refused(database, "O*******/******** b p p 1 5 4 2 0 0 0 0", MILLBASE_ERROR_POSITION, 7, 29, "field 7");
    refused(database, "OO******/@******* b p p 2 1 1 5 0 0 0 0", MILLBASE_ERROR_POSITION, 8, 31,
            "impossible position");
    refused(database, "sta\xffrt", MILLBASE_ERROR_ARGUMENT, 0, 0, "not UTF-8 from its byte 4 on");
    refused(database, NULL, MILLBASE_ERROR_ARGUMENT, 0, 0, "`position` is NULL");
    refused(NULL, "start", MILLBASE_ERROR_ARGUMENT, 0, 0, "`database` is NULL");
}

static void null_places(const millbase_database *database, const char *path)
{
    millbase_error error;
    millbase_turn turn;
    millbase_database *other = (millbase_database *)&error;
    size_t count;
    CHECK(millbase_probe(database, "start", NULL, &error) == MILLBASE_ERROR_ARGUMENT);
    CHECK(strcmp(error.message, "`answer` is NULL") == 0);
    CHECK(millbase_moves(database, "start", NULL, 1, &count, &error) == MILLBASE_ERROR_ARGUMENT);
    CHECK(strcmp(error.message, "`turns` is NULL") == 0);
    CHECK(millbase_moves(database, "start", &turn, 1, NULL, &error) == MILLBASE_ERROR_ARGUMENT);
    CHECK(strcmp(error.message, "`count` is NULL") == 0);
    CHECK(millbase_open(path, NULL, &error) == MILLBASE_ERROR_ARGUMENT);
    CHECK(millbase_open(NULL, &other, &error) == MILLBASE_ERROR_ARGUMENT);
    CHECK(other == NULL);
    CHECK(strcmp(error.message, "`path` is NULL") == 0);
    CHECK(millbase_variant(NULL) == NULL);
    millbase_close(NULL);
}

static void wrong_folders(void)
{
    millbase_database *database = (millbase_database *)&samples;
    millbase_error error;
    CHECK(millbase_open("no/such/folder", &database, &error) == MILLBASE_ERROR_DATABASE);
    CHECK(database == NULL && error.field == 0);
    CHECK(strstr(error.message, "no/such/folder") != NULL);
    /* Paths need not be UTF-8. */
    CHECK(millbase_open("no\xff", &database, &error) == MILLBASE_ERROR_DATABASE);
    CHECK(millbase_open("", &database, NULL) == MILLBASE_ERROR_DATABASE);
}

int main(int argc, char **argv)
{
    millbase_database *database;
    size_t count;
    CHECK(argc == 5);
    count = read_samples(argv[4], samples, MOST);
    CHECK(count == MOST);

    CHECK(strchr(millbase_version(), '.') != NULL);
    database = opened(argv[1]);
    CHECK(strcmp(millbase_variant(database), "six") == 0);
    agrees(database, count, 1);
    turns_fit(database, count);
    short_lists(database);
    inside_a_turn(database);
    wrong_positions(database);
    null_places(database, argv[1]);
    millbase_close(database);

    database = opened(argv[2]);
    agrees(database, count, 0);
    millbase_close(database);

    parts(argv[3], count);
    wrong_folders();
    printf("%u positions agree\n", (unsigned)count);
    return 0;
}
