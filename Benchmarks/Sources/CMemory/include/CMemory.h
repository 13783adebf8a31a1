#pragma once
#include <stddef.h>

/// The number of allocated bytes; 0 if the C library doesn't report it.
///
/// This is the C library's own count (`mallinfo2`), including its overhead per block: the real cost of a structure. In contrast to the
/// resident size, it excludes the memory that the process keeps in reserve.
size_t allocatedBytes(void);

/// Returns free memory of the heap to the system. The resident size afterwards is what a process really needs; nothing happens if the C library
/// has no such function.
void returnFreeMemory(void);

/// Makes callgrind, run with `--instr-atstart=no`, count the instructions of all threads from here. Without effect outside of valgrind, and on other
/// processors than x86-64.
void startCounting(void);

/// Ends the count that `startCounting` began.
void stopCounting(void);
