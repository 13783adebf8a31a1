import Alter
import BrowserTesting
import Foundation
import Testing

/// Measures how long the page works for an action while it shows 10,000 items, and prints the times for Design/0012-inspector.md.
@Suite("Times of the todo page", .enabled(if: ProcessInfo.processInfo.environment["ALTER_TIMES"] != nil), .serialized)
struct TodoPageTimes {
  private struct Work: CustomStringConvertible {
    var script = 0.0
    var layout = 0.0
    var total: Double { script + layout }
    var description: String {
      "\(String(format: "%.1f", total)) ms (script \(String(format: "%.1f", script)), layout \(String(format: "%.1f", layout)))"
    }
  }

  /// The page's working time so far, in milliseconds.
  private func work(_ page: Page) async throws -> Work {
    var times: [String: Double] = [:]
    for metric in try await page.send("Performance.getMetrics")["metrics"]?.values ?? [] {
      if let name = metric["name"]?.text { times[name] = (metric["value"]?.double ?? 0) * 1_000 }
    }
    return Work(
      script: times["ScriptDuration", default: 0], layout: times["LayoutDuration", default: 0] + times["RecalcStyleDuration", default: 0])
  }

  private func measure(_ name: String, _ page: Page, count: Int = 9, _ act: (Int) async throws -> Void) async throws {
    var times: [Work] = []
    for round in 0..<count {
      let before = try await work(page)
      try await act(round)
      try await page.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
      let after = try await work(page)
      times.append(Work(script: after.script - before.script, layout: after.layout - before.layout))
    }
    times.sort { $0.total < $1.total }
    print("\(name): half within \(times[count / 2]), all within \(times[count - 1])")
  }

  @Test("with 10,000 items")
  func times() async throws {
    let server = try await TodoServer((1...10_000).map { "Item \($0) with some words @tag\($0 % 7)" })
    try await Browser.withPage { page in
      // Reporting requests to the test would count as work of the page.
      try await page.send("Network.disable")
      // The thread's own time, not wall time, so that other programs don't count.
      try await page.send("Performance.enable", ["timeDomain": "threadTicks"])
      try await page.open(server, "?show=all")
      try await page.click("#all")
      try await page.wait(until: "document.querySelector('.item').ariaSetSize === '10000'")
      try await measure("toggle an item", page) { _ in
        // The page is observed without a timer, because a timer would count as work.
        try await page.run(
          """
          new Promise(done => {
            const item = document.querySelector('.item'), wasDone = item.matches('.done')
            new MutationObserver((_, observer) => { if (item.matches('.done') !== wasDone) { observer.disconnect(); done() } }).observe(item, {attributes: true})
            item.querySelector('.box').click()
          })
          """)
      }
      try await page.focus("#add")
      try await measure("a keystroke in the field to add by", page) { _ in try await page.press("y") }
      try await page.click(".item .text")
      try await page.focus(".editor input")
      try await measure("a keystroke in an item's text", page) { _ in try await page.press("y") }
      try await page.press("Escape")
      try await page.focus("#search")
      try await measure("a keystroke in the search field", page, count: 1) { _ in try await page.press("y") }
    }
  }
}
