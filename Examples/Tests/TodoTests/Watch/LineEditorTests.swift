import Testing

@testable import TodoCore

@Suite("A line that is being edited") struct LineEditorTests {
  @Test(
    "does what people's fingers know",
    arguments: [
      ([.character("!")], "Pay rent!"), ([.backspace], "Pay ren"), ([.left, .left, .character("x")], "Pay rexnt"),
      ([.home, .delete], "ay rent"),
      ([.control("a"), .character("x"), .end, .character("y")], "xPay renty"), ([.control("u")], ""), ([.left, .control("u")], "t"),
      ([.control("a"), .right, .control("k")], "P"), ([.control("w")], "Pay "), ([.control("w"), .control("w")], ""),
      ([.home, .backspace, .left, .delete], "ay rent"), ([.end, .delete, .right], "Pay rent"), ([.control("b"), .control("d")], "Pay ren"),
      ([.control("a"), .control("f"), .control("e"), .character(".")], "Pay rent."),
    ] as [([Key], String)])
  func keys(keys: [Key], text: String) {
    var editor = LineEditor("Pay rent")
    let taken = keys.map { editor.press($0) }
    #expect(taken.allSatisfy { $0 })
    #expect(editor.text == text)
  }

  @Test("leaves other keys to others, and an empty one takes them all") func others() {
    var editor = LineEditor("")
    let left = [Key.up, .pageDown, .escape, .enter, .control("x")].map { editor.press($0) }
    #expect(left.allSatisfy { !$0 })
    let taken = [Key.backspace, .delete, .left, .right, .home, .end, .control("w")].map { editor.press($0) }
    #expect(taken.allSatisfy { $0 })
    #expect(editor.text == "")
  }
}
