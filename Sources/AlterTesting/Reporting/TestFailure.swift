/// A failure of a test, and its source location.
public struct TestFailure: Error, Sendable, CustomStringConvertible {
  /// The facts, the likely reason, and the remedy, on several lines.
  public let message: String
  /// The location of the call that failed.
  public let place: TestPlace

  /// Creates a failure.
  package init(_ message: String, at place: TestPlace) {
    self.message = message
    self.place = place
  }

  /// The location, like 'ShopTests/CartTests.swift:42', and the message.
  public var description: String { "\(place.fileID):\(place.line): \(message)" }
}

/// A location in the source of a test.
public struct TestPlace: Sendable {
  /// The module and the name of the file.
  public let fileID: StaticString
  /// The path of the file.
  public let filePath: StaticString
  /// The line, from 1.
  public let line: UInt
  /// The column, from 1.
  public let column: UInt

  /// Creates a location; by default the one of the call.
  package init(fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column) {
    self.fileID = fileID
    self.filePath = filePath
    self.line = line
    self.column = column
  }
}
