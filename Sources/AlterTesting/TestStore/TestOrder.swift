/// In which order a test store runs what is ready to run at the same time.
public struct TestOrder: Sendable, Hashable {
  /// What the order comes from; nil for the order in which things became ready.
  public let seed: UInt64?

  /// As it became ready: the same at every run.
  public static let asReady = TestOrder(seed: nil)

  /// Shuffled: any order that is not promised may come, and the same one for the same seed.
  ///
  /// ```swift
  /// @Test(arguments: 1...100) func savesInAnyOrder(seed: UInt64) async {
  ///   let store = TestStore(AppState(), feedbacks: [save, search], in: .test, order: .shuffled(seed: seed))
  /// ```
  ///
  /// - Parameter seed: Chosen at random unless it is given. A failure names it.
  public static func shuffled(seed: UInt64 = .random(in: 1...999_999_999)) -> TestOrder { TestOrder(seed: seed) }
}
