// The header of libpq, from the path of pkg-config or from the folder of Debian and Fedora.
#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#else
#include <postgresql/libpq-fe.h>
#endif
