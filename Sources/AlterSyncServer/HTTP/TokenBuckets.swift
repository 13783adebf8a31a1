/// The number of actions that each principal may take, as buckets that are filled again at a constant rate.
struct TokenBuckets: Sendable {
  private struct Bucket {
    var level: Double
    var time: Int64
  }

  private let capacity: Double
  /// The number of actions that are added in a microsecond.
  private let rate: Double
  private var buckets: [String: Bucket] = [:]

  /// - Parameter perMinute: The number of actions in a minute, and the most that may be taken at once.
  init(perMinute: Int) {
    capacity = Double(max(1, perMinute))
    rate = capacity / 60_000_000
  }

  /// Takes an action of a principal.
  ///
  /// - Parameter now: Microseconds of a clock that is not set back.
  /// - Returns: nil if it is permitted; otherwise the seconds after which it will be.
  mutating func take(_ principal: String, at now: Int64) -> Int? {
    if buckets.count > 10_000 { buckets = buckets.filter { filled($0.value, at: now) < capacity } }
    let level = buckets[principal].map { filled($0, at: now) } ?? capacity
    guard level >= 1 else { return max(1, Int(((1 - level) / rate / 1_000_000).rounded(.up))) }
    buckets[principal] = Bucket(level: level - 1, time: now)
    return nil
  }

  private func filled(_ bucket: Bucket, at now: Int64) -> Double {
    min(capacity, bucket.level + Double(max(0, now.subtractingReportingOverflow(bucket.time).partialValue)) * rate)
  }
}
