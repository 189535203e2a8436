/* Checks of the host tests: a failure is printed with its place and counted, and the tests
 * continue. */
#ifndef URPI_CHECK_H
#define URPI_CHECK_H

#include <stdbool.h>

/* Names the row of a table, so that a failure in it can be identified. */
void check_row(const char *row);

void check_that(bool holds, const char *what, const char *file, int line);
void check_equal(long long found, long long expected, const char *what, const char *file, int line);
void check_text(const char *found, const char *expected, const char *what, const char *file,
                int line);

#define CHECK(condition) check_that((condition), #condition, __FILE__, __LINE__)
#define CHECK_EQUAL(found, expected) \
    check_equal((long long)(found), (long long)(expected), #found, __FILE__, __LINE__)
#define CHECK_TEXT(found, expected) check_text((found), (expected), #found, __FILE__, __LINE__)

/* Returns a number from 0 to `below` - 1; the sequence is the same in every run. */
unsigned check_random(unsigned below);
void check_seed(unsigned seed);

#define CHECK_ROWS(table) (sizeof(table) / sizeof *(table))

#endif
