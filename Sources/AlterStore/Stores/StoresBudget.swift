import AlterCore

/// The limits within which ``Stores`` keeps stores open.
///
/// `Stores` never closes a store that is in use. If all stores are in use, another key waits for ``timeout``, and then fails.
public struct StoresBudget: Sendable, Hashable {
  /// The number of stores that are open, being opened or being closed; 1,000 by default, at least 1.
  public var stores: Int

  /// The bytes of the open states, by the function that `Stores` is created with; unlimited by default.
  ///
  /// The size of a state is known only after its store was opened, and states grow while they are in use. Therefore the limit may be
  /// exceeded by the states of ``openingsAtOnce`` stores and by the stores in use.
  public var bytes: Int

  /// The number of file descriptors, if the journals need any; by default three quarters of the process's limit (`RLIMIT_NOFILE`) when the
  /// budget is created, or 768 if that limit is unknown.
  public var descriptors = (ProcessDescriptors.limit ?? 1_024) / 4 * 3

  /// The number of stores that are opened at once, and the number that are closed at once; 16 by default, at least 1.
  public var openingsAtOnce = 16

  /// The time that an access waits while all stores are in use, by ``StoreEnvironment/sleep``; 30 seconds by default. It begins again
  /// whenever a waiting key gets a place.
  ///
  /// Long before, after 150 ms, the open keys make room: their next accesses wait until the present uses of the store end, for 1 s at most,
  /// and then until the keys that came before have had a place. Both times are a quarter of the timeout if that is less.
  public var timeout: Duration = .seconds(30)

  /// The time for which all stores may be in use while a key waits, before the accesses of open keys make room for it.
  var patience: Duration { min(.milliseconds(150), timeout / 4) }

  /// The time for which the accesses of open keys then wait for the ends of present uses.
  var grace: Duration { min(.seconds(1), timeout / 4) }

  /// Creates a budget.
  ///
  /// - Parameters:
  ///   - stores: The number of stores, at least 1; 1,000 by default.
  ///   - bytes: The bytes of the open states; unlimited by default.
  public init(stores: Int = 1_000, bytes: Int = .max) { (self.stores, self.bytes) = (stores, bytes) }

  /// The limits of a table of stores that need a number of descriptors each.
  func limits(descriptorsPerStore: Int) -> (places: Int, bytes: Int, atOnce: Int) {
    let byDescriptors = descriptorsPerStore > 0 ? descriptors / descriptorsPerStore : .max
    return (max(1, min(stores, byDescriptors)), bytes, max(1, openingsAtOnce))
  }
}
