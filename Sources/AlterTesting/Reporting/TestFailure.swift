/// What a test has found, and where in the test.
public struct TestFailure: Error, Sendable, CustomStringConvertible {
  /// What happened, what can be the reason, and what to do: several lines.
  public let message: String
  /// The call that found it.
  public let place: TestPlace

  /// A failure of the given parts.
  public init(_ message: String, at place: TestPlace) {
    self.message = message
    self.place = place
  }

  /// The place and the message.
  public var description: String { "\(place): \(message)" }
}

/// A place in a test's source.
public struct TestPlace: Sendable, CustomStringConvertible {
  /// The module and the file's name.
  public let fileID: StaticString
  /// The file's path.
  public let filePath: StaticString
  /// The line, from 1.
  public let line: UInt
  /// The column, from 1.
  public let column: UInt

  /// A place; where this initialiser is called, unless it is told.
  public init(fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column) {
    self.fileID = fileID
    self.filePath = filePath
    self.line = line
    self.column = column
  }

  /// As in `ShopTests/CartTests.swift:42`.
  public var description: String { "\(fileID):\(line)" }
}
