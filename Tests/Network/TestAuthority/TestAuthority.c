#define _GNU_SOURCE
#include "TestAuthority.h"

// On Linux, URLSession has no API for an authority, and reads no environment variable either: it takes libcurl's default, the file of the
// system. (`URLSessionCertificateAuthorityInfoFile` exists on Android alone; `SSL_CERT_FILE` and `CURL_CA_BUNDLE` belong to the command
// `curl`.) A test must not change that file. So this library answers the call by which Foundation makes a handle: it passes the call on, and
// sets the file of the handle. Everything else, the verification included, is what every program has.

#if defined(__linux__)

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>

// curl.h: CURLOPT_CAINFO, and CURLOPT_CAPATH, the folder of the system's authorities.
#define CAINFO 10065
#define CAPATH 10097

void *curl_easy_init(void) {
  void *(*make)(void) = (void *(*)(void))dlsym(RTLD_NEXT, "curl_easy_init");
  int (*set)(void *, int, ...) = (int (*)(void *, int, ...))dlsym(RTLD_NEXT, "curl_easy_setopt");
  if (!make || !set) return NULL;
  void *handle = make();
  const char *file = getenv("ALTER_TEST_AUTHORITY");
  // Without the file no handle is made, because the request would then be judged by the authorities of the system.
  if (!handle || !file || set(handle, CAINFO, file) || set(handle, CAPATH, NULL)) abort();
  return handle;
}

#endif
