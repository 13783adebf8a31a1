import Alter
import Testing

/// The parts of the guide "In SwiftUI" that don't need SwiftUI.
enum SwiftUIGuide {
  @Suite("Editing, in the guide In SwiftUI")
  struct Tests {
    @Test("makes one change when it ends")
    func editing() {
      // snippet: swiftui-editing
      var title = Editing("Buy bread")
      title.type("Buy m")
      title.refresh("Buy rye bread")  // somebody else changes it meanwhile: what is typed stays
      title.type("Buy milk")
      #expect(title.shown == "Buy milk")
      #expect(title.end() == "Buy milk")  // one change
      #expect(title.end() == nil)  // and none when nothing is typed
      // end
      title.type("Buy milk")
      #expect(title.end() == nil, "what the state says already is no change")
      title.type("x")
      title.cancel()
      #expect(title.shown == "Buy milk" && title.end() == nil)
    }

    @Test("makes no change of a value that is changed and changed back, which would overwrite another's")
    func changedBack() {
      var title = Editing("Buy bread")
      title.type("Buy brea")
      title.refresh("Buy rye bread")
      title.type("Buy bread")
      #expect(title.end() == nil && title.shown == "Buy rye bread")
      title.type("Buy bread")
      #expect(title.end() == "Buy bread", "it is another value than that with which this editing began")
    }
  }
}
