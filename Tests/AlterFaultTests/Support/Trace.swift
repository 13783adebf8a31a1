import Foundation

/// The changes that a process made to the files of a folder, in order, as `Tests/InterposedCalls` has recorded them.
struct Trace {
  enum Event {
    case open(descriptor: Int, path: String, creates: Bool)
    case close(descriptor: Int)
    case write(descriptor: Int, offset: Int, bytes: [UInt8])
    case truncate(descriptor: Int, length: Int)
    case sync(descriptor: Int)
    case failedSync(descriptor: Int)
    case rename(from: String, to: String)
    case link(from: String, to: String)
    case unlink(path: String)
    /// The process acknowledged this number.
    case mark(Int64)
  }

  struct Unreadable: Error {}

  let events: [Event]

  init(_ bytes: [UInt8]) throws {
    var events: [Event] = []
    var position = 0
    func number(_ index: Int) -> Int64 {
      bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: position + index * 8, as: Int64.self) }
    }
    while position < bytes.count {
      guard position + 40 <= bytes.count else { throw Unreadable() }
      let (what, descriptor, first, length) = (number(0), Int(number(1)), Int(number(2)), Int(number(4)))
      guard let letter = UInt8(exactly: what), length >= 0, position + 40 + length <= bytes.count else { throw Unreadable() }
      let rest = bytes[(position + 40)..<(position + 40 + length)]
      position += 40 + length
      func path(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
      switch Character(UnicodeScalar(letter)) {
      case "o": events.append(.open(descriptor: descriptor, path: path(rest), creates: Int32(first) & O_CREAT != 0))
      case "c": events.append(.close(descriptor: descriptor))
      case "w": events.append(.write(descriptor: descriptor, offset: first, bytes: Array(rest)))
      case "t": events.append(.truncate(descriptor: descriptor, length: first))
      case "s": events.append(.sync(descriptor: descriptor))
      case "f": events.append(.failedSync(descriptor: descriptor))
      case "r": events.append(.rename(from: path(rest.prefix(first)), to: path(rest.dropFirst(first))))
      case "l": events.append(.link(from: path(rest.prefix(first)), to: path(rest.dropFirst(first))))
      case "u": events.append(.unlink(path: path(rest)))
      case "m": events.append(.mark(Int64(first)))
      default: throw Unreadable()
      }
    }
    self.events = events
  }
}
