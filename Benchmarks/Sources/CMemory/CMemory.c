// Swift's own module of the C library does not include <malloc.h>.
#include "CMemory.h"

#if defined(__linux__)
#include <malloc.h>
#endif

size_t allocatedBytes(void) {
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
#else
  return 0;
#endif
}

void returnFreeMemory(void) {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}
