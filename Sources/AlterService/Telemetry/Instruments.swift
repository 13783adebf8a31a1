#if Service
  import AlterCore
  import Metrics

  /// The metrics of a process, each made when it is first used.
  ///
  /// - Complexity: each call costs one lookup under a lock, and the call of the metrics system.
  struct Instruments: Sendable {
    private struct Key: Hashable {
      let metric: Metric
      let values: [String]
    }

    private struct Made {
      var counters: [Key: Counter] = [:]
      var gauges: [Key: Meter] = [:]
      var durations: [Key: Metrics.Timer] = [:]
      var sizes: [Key: Recorder] = [:]
    }

    private let factory: any MetricsFactory
    private let made = Lock(Made())

    init(_ factory: any MetricsFactory) { self.factory = factory }

    /// Adds to a counter or, if the number may be negative, to a gauge.
    ///
    /// - Parameters:
    ///   - number: The number to add.
    ///   - metric: The metric.
    ///   - values: The values of the metric's labels, in their order.
    func add(_ number: Int = 1, to metric: Metric, _ values: String...) {
      guard number != 0 else { return }
      let key = key(metric, values)
      switch metric.kind {
      case .gauge:
        let gauge = made.withLock { made in
          made.gauges.value(of: key) { Meter(label: metric.name, dimensions: dimensions(key), factory: factory) }
        }
        if number > 0 { gauge.increment(by: Double(number)) } else { gauge.decrement(by: Double(-number)) }
      case .counter:
        made.withLock { made in
          made.counters.value(of: key) { Counter(label: metric.name, dimensions: dimensions(key), factory: factory) }
        }.increment(by: number)
      case .duration, .size: preconditionFailure("\(metric.name) is a distribution.")
      }
    }

    /// Records a duration.
    func record(_ duration: Duration, in metric: Metric, _ values: String...) {
      let key = key(metric, values)
      made.withLock { made in
        made.durations.value(of: key) {
          Timer(label: metric.name, dimensions: dimensions(key), preferredDisplayUnit: .seconds, factory: factory)
        }
      }.recordNanoseconds(duration.nanoseconds)
    }

    /// Records a size.
    func record(_ size: Int, in metric: Metric, _ values: String...) {
      let key = key(metric, values)
      made.withLock { made in
        made.sizes.value(of: key) { Recorder(label: metric.name, dimensions: dimensions(key), factory: factory) }
      }.record(size)
    }

    private func key(_ metric: Metric, _ values: [String]) -> Key {
      precondition(values.count == metric.labels.count, "\(metric.name) has the labels \(metric.labels).")
      return Key(metric: metric, values: values)
    }

    private func dimensions(_ key: Key) -> [(String, String)] { Array(zip(key.metric.labels, key.values)) }
  }

  extension Dictionary {
    /// Returns the value of a key, which is made if it is missing.
    fileprivate mutating func value(of key: Key, _ make: () -> Value) -> Value {
      if let value = self[key] { return value }
      let value = make()
      self[key] = value
      return value
    }
  }

  extension Duration {
    /// The whole nanoseconds; at most about 292 years.
    var nanoseconds: Int64 {
      let (seconds, attoseconds) = components
      let (product, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
      return overflows ? .max : product.addingReportingOverflow(attoseconds / 1_000_000_000).partialValue
    }
  }
#endif
