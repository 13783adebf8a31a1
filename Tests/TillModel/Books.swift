import Foundation

/// The books of a bank in a file that processes share: a line `charged KEY AMOUNT` for each charge, and `again KEY AMOUNT` for a repeated one.
package struct Books: Sendable {
  private let path: String

  package init(_ path: String) { self.path = path }

  /// The lines with a word.
  package func lines(_ word: String) -> [String] {
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map(String.init).filter { $0.hasPrefix("\(word) ") }
  }

  /// The keys of all lines.
  package var keys: Set<Substring> { Set((lines("charged") + lines("again")).map { $0.split(separator: " ")[1] }) }

  /// Charges an amount, once for each key.
  package func charge(_ amount: Int, key: String) throws {
    let file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard file >= 0, flock(file, LOCK_EX) == 0 else { throw CocoaError(.fileReadUnknown) }
    let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
    let known = String(decoding: try handle.readToEnd() ?? Data(), as: UTF8.self).split(separator: "\n")
    let word = known.contains { $0.hasPrefix("charged \(key) ") } ? "again" : "charged"
    try handle.write(contentsOf: Data("\(word) \(key) \(amount)\n".utf8))
  }
}
