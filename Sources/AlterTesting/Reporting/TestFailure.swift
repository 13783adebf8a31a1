/// A failure of a test, and its source location.
public struct TestFailure: Error, Sendable, CustomStringConvertible {
  /// The facts, the likely reason, and the remedy, on several lines.
  public let message: String
  /// The location of the call that failed.
  public let place: TestPlace

  /// Creates a failure.
  public init(_ message: String, at place: TestPlace) {
    self.message = message
    self.place = place
  }

  /// The location and the message.
  public var description: String { "\(place): \(message)" }
}

/// A location in the source of a test.
public struct TestPlace: Sendable, CustomStringConvertible {
  /// The module and the name of the file.
  public let fileID: StaticString
  /// The path of the file.
  public let filePath: StaticString
  /// The line, from 1.
  public let line: UInt
  /// The column, from 1.
  public let column: UInt

  /// Creates a location; by default the one of the call.
  public init(fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column) {
    self.fileID = fileID
    self.filePath = filePath
    self.line = line
    self.column = column
  }

  /// The file and the line, like 'ShopTests/CartTests.swift:42'.
  public var description: String { "\(fileID):\(line)" }
}
