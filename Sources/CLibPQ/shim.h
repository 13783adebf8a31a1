// libpq's header, where pkg-config says or where Debian and Fedora put it.
#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#else
#include <postgresql/libpq-fe.h>
#endif
