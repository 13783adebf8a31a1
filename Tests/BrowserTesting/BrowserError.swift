import AlterJournal
import Foundation

/// What went wrong between a test and the browser.
public struct BrowserError: Error, CustomStringConvertible {
  public let description: String

  public init(_ description: String) { self.description = description }
}
