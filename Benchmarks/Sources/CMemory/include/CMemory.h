#pragma once
#include <stddef.h>

/// How many bytes are allocated at the moment, or 0 where the C library doesn't tell.
///
/// The C library's own count of what it has handed out (`mallinfo2`), with its overhead per block: what a structure really costs,
/// without what the process happens to keep in reserve, which the resident size includes.
size_t allocatedBytes(void);
