import Foundation
import ProcessTesting
import Testing

/// Faults that the system and the disk may cause in a journal. The tests run one at a time, because each of them starts many processes.
@Suite("Faults", .serialized) enum Faults {
  /// Whether calls can be interposed: on Linux, without a sanitizer.
  static let canInterpose: Bool = {
    guard let writer = try? faultWriter("possible") else { return false }
    defer { writer.child.end() }
    return writer.readLine() == "yes"
  }()
}

/// Harm that other processes, copies and damage may do to a journal: a second line of tests, beside ``Faults``, of which one runs at a time.
@Suite("Accidents", .serialized) enum Accidents {}
