import Foundation
import ProcessTesting
import Testing

/// Faults that the system, the disk and other processes may cause in a journal. The tests run one at a time, because each of them starts
/// many processes.
@Suite("Faults", .serialized) enum Faults {
  /// Whether calls can be interposed: on Linux, without a sanitizer.
  static let canInterpose: Bool = {
    guard let writer = try? faultWriter("possible") else { return false }
    defer { writer.child.end() }
    return writer.readLine() == "yes"
  }()
}
