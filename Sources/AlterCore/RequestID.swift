#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The permanent id of a request that acts on the world: to pay, to send a mail. It is a part of the state.
///
/// The id comes from the stamp of the change that asks, so it is the same at each replay, rebase, undo with redo, and restart, and in every
/// copy of the journal. Two requests never share one. ``key(_:)`` is the idempotency key for the service that performs the request.
///
/// ```swift
/// case .pay(let amount): payment = Requested(amount, stamp)
/// ```
public struct RequestID: Hashable, Sendable {
  private enum Source: Hashable {
    case stamp(Stamp, Int)
    /// The bytes of the name, and not its text: canonically equivalent texts are equal, but their keys would differ.
    case name(Bytes)
  }

  private struct Bytes: Hashable {
    let text: String

    static func == (one: Self, other: Self) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }

    func hash(into hasher: inout Hasher) {
      var text = text
      text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
  }

  private let source: Source

  /// Creates the id of a request that a change makes.
  ///
  /// - Parameters:
  ///   - stamp: The stamp of the change that asks.
  ///   - n: The number of the request, for a change that asks for several; 0 by default.
  public init(_ stamp: Stamp, _ n: Int = 0) { source = .stamp(stamp, n) }

  /// Creates an id from a key of the business, such as `invoice-2026-17`: two requests with the same name, byte for byte, are one.
  ///
  /// A name has no time: the limit of 23 hours for attempts begins again when the process is restarted, or another one takes over. If requests
  /// may stay open for that long, keep the time of the request in the state, and let the effect return a change when it is too old.
  ///
  /// An undo cannot find the entry that asks by such an id. Let `apply` refuse an answer without its request.
  ///
  /// - Parameter name: The key.
  public init(named name: String) { source = .name(Bytes(text: name)) }

  /// The stamp of the change that asks; nil for an id with a name.
  package var stamp: Stamp? { if case .stamp(let stamp, _) = source { stamp } else { nil } }

  /// Whether the id was made outside of a store, by a stamp without an origin, so that it is not unique.
  package var isNone: Bool { stamp?.origin == Origin.none }

  /// The idempotency key for a service: at most 250 characters, all of them printable ASCII.
  ///
  /// Letters, digits and `-._~` (the unreserved characters of RFC 3986) stay unchanged; all others are percent-escaped. A purpose of more
  /// than 64 characters and a name of more than 128, counted after escaping, are replaced by `hash:` and 32 hexadecimal digits.
  ///
  /// - Parameter purpose: The call of the service, such as `charge`. Two calls for one request need two purposes. Keep it stable.
  public func key(_ purpose: String) -> String {
    let purpose = Self.escaped(purpose, limit: 64)
    switch source {
    case .stamp: return "\(purpose)/\(description)"
    case .name(let name): return "\(purpose)/named/\(Self.escaped(name.text, limit: 128))"
    }
  }

  /// A text in unreserved characters, or its hash if the text would be too long. An escaped text never contains a colon, so the two cannot
  /// be confused.
  private static func escaped(_ text: String, limit: Int) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var escaped: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
        escaped.append(byte)
      default: escaped += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
      if escaped.count > limit { return "hash:\(hash(of: text))" }
    }
    return String(decoding: escaped, as: UTF8.self)
  }

  /// The 16 bytes of SipHash-2-4 in hexadecimal digits, in the order of the authors' reference code. The hash's own key must never change:
  /// another one would give the same requests other keys.
  private static func hash(of text: String) -> String {
    var text = text
    var hash = SipHash128(key0: 0x616c_7465_722e_6b65, key1: 0x792e_7375_626a_6563)
    text.withUTF8 { hash.combine(bytes: UnsafeRawBufferPointer($0)) }
    let (first, second) = hash.finalize()
    return [first, second].map { number in
      // Lowest byte first.
      let digits = String(number.byteSwapped, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}

extension RequestID: LosslessStringConvertible {
  /// The stored text: `named:` and the name, or the origin, the sequence, the index, the number of the request and the time of the stamp.
  public var description: String {
    switch source {
    case .stamp(let stamp, let n):
      "\(stamp.origin.text).\(stamp.sequence).\(stamp.index).\(n).\(stamp.time)"
    case .name(let name): "named:\(name.text)"
    }
  }

  /// Creates the id with a stored text; nil if the text is none.
  public init?(_ description: String) {
    if description.hasPrefix("named:") {
      self.init(named: String(description.dropFirst(6)))
      return
    }
    let parts = description.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 5, let uuid = UUID(uuidString: String(parts[0])), let sequence = Int64(parts[1]), let index = Int(parts[2]),
      let n = Int(parts[3]), let time = Int64(parts[4])
    else { return nil }
    self.init(Stamp(time: time, origin: Origin(uuid), sequence: sequence, index: index), n)
  }
}

extension RequestID: Codable {
  /// Decodes the text.
  ///
  /// - Throws: `DecodingError` if the text is not that of an id.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let id = RequestID(text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "'\(text.prefix(100))' is not the id of a request.")
    }
    self = id
  }

  /// Encodes the text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// A request that acts on the world, with an id of its own. ``Requested`` is the usual one.
///
/// A feedback whose request conforms treats two requests with the same id as the same request, whatever else differs.
public protocol Acting: Equatable, Sendable {
  /// The permanent id of the request.
  var id: RequestID { get }
}

/// A value that the state asks the world to act on, once: an amount to pay, a mail to send.
///
/// ```swift
/// struct Order: Journaled {
///   private(set) var payment: Requested<Int>?
///   mutating func apply(_ change: Change, at stamp: Stamp) {
///     switch change {
///     case .pay(let cents): payment = Requested(cents, stamp)
///     case .paid(let id): if payment?.id == id { payment = nil }
///     }
///   }
/// }
/// ```
///
/// To ask for something else, make a new one. If the entry that asks is undone while the effect runs, and the process dies before the
/// effect has sent or answered anything, no state knows that the effect may have been done: send a change before the service is called.
public struct Requested<Value: Hashable & Sendable>: Acting, Hashable {
  /// The permanent id of the request.
  public let id: RequestID
  /// The value that the effect receives.
  public let value: Value

  /// Creates a request in `apply`.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - stamp: The stamp of the change that asks.
  public init(_ value: Value, _ stamp: Stamp) { self.init(value, id: RequestID(stamp)) }

  /// Creates a request with an id: the second one of a change, or one with a name.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - id: The id.
  public init(_ value: Value, id: RequestID) { (self.id, self.value) = (id, value) }
}

extension Requested: Codable where Value: Codable {}
