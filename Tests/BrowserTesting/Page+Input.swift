import AlterJournal
import Foundation

extension Page {
  /// Clicks the middle of the first element that matches a selector. Waits for the element and scrolls to it.
  ///
  /// - Throws: ``BrowserError`` if the element can't be clicked, because it is hidden, disabled, or covered by another element.
  public func click(_ selector: String) async throws {
    let point = try await place(of: selector)
    for (type, buttons) in [("mouseMoved", 0), ("mousePressed", 1), ("mouseReleased", 0)] as [(String, Int64)] {
      try await send(
        "Input.dispatchMouseEvent",
        [
          "type": .string(type), "x": .number(point.x), "y": .number(point.y), "button": type == "mouseMoved" ? "none" : "left",
          "buttons": .integer(buttons), "clickCount": type == "mouseMoved" ? 0 : 1,
        ])
    }
  }

  /// Turns the mouse wheel over an element.
  ///
  /// - Parameter distance: The distance downward, in CSS pixels.
  public func scroll(_ selector: String, by distance: Double) async throws {
    let point = try await place(of: selector)
    try await send(
      "Input.dispatchMouseEvent",
      ["type": "mouseWheel", "x": .number(point.x), "y": .number(point.y), "deltaX": 0, "deltaY": .number(distance)])
  }

  /// Types a text into the element with the focus.
  ///
  /// - Parameter selector: An element to focus first; nil to keep the current focus.
  public func type(_ text: String, into selector: String? = nil) async throws {
    if let selector { try await focus(selector) }
    try await send("Input.insertText", ["text": .string(text)])
  }

  /// Clears a field and types a text into it.
  public func fill(_ selector: String, with text: String) async throws {
    try await focus(selector)
    try await run("document.activeElement.select?.()")
    if text.isEmpty { try await press("Delete") } else { try await type(text) }
  }

  /// Waits for an element and gives it the focus.
  public func focus(_ selector: String) async throws {
    let name = JSONValue.string(selector)
    try await wait(until: "document.querySelector(\(name))", "\(selector), to focus it")
    try await run("document.querySelector(\(name)).focus()")
  }

  /// Presses a key with its modifiers: "a", "Enter", "ArrowDown", "Shift+Tab", "Control+z".
  public func press(_ keys: String) async throws {
    // "+" alone is a key without modifiers.
    let parts = keys == "+" ? ["+"] : keys.split(separator: "+").map(String.init)
    let modifiers = parts.dropLast().reduce(Int64(0)) { $0 | (Self.modifiers[$1] ?? 0) }
    guard let key = parts.last else { throw BrowserError("no key in '\(keys)'") }
    var event: JSONValue = ["key": .string(key == "Space" ? " " : key), "modifiers": .integer(modifiers)]
    if let (code, text) = Self.keys[key] {
      event["code"] = .string(key)
      event["windowsVirtualKeyCode"] = .integer(code)
      event["text"] = text.map { .string($0) }
    } else if key.count == 1, let letter = key.uppercased().utf8.first {
      event["code"] = .string(letter >= 65 && letter <= 90 ? "Key\(key.uppercased())" : key.first?.isNumber == true ? "Digit\(key)" : "")
      event["windowsVirtualKeyCode"] = .integer(letter >= 48 && letter <= 90 ? Int64(letter) : 0)
      // With Control, Alt or Meta the key is a command and types no text.
      if modifiers & 7 == 0 { event["text"] = .string(key) }
    } else {
      throw BrowserError("unknown key '\(key)' in '\(keys)'")
    }
    var down = event
    down["type"] = event["text"] == nil ? "rawKeyDown" : "keyDown"
    event["type"] = "keyUp"
    event["text"] = nil
    try await send("Input.dispatchKeyEvent", down)
    try await send("Input.dispatchKeyEvent", event)
  }

  private static let modifiers: [String: Int64] = ["Alt": 1, "Control": 2, "Meta": 4, "Shift": 8]

  /// The Windows key codes of the keys without a letter, and the text that some of them type.
  private static let keys: [String: (code: Int64, text: String?)] = [
    "Enter": (13, "\r"), "Tab": (9, nil), "Shift": (16, nil), "Escape": (27, nil), "Backspace": (8, nil), "Delete": (46, nil),
    "Space": (32, " "),
    "ArrowLeft": (37, nil), "ArrowUp": (38, nil), "ArrowRight": (39, nil), "ArrowDown": (40, nil), "PageUp": (33, nil),
    "PageDown": (34, nil), "End": (35, nil), "Home": (36, nil), "F2": (113, nil),
  ]

  private struct Place: Decodable {
    var x = 0.0
    var y = 0.0
    var why: String?
  }

  /// The middle of a clickable element.
  private func place(of selector: String) async throws -> Place {
    let name = JSONValue.string(selector)
    try await wait(until: "document.querySelector(\(name))?.checkVisibility({visibilityProperty: true})", "\(selector), to click it")
    let place: Place = try await evaluate(
      """
      (() => {
        const element = document.querySelector(\(name))
        element.scrollIntoView({block: 'nearest', inline: 'nearest', behavior: 'instant'})
        const box = element.getBoundingClientRect()
        const x = box.left + box.width / 2, y = box.top + box.height / 2
        const there = document.elementFromPoint(x, y)
        const isOver = there && (element.contains(there) || there.contains(element) && there.closest('label') || there.closest('label')?.control === element)
        const why = element.disabled ? 'it is disabled' : isOver ? null : `${there?.outerHTML.slice(0, 200) ?? 'nothing'} is at its place (${x}, ${y})`
        return {x, y, why}
      })()
      """)
    if let why = place.why { throw BrowserError("can't click \(selector): \(why)") }
    return place
  }
}
