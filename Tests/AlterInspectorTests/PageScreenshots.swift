#if InspectorServer
  import BrowserTesting
  import Foundation
  import Testing

  /// Takes the pictures of the documentation. `script/docs --pictures` runs it and starts the servers.
  @Suite(
    "Pictures of the pages", .enabled(if: ProcessInfo.processInfo.environment["ALTER_SCREENSHOTS_OF"] != nil), .serialized)
  struct PageScreenshots {
    @Test("of a todo list, light and dark", arguments: Page.ColorScheme.allCases)
    func list(scheme: Page.ColorScheme) async throws {
      let address = try #require(ProcessInfo.processInfo.environment["ALTER_SCREENSHOTS_OF_LIST"])
      let folder = try #require(ProcessInfo.processInfo.environment["ALTER_SCREENSHOTS_IN"])
      try await Browser.withPage(width: 900, height: 560) { page in
        try await page.colorScheme(scheme)
        try await page.open(address)
        try await page.wait(until: "document.querySelector('.item')")
        try await page.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        try await page.screenshot("\(folder)/todo-\(scheme).png")
      }
    }

    @Test("of the inspector, at three widths, light and dark", arguments: Page.ColorScheme.allCases)
    func pictures(scheme: Page.ColorScheme) async throws {
      let address = try #require(ProcessInfo.processInfo.environment["ALTER_SCREENSHOTS_OF"])
      let folder = try #require(ProcessInfo.processInfo.environment["ALTER_SCREENSHOTS_IN"])
      try await Browser.withPage { page in
        try await page.colorScheme(scheme)
        try await page.open(address)
        func picture(_ name: String, _ width: Int, _ hash: String, shows shown: String) async throws {
          try await page.size(width: width, height: width < 500 ? 844 : 800, scale: width < 500 ? 2 : 1)
          try await page.run("location.hash = '\(hash)'")
          try await page.wait(until: "document.querySelector('\(shown)') && !document.querySelector('.waiting')")
          // Waits for the fonts and one more frame.
          try await page.run(
            "document.fonts.ready.then(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))")
          try await page.screenshot("\(folder)/inspector-\(name)-\(scheme).png")
        }
        func open(_ key: String) async throws {
          let line = "[...document.querySelectorAll('.line')].find(line => line.querySelector('.key')?.innerText.startsWith('\(key)'))"
          try await page.wait(until: line)
          try await page.run("\(line).click()")
        }
        let head = try await page.evaluate(
          "fetch('api/journal').then(answer => answer.json()).then(journal => journal.revision)", as: Int.self)
        try await page.run("location.hash = '#r=\(head)'")
        try await open("items")
        try await picture("timeline", 1440, "#r=\(head)", shows: ".tree")
        try await picture("difference", 900, "#r=\(head)&tab=difference", shows: ".differences")
        try await picture("search", 900, "#q=garden&tab=entry", shows: ".row mark")
        try await picture("phone", 390, "", shows: ".row.undone")
        try await picture("phone-entry", 390, "#r=\(head)&tab=difference", shows: ".differences")
        try await page.run("location.hash = '#view=overview'")
        try await page.size(width: 1440, height: 800)
        try await page.click("#verify")
        try await picture("overview", 1440, "#view=overview", shows: ".verdict")
        try await picture("feedback", 900, "#view=feedback", shows: "#answers, .view")
      }
    }
  }
#endif
