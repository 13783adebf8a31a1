// Runs Swift concurrency on a few threads, one at a time, in an order that a seed decides.
//
// An executable that links this library takes every job of every task from the Swift runtime and runs it on one of a few threads. A thread
// runs until it is about to take its first mutex, or has released its last one. There it may hand over to another thread or job. Thus no
// thread is parked while it holds a mutex, including the runtime's own, and no mutex of this process is ever contended. On systems other
// than Linux, and under a sanitizer, which interposes the same calls, this library is empty.
#ifndef SIMULATED_THREADS_H
#define SIMULATED_THREADS_H

#include <stdint.h>

/// The parameters for choosing the next thread.
struct simulation_settings {
  /// The seed of all decisions.
  uint64_t seed;
  /// The number of threads that run jobs: 1 to 8. A parked job keeps its thread.
  int32_t threads;
  /// On average one decision in this number is a hand-over.
  int32_t one_in;
  /// 1: tasks have random priorities, and one decision in `one_in` demotes the running task. 0: all threads and jobs are equally likely.
  int32_t has_priorities;
  /// The maximum number of demotions. With few of them, a demoted task waits until all others wait.
  int32_t demotions;
};

/// 1 if this library controls the jobs and mutexes of this process, else 0.
int simulation_is_possible(void);

/// Starts the program again with hashing that is the same in every process, because the order of a dictionary is part of a schedule.
///
/// - words: The arguments of the program, with its name first and a null pointer last.
void simulation_hash_alike(char *const *words);

/// Takes over the jobs of the Swift runtime. Call it once, before any task exists.
void simulation_begin(void);

/// From now on, tasks may sleep by the real clock. By default, such a sleep ends the program.
///
/// - nanoseconds: The simulated time that each decision takes. When every task sleeps, the time goes on to the end of the first sleep. With 0, a
/// task that sleeps wakes at any moment.
void simulation_let_sleep(int64_t nanoseconds);

/// From now on, the work that a task gives to a serial queue of Dispatch is a job, too, which runs without a hand-over. Timers of Dispatch don't
/// fire, and files have no events: use it for the journals of one process in files.
void simulation_take_blocks(void);

/// Runs all ready jobs, and the jobs that they make ready, to the end.
///
/// - after_step: called at each point where a hand-over is possible, while no thread holds a mutex.
/// - when_idle: called when no job is ready and no thread is parked. 0 ends the run; any other value continues with the jobs that it has
/// made ready.
void simulation_run(struct simulation_settings settings, void (*after_step)(void), int (*when_idle)(void));

/// A point where the running thread may hand over, if it holds no mutex.
void simulation_point(void);

/// A point where the running thread is slow, if it holds no mutex: others run for this number of decisions, unless there are none.
void simulation_stall(int32_t decisions);

/// Until `simulation_leave`, the running thread keeps the baton, whatever mutexes it takes, and new jobs are collected separately.
void simulation_enter(void);

/// Runs the separately collected jobs, and the jobs that they make ready, at once and on this thread.
void simulation_run_aside(void);

/// Ends the section that `simulation_enter` began.
void simulation_leave(void);

/// The number of decisions since the process started. A decision is made each time that another thread or job could run, whether it does or
/// not.
int64_t simulation_steps(void);

/// A hash of all decisions of this run: equal for equal runs.
uint64_t simulation_trace(void);

/// The number of blocks for queues of Dispatch since the process started.
int64_t simulation_blocks(void);

/// The number of times that the baton went to another thread, since the process started.
int64_t simulation_hand_overs(void);

#endif
