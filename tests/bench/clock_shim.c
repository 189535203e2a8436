// Moves the wall clock of a process by the seconds in a file, which may change at any time:
// LD_PRELOAD=clock_shim.so URPI_CLOCK_OFFSET=FILE. The monotonic clock stays as it is.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int64_t offset_s(void) {
  static int file = -1;
  int64_t offset = 0;
  if (file < 0) {
    const char *name = getenv("URPI_CLOCK_OFFSET");
    if (name == NULL || (file = open(name, O_RDONLY | O_CLOEXEC)) < 0) {
      abort();
    }
  }
  if (pread(file, &offset, sizeof offset, 0) != sizeof offset) {
    abort();
  }
  return offset;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  static int (*real)(clockid_t, struct timespec *);
  if (real == NULL) {
    real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  }
  int result = real(clock, now);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
    now->tv_sec += offset_s();
  }
  return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  (void)zone;
  struct timespec precise;
  int result = clock_gettime(CLOCK_REALTIME, &precise);
  now->tv_sec = precise.tv_sec;
  now->tv_usec = precise.tv_nsec / 1000;
  return result;
}

time_t time(time_t *now) {
  struct timespec precise;
  clock_gettime(CLOCK_REALTIME, &precise);
  if (now != NULL) {
    *now = precise.tv_sec;
  }
  return precise.tv_sec;
}
