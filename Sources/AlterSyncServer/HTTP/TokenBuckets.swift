/// The number of actions that each principal may take, as buckets that are filled again at a constant rate.
struct TokenBuckets: Sendable {
  private struct Bucket {
    /// The actions that may be taken now, each as ``minute`` units. Each microsecond adds ``perMinute`` units.
    var level: Int64
    /// The time of this level.
    var time: Int64
  }

  /// A minute in microseconds.
  private static var minute: Int64 { 60_000_000 }

  private let perMinute: Int64
  private var capacity: Int64 { perMinute * Self.minute }
  private var buckets: [String: Bucket] = [:]

  /// - Parameter perMinute: The number of actions in a minute, and the most that may be taken at once.
  init(perMinute: Int) { self.perMinute = Int64(min(max(1, perMinute), 1_000_000_000)) }

  /// Takes an action of a principal.
  ///
  /// - Parameter now: Microseconds of a clock. If it is set back, the time since the last action counts for nothing.
  /// - Returns: nil if it is permitted; otherwise the seconds after which it will be.
  mutating func take(_ principal: String, at now: Int64) -> Int? {
    if buckets.count > 10_000 { buckets = buckets.filter { filled($0.value, at: now) < capacity } }
    var bucket = Bucket(level: buckets[principal].map { filled($0, at: now) } ?? capacity, time: now)
    defer { buckets[principal] = bucket }
    guard bucket.level >= Self.minute else {
      let wait = (Self.minute - bucket.level + perMinute - 1) / perMinute
      return Int((wait + 999_999) / 1_000_000)
    }
    bucket.level -= Self.minute
    return nil
  }

  private func filled(_ bucket: Bucket, at now: Int64) -> Int64 {
    let (time, isOver) = now.subtractingReportingOverflow(bucket.time)
    return min(capacity, bucket.level + (isOver ? 0 : min(max(0, time), Self.minute)) * perMinute)
  }
}
