// Swift concurrency on threads of which one runs at a time, in an order that a seed decides.
//
// An executable that links this library takes every job of every task from the Swift runtime and runs it on one of a few threads. A thread runs
// until it is about to take its first mutex, or has released its last one; there it may hand over to another thread or job. So no thread is ever
// parked while it holds a mutex, the runtime's own included, and a mutex of this process is never contended. On other systems than Linux, and
// under a sanitizer, which interposes the same calls, this library is empty.
#ifndef SIMULATED_THREADS_H
#define SIMULATED_THREADS_H

#include <stdint.h>

/// How the next thread is chosen.
struct simulation_settings {
  /// Everything follows from it.
  uint64_t seed;
  /// How many threads run jobs: 1 to 8. A job that is parked keeps its thread.
  int32_t threads;
  /// A hand-over happens at one decision in so many.
  int32_t one_in;
  /// 1: tasks have random priorities, and a decision in `one_in` demotes the running one. 0: any thread or job is as likely as any other.
  int32_t has_priorities;
  /// How often the running task is demoted, at most: with few, what is demoted waits until everything else has come to rest.
  int32_t demotions;
};

/// 1 if this process's jobs and mutexes come through here, else 0.
int simulation_is_possible(void);

/// Takes the jobs of the Swift runtime from now on. To be called once, before any task exists.
void simulation_begin(void);

/// Runs the jobs that are ready, and those that follow, to the end.
///
/// - after_step: called at each place at which a hand-over is possible, while no thread holds a mutex.
/// - when_idle: called when nothing is ready and no thread is parked; 0 ends the run, anything else goes on with what it has made ready.
void simulation_run(struct simulation_settings settings, void (*after_step)(void), int (*when_idle)(void));

/// A place at which the running thread may hand over, if it holds no mutex.
void simulation_point(void);

/// A place at which the running thread is slow, if it holds no mutex: for so many decisions others go on, unless there are none.
void simulation_stall(int32_t decisions);

/// From now to `simulation_leave` the running thread keeps the baton, whatever mutexes it takes, and jobs are collected apart.
void simulation_enter(void);

/// Runs the jobs that were collected apart, and those that follow, at once and on this thread.
void simulation_run_aside(void);

/// Ends what `simulation_enter` began.
void simulation_leave(void);

/// How many decisions were made since the process began: each time that another thread or job could have gone on, whether it did or not.
int64_t simulation_steps(void);

/// A hash of all decisions of this run: equal for equal runs.
uint64_t simulation_trace(void);

/// How often the baton went to another thread, since the process began.
int64_t simulation_hand_overs(void);

#endif
