import Alter

/// The list's copy in the cloud: the request and its result.
public enum Cloud: Hashable, Sendable {
  /// The request that the feedback performs: save the list to this URL.
  case saving(to: String)
  /// The list was saved, with this number of items.
  case saved(to: String, items: Int)
  /// Saving failed, for this reason.
  case failed(to: String, why: String)

  /// The changes of the copy's state.
  public enum Change: Hashable, Sendable {  // @Wire
    /// The user requests a copy.
    case save(to: String)
    /// The upload succeeded, with this number of items.
    case saved(items: Int)
    /// The upload failed, for this reason.
    case failed(String)
  }

  /// The URL of the copy.
  public var url: String {
    switch self {
    case .saving(let url), .saved(let url, _), .failed(let url, _): url
    }
  }

  /// The state after a change. The `switch` has no `default`, so that the compiler checks every pair.
  ///
  /// - Throws: `Refusal.illegal` for a result without a request.
  static func altered(_ copy: Cloud?, by change: Change) throws(Refusal) -> Cloud {
    switch (copy, change) {
    case (_, .save(let url)): .saving(to: url)
    case (.saving(let url), .saved(let items)): .saved(to: url, items: items)
    case (.saving(let url), .failed(let why)): .failed(to: url, why: why)
    case (nil, .saved), (nil, .failed), (.saved, .saved), (.saved, .failed), (.failed, .saved), (.failed, .failed):
      throw .illegal(from: copy.map { "\($0)" } ?? "nothing", change: "\(change)")
    }
  }
}

/// The dependencies of the effects of `todo`.
public struct World: Sendable {
  /// Stores a document at a URL, in place of an earlier one. Returns nil if the server accepted it, otherwise the reason for the failure.
  public var upload: @Sendable (_ document: [UInt8], _ url: String) async -> String?

  /// A world with the given upload.
  public init(upload: @escaping @Sendable (_ document: [UInt8], _ url: String) async -> String?) { self.upload = upload }
}

extension Feedback where State == AppState, Environment == World {
  /// Saves the list to the cloud when the state contains a request. Only one process at a time performs it; if that process dies, another
  /// one repeats it. The repetition stores the same document again, so it needs no key. A failure is an answer, because the user waits for it.
  public static var saveToCloud: Feedback {
    Feedback("cloud", request: CloudRequest.init) { request, world in
      if let why = await world.upload(request.document, request.url) { return .cloud(.failed(why)) }
      return .cloud(.saved(items: request.count))
    }
  }
}

/// The document and its URL. A change of the list during the upload changes the request: the answer about the former list is dropped, and the
/// new list is uploaded.
private struct CloudRequest: Equatable, Sendable {
  let url: String
  private let state: AppState

  init?(_ state: AppState) {
    guard case .saving(let url) = state.cloud else { return nil }
    self.url = url
    self.state = state
  }

  var count: Int { state.items.count }

  /// The list as todo.txt.
  var document: [UInt8] { TodoTxtWriter.bytes(of: state) }
}

// MARK: - Written by the macros
//
// To write this again: ALTER_WRITE_EXPANSIONS=1 script/test --filter CheckedInExpansionTests

// swift-format-ignore
nonisolated extension Cloud.Change: Codable, AlterCore.StoredForm {
  /// Reads an object with one key, the name of the case.
  public init(from decoder: any Decoder) throws {
    let wire = try AlterJournal.WireCase(of: Self.self, changing: Cloud.self, from: decoder)
    switch wire.name {
    case "save": self = .save(to: try wire.value())
    case "saved": self = .saved(items: try wire.value())
    case "failed": self = .failed(try wire.value())
    default: throw wire.unknown
    }
  }
  /// Writes an object with one key, the name of the case.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .save(let value): try AlterJournal.WireCase.encode("save", value, to: encoder)
    case .saved(let value): try AlterJournal.WireCase.encode("saved", value, to: encoder)
    case .failed(let value): try AlterJournal.WireCase.encode("failed", value, to: encoder)
    }
  }
  /// Each value can be read again.
  public static var _isTotal: Swift.Bool { true }
  /// Describes the stored form, for its fingerprint.
  public static func _describe(_ form: inout AlterCore.StoredFormDescription) {
    form.oneCase("failed")
    form.part("") { (one: Self) in
      guard case .failed(let part) = one else { Swift.fatalError() }
      return part
    }
    form.oneCase("save")
    form.part("") { (one: Self) in
      guard case .save(let part) = one else { Swift.fatalError() }
      return part
    }
    form.oneCase("saved")
    form.part("") { (one: Self) in
      guard case .saved(let part) = one else { Swift.fatalError() }
      return part
    }
  }
  /// Reads an object with one key, the name of the case, as it is stored.
  public init(from reader: inout AlterCore.StoredReader) throws(AlterCore.StoredFormError) {
    try reader.beginCase()
    if reader.isCase("save") {
      self = .save(to: try reader.value())
    } else if reader.isCase("saved") {
      self = .saved(items: try reader.value())
    } else if reader.isCase("failed") {
      self = .failed(try reader.value())
    } else {
      throw AlterCore.StoredFormError()
    }
    try reader.endCase()
  }
  /// Writes an object with one key, the name of the case, as it is stored.
  public func write(to writer: inout AlterCore.StoredWriter) throws(AlterCore.StoredFormError) {
    switch self {
    case .save(let part0):
      try writer.beginCase("save")
      try writer.value(part0)
    case .saved(let part0):
      try writer.beginCase("saved")
      try writer.value(part0)
    case .failed(let part0):
      try writer.beginCase("failed")
      try writer.value(part0)
    }
    writer.endObject()
  }
  /// Each name is stored as it is written: `@Renamed` reads older names, and CodingKeys would not be used.
  typealias CodingKeys = Swift.Never
}
