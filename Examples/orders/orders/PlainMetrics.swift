import CoreMetrics
import Foundation

/// A metrics system that keeps its values in memory and shows them as text, in the format of Prometheus. It is as small as an example
/// allows: distributions have a count and a sum, but no buckets.
///
/// `@unchecked Sendable`: `cells` is used only under `lock`.
final class PlainMetrics: MetricsFactory, @unchecked Sendable {
  /// One metric with its labels.
  ///
  /// `@unchecked Sendable`: `value` is used only under `lock`.
  final class Cell: CounterHandler, MeterHandler, RecorderHandler, TimerHandler, @unchecked Sendable {
    let name: String
    let labels: String
    private let isDistribution: Bool
    private let lock = NSLock()
    private var value = (count: 0, sum: 0.0)

    init(_ name: String, _ dimensions: [(String, String)], isDistribution: Bool) {
      self.name = name
      labels = dimensions.isEmpty ? "" : "{" + dimensions.map { "\($0)=\"\($1)\"" }.joined(separator: ",") + "}"
      self.isDistribution = isDistribution
    }

    private func add(_ number: Double) { lock.withLock { value = (value.count + 1, value.sum + number) } }

    func increment(by amount: Int64) { add(Double(amount)) }
    func increment(by amount: Double) { add(amount) }
    func decrement(by amount: Double) { add(-amount) }
    func set(_ number: Int64) { set(Double(number)) }
    func set(_ number: Double) { lock.withLock { value.sum = number } }
    func record(_ number: Int64) { add(Double(number)) }
    func record(_ number: Double) { add(number) }
    func recordNanoseconds(_ duration: Int64) { add(Double(duration) / 1e9) }
    func reset() { lock.withLock { value = (0, 0) } }

    var lines: [String] {
      let (count, sum) = lock.withLock { value }
      return isDistribution ? ["\(name)_count\(labels) \(count)", "\(name)_sum\(labels) \(sum)"] : ["\(name)\(labels) \(sum)"]
    }
  }

  private let lock = NSLock()
  private var cells: [String: Cell] = [:]

  private func cell(_ name: String, _ dimensions: [(String, String)], isDistribution: Bool) -> Cell {
    let new = Cell(name, dimensions, isDistribution: isDistribution)
    return lock.withLock {
      if let cell = cells[new.name + new.labels] { return cell }
      cells[new.name + new.labels] = new
      return new
    }
  }

  /// All metrics, a line each.
  var text: String { lock.withLock { Array(cells.values) }.flatMap(\.lines).sorted().joined(separator: "\n") + "\n" }

  func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler { cell(label, dimensions, isDistribution: false) }
  func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler { cell(label, dimensions, isDistribution: false) }
  func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler { cell(label, dimensions, isDistribution: true) }
  func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
    cell(label, dimensions, isDistribution: aggregate)
  }
  func destroyCounter(_ handler: any CounterHandler) {}
  func destroyMeter(_ handler: any MeterHandler) {}
  func destroyRecorder(_ handler: any RecorderHandler) {}
  func destroyTimer(_ handler: any TimerHandler) {}
}
