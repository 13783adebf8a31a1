import Foundation

/// The arguments behind the command: `--name value`.
struct Arguments {
  let command: String
  private var values: [String: String] = [:]

  init(_ arguments: [String]) throws(Failure) {
    guard let command = arguments.first else { throw Failure("usage: sync-load COMMAND --name value …") }
    self.command = command
    var rest = arguments.dropFirst()
    while let name = rest.popFirst() {
      guard name.hasPrefix("--"), let value = rest.popFirst() else { throw Failure("'\(name)' needs a value") }
      values[String(name.dropFirst(2))] = value
    }
  }

  subscript(name: String) -> String? { values[name] }

  func number(_ name: String, default other: Int) -> Int { values[name].flatMap { Int($0) } ?? other }

  func text(_ name: String) throws(Failure) -> String {
    guard let value = values[name] else { throw Failure("'\(command)' needs --\(name)") }
    return value
  }
}

/// An error of a command.
struct Failure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// Writes a line to the standard output at once.
func say(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  _ = write(1, bytes, bytes.count)
}

/// Writes a figure, which the process that has started this one reads.
func tell(_ name: String, _ value: Double) { say("\(name)=\(value)") }
