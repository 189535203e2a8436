/* Minimal checks for tests in C: print a failure, and continue. */
#ifndef SIM_TESTS_CHECK_H
#define SIM_TESTS_CHECK_H

#include <stdio.h>

static int check_failures;

#define CHECK(condition, ...)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            check_failures++;                                                                      \
            printf("%s:%d: %s does not hold: ", __FILE__, __LINE__, #condition);                   \
            printf(__VA_ARGS__);                                                                   \
            printf("\n");                                                                          \
        }                                                                                          \
    } while (0)

/* The return value of main(). */
static inline int check_result(void)
{
    if (check_failures == 0)
        printf("ok\n");
    return check_failures != 0;
}

#endif
