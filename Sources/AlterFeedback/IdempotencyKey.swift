import AlterCore
public import AlterJournal

/// The permanent id of a request: the journal entry at which it appeared, the feedback, and the request's subject.
///
/// ```
/// save/1f0c9a3e-5f0b-4c8e-9d2a-0b6f1f6c2a11-7/42
/// └ feedback └ origin and sequence of the entry └ subject
/// ```
///
/// **Stability.** The key of a request is the same after each restart, in each process and in each version of the app, as long as its parts
/// stay the same:
///
/// | | the subject is | it changes with |
/// |---|---|---|
/// | `request:` | empty | nothing |
/// | `each:` and `requestsByID:` | the id's `description`; of an id without one, its values | that description |
/// | `requests:` | the request's values, in the order of their declaration, without names | a field that is added, removed or moved, the type of a field's value, the name of an enum's case; **not** the name of a field or of a type |
///
/// An id that is an `Identifier` is represented by its raw value, and one that is a `Date` by its exact number of seconds since 2001.
///
/// The elements of a set or a dictionary are in the order of their text. A type whose `Mirror` shows no parts, such as a `UUID`, and an
/// enum's case without a payload are represented by their `description`: if you implement one, make it different for different values. (A
/// case of an enum with a `description` and raw values is represented by the raw value.)
///
/// Keys of different feedbacks always differ.
public struct IdempotencyKey: Sendable, Hashable, CustomStringConvertible {
  /// The feedback's name.
  public let feedback: String
  /// The entry at which the request appeared. If an undo or a redo restores a request, that is another entry, and the key is a new one.
  public let entry: EntryID
  /// The subject of the request, for a feedback with several requests; empty for one. The text is for people: its length is not limited,
  /// and it may contain any character.
  public let subject: String

  /// The key as text for a service: at most 250 characters, all of them printable ASCII, so that it fits into a header field.
  ///
  /// Letters, digits and `-._~` (the unreserved characters of RFC 3986) stay unchanged; all other characters in the name and in the subject
  /// are percent-escaped. A name of more than 64 characters and a subject of more than 128, counted after escaping, are replaced by `hash:`
  /// and 32 hexadecimal digits.
  public var description: String {
    let origin = entry.origin.uuid.uuidString.lowercased()
    let name = "\(Self.escaped(feedback, limit: 64))/\(origin)-\(entry.sequence)"
    return subject.isEmpty ? name : "\(name)/\(Self.escaped(subject, limit: 128))"
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
  /// another one would give the same requests other names.
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
