/// A journal that blocks a thread during an append.
///
/// A store's writer runs on this thread as a whole. Each change of threads takes as long as a small append itself, when the threads sleep.
package protocol BlockingJournal: Journal {
  /// The executor of the thread. A call of the journal from a task on it begins at once.
  @available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
  var executor: any TaskExecutor { get }
}
