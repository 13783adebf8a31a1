#if Service
  import Alter

  @testable import AlterService
  import InMemoryLogging
  import InMemoryTracing
  import Logging
  import MetricsTestKit

  /// A telemetry whose metrics, messages and spans a test reads.
  struct Recording {
    let metrics = TestMetrics()
    let handler: InMemoryLogHandler
    let tracer = InMemoryTracer()
    let logger: Logger
    let telemetry: StoreTelemetry

    init(level: Logger.Level = .trace) {
      var handler = InMemoryLogHandler()
      handler.logLevel = level
      self.handler = handler
      logger = Logger(label: "test") { [handler] _ in handler }
      telemetry = StoreTelemetry(logger: logger, metrics: metrics, tracer: tracer)
    }

    var options: StoreOptions {
      var options = StoreOptions()
      options.telemetry = telemetry
      return options
    }

    /// The number that a counter or a gauge shows, or the number of values of a distribution; nil if the metric was never used.
    func value(_ name: String, _ labels: KeyValuePairs<String, String> = [:]) -> Int? {
      let labels = labels.map { ($0.key, $0.value) }
      if let counter = try? metrics.expectCounter(name, labels) { return Int(counter.totalValue) }
      if let gauge = try? metrics.expectMeter(name, labels) { return gauge.lastValue.map { Int($0) } }
      if let timer = try? metrics.expectTimer(name, labels) { return timer.values.count }
      return (try? metrics.expectRecorder(name, labels))?.values.count
    }

    /// The messages with their levels.
    var messages: [String] { handler.entries.map { "\($0.level): \($0.message)" } }

    /// The names of the spans that have ended.
    var spans: [String] { tracer.finishedSpans.map(\.operationName) }

    /// Every metric that was used: its name, its kind, and the names and values of its labels.
    var used: [(name: String, kind: Metric.Kind, labels: [(String, String)])] {
      metrics.counters.map { ($0.label, .counter, $0.dimensions) } + metrics.meters.map { ($0.label, .gauge, $0.dimensions) }
        + metrics.timers.map { ($0.label, .duration, $0.dimensions) } + metrics.recorders.map { ($0.label, .size, $0.dimensions) }
    }
  }

  /// A count that never goes below zero, and can request an answer of a feedback.
  struct Credit: Journaled, Hashable {
    enum Change: Hashable, Codable { case add(Int), ask, answer(Int) }

    private(set) var count = 0
    private(set) var isAsked = false

    mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
      switch change {
      case .add(let number):
        guard count + number >= 0 else { throw .custom("The count would be negative.") }
        count += number
      case .ask: isAsked = true
      case .answer(let number): (count, isAsked) = (number, false)
      }
    }
  }
#endif
