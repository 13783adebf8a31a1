public import Alter

/// The reason why the text of a field makes no change, which the field shows.
public struct FieldProblem: Hashable, Sendable {
  /// The reason; nil if the last text made a change, and at first.
  public private(set) var text: String?

  /// No problem.
  public init() {}

  /// Performs an action with a typed text. A text that can't be parsed makes no change, and is the problem.
  ///
  /// - Parameters:
  ///   - typed: The text.
  ///   - action: The action. A refusal is a problem of the screen, not of the text.
  ///   - parse: Parses the text.
  /// - Returns: Whether the action made its change.
  @discardableResult
  public mutating func perform<Payload, Problem: Error & CustomStringConvertible>(
    _ typed: String, _ action: UserAction<Payload>, parse: (String) throws(Problem) -> Payload
  ) -> Bool {
    do throws(Problem) {
      let payload = try parse(typed)
      text = nil
      if case .success = action(payload) { return true }
    } catch {
      text = error.description
    }
    return false
  }
}

/// The field for a new element. Return makes the element and empties the field; a text that makes none stays.
public struct NewText: Hashable, Sendable {
  /// The typed text.
  public var text = ""
  private var problems = FieldProblem()

  /// The reason why the text can't become an element; nil if there is none.
  public var problem: String? { problems.text }

  /// An empty field.
  public init() {}

  /// Adds the element, when the user presses Return.
  ///
  /// - Parameters:
  ///   - add: The action. If it is refused, the text stays.
  ///   - parse: Parses the text. A text that can't be parsed stays, with the reason.
  public mutating func submit<Payload, Problem: Error & CustomStringConvertible>(
    _ add: UserAction<Payload>, parse: (String) throws(Problem) -> Payload
  ) {
    if problems.perform(text, add, parse: parse) { text = "" }
  }
}
