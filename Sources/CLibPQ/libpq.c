// PostgreSQL's client library, loaded at the first use.
//
// The library needs twenty others: for TLS, Kerberos, LDAP. When a program is linked to it, the system loads all of them at every start,
// which took longer than the whole rest of `todo add` in a file. The functions below are therefore the ones that AlterPostgres calls; each
// finds its original in the library, and calls it. They are hidden: the library itself must not call them instead of its own.

// Without the package's trait Postgres there may be no header, and no code calls these functions.
#if defined(ALTER_POSTGRES)

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

// After the system's headers, whose functions must not be hidden.
#pragma GCC visibility push(hidden)
#include "CLibPQ.h"
#pragma GCC visibility pop

// The library's version of its binary interface: 5 since PostgreSQL 8.0.
static const char name[] = "libpq.so.5";

static void *library;
static char problem[256];

static void load(void) {
  void *found = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!found) {
    const char *reason = dlerror();
    snprintf(problem, sizeof problem, "%s", reason ? reason : name);
  } else if (!dlsym(found, "PQenterPipelineMode") || !dlsym(found, "PQpipelineSync")) {
    // The youngest functions: a server's connection must not end the process later.
    snprintf(problem, sizeof problem, "%s is older than version 14", name);
    dlclose(found);
  } else {
    library = found;
  }
}

const char *alter_libpq_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return library ? NULL : problem;
}

// Finds a function of the library. The place keeps the result; several threads may find the same one at once.
static void *find(_Atomic(void *) *place, const char *function) {
  void *found = atomic_load_explicit(place, memory_order_acquire);
  if (found) return found;
  if (!alter_libpq_load()) found = dlsym(library, function);
  if (!found) {
    const char *reason = problem[0] ? problem : "the library is too old (14 is needed).";
    fprintf(stderr, "'%s' of %s can't be found: %s\n", function, name, reason);
    abort();
  }
  atomic_store_explicit(place, found, memory_order_release);
  return found;
}

#define ORIGINAL(function) \
  static _Atomic(void *) place; \
  __typeof__(&function) original = (__typeof__(&function))find(&place, #function)

#define FORWARD(result, function, parameters, arguments) \
  result function parameters { \
    ORIGINAL(function); \
    return original arguments; \
  }

// Connections.
FORWARD(PGconn *, PQconnectStartParams, (const char *const *keywords, const char *const *values, int expand), (keywords, values, expand))
FORWARD(PGPing, PQpingParams, (const char *const *keywords, const char *const *values, int expand), (keywords, values, expand))
FORWARD(PostgresPollingStatusType, PQconnectPoll, (PGconn *connection), (connection))
FORWARD(void, PQfinish, (PGconn *connection), (connection))
FORWARD(ConnStatusType, PQstatus, (const PGconn *connection), (connection))
FORWARD(int, PQsocket, (const PGconn *connection), (connection))
FORWARD(int, PQbackendPID, (const PGconn *connection), (connection))
FORWARD(const char *, PQparameterStatus, (const PGconn *connection, const char *name), (connection, name))
FORWARD(char *, PQerrorMessage, (const PGconn *connection), (connection))
FORWARD(PQconninfoOption *, PQconninfo, (PGconn *connection), (connection))
FORWARD(int, PQsetnonblocking, (PGconn *connection, int isNonblocking), (connection, isNonblocking))
FORWARD(int, PQenterPipelineMode, (PGconn *connection), (connection))
FORWARD(int, PQpipelineSync, (PGconn *connection), (connection))
FORWARD(PGVerbosity, PQsetErrorVerbosity, (PGconn *connection, PGVerbosity verbosity), (connection, verbosity))
FORWARD(
  PQnoticeProcessor, PQsetNoticeProcessor, (PGconn *connection, PQnoticeProcessor processor, void *context),
  (connection, processor, context))
FORWARD(
  PQnoticeReceiver, PQsetNoticeReceiver, (PGconn *connection, PQnoticeReceiver receiver, void *context),
  (connection, receiver, context))

// Requests.
FORWARD(
  int, PQsendPrepare, (PGconn *connection, const char *statement, const char *query, int count, const Oid *types),
  (connection, statement, query, count, types))
FORWARD(
  int, PQsendQueryParams,
  (PGconn *connection, const char *command, int count, const Oid *types, const char *const *values, const int *lengths,
   const int *formats, int format),
  (connection, command, count, types, values, lengths, formats, format))
FORWARD(
  int, PQsendQueryPrepared,
  (PGconn *connection, const char *statement, int count, const char *const *values, const int *lengths, const int *formats, int format),
  (connection, statement, count, values, lengths, formats, format))
FORWARD(int, PQflush, (PGconn *connection), (connection))
FORWARD(int, PQconsumeInput, (PGconn *connection), (connection))
FORWARD(int, PQisBusy, (PGconn *connection), (connection))
FORWARD(PGresult *, PQgetResult, (PGconn *connection), (connection))
FORWARD(PGnotify *, PQnotifies, (PGconn *connection), (connection))
FORWARD(PGcancel *, PQgetCancel, (PGconn *connection), (connection))
FORWARD(int, PQcancel, (PGcancel *cancel, char *buffer, int size), (cancel, buffer, size))
FORWARD(void, PQfreeCancel, (PGcancel *cancel), (cancel))

// Answers.
FORWARD(ExecStatusType, PQresultStatus, (const PGresult *answer), (answer))
FORWARD(char *, PQresultErrorMessage, (const PGresult *answer), (answer))
FORWARD(char *, PQresultErrorField, (const PGresult *answer, int field), (answer, field))
FORWARD(size_t, PQresultMemorySize, (const PGresult *answer), (answer))
FORWARD(int, PQntuples, (const PGresult *answer), (answer))
FORWARD(int, PQnfields, (const PGresult *answer), (answer))
FORWARD(char *, PQcmdTuples, (PGresult *answer), (answer))
FORWARD(char *, PQgetvalue, (const PGresult *answer, int row, int column), (answer, row, column))
FORWARD(int, PQgetlength, (const PGresult *answer, int row, int column), (answer, row, column))
FORWARD(int, PQgetisnull, (const PGresult *answer, int row, int column), (answer, row, column))
FORWARD(void, PQclear, (PGresult *answer), (answer))

// Addresses. They are read for messages, too, also for the one that says that the library is missing.
PQconninfoOption *PQconninfoParse(const char *address, char **message) {
  if (message) *message = NULL;
  if (alter_libpq_load()) return NULL;
  ORIGINAL(PQconninfoParse);
  return original(address, message);
}

void PQconninfoFree(PQconninfoOption *options) {
  if (alter_libpq_load()) return;
  ORIGINAL(PQconninfoFree);
  original(options);
}

void PQfreemem(void *memory) {
  if (alter_libpq_load()) return;
  ORIGINAL(PQfreemem);
  original(memory);
}

#endif
