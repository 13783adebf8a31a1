/// Decides which keys are opened and closed, and when, so that a budget is kept.
///
/// A pure value: it gets events and returns actions, and `Stores` carries them out under its lock. A key is in exactly one phase, so it is
/// never opened twice, nor opened while it is being closed:
///
/// ```
///   want ──▶ waiting ──▶ opening ──▶ open ──▶ closing ──▶ gone
///              ▲            └─▶ gone (failed)     │
///              └──────────────────────────────────┘ if it was wanted meanwhile
/// ```
///
/// Keys in the phases opening, open and closing take a place. A waiting key is opened as soon as there is a place, in the order of arrival.
struct StoreTable<Key: Hashable & Sendable, Item: AnyObject & Sendable>: Sendable {
  enum Phase: Sendable, Hashable { case waiting, opening, open, closing }

  /// Something to carry out.
  enum Action: Sendable {
    /// Open this key, then call ``opened(_:_:bytes:)`` or ``gone(_:)``.
    case open(Key)
    /// Close this item, then call ``gone(_:)``.
    case close(Key, Item)
  }

  /// The limits of a table.
  struct Limits: Sendable, Hashable {
    /// The number of places.
    var places: Int
    /// The bytes of the open items.
    var bytes: Int
    /// The number of items that are opened at once, and the number that are closed at once.
    var atOnce: Int

    /// The number of places that are kept free for keys to come, as long as idle items can be closed.
    var reserve: Int { min(places / 16, atOnce) }
  }

  private struct Slot: Sendable {
    var phase: Phase
    /// The item of an open key.
    var item: Item?
    var bytes = 0
    /// Whether a closing key is to be opened again.
    var isWanted = false
  }

  let limits: Limits
  private var slots: [Key: Slot] = [:]
  /// The open keys.
  private var order = RecencyOrder<Key>()
  /// The waiting keys in the order of arrival, from ``firstInLine``. Keys that wait no longer are skipped.
  private var line: [Key] = []
  private var firstInLine = 0
  private var counts: [Phase: Int] = [:]
  /// The bytes of the open items.
  private(set) var bytes = 0
  private(set) var isEnded = false

  /// The number of open items that are examined when nothing waits for a place.
  private static var glance: Int { 16 }

  init(limits: Limits) { self.limits = limits }

  /// The number of keys in a phase.
  func count(_ phase: Phase) -> Int { counts[phase] ?? 0 }

  /// The number of places that are taken.
  var taken: Int { count(.opening) + count(.open) + count(.closing) }

  /// The number of keys in the line, with those that wait no longer. For tests.
  var lineLength: Int { line.count - firstInLine }

  /// The phase of a key; nil if it is unknown.
  func phase(of key: Key) -> Phase? { slots[key]?.phase }

  /// The keys in a phase, in no order.
  func keys(_ phase: Phase) -> [Key] { slots.filter { $0.value.phase == phase }.map(\.key) }

  /// Whether keys wait although nothing is being opened or closed: only the end of a use can free a place.
  var isStuck: Bool { count(.waiting) > 0 && count(.opening) == 0 && count(.closing) == 0 }

  // MARK: - Events

  /// A caller wants a key.
  ///
  /// - Returns: The item; nil if the caller has to wait until the key is open.
  mutating func want(_ key: Key) -> Item? {
    switch slots[key]?.phase {
    case nil:
      slots[key] = Slot(phase: .waiting)
      enter(.waiting)
      line.append(key)
    case .open:
      order.use(key)
      return slots[key]?.item
    case .closing: slots[key]?.isWanted = true
    case .waiting, .opening: break
    }
    return nil
  }

  /// Decides to close an open item whether or not it is in use, because it has ended, and to open its key again.
  mutating func replace(_ key: Key, _ item: Item) -> Action? {
    guard slots[key]?.phase == .open, slots[key]?.item === item else { return nil }
    let action = close(key)
    slots[key]?.isWanted = true
    return action
  }

  /// A key was opened.
  mutating func opened(_ key: Key, _ item: Item, bytes: Int) {
    guard slots[key]?.phase == .opening else { return }
    move(key, to: .open)
    slots[key]?.item = item
    slots[key]?.bytes = bytes
    self.bytes += bytes
    order.use(key)
  }

  /// The size of an open item has changed.
  mutating func resize(_ key: Key, _ item: Item, to bytes: Int) {
    guard let slot = slots[key], slot.phase == .open, slot.item === item else { return }
    self.bytes += bytes - slot.bytes
    slots[key]?.bytes = bytes
  }

