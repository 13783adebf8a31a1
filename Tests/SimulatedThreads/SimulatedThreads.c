#define _GNU_SOURCE
#include "SimulatedThreads.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

#if defined(__linux__) && !defined(SANITIZED)

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define THREADS 8
#define JOBS 4096
#define ENTITIES 65536

// One worker has the baton at any time. Only that worker uses the following variables, up to the next comment. The semaphores pass the
// baton and order memory accesses.
enum state { IDLE, PARKED, RUNNING };

struct worker {
  pthread_t thread;
  sem_t baton;
  enum state state;
  void *job;
  uint32_t entity;
  /// Whether the job is a block for a dispatch queue.
  int is_block;
  /// Other threads run first until this number of decisions has been made.
  int64_t stalled;
};

struct job {
  void *job;
  uint32_t entity;
  /// The dispatch queue of a block; NULL for the job of a task.
  void *queue;
  /// The simulated time before which others run first.
  int64_t due;
};

static struct worker workers[THREADS];
static int worker_count;
static struct job ready[JOBS], aside[JOBS];
static int ready_count, aside_count, is_aside, aside_next;
static struct simulation_settings settings;
static void (*after_step)(void);
static int (*when_idle)(void);
static uint64_t state, trace;
static uint64_t first_task;
static int64_t steps, steps_before, hand_overs;
static uint64_t priorities[ENTITIES];
static uint64_t lowest;
static int demotions;
static sem_t finished;
static int is_running;
static int lets_sleep;
static int takes_blocks;
/// The nanoseconds since the process started, and those that pass with each decision; 0 if a sleep may end at any moment.
static int64_t now, nanoseconds_per_decision;
static int64_t blocks;

// Each thread has its own copy.
static __thread struct worker *me;
static __thread int held;
static __thread int is_inside;

// MARK: Mutexes

static int (*real_lock)(pthread_mutex_t *);
static int (*real_trylock)(pthread_mutex_t *);
static int (*real_unlock)(pthread_mutex_t *);
extern char __executable_start, etext;

