import Alter

/// The list's copy in the cloud: what was asked for, and what came of it.
public enum Cloud: Hashable, Sendable {
  /// To be saved there: the request that the feedback performs.
  case saving(to: String)
  /// Saved there: how many items.
  case saved(to: String, items: Int)
  /// Not saved, and why.
  case failed(to: String, why: String)

  /// What can happen to the copy.
  public enum Change: Hashable, Sendable {
    /// Somebody wants it.
    case save(to: String)
    /// It was saved, with so many items.
    case saved(items: Int)
    /// It could not be saved.
    case failed(String)
  }

  /// Where.
  public var url: String {
    switch self {
    case .saving(let url), .saved(let url, _), .failed(let url, _): url
    }
  }

  /// What the change makes of the present copy. The compiler asks for every pair.
  ///
  /// - Throws: `Refusal.illegal` for an answer that nobody has asked for.
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

/// What `todo` needs of the world outside of it.
public struct World: Sendable {
  /// Sends a document to a URL under an idempotency key. Nil when it was taken, otherwise why not.
  public var upload: @Sendable (_ document: [UInt8], _ url: String, _ key: String) async -> String?

  /// A world.
  public init(upload: @escaping @Sendable (_ document: [UInt8], _ url: String, _ key: String) async -> String?) { self.upload = upload }
}

extension Feedback where State == AppState, Environment == World {
  /// Saves the list to the cloud when the state asks for it: once at a time, whichever process does it, and again if that one dies.
  public static var saveToCloud: Feedback {
    Feedback("cloud", request: CloudRequest.init) { request, world, effect in
      if let why = await world.upload(request.document, request.url, effect.key.description) { return .cloud(.failed(why)) }
      return .cloud(.saved(items: request.count))
    }
  }
}

/// What is to be saved, and where. Somebody who changes the list meanwhile changes the request: it is begun anew with what is there then.
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