  /// A key could not be opened, or was closed, or nothing waits for it any more.
  ///
  /// - Returns: Whether it waits to be opened again.
  @discardableResult
  mutating func gone(_ key: Key) -> Bool {
    guard let slot = slots[key], slot.phase != .open else { return false }
    if slot.phase == .closing, slot.isWanted, !isEnded {
      move(key, to: .waiting)
      slots[key]?.isWanted = false
      line.append(key)
      return true
    }
    leave(slot.phase)
    slots[key] = nil
    // Keys that were refused must not pile up while there is no place.
    if count(.waiting) == 0 { (line, firstInLine) = ([], 0) }
    return false
  }

  /// No key is opened any more.
  ///
  /// - Returns: The keys that wait, or would wait after they are closed.
  mutating func end() -> [Key] {
    isEnded = true
    let given = slots.filter { $0.value.phase == .waiting || $0.value.isWanted }.map(\.key)
    for key in given {
      if slots[key]?.phase == .waiting { gone(key) } else { slots[key]?.isWanted = false }
    }
    (line, firstInLine) = ([], 0)
    return given
  }

  /// Decides to close every open item, the least recently used first, whether or not it is in use.
  mutating func closeAll() -> [Action] {
    var actions: [Action] = []
    while let key = order.oldest, let action = close(key) { actions.append(action) }
    return actions
  }

  // MARK: - Decisions

  /// Returns the actions that the budget allows and requires now.
  ///
  /// - Parameter isIdle: Whether an item may be closed. It is called only for an item that nothing but the table refers to.
  mutating func next(isIdle: (Item) -> Bool) -> [Action] {
    var actions: [Action] = []
    while count(.opening) < limits.atOnce, hasPlace, let key = nextInLine() {
      move(key, to: .opening)
      actions.append(.open(key))
    }
    let isPressing = count(.waiting) > 0
    // Idle items found in use count as used now: the list turns, and the next look begins elsewhere.
    var looks = isPressing ? order.count : min(order.count, Self.glance)
    while looks > 0, lacksPlaces, count(.closing) < limits.atOnce, let key = order.oldest {
      looks -= 1
      if isUnused(key, isIdle), let action = close(key) { actions.append(action) } else { order.use(key) }
    }
    return actions
  }

  /// Decides to close idle items, whether or not their places are needed.
  mutating func closeIdle(isIdle: (Item) -> Bool) -> [Action] {
    var actions: [Action] = []
    for _ in 0..<order.count {
      guard let key = order.oldest else { break }
      if isUnused(key, isIdle), let action = close(key) { actions.append(action) } else { order.use(key) }
    }
    return actions
  }

  /// Whether another key may be opened now.
  private var hasPlace: Bool { taken < limits.places && (bytes < limits.bytes || taken == 0) }

  /// Whether more items must be closed, beside those that are being closed.
  private var lacksPlaces: Bool {
    let needed = max(min(count(.waiting), limits.atOnce), limits.reserve)
    return limits.places - taken + count(.closing) < needed || bytes > limits.bytes || (bytes == limits.bytes && count(.waiting) > 0)
  }

  /// Whether nothing refers to an open item but this table, and it is idle.
  private mutating func isUnused(_ key: Key, _ isIdle: (Item) -> Bool) -> Bool {
    guard var slot = slots.removeValue(forKey: key) else { return false }
    // The table's reference is in one place, and every other one is made from it under the same lock.
    let isUnique = isKnownUniquelyReferenced(&slot.item)
    slots[key] = slot
    return isUnique && slot.item.map(isIdle) == true
  }

  private mutating func close(_ key: Key) -> Action? {
    guard let slot = slots[key], slot.phase == .open, let item = slot.item else { return nil }
    move(key, to: .closing)
    bytes -= slot.bytes
    slots[key]?.item = nil
    slots[key]?.bytes = 0
    order.remove(key)
    return .close(key, item)
  }

  private mutating func nextInLine() -> Key? {
    while firstInLine < line.count {
      let key = line[firstInLine]
      firstInLine += 1
      if firstInLine > 1_000, firstInLine * 2 > line.count {
        line.removeFirst(firstInLine)
        firstInLine = 0
      }
      if slots[key]?.phase == .waiting { return key }
    }
    (line, firstInLine) = ([], 0)
    return nil
  }

  private mutating func move(_ key: Key, to phase: Phase) {
    guard let before = slots[key]?.phase else { return }
    leave(before)
    enter(phase)
    slots[key]?.phase = phase
  }

  private mutating func enter(_ phase: Phase) { counts[phase, default: 0] += 1 }
  private mutating func leave(_ phase: Phase) { counts[phase, default: 0] -= 1 }
}