__attribute__((constructor)) static void find(void) {
  real_lock = (int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_lock");
  real_trylock = (int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_trylock");
  real_unlock = (int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_unlock");
}

/// Whether a call comes from the program itself, which uses Alter's locks, and not from a library.
static int is_own(void *caller) { return (char *)caller >= &__executable_start && (char *)caller < &etext; }

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  if (!real_lock) find();
  if (me && is_own(__builtin_return_address(0))) simulation_point();
  int result = real_lock(mutex);
  if (result == 0) held++;
  return result;
}

int pthread_mutex_trylock(pthread_mutex_t *mutex) {
  if (!real_trylock) find();
  int result = real_trylock(mutex);
  if (result == 0) held++;
  return result;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
  if (!real_unlock) find();
  int result = real_unlock(mutex);
  if (result == 0) held--;
  if (me && is_own(__builtin_return_address(0))) simulation_point();
  return result;
}

// MARK: Decisions

/// Guy L. Steele Jr., Doug Lea and Christine H. Flood, "Fast Splittable Pseudorandom Number Generators" (2014).
static uint64_t mixed(uint64_t word) {
  word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9;
  word = (word ^ (word >> 27)) * 0x94d049bb133111eb;
  return word ^ (word >> 31);
}

static uint32_t below(uint32_t bound) { return (uint32_t)(mixed(state += 0x9e3779b97f4a7c15) >> 32) % bound; }

static void decide(void) {
  steps++;
  now += nanoseconds_per_decision;
}

static void note(uint64_t word) { trace = (trace ^ word) * 0x100000001b3; }

/// New tasks have priorities in the upper half of the range. A demoted task goes below all others, including those demoted before.
static uint64_t priority(uint32_t entity) {
  uint64_t *place = &priorities[entity % ENTITIES];
  if (*place == 0) *place = mixed(settings.seed ^ ((uint64_t)entity << 20)) | (1ull << 63);
  return *place;
}

static void demote(uint32_t entity) {
  demotions++;
  priorities[entity % ENTITIES] = lowest--;
}

static struct worker *idle_worker(void) {
  for (int i = 0; i < worker_count; i++)
    if (workers[i].state == IDLE) return &workers[i];
  return NULL;
}

/// The candidates to run: parked threads, and also jobs while a thread is free.
struct choice {
  struct worker *parked;
  int job;
};

/// A dispatch queue is serial: of its blocks, the first one is next.
static int is_next(int place) {
  if (ready[place].queue)
    for (int i = 0; i < place; i++)
      if (ready[i].queue == ready[place].queue) return 0;
  return ready[place].due <= now;
}

/// - begins: whether a thread is free for a job.
/// - stalls: whether stalled threads and sleeping tasks count if there are no others.
static int choices(struct choice *list, int begins, int stalls) {
  int count = 0;
  for (int i = 0; i < worker_count; i++)
    if (workers[i].state == PARKED && workers[i].stalled <= steps) list[count++] = (struct choice){&workers[i], -1};
  if (begins)
    for (int i = 0; i < ready_count; i++)
      if (is_next(i)) list[count++] = (struct choice){NULL, i};
  if (count > 0 || !stalls) return count;
  if (begins && ready_count > 0) {
    // Every job sleeps, and the first one wakes.
    int64_t first = ready[0].due;
    for (int i = 1; i < ready_count; i++)
      if (ready[i].due < first) first = ready[i].due;
    now = first;
    for (int i = 0; i < ready_count; i++)
      if (is_next(i)) list[count++] = (struct choice){NULL, i};
    if (count > 0) return count;
  }
  for (int i = 0; i < worker_count; i++)
    if (workers[i].state == PARKED) list[count++] = (struct choice){&workers[i], -1};
  return count;
}

static uint32_t entity_of(struct choice choice) { return choice.parked ? choice.parked->entity : ready[choice.job].entity; }

static struct choice chosen(const struct choice *list, int count) {
  if (!settings.has_priorities) return list[below((uint32_t)count)];
  struct choice best = list[0];
  for (int i = 1; i < count; i++)
    if (priority(entity_of(list[i])) > priority(entity_of(best))) best = list[i];
  return best;
}

/// Assigns a ready job to a worker. The order of the other jobs stays.
static void assign(struct worker *worker, int place) {
  worker->job = ready[place].job;
  worker->entity = ready[place].entity;
  worker->is_block = ready[place].queue != NULL;
  memmove(&ready[place], &ready[place + 1], (size_t)(--ready_count - place) * sizeof *ready);
}

/// Runs a chosen candidate on another thread.
static void hand_over(struct choice choice) {
  struct worker *next = choice.parked;
  hand_overs++;
  if (!next) {
    next = idle_worker();
    assign(next, choice.job);
  }
  next->state = RUNNING;
  sem_post(&next->baton);
}

static void wait_for_baton(struct worker *worker) {
  while (sem_wait(&worker->baton) != 0) {}
}


/// Runs another candidate, and waits until this thread is chosen.
static void leave(struct choice next) {
  struct worker *worker = me;
  note((uint64_t)(steps - steps_before) << 32 | entity_of(next));
  worker->state = PARKED;
  hand_over(next);
  wait_for_baton(worker);
  worker->stalled = 0;
}

void simulation_point(void) {
  static struct choice list[JOBS + THREADS];
  if (!me || held != 0 || is_inside) return;
  is_inside = 1;
  after_step();
  int count = choices(list, idle_worker() != NULL, 0);
  if (count > 0) {
    decide();
    int is_chosen = below((uint32_t)settings.one_in) == 0;
    if (settings.has_priorities && is_chosen && demotions < settings.demotions) demote(me->entity);
    if (is_chosen || settings.has_priorities) {
      struct choice next = chosen(list, count);
      if (!settings.has_priorities || priority(entity_of(next)) > priority(me->entity)) leave(next);
    }
  }
  is_inside = 0;
}

void simulation_stall(int32_t decisions) {
  static struct choice list[JOBS + THREADS];
  if (!me || held != 0 || is_inside) return;
  is_inside = 1;
  after_step();
  int count = choices(list, idle_worker() != NULL, 0);
  if (count > 0) {
    decide();
    me->stalled = steps + decisions;
    leave(chosen(list, count));
  }
  is_inside = 0;
}

// MARK: Jobs

extern void swift_job_run(void *job, void *identity, void *implementation);
extern uint64_t swift_task_getJobTaskId(void *job);

static void put(struct job job) {
  if (lets_sleep && is_running && !me) {
    fputs("store-simulation: a job comes from a thread that is not simulated\n", stderr);
    abort();
  }
  struct job *list = is_aside ? aside : ready;
  int *count = is_aside ? &aside_count : &ready_count;
  if (*count == JOBS) {
    fputs("store-simulation: more than 4096 jobs are ready\n", stderr);
    abort();
  }
  list[(*count)++] = job;
}

static void take(void *job, int64_t delay) {
  if (!is_running) first_task = 0;
  uint64_t task = swift_task_getJobTaskId(job);
  if (task != 0 && first_task == 0) first_task = task;
  // The job after a yield has no number of its own. It belongs to the running task.
  uint32_t entity = task == 0 ? (me ? me->entity : 0) : (uint32_t)(task - first_task + 1);
  put((struct job){job, entity, NULL, now + delay});
}

typedef void (*original_enqueue)(void *);
static void enqueue(void *job, original_enqueue original) {
  (void)original;
  take(job, 0);
}

static void take_later(void *job, int64_t delay) {
  if (lets_sleep) return take(job, nanoseconds_per_decision > 0 && delay > 0 ? delay : 0);
  fputs("store-simulation: a task sleeps by the real clock\n", stderr);
  abort();
}

static void enqueue_later(unsigned long long delay, void *job, original_enqueue original) {
  (void)original;
  take_later(job, (int64_t)delay);
}

/// The time is that of one of Swift's clocks. It is rounded, so that the real time since the call makes no difference.
static void enqueue_at(long long seconds, long long nanoseconds, long long tolerance, long long rest, int clock, void *job, original_enqueue original) {
  (void)tolerance, (void)rest, (void)original;
  struct timespec present;
  clock_gettime(clock == 1 ? CLOCK_BOOTTIME : CLOCK_MONOTONIC, &present);
  int64_t delay = (seconds - present.tv_sec) * 1000000000 + nanoseconds - present.tv_nsec;
  take_later(job, (delay + 500000) / 1000000 * 1000000);
}

// `Task.yield` bypasses the runtime's hook and calls Dispatch directly. The context is the job.
void dispatch_async_f(void *queue, void *context, void (*work)(void *)) {
  (void)queue, (void)work;
  take(context, 0);
}

/// The time up to one of Dispatch's times. Those with the highest bit are of the clock that goes on while the system sleeps.
static int64_t time_until(uint64_t when) {
  struct timespec present;
  clock_gettime(when >> 63 ? CLOCK_BOOTTIME : CLOCK_MONOTONIC, &present);
  int64_t delay = (int64_t)(when & ~(1ull << 63)) - (present.tv_sec * 1000000000 + present.tv_nsec);
  return (delay + 500000) / 1000000 * 1000000;
}

/// Sleeps bypass it, too. Where tasks may not sleep, those of `Task.sleep(for:)` are limits of ten seconds or more, which a simulation does not
/// reach.
void dispatch_after_f(uint64_t when, void *queue, void *context, void (*work)(void *)) {
  static void (*real)(uint64_t, void *, void *, void (*)(void *));
  if (!real) real = (void (*)(uint64_t, void *, void *, void (*)(void *)))dlsym(RTLD_NEXT, "dispatch_after_f");
  if (!lets_sleep) return real(when, queue, context, work);
  take_later(context, time_until(when));
}

// MARK: Dispatch

/// The beginning of a block: https://clang.llvm.org/docs/Block-ABI-Apple.html
struct block {
  void *isa;
  int32_t flags, reserved;
  void (*invoke)(void *);
};

/// Puts a block among the jobs, if a task's thread calls.
static int take_block(void *queue, void *block, int64_t delay) {
  static void *(*copy)(void *);
  if (!takes_blocks || !me) return 0;
  if (!copy) copy = (void *(*)(void *))dlsym(RTLD_DEFAULT, "_Block_copy");
  block = copy(block);
  blocks++;
  put((struct job){block, me->entity, queue ? queue : block, now + (delay > 0 ? delay : 0)});
  return 1;
}

/// The work for a serial queue is a job. It runs without a hand-over, because it may hold a lock that is no mutex, as a connection to a database is.
void dispatch_async(void *queue, void *block) {
  static void (*real)(void *, void *);
  if (!real) real = (void (*)(void *, void *))dlsym(RTLD_NEXT, "dispatch_async");
  if (!take_block(queue, block, 0)) real(queue, block);
}

/// Work at a later time follows no other work.
void dispatch_after(uint64_t when, void *queue, void *block) {
  static void (*real)(uint64_t, void *, void *);
  if (!real) real = (void (*)(uint64_t, void *, void *))dlsym(RTLD_NEXT, "dispatch_after");
  if (!take_block(NULL, block, time_until(when))) real(when, queue, block);
}

/// Runs a block on the present thread.
static void run_block(void *block) {
  static void (*release)(void *);
  if (!release) release = (void (*)(void *))dlsym(RTLD_DEFAULT, "_Block_release");
  is_inside = 1;
  ((struct block *)block)->invoke(block);
  release(block);
}

/// A timer of Dispatch never fires: it is a limit of the real time, and its thread would be none of the simulated ones.
void dispatch_source_set_timer(void *source, uint64_t start, uint64_t interval, uint64_t leeway) {
  static void (*real)(void *, uint64_t, uint64_t, uint64_t);
  if (!real) real = (void (*)(void *, uint64_t, uint64_t, uint64_t))dlsym(RTLD_NEXT, "dispatch_source_set_timer");
  real(source, takes_blocks ? UINT64_MAX : start, interval, leeway);
}

/// Without events of files, the handles of one process wake each other.
int inotify_init1(int flags) {
  static int (*real)(int);
  if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "inotify_init1");
  if (!takes_blocks) return real(flags);
  errno = ENOSYS;
  return -1;
}

static void *run_jobs(void *argument) {
  static struct choice list[JOBS + THREADS];
  struct worker *self = argument;
  me = self;
  wait_for_baton(self);
  while (1) {
    note((uint64_t)self->entity << 8 | 1);
    if (self->is_block) run_block(self->job);
    else swift_job_run(self->job, NULL, NULL);
    is_inside = 1;
    self->job = NULL;
    self->state = IDLE;
    after_step();
    int count;
    while ((count = choices(list, 1, 1)) == 0 && when_idle()) {}
    if (count == 0) {
      sem_post(&finished);
      is_inside = 0;
      wait_for_baton(self);
      continue;
    }
    decide();
    struct choice next = chosen(list, count);
    note((uint64_t)entity_of(next) << 8 | 2);
    is_inside = 0;
    if (next.parked) {
      hand_over(next);
      wait_for_baton(self);
    } else {
      assign(self, next.job);
      self->state = RUNNING;
    }
  }
  return NULL;
}

int simulation_is_possible(void) { return 1; }

void simulation_hash_alike(char *const *words) {
  if (getenv("SWIFT_DETERMINISTIC_HASHING")) return;
  setenv("SWIFT_DETERMINISTIC_HASHING", "1", 1);
  execv("/proc/self/exe", words);
}

void simulation_begin(void) {
  void **hook = dlsym(RTLD_DEFAULT, "swift_task_enqueueGlobal_hook");
  void **delay_hook = dlsym(RTLD_DEFAULT, "swift_task_enqueueGlobalWithDelay_hook");
  void **deadline_hook = dlsym(RTLD_DEFAULT, "swift_task_enqueueGlobalWithDeadline_hook");
  if (!hook || !delay_hook || !deadline_hook) {
    fputs("store-simulation: this Swift runtime has no hooks\n", stderr);
    abort();
  }
  *hook = (void *)enqueue;
  *delay_hook = (void *)enqueue_later;
  *deadline_hook = (void *)enqueue_at;
  sem_init(&finished, 0, 0);
}

void simulation_let_sleep(int64_t nanoseconds) {
  lets_sleep = 1;
  nanoseconds_per_decision = nanoseconds;
}

void simulation_take_blocks(void) { takes_blocks = 1; }

void simulation_run(struct simulation_settings new_settings, void (*new_after_step)(void), int (*new_when_idle)(void)) {
  settings = new_settings;
  after_step = new_after_step;
  when_idle = new_when_idle;
  state = settings.seed;
  trace = 0xcbf29ce484222325;
  steps_before = steps;
  memset(priorities, 0, sizeof priorities);
  lowest = 1ull << 62;
  demotions = 0;
  while (worker_count < settings.threads && worker_count < THREADS) {
    struct worker *worker = &workers[worker_count++];
    sem_init(&worker->baton, 0, 0);
    worker->state = IDLE;
    pthread_create(&worker->thread, NULL, run_jobs, worker);
  }
  // If an earlier run has created more threads, the additional ones stay unused.
  int made = worker_count;
  worker_count = settings.threads;
  is_running = 1;
  if (ready_count > 0) {
    hand_over((struct choice){NULL, 0});
    while (sem_wait(&finished) != 0) {}
  }
  is_running = 0;
  worker_count = made;
}

void simulation_enter(void) {
  is_aside++;
  is_inside++;
}

void simulation_run_aside(void) {
  while (aside_next < aside_count) swift_job_run(aside[aside_next++].job, NULL, NULL);
  aside_next = aside_count = 0;
}

void simulation_leave(void) {
  is_aside--;
  is_inside--;
}

int64_t simulation_steps(void) { return steps; }
uint64_t simulation_trace(void) { return trace; }
int64_t simulation_hand_overs(void) { return hand_overs; }
int64_t simulation_blocks(void) { return blocks; }

#else

int simulation_is_possible(void) { return 0; }
void simulation_hash_alike(char *const *words) { (void)words; }
void simulation_begin(void) {}
void simulation_let_sleep(int64_t nanoseconds) { (void)nanoseconds; }
void simulation_take_blocks(void) {}
int64_t simulation_blocks(void) { return 0; }
void simulation_run(struct simulation_settings settings, void (*after_step)(void), int (*when_idle)(void)) {
  (void)settings, (void)after_step, (void)when_idle;
}
void simulation_point(void) {}
void simulation_enter(void) {}
void simulation_run_aside(void) {}
void simulation_leave(void) {}
void simulation_stall(int32_t decisions) { (void)decisions; }
int64_t simulation_steps(void) { return 0; }
uint64_t simulation_trace(void) { return 0; }
int64_t simulation_hand_overs(void) { return 0; }

#endif
