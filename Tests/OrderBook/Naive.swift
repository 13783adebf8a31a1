#if Macros
  import Alter
  import AlterCore
  import AlterJournal

  /// The laws of an order book by definition: a fold over the list of accepted entries, without a store.
  struct Naive {
    /// An entry of the journal.
    struct Item {
      enum Content {
        case changes([Contents.Change])
        case reset(Contents)
        case undo([EntryID])
        case redo([EntryID])
      }

      let id: EntryID
      let revision: Revision
      let time: Int64
      let scope: UndoScope
      let content: Content
      let cause: Cause?

      var targets: [EntryID] {
        switch content {
        case .undo(let targets), .redo(let targets): targets
        case .changes, .reset: []
        }
      }

      /// Whether an undo may be about it.
      var isStep: Bool {
        guard scope != .never, cause?.feedback == nil, cause?.answers == nil else { return false }
        return switch content {
        case .changes, .reset: true
        case .undo, .redo: false
        }
      }

      func apply(to contents: inout Contents) -> Bool {
        switch content {
        case .changes(let changes):
          var copy = contents
          for (index, change) in changes.enumerated() {
            let stamp = Stamp(time: time, origin: id.origin, sequence: id.sequence, index: index)
            guard (try? copy.apply(change, at: stamp)) != nil else { return false }
          }
          contents = copy
        case .reset(let other): contents = other
        case .undo, .redo: break
        }
        return true
      }
    }

    /// The kinds of outcomes of an undo or a redo.
    enum Outcome: Hashable {
      case done, nothing, outsideWindow, wouldSuppress, performed
    }

    let initial: Contents
    let window: Int
    private(set) var items: [Item] = []
    /// The fold of all entries.
    private(set) var contents: Contents
    private var inactive: Set<EntryID> = []
    private var suppressed: Set<EntryID> = []

    /// Whether an undo or a redo names one entry, and the answers follow by rule: as in a synced journal.
    private let isByRule: Bool

    init(_ initial: Contents, window: Int, isByRule: Bool = false) {
      (self.initial, self.window, self.isByRule, contents) = (initial, window, isByRule, initial)
    }

    mutating func append(_ item: Item) {
      items.append(isByRule ? completed(item) : item)
      inactive = Self.inactive(in: items)
      (contents, suppressed) = fold(items, without: inactive)
    }

    private func completed(_ item: Item) -> Item {
      guard let target = item.targets.first else { return item }
      let others = if case .redo = item.content { Array(items.first { $0.id == target }?.targets.dropFirst() ?? []) } else { [EntryID]() }
      let targets = [target] + others + answers(to: [target])
      let content: Item.Content = if case .redo = item.content { .redo(targets) } else { .undo(targets) }
      return Item(id: item.id, revision: item.revision, time: item.time, scope: item.scope, content: content, cause: item.cause)
    }

    /// The contents after the entry of a revision, as they were then.
    func contents(at revision: Revision) -> Contents {
      let known = items.filter { $0.revision <= revision }
      return fold(known, without: Self.inactive(in: known)).0
    }

    private func fold(_ items: [Item], without inactive: Set<EntryID>) -> (Contents, suppressed: Set<EntryID>) {
      var (contents, suppressed) = (initial, Set<EntryID>())
      for item in items where !inactive.contains(item.id) { if !item.apply(to: &contents) { suppressed.insert(item.id) } }
      return (contents, suppressed)
    }

    /// An entry is active unless an active later entry reverts it.
    private static func inactive(in items: [Item]) -> Set<EntryID> {
      var inactive: Set<EntryID> = []
      for item in items.reversed() where !inactive.contains(item.id) { inactive.formUnion(item.targets) }
      return inactive
    }

    /// The entries that make no difference where they stand.
    private var idle: Set<EntryID> {
      var (contents, idle) = (initial, Set<EntryID>())
      for item in items {
        var next = contents
        if !item.apply(to: &next) || next == contents { idle.insert(item.id) }
        if !inactive.contains(item.id) { contents = next }
      }
      return idle
    }

    private func place(_ id: EntryID) -> Int { items.firstIndex { $0.id == id } ?? -1 }

    private func isReachable(_ id: EntryID) -> Bool { place(id) >= 0 && place(id) >= items.count - window }

    /// In a synced journal, idle entries are undone before the step, each by an entry, which moves the window.
    private func staysReachable(_ id: EntryID, passing count: Int) -> Bool { !isByRule || place(id) >= items.count + count - window }

    private func stacks(of scope: UndoScope, _ idle: Set<EntryID>) -> (undoable: [EntryID], redoable: [EntryID]) {
      var (undoable, redoable): ([EntryID], [EntryID]) = ([], [])
      var reverted: [EntryID: [EntryID]] = [:]
      for item in items where item.scope == scope {
        switch item.content {
        case .changes, .reset:
          guard item.isStep else { continue }
          undoable.append(item.id)
          if !idle.contains(item.id) { redoable = [] }
        case .undo(let targets):
          reverted[item.id] = targets.filter(undoable.contains)
          undoable.removeAll(where: targets.contains)
          if item.cause?.answers == nil { redoable.append(item.id) }
        case .redo(let targets):
          undoable.removeAll(where: targets.contains)
          redoable.removeAll(where: targets.contains)
          undoable += reverted[targets[0]] ?? []
        }
      }
      return (undoable, redoable)
    }

    /// The steps that undos of a scope go through.
    func steps(of scope: UndoScope) -> [EntryID] {
      let idle = idle
      var steps = stacks(of: scope, idle).undoable
      if let last = steps.lastIndex(where: { !isReachable($0) }) { steps.removeSubrange(...last) }
      return steps.filter { !idle.contains($0) }
    }

    /// The outcome of an undo in a scope, and the contents after it.
    func undo(in scope: UndoScope) -> (Outcome, Contents?) {
      let idle = idle
      let steps = stacks(of: scope, idle).undoable
      let rest = Array(steps.reversed().drop { isReachable($0) && idle.contains($0) })
      guard let target = rest.first else { return (items.count <= window ? .nothing : .outsideWindow, nil) }
      guard isReachable(target) else { return (.outsideWindow, nil) }
      let passed = steps.suffix(steps.count - rest.count).filter { place($0) > place(target) }
      guard staysReachable(target, passing: passed.count) else { return (.outsideWindow, nil) }
      return tried(.undo([target] + passed + answers(to: [target] + passed)))
    }

    /// The outcome of a redo in a scope, and the contents after it.
    func redo(in scope: UndoScope) -> (Outcome, Contents?) {
      let (undoable, redoable) = stacks(of: scope, idle)
      guard let undo = redoable.last, isReachable(undo) else { return (.nothing, nil) }
      let targets = items[place(undo)].targets
      guard targets.allSatisfy(isReachable) else { return (.outsideWindow, nil) }
      let passed = undoable.filter { place($0) > place(undo) }
      guard ([undo] + targets).allSatisfy({ staysReachable($0, passing: passed.count) }) else { return (.outsideWindow, nil) }
      let kept = targets.dropFirst().filter { items[place($0)].cause?.answers != nil }
      return tried(.redo([undo] + passed + kept + answers(to: [undo] + passed)))
    }

    private func tried(_ content: Item.Content) -> (Outcome, Contents?) {
      let item = Item(
        id: EntryID(origin: .none, sequence: 0), revision: .zero, time: 0, scope: .journal, content: content, cause: nil)
      let next = Self.inactive(in: items + [item])
      let withdrawn = next.subtracting(inactive)
      if items.contains(where: {
        $0.cause?.request.flatMap { RequestID($0)?.stamp }.map { stamp in
          withdrawn.contains(EntryID(origin: stamp.origin, sequence: stamp.sequence))
        } ?? false
      }) {
        return (.performed, nil)
      }
      let (contents, suppressed) = fold(items, without: next)
      return suppressed.isSubset(of: self.suppressed) ? (.done, contents) : (.wouldSuppress, nil)
    }

    private func answers(to targets: [EntryID]) -> [EntryID] {
      var asking = Set(targets)
      var answers: [EntryID] = []
      for item in items where !targets.contains(item.id) {
        switch item.content {
        case .reset, .changes:
          guard let answered = item.cause?.answers, asking.contains(answered), !inactive.contains(item.id) else { continue }
          asking.insert(item.id)
          answers.append(item.id)
        case .undo: break
        case .redo(let undos):
          let restored = undos.first.flatMap { undo in items.first { $0.id == undo }?.targets.first }
          if restored.map(asking.contains) == true { asking.insert(item.id) }
        }
      }
      return answers
    }

    /// Returns what is wrong with an entry that no step has made: it must be an answer of an effect, with the bank's words; nil for nothing.
    func problem(ofAnswer item: Item, bank: Bank) -> String? {
      guard case .changes(let changes) = item.content, changes.count == 1, let feedback = item.cause?.feedback else {
        return "\(item) comes from nowhere"
      }
      switch changes[0] {
      case .settled(_, let id, let isPaid):
        guard feedback == "pay", item.cause?.request == id.description else { return "\(item) is a wrong answer" }
        guard bank.answer(to: id.key("pay")) == isPaid else { return "the bank has not said \(item)" }
        // A reset may lead back to a state in which the request is open: it is asked again under the same key.
        let since = items.lastIndex { if case .reset = $0.content { true } else { false } } ?? 0
        let isKnown = items.dropFirst(since).contains { $0.cause?.request == id.description }
        return isKnown ? "\(id) is answered twice" : nil
      case .name(text: "green"): return feedback == "correct" ? nil : "\(item) is a wrong answer"
      case .audited: return feedback == "audit" ? nil : "\(item) is a wrong answer"
      default: return "\(item) is no answer"
      }
    }
  }
#endif
