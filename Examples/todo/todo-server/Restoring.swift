import Alter
import AlterSQLite
import AlterSyncServer
import ArgumentParser
import Foundation
import TodoServerCore

/// A list of a restored server, which is not running.
struct RestoredList: ParsableArguments {
  @OptionGroup var data: DataFolder
  @OptionGroup var place: ListPlace
  @Flag(help: "Print the plan, and change nothing.") var dryRun = false
  @Argument(help: "The list, as in ann/todo.") var list: String

  /// Throws unless no server runs, and the list exists.
  func check() throws {
    let folder = try data.path()
    guard !Status.isRunning(folder) else {
      throw ValidationError("the server is running: stop it first, and start it when the decision is made")
    }
    if place.isFolder, try !JournalFolder(folder + "/lists").keys().contains(list) { throw ValidationError("there is no list '\(list)'") }
  }

  /// Opens the list, prints the plan, and carries it out.
  func decide(
    _ plan: (_ list: any Journal) async throws -> [String], _ decide: (_ list: any Journal) async throws -> Void
  ) async throws {
    try check()
    let journal = try await place.places(try data.path()).open(list)
    do {
      for line in try await plan(journal) { print(line) }
      if dryRun {
        print("Nothing was changed.")
      } else {
        try await decide(journal)
        print("Done. The server can start.")
      }
    } catch {
      await journal.close()
      throw error
    }
    await journal.close()
  }
}

/// `todo-server recover`
struct Recover: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recover", abstract: "Take the changes that a restored list lacks from the file of a device.",
    discussion:
      "The devices then continue without a notice. Choose the device with the newest changes, for example a copy of todo.db.device.")

  @OptionGroup var restored: RestoredList
  @Option(help: ArgumentHelp("The file of the device, or a copy of it.", valueName: "file")) var from: String

  mutating func run() async throws {
    try restored.check()
    guard FileManager.default.fileExists(atPath: from) else { throw ValidationError("there is no file '\(from)'") }
    let mirror = try await SQLiteJournal(at: from, key: restored.list, isReadOnly: true)
    do { try await recover(from: mirror) } catch {
      await mirror.close()
      throw error
    }
    await mirror.close()
  }

  private func recover(from mirror: SQLiteJournal) async throws {
    let folder = try restored.data.path()
    let accounts = try await restored.data.accounts()
    let names = Array(accounts.state.users.keys)
    _ = await accounts.close()
    let secret = SyncSecret(try Secret.kept(at: folder + "/secret"))
    try await restored.decide { journal in
      let (end, known) = (try await journal.head().revision, try await mirror.head().revision)
      return [
        "\(restored.list) ends at revision \(end), and the copy of the device at \(known).",
        known > end
          ? "The revisions from \(end.next) are appended. The devices of all users then continue, without a notice."
          : "The device has no change that the list lacks.",
      ]
    } _: { journal in
      try await journal.recover(from: mirror, author: secret.author(among: names))
    }
  }
}

/// `todo-server discard`
struct Discard: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "discard", abstract: "Give up the changes that a restored list lacks.",
    discussion: "Each user's device lists the user's own lost changes as refused; 'todo refused --retry' makes them again.")

  @OptionGroup var restored: RestoredList

  mutating func run() async throws {
    try await restored.decide { journal in
      [
        "\(restored.list) ends at revision \(try await journal.head().revision). The devices give up the changes after it,",
        "and list those of their users as lost. Changes that were never decided stay on the devices.",
      ]
    } _: { journal in
      try await journal.discardLostEntries()
    }
  }
}
