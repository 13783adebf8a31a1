import Alter
import AlterSQLite
import AlterSyncServer
import ArgumentParser
import Foundation
import TodoServerCore

/// `todo-server status`
struct Status: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show the users, their shares, and the verdicts about their changes.",
    discussion: "Verdicts are counted in SQLite files alone.")

  @OptionGroup var data: DataFolder
  @Option(help: "Only this user, with the latest refusals.") var user: String?

  mutating func run() async throws {
    let folder = try data.path()
    let accounts = try await data.accounts()
    let state = accounts.state
    _ = await accounts.close()
    if let user, state.users[user] == nil { throw ValidationError("there is no user '\(user)'") }
    print(Self.isRunning(folder) ? "The server is running." : "The server is not running.")
    let verdicts = try await Self.verdicts(folder, of: Array(state.users.keys))
    for (name, tokens) in state.users.sorted(by: { $0.key < $1.key }) where user == nil || user == name {
      print("\(name): \(tokens.isEmpty ? "no valid token" : tokens.count == 1 ? "1 token" : "\(tokens.count) tokens")")
      for verdict in verdicts where verdict.user == name {
        print("  \(verdict.list): \(verdict.accepted) accepted, \(verdict.refused.count) refused")
        if user != nil { for line in verdict.refused.suffix(10) { print("    \(line)") } }
      }
    }
    for (list, shares) in state.shares.sorted(by: { $0.key < $1.key }) {
      for (name, access) in shares.sorted(by: { $0.key < $1.key }) where user == nil || user == name {
        print("\(list): \(name) may \(access == .write ? "change" : "read") it")
      }
    }
  }

  /// Notes that this process serves the folder: by a lock, which the system ends with the process, however that ends.
  static func begin(_ folder: String) throws {
    let path = folder + "/running"
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    // Several servers may serve a folder. The lock waits only for 'isRunning' of another process.
    while descriptor >= 0, flock(descriptor, LOCK_SH) != 0 {
      guard errno == EINTR else { throw ValidationError("can't lock '\(path)'") }
    }
    guard descriptor >= 0 else { throw ValidationError("can't write '\(path)'") }
  }

  /// Whether a process serves the folder.
  static func isRunning(_ folder: String) -> Bool {
    let descriptor = open(folder + "/running", O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    return descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) != 0
  }

  /// The verdicts about the changes of a user in a list.
  private struct Verdicts {
    let list: String
    let user: String
    var accepted = 0
    var refused: [String] = []
  }

  private static func verdicts(_ folder: String, of users: [String]) async throws -> [Verdicts] {
    let author = SyncSecret(try Secret.kept(at: folder + "/secret")).author(among: users)
    let lists = JournalFolder(folder + "/lists")
    var all: [Verdicts] = []
    for list in try lists.keys() {
      let journal = try await SQLiteJournal(at: lists.file(of: list), isReadOnly: true)
      var found: [String: Verdicts] = [:]
      var last = Revision.zero
      while case let page = try await journal.entries(after: last, limit: 1_000), let end = page.last {
        last = end.revision
        for entry in page {
          guard let receipt = entry.receipt, let name = author(receipt.author) else { continue }
          if let refusal = entry.refusal {
            found[name, default: Verdicts(list: list, user: name)].refused.append("\(text(receipt.arrival)) \(refusal.code)")
          } else {
            found[name, default: Verdicts(list: list, user: name)].accepted += 1
          }
        }
      }
      await journal.close()
      all += found.values
    }
    return all
  }

  /// A time in UTC.
  private static func text(_ microseconds: Int64) -> String {
    Date(timeIntervalSince1970: Double(microseconds / 1_000_000)).formatted(.iso8601)
  }
}
