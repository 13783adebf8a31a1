#ifndef TEST_AUTHORITY_H
#define TEST_AUTHORITY_H

/// Makes a handle of libcurl. In a process into which this library is loaded before all others (`LD_PRELOAD`), each handle trusts only the
/// authorities in the PEM file that the environment variable `ALTER_TEST_AUTHORITY` names.
void *curl_easy_init(void);

#endif
