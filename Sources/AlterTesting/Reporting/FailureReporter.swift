#if canImport(Testing)
  import Testing
#endif
#if canImport(XCTest)
  import XCTest
#endif

/// Who is told of a test's failures.
///
/// ``current`` finds out by itself, where the test libraries can be imported by a library, as on Linux. Elsewhere hand one over, once, in a
/// file of your tests:
///
/// ```swift
/// extension FailureReporter {
///   static let tests = FailureReporter { failure in
///     let place = failure.place
///     Issue.record(                          // Swift Testing
///       Comment(rawValue: failure.message),
///       sourceLocation: SourceLocation(
///         fileID: "\(place.fileID)", filePath: "\(place.filePath)", line: Int(place.line), column: Int(place.column)))
///     // XCTFail(failure.message, file: place.filePath, line: place.line)         // XCTest
///   }
/// }
/// let store = TestStore(AppState(), reporter: .tests)
/// ```
public struct FailureReporter: Sendable {
  private let body: @Sendable (TestFailure) -> Void

  /// A reporter that hands each failure to a closure.
  public init(_ body: @escaping @Sendable (TestFailure) -> Void) { self.body = body }

  /// Tells of a failure.
  public func report(_ failure: TestFailure) { body(failure) }

  /// The test library that is running: Swift Testing inside one of its tests (or where the process was started for it), otherwise XCTest.
  ///
  /// Where neither can be imported, a failure traps with its message: it must not pass unheard.
  public static var current: FailureReporter {
    #if canImport(Testing)
      if Test.current != nil { return .swiftTesting }
      // In a task of its own there is no current test; `swift test` starts a process for each of the two libraries and names it.
      let arguments = CommandLine.arguments
      if let flag = arguments.firstIndex(of: "--testing-library"), arguments.dropFirst(flag + 1).first == "swift-testing" {
        return .swiftTesting
      }
    #endif
    #if canImport(XCTest)
      return FailureReporter { XCTFail($0.message, file: $0.place.filePath, line: $0.place.line) }
    #elseif canImport(Testing)
      return .swiftTesting
    #else
      return FailureReporter { failure in
        preconditionFailure("\(failure)\n\nNo test library was found to tell. Pass `reporter:`; see `FailureReporter`.")
      }
    #endif
  }

  #if canImport(Testing)
    private static let swiftTesting = FailureReporter { failure in
      let place = failure.place
      Issue.record(
        Comment(rawValue: failure.message),
        sourceLocation: SourceLocation(
          fileID: "\(place.fileID)", filePath: "\(place.filePath)", line: Int(place.line), column: Int(place.column)))
    }
  #endif
}
