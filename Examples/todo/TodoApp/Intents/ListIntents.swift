#if canImport(AppIntents)
  public import AppIntents
  public import Foundation
  import TodoCore
  import TodoViewModels

  // Compiled on Linux only against a stand-in for AppIntents: script/apple.

  /// Adds an item, by Siri or in Shortcuts. The app need not be running.
  public struct AddItemIntent: AppIntent {
    /// The title of the action.
    public static let title: LocalizedStringResource = "Add Item"

    /// The text, which may be a line of todo.txt.
    @Parameter(title: "Text") public var text: String

    /// Creates the intent, whose parameter the system sets.
    public init() {}

    /// Adds the item and returns when it is on the disk.
    public func perform() async throws -> some IntentResult & ProvidesDialog {
      let item = try await IntentProblem.reporting { [text] in try await TodoFile.commands.add(text) }
      TodoWidget.reload()
      return .result(dialog: "Added \(item.text).")
    }
  }

  /// Completes an item.
  public struct CompleteItemIntent: AppIntent {
    /// The title of the action.
    public static let title: LocalizedStringResource = "Complete Item"

    /// The item.
    @Parameter(title: "Item") public var item: ItemEntity

    /// Creates the intent, whose parameter the system sets.
    public init() {}

    /// Completes the item and returns when this is on the disk.
    public func perform() async throws -> some IntentResult & ProvidesDialog {
      try await IntentProblem.reporting { [id = item.id] in try await TodoFile.commands.complete(id) }
      TodoWidget.reload()
      return .result(dialog: "Completed \(item.text).")
    }
  }

  /// An error of an intent, with a text that Siri and Shortcuts show.
  nonisolated struct IntentProblem: Error, CustomLocalizedStringResourceConvertible {
    let localizedStringResource: LocalizedStringResource

    init(_ error: any Error) { localizedStringResource = "\(TodoViewModels.text(of: error))" }

    /// Performs the work of an intent.
    static func reporting<Value: Sendable>(_ work: @Sendable () async throws -> Value) async throws -> Value {
      do { return try await work() } catch { throw IntentProblem(error) }
    }
  }

  /// An item as a parameter of an intent.
  nonisolated public struct ItemEntity: AppEntity {
    /// The name of the type.
    public static let typeDisplayRepresentation: TypeDisplayRepresentation = "Item"
    /// Finds items.
    public static let defaultQuery = ItemEntityQuery()

    /// The item's id.
    public let id: UUID
    /// The item's text.
    public let text: String

    /// The text that the system shows.
    public var displayRepresentation: DisplayRepresentation { DisplayRepresentation(title: "\(text)") }

    init(_ row: ItemRow) { (id, text) = (row.id, row.text) }
  }

  /// Finds the open items, the most urgent first.
  nonisolated public struct ItemEntityQuery: EntityStringQuery {
    /// Creates the query.
    public init() {}

    /// The items with these ids that the list contains.
    public func entities(for identifiers: [UUID]) async throws -> [ItemEntity] {
      try await TodoFile.commands.items(identifiers).map(ItemEntity.init)
    }

    /// The open items that contain all words of a text.
    public func entities(matching string: String) async throws -> [ItemEntity] {
      try await TodoFile.commands.open(matching: string).map(ItemEntity.init)
    }

    /// The open items.
    public func suggestedEntities() async throws -> [ItemEntity] { try await entities(matching: "") }
  }

  /// Makes the intents of this module available to the app that contains it.
  nonisolated public struct TodoIntents: AppIntentsPackage {}
#endif
