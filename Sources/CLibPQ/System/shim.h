// libpq's header: on the include path of pkg-config, or in the folder that Debian and Fedora use.
#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#else
#include <postgresql/libpq-fe.h>
#endif
