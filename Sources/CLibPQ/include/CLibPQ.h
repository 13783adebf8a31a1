#ifndef C_LIBPQ_H
#define C_LIBPQ_H

// libpq's header: on the standard path, or in the folder that Debian and Fedora use.
#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#else
#include <postgresql/libpq-fe.h>
#endif

/// Loads PostgreSQL's client library, unless it is loaded already.
///
/// Returns NULL on success, otherwise the system's reason for which the library can't be loaded. Without the library a call of one of its
/// functions ends the process. The exceptions are those that read an address: they find that it is invalid.
const char *alter_libpq_load(void);

#endif
