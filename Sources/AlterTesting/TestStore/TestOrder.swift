/// The order in which a test store runs jobs that are ready at the same time.
public struct TestOrder: Sendable, Hashable {
  /// The seed of a random order; nil for the order in which the jobs became ready.
  package let seed: UInt64?

  /// The order in which the jobs became ready. It is the same in every run.
  package static let asReady = TestOrder(seed: nil)

  /// A random order, within the guarantees of Swift's concurrency. The same seed gives the same order.
  ///
  /// ```swift
  /// @Test(arguments: 1...100) func savesInAnyOrder(seed: UInt64) async {
  ///   let store = TestStore(AppState(), feedbacks: [save, search], in: .test, order: .shuffled(seed: seed))
  /// ```
  ///
  /// - Parameter seed: The seed; random by default. A failure prints it.
  public static func shuffled(seed: UInt64 = .random(in: 1...999_999_999)) -> TestOrder { TestOrder(seed: seed) }
}
