/*
 * millbase: what positions of mill games are worth, from a database that `millbase solve` has made.
 *
 *     millbase_database *database;
 *     millbase_answer answer;
 *     millbase_error error;
 *     if (millbase_open("nine-db", &database, &error) != MILLBASE_OK ||
 *         millbase_probe(database, "start", &answer, &error) != MILLBASE_OK) {
 *         fprintf(stderr, "%s\n", error.message);
 *     } else if (answer.value == MILLBASE_WIN) {
 *         puts("White wins");
 *     }
 *     millbase_close(database);
 *
 * Build the library with
 *
 *     cargo rustc --release --lib --features capi --crate-type cdylib,staticlib
 *
 * which leaves libmillbase.so and libmillbase.a in target/release. Programs that link the latter need
 * -lpthread -ldl -lm as well.
 *
 * - Texts are UTF-8 and end with a NUL. Every text that comes back is in memory of the caller, but for those of
 *   millbase_variant and millbase_version; nothing but the database has to be freed.
 * - Positions are `start`, a text as the program Sanmill writes it, with 12 to 17 fields, or MFEN/1.0. Turns are
 *   written `d6` (place), `a1-a4` (move or fly), `f6-f4xd2` (take a man as well), `xd2` (the rest of a turn whose
 *   mill is closed already), `pass`.
 * - One database may be asked from any number of threads at once, and needs no lock.
 * - A fault inside the library does not end the program: it is MILLBASE_ERROR_PANIC.
 * - A database that lacks a sector gives the value MILLBASE_UNKNOWN, never a draw. Everything that a failed
 *   function was to fill in is zero, so its value is MILLBASE_UNKNOWN, too.
 *
 * C99 or newer, and C++.
 */
#ifndef MILLBASE_H
#define MILLBASE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What functions return. */
enum {
    /* Done. */
    MILLBASE_OK = 0,
    /* A pointer is NULL that must not be, or a text is not UTF-8. */
    MILLBASE_ERROR_ARGUMENT = 1,
    /* The text is no position of the game. */
    MILLBASE_ERROR_POSITION = 2,
    /* The database is not there, damaged, or of a kind that cannot be asked. */
    MILLBASE_ERROR_DATABASE = 3,
    /* A fault in the library. It has printed where to standard error; please report it. */
    MILLBASE_ERROR_PANIC = 4
};

/* The result of best play, for the side to move, or for the player who makes a turn. */
enum {
    /* The database lacks a sector without which it cannot be told. */
    MILLBASE_UNKNOWN = 0,
    MILLBASE_LOSS = 1,
    MILLBASE_DRAW = 2,
    MILLBASE_WIN = 3
};

/* Sides. */
enum {
    MILLBASE_WHITE = 1,
    MILLBASE_BLACK = 2
};

/* Bytes of texts, the NUL at the end included. */
enum {
    MILLBASE_SECTOR_SIZE = 16,
    MILLBASE_MOVE_SIZE = 64,
    MILLBASE_POSITION_SIZE = 192,
    MILLBASE_MESSAGE_SIZE = 1024
};

/* An open database. */
typedef struct millbase_database millbase_database;

/* What is wrong. Functions that take a pointer to one fill it in, with MILLBASE_OK and an empty message when
 * nothing is wrong; NULL says that nobody wants to know. */
typedef struct millbase_error {
    /* What the function returned. */
    int32_t code;
    /* The field of the position text at fault, from 1; 0 if no position text is. */
    uint32_t field;
    /* The character of the position text at fault, from 1; 0 if no position text is. */
    uint32_t character;
    /* A sentence for people. One that is longer is cut. */
    char message[MILLBASE_MESSAGE_SIZE];
} millbase_error;

/* What a position is worth. */
typedef struct millbase_answer {
    /* MILLBASE_LOSS, _DRAW, _WIN for the side to move, or MILLBASE_UNKNOWN. */
    int32_t value;
    /* 1 if `plies` counts; 0 for draws, and where the database does not have the distance. */
    int32_t has_plies;
    /* Turns of one side to the end of the game, captures included, when the winner hurries and the loser
     * resists. */
    int32_t plies;
    /* The side to move: MILLBASE_WHITE or MILLBASE_BLACK. */
    int32_t side;
    /* The sector that the database lacks, such as 3-4 or 2-3+1-0, if the value is unknown; else empty. */
    char missing[MILLBASE_SECTOR_SIZE];
    /* The position as a text with 17 fields. */
    char position[MILLBASE_POSITION_SIZE];
} millbase_answer;

/* A turn and what it is worth. */
typedef struct millbase_turn {
    /* As in millbase_answer, for the player who makes the turn, which is counted in `plies`. */
    int32_t value;
    int32_t has_plies;
    int32_t plies;
    char missing[MILLBASE_SECTOR_SIZE];
    /* The turn. */
    char move[MILLBASE_MOVE_SIZE];
    /* The position after it, with the opponent to move. */
    char position[MILLBASE_POSITION_SIZE];
} millbase_turn;

/* Opens the database in the folder `path` and stores it in `*database`, for millbase_close to free; stores NULL
 * if that fails. Its files must not change while it is open. */
int32_t millbase_open(const char *path, millbase_database **database, millbase_error *error);

/* Closes a database, which nobody may be using then or later. NULL does nothing. */
void millbase_close(millbase_database *database);

/* Says what a position is worth to the side to move. */
int32_t millbase_probe(const millbase_database *database, const char *position, millbase_answer *answer,
                       millbase_error *error);

/* Lists all turns of a position, best first: the shortest win, other wins, draws, the longest loss, other losses,
 * and what cannot be told. Stores the best `capacity` of them in `turns` and how many there are in `*count`, which
 * may be more; 0 if the game is over. With a capacity of 0 `turns` may be NULL. */
int32_t millbase_moves(const millbase_database *database, const char *position, millbase_turn *turns,
                       size_t capacity, size_t *count, millbase_error *error);

/* The id of the game, such as "nine". It lives until the database is closed. NULL for NULL. */
const char *millbase_variant(const millbase_database *database);

/* The version of the library, such as "0.1.0". It lives as long as the program. */
const char *millbase_version(void);

#ifdef __cplusplus
}
#endif

#endif /* MILLBASE_H */
