import AlterJournal
import Foundation

/// What went wrong between a test and the browser.
public struct BrowserError: Error, CustomStringConvertible {
  /// The message.
  public let description: String

  /// Creates an error with a message.
  public init(_ description: String) { self.description = description }
}
