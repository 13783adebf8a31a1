#if Macros
  import Alter
  import Foundation
  import Testing

  // The state of the first article, in both forms: items, entries and tags. Removing an item also removes it from every tag.

  /// With the macro. The model wraps the generated `apply` and adds its own changes.
  enum ByMacro {
    @Alterable struct Item: Identifiable, Hashable {
      let id: Int
      let text: String
    }

    @Alterable struct Entry: Identifiable, Hashable {
      let id: Int
      let text: String
    }

    @Alterable struct Tag: Identifiable, Hashable {
      let id: String
      @Default([]) let items: [Int]

      /// Adds an item to the tag, or removes it.
      enum OwnChange: Hashable {
        case add(Int)
        case remove(Int)
      }

      mutating func apply(_ change: OwnChange, at stamp: Stamp) {
        switch change {
        case .add(let item): self = alterItems { $0.contains(item) ? $0 : $0 + [item] }
        case .remove(let item): self = alterItems { $0.filter { $0 != item } }
        }
      }

      private func alterItems(_ edit: ([Int]) -> [Int]) -> Tag { Tag(id: id, items: edit(items)) }
    }

    @Alterable struct AppState: Hashable {
      @Each(.add, .update, .remove, .replace) let items: IdentityArray<Item>
      @Each(.add, .update, .remove, .replace) let entries: IdentityArray<Entry>
      @Each(.add, .update, .remove, .replace) let tags: IdentityArray<Tag>

      /// Changes that concern several properties.
      enum OwnChange: Hashable {
        /// Removes every item from the list and from every tag.
        case clear
      }

      mutating func apply(_ change: OwnChange, at stamp: Stamp) throws(Refusal) {
        switch change {
        case .clear:
          guard !items.isEmpty else { throw .illegal(from: "empty", change: "clear") }
          self = AppState(entries: entries)
        }
      }

      mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
        try applyGenerated(change, at: stamp)
        if case .remove(.item(let item)) = change {
          try applyGenerated(.replace(.tags(IdentityArray(tags.map { $0.alter(.remove(item)) }))), at: stamp)
        }
      }
    }
  }

  /// Written by hand.
  enum ByHand {
    struct Item: Identifiable, Hashable, Journaled {
      @Wire enum Change: Hashable { case text(String) }
      let id: Int
      private(set) var text: String

      init(id: Int, text: String) { (self.id, self.text) = (id, text) }

      mutating func apply(_ change: Change, at stamp: Stamp) {
        switch change {
        case .text(let text): self.text = text
        }
      }
    }

    struct Entry: Identifiable, Hashable, Journaled {
      @Wire enum Change: Hashable { case text(String) }
      let id: Int
      private(set) var text: String

      init(id: Int, text: String) { (self.id, self.text) = (id, text) }

      mutating func apply(_ change: Change, at stamp: Stamp) {
        switch change {
        case .text(let text): self.text = text
        }
      }
    }

    struct Tag: Identifiable, Hashable, Journaled {
      @Wire enum Change: Hashable {
        case items([Int])
        case add(Int)
        case remove(Int)
      }
      let id: String
      private(set) var items: [Int]

      init(id: String, items: [Int] = []) { (self.id, self.items) = (id, items) }

      mutating func apply(_ change: Change, at stamp: Stamp) {
        switch change {
        case .items(let items): self.items = items
        case .add(let item): if !items.contains(item) { items.append(item) }
        case .remove(let item): items.removeAll { $0 == item }
        }
      }
    }

    struct AppState: Hashable, Journaled, EmptyInitializable {
      @Wire enum Change: Hashable {
        case add(One)
        case update(One)
        case remove(Name)
        case replace(All)
        case item(Int, Item.Change)
        case entry(Int, Entry.Change)
        case tag(String, Tag.Change)
        case clear
      }
      @Wire enum One: Hashable { case item(Item), entry(Entry), tag(Tag) }
      @Wire enum Name: Hashable { case item(Int), entry(Int), tag(String) }
      @Wire enum All: Hashable { case items(IdentityArray<Item>), entries(IdentityArray<Entry>), tags(IdentityArray<Tag>) }

      private(set) var items: IdentityArray<Item> = []
      private(set) var entries: IdentityArray<Entry> = []
      private(set) var tags: IdentityArray<Tag> = []

      mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
        switch change {
        case .add(.item(let item)): try items.add(item)
        case .add(.entry(let entry)): try entries.add(entry)
        case .add(.tag(let tag)): try tags.add(tag)
        case .update(.item(let item)): try items.update(item)
        case .update(.entry(let entry)): try entries.update(entry)
        case .update(.tag(let tag)): try tags.update(tag)
        case .remove(.item(let id)):
          try items.remove(id: id)
          tags = IdentityArray(tags.map { $0.alter(.remove(id)) })
        case .remove(.entry(let id)): try entries.remove(id: id)
        case .remove(.tag(let id)): try tags.remove(id: id)
        case .replace(.items(let items)): self.items = items
        case .replace(.entries(let entries)): self.entries = entries
        case .replace(.tags(let tags)): self.tags = tags
        case .item(let id, let change): try items.apply(change, to: id, at: stamp)
        case .entry(let id, let change): try entries.apply(change, to: id, at: stamp)
        case .tag(let id, let change): try tags.apply(change, to: id, at: stamp)
        case .clear:
          guard !items.isEmpty else { throw .illegal(from: "empty", change: "clear") }
          items = []
          tags = []
        }
      }
    }
  }

  @Suite("The first article's state, by macro and by hand")
  struct ArticleTests {
    // One history for both, as JSON. Its result shows that both have the same changes and the same stored form.
    static let history = [
      #"[{"add":{"item":{"id":1,"text":"Milk"}}},{"add":{"item":{"id":2,"text":"Bread"}}},{"add":{"item":{"id":3,"text":"Salt"}}}]"#,
      #"[{"add":{"entry":{"id":1,"text":"Began"}}},{"entry":{"change":{"text":"Began well"},"id":1}}]"#,
      #"[{"add":{"tag":{"id":"home","items":[1,2]}}},{"tag":{"change":{"add":3},"id":"home"}},{"add":{"tag":{"id":"work","items":[2]}}}]"#,
      #"[{"item":{"change":{"text":"Oat milk"},"id":1}},{"update":{"item":{"id":2,"text":"Rye"}}}]"#,
      #"[{"remove":{"item":2}}]"#,
      #"[{"replace":{"entries":[]}},{"tag":{"change":{"remove":3},"id":"home"}},{"tag":{"change":{"items":[]},"id":"work"}}]"#,
      #"[{"remove":{"tag":"work"}}]"#,
      #"[{"clear":true}]"#,
    ]

    private func replay<State: Journaled & EmptyInitializable>(_ type: State.Type, _ steps: Int) throws -> String {
      var state = State()
      for step in Self.history.prefix(steps) {
        let changes = try JournalCoding.decode([State.Change].self, from: Data(step.utf8))
        #expect(String(decoding: try JournalCoding.encode(changes), as: UTF8.self) == step)
        try state.apply(changes, at: .none)
      }
      return String(decoding: try JournalCoding.encode(state), as: UTF8.self)
    }

    @Test("is the same after every step of its history", arguments: 0...history.count)
    func same(steps: Int) throws {
      #expect(try replay(ByMacro.AppState.self, steps) == replay(ByHand.AppState.self, steps))
    }

    @Test("takes a removed item out of every tag")
    func removal() throws {
      #expect(
        try replay(ByMacro.AppState.self, 5)
          == #"{"entries":[{"id":1,"text":"Began well"}],"items":[{"id":1,"text":"Oat milk"},{"id":3,"text":"Salt"}],"tags":[{"id":"home","items":[1,3]},{"id":"work","items":[]}]}"#
      )
      #expect(throws: Refusal.missing(kind: "Item", id: "9")) { try ByMacro.AppState(.remove(.item(9))) }
    }

    @Test("makes a change of its own, or refuses it")
    func ownChanges() throws {
      let state = try ByMacro.AppState(.add(.item(.init(id: 1, text: "Milk"))), .add(.tag(.init(id: "home", items: [1]))))
      #expect(try state.alter(.clear) == ByMacro.AppState())
      #expect(throws: Refusal.illegal(from: "empty", change: "clear")) { try ByMacro.AppState(.clear) }
      #expect(ByMacro.Tag(id: "a").alter(.add(1), .add(2), .add(1), .remove(1)).items == [2])
    }
  }
#endif
