import AlterJournal
import Foundation

/// What went wrong between a test and the browser.
package struct BrowserError: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
