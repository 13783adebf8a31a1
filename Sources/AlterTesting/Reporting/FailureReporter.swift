#if canImport(Testing)
  import Testing
#endif
#if canImport(XCTest)
  import XCTest
#endif

/// The receiver of a test's failures.
///
/// ``current`` detects the running test library, on platforms where a library can import the test libraries, such as Linux. On other
/// platforms, define a reporter once in your tests:
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

  /// Creates a reporter that passes each failure to a closure.
  public init(_ body: @escaping @Sendable (TestFailure) -> Void) { self.body = body }

  /// Reports a failure.
  package func report(_ failure: TestFailure) { body(failure) }

  /// A reporter for the running test library: Swift Testing inside one of its tests, or if the process was started for it; otherwise
  /// XCTest.
  ///
  /// If neither library can be imported, a failure traps with its message, so that it is not overlooked.
  public static var current: FailureReporter {
    #if canImport(Testing)
      if Test.current != nil { return .swiftTesting }
      // A task of its own has no current test. `swift test` starts one process for each of the two libraries, and passes its name.
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
        preconditionFailure(
          "\(failure)\n\nNo test library was found, so the failure can't be reported. Pass `reporter:`; see `FailureReporter`.")
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
