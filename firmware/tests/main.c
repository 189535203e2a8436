/* Runs all host tests; exits with 1 if a check failed. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "tests.h"

static const char *row = "";
static const char *test = "";
static unsigned checks, failures;
static unsigned state = 1;

void check_row(const char *name)
{
    row = name;
}

static void fail(const char *file, int line)
{
    failures++;
    printf("%s:%d: %s%s%s: ", file, line, test, *row ? ", " : "", row);
}

void check_that(bool holds, const char *what, const char *file, int line)
{
    checks++;
    if (holds)
        return;
    fail(file, line);
    printf("not so: %s\n", what);
}

void check_equal(long long found, long long expected, const char *what, const char *file, int line)
{
    checks++;
    if (found == expected)
        return;
    fail(file, line);
    printf("%s is %lld, not %lld\n", what, found, expected);
}

void check_text(const char *found, const char *expected, const char *what, const char *file,
                int line)
{
    checks++;
    if (strcmp(found, expected) == 0)
        return;
    fail(file, line);
    printf("%s is \"%s\", not \"%s\"\n", what, found, expected);
}

void check_seed(unsigned seed)
{
    state = seed * 2U + 1U;
}

/* Multiply-with-carry, sufficient for tests; the lowest bits are the least random. */
unsigned check_random(unsigned below)
{
    state = state * 1664525U + 1013904223U;
    return (unsigned)(((unsigned long long)state * below) >> 32);
}

static void run(const char *name, void (*body)(void))
{
    unsigned before = failures;
    test = name;
    row = "";
    check_seed(1);
    body();
    printf("%s %s\n", failures == before ? "ok    " : "FAILED", name);
}

int main(void)
{
#define RUN(name) run(#name, name);
    ALL_TESTS(RUN)
    printf("%u checks, %u failures\n", checks, failures);
    return failures != 0;
}
