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
///
/// An item in use is never closed. So that keys in steady use do not keep their places forever, ``recall()`` makes their next callers wait:
/// then the present uses end, the items are closed, and the callers are in the line behind those that waited before.
struct StoreTable<Key: Hashable & Sendable, Item: AnyObject & Sendable>: Sendable {
  enum Phase: Sendable, Hashable { case waiting, opening, open, closing }

  /// Something to carry out.
  enum Action: Sendable {
    /// Open this key, then call ``opened(_:_:bytes:)`` or ``gone(_:)``.
    case open(Key)
    /// Close this item, then call ``gone(_:)``.
    case close(Key, Item)
    /// Give this open item to the callers that wait for it since a recall.
    case give(Key, Item)
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
    /// Whether callers wait for a closing key to be opened again, or for a recalled one.
    var isWanted = false
    /// The number of recalls at the store's opening. Those recalls do not concern it.
    var recalls = 0
    /// Whether a recall has waited for the end of its use until the limit. From then on, no caller waits for that.
    var isHeld = false
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
  /// The number of recalls so far.
  private var recalls = 0
  /// The number of items that the present recall still has to close; 0 if there is no recall.
  private var recalled = 0
  /// The open keys whose callers wait, and others that have been closed since.
  private var parked: [Key] = []

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

  /// Whether the item of a key is open.
  func isOpen(_ key: Key) -> Bool { slots[key]?.phase == .open }

  /// The open items, in no order.
  var items: [Item] { slots.values.compactMap { $0.phase == .open ? $0.item : nil } }

  /// Whether keys wait although nothing is being opened or closed: only the end of a use can free a place.
  var isStuck: Bool { count(.waiting) > 0 && count(.opening) == 0 && count(.closing) == 0 }

  /// Whether open keys are to give up their places.
  var isRecalling: Bool { recalled > 0 }

  /// Whether callers wait for an open key.
  func isParked(_ key: Key) -> Bool { slots[key].map { $0.phase == .open && $0.isWanted } ?? false }

  // MARK: - Events

  /// A caller wants a key.
  ///
  /// - Parameter isIdle: As for ``next(isIdle:)``.
  /// - Returns: The item; nil if the caller has to wait. The action is to close the item, because it was recalled.
  mutating func want(_ key: Key, isIdle: (Item) -> Bool) -> (item: Item?, action: Action?) {
    switch slots[key]?.phase {
    case nil:
      slots[key] = Slot(phase: .waiting)
      enter(.waiting)
      line.append(key)
    case .open:
      order.use(key)
      guard isRecalled(key) else { return (slots[key]?.item, nil) }
      // No copy of the slot may exist here: its reference to the item would count as a use.
      let action = isUnused(key, isIdle) ? close(key) : nil
      if action == nil, slots[key]?.isHeld == true { return (slots[key]?.item, nil) }
      if action == nil, !isParked(key) { parked.append(key) }
      slots[key]?.isWanted = true
      return (nil, action)
    case .closing: slots[key]?.isWanted = true
    case .waiting, .opening: break
    }
    return (nil, nil)
  }

  /// Whether the present recall concerns a key: it was open at the beginning.
  private func isRecalled(_ key: Key) -> Bool { isRecalling && slots[key].map { $0.phase == .open && $0.recalls < recalls } ?? false }

  /// Begins a recall, if keys wait and only the end of a use can free a place: an access of an open key gives up the place of an item that
  /// is not in use, and otherwise waits for the end of its use, until ``endWaiting()``.
  ///
  /// As many items are recalled as keys wait, at most ``Limits/atOnce``. Keys that are opened meanwhile are not concerned.
  ///
  /// - Returns: Whether a recall has begun.
  mutating func recall() -> Bool {
    guard isStuck, !isRecalling else { return false }
    recalls += 1
    recalled = min(count(.waiting), limits.atOnce)
    return true
  }

  /// Ends the waits for the uses of items that a recall has waited for long enough. ``next(isIdle:)`` gives them to the callers that wait.
  /// The recall continues: such an item is closed as soon as an access finds it unused.
  mutating func endWaiting() {
    for key in keys(.open) where isRecalled(key) { slots[key]?.isHeld = true }
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
    slots[key]?.recalls = recalls
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
  /// - Returns: Whether callers wait for the key to be opened again.
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
    recalled = 0
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
    if count(.waiting) == 0 { recalled = 0 }
    return actions + unparked()
  }

  /// The items whose callers wait for them no longer.
  private mutating func unparked() -> [Action] {
    guard !parked.isEmpty else { return [] }
    var actions: [Action] = []
    let keys = parked
    parked = []
    for key in keys where isParked(key) {
      if isRecalling, slots[key]?.isHeld == false {
        parked.append(key)
      } else if let item = slots[key]?.item {
        slots[key]?.isWanted = false
        actions.append(.give(key, item))
      }
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
    slots[key]?.isHeld = false
    order.remove(key)
    if isRecalling { recalled -= 1 }
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
