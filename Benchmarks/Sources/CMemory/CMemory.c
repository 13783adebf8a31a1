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

// A client request, as valgrind.h defines it: written out, because the headers may be installed after a build. A processor does nothing at this sequence.
static void request(unsigned long number) {
#if defined(__x86_64__)
  volatile unsigned long arguments[6] = {number, 0, 0, 0, 0, 0};
  unsigned long result = 0;
  __asm__ volatile("rolq $3, %%rdi; rolq $13, %%rdi; rolq $61, %%rdi; rolq $51, %%rdi; xchgq %%rbx, %%rbx"
                   : "=d"(result)
                   : "a"(&arguments[0]), "0"(result)
                   : "cc", "memory");
#endif
}

// Callgrind's requests are numbered from 'CT'. (callgrind.h)
static const unsigned long callgrind = 'C' << 24 | 'T' << 16;

void startCounting(void) { request(callgrind + 4); }

void stopCounting(void) { request(callgrind + 5); }
