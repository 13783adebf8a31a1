import AlterJournal
import Foundation

/// An error of the connection between a test and the browser, or of a page.
public struct BrowserError: Error, CustomStringConvertible {
  /// The message.
  public let description: String

  /// Creates an error with a message.
  public init(_ description: String) { self.description = description }
}
