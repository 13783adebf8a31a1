import Alter
import AlterSQLite
import ArgumentParser
import Foundation
import TodoCore
import TodoServerCore

/// The command line of the server.
@main struct TodoServer: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "todo-server", abstract: "A server of to-do lists, for the devices of several users.",
    discussion: """
      Keeps everything in one folder: the users, with hashes of their tokens, and the lists. The commands that change users work while the \
      server runs.

      Examples:
        todo-server user add ann --data /var/lib/todo
        todo-server run --data /var/lib/todo --port 8080
        todo-server share ann/todo bob --write --data /var/lib/todo
        todo-server status --data /var/lib/todo
        todo-server recover ann/todo --from todo.db.device --dry-run --data /var/lib/todo
      """,
    version: AlterVersion.current,
    subcommands: [Run.self, User.self, Token.self, Share.self, Unshare.self, Revoke.self, Status.self, Recover.self, Discard.self])
}

/// The folder of a server.
struct DataFolder: ParsableArguments {
  @Option(name: .customLong("data"), help: ArgumentHelp("The folder of the server; $TODO_SERVER_DATA otherwise.", valueName: "folder"))
  var given: String?

  /// The path of the folder, which is created with access for its owner alone.
  func path() throws -> String {
    guard let path = given ?? ProcessInfo.processInfo.environment["TODO_SERVER_DATA"], !path.isEmpty else {
      throw ValidationError("name the folder of the server: --data /var/lib/todo")
    }
    for folder in [path, path + "/lists"] {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
    return path
  }

  /// The users, followed while other processes change them.
  func accounts() async throws -> Store<Accounts> {
    try await Store.open(Accounts(), in: SQLiteJournal(at: try path() + "/users.alter"))
  }

  /// Makes changes of the users.
  func change(_ changes: Accounts.Change...) async throws {
    let accounts = try await accounts()
    do {
      try await accounts.change(changes).durable()
    } catch {
      _ = await accounts.close()
      // The refusal alone, which is a sentence.
      if case ChangeError<Refusal>.refused(let refusal) = error { throw ValidationError(refusal.message) }
      throw error
    }
    _ = await accounts.close()
  }
}

/// `todo-server user add`
struct User: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "user", abstract: "Manage users.", subcommands: [Add.self])

  struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Add a user, and print the token, which is shown only now.")

    @OptionGroup var data: DataFolder
    @Argument(help: "The name: letters, digits, - and _.") var name: String

    mutating func run() async throws {
      guard name != "you", name != "earlier" else {
        throw ValidationError("the screens show '\(name)' for something else: choose another name")
      }
      let token = Secret.token(of: name)
      try await data.change(.add(user: name), .addToken(user: name, hash: SHA256.hex(token)))
      print(token)
    }
  }
}

/// `todo-server token`
struct Token: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token", abstract: "Print another token of a user. Earlier ones stay valid: 'revoke' ends them.")

  @OptionGroup var data: DataFolder
  @Argument(help: "The user.") var name: String

  mutating func run() async throws {
    let token = Secret.token(of: name)
    try await data.change(.addToken(user: name, hash: SHA256.hex(token)))
    print(token)
  }
}

/// `todo-server revoke`
struct Revoke: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke", abstract: "Make all tokens of a user invalid. The user's devices keep their copies.")

  @OptionGroup var data: DataFolder
  @Argument(help: "The user.") var name: String

  mutating func run() async throws {
    try await data.change(.revokeTokens(user: name))
    print("All tokens of \(name) are invalid now. 'todo-server token \(name)' makes another one.")
  }
}

/// `todo-server share`
struct Share: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "share", abstract: "Share a list with a user.",
    discussion: "With --write the user adds and changes items. Removing items stays with the list's owner.")

  @OptionGroup var data: DataFolder
  @Flag(help: "The user may see the list (the default).") var read = false
  @Flag(help: "The user may also add and change items.") var write = false
  @Argument(help: "The list, as in ann/todo.") var list: String
  @Argument(help: "The user.") var name: String

  func validate() throws {
    guard !(read && write) else { throw ValidationError("give one of --read and --write") }
  }

  mutating func run() async throws {
    try await data.change(.share(list: list, user: name, access: write ? .write : .read))
    print("\(name) may \(write ? "change" : "read") \(list).")
  }
}

/// `todo-server unshare`
struct Unshare: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unshare", abstract: "End the access of a user to a list. The user's devices keep their copies.")

  @OptionGroup var data: DataFolder
  @Argument(help: "The list, as in ann/todo.") var list: String
  @Argument(help: "The user.") var name: String

  mutating func run() async throws {
    try await data.change(.unshare(list: list, user: name))
    print("\(name) has no access to \(list) any more.")
  }
}

/// Random texts.
enum Secret {
  /// 128 random bits from the system, as hexadecimal digits.
  static func random() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<2).map { _ in
      let digits = String(generator.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  /// A new token of a user, which begins with the name.
  static func token(of user: String) -> String { "\(user).\(random())" }

  /// The secret in a file, which is created with access for its owner alone.
  static func kept(at path: String) throws -> String {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 {
      let bytes = Array(random().utf8)
      let isWritten = write(descriptor, bytes, bytes.count) == bytes.count && fsync(descriptor) == 0
      close(descriptor)
      guard isWritten else {
        unlink(path)
        throw ValidationError("can't write '\(path)'")
      }
    }
    let text = try String(contentsOfFile: path, encoding: .utf8)
    guard text.utf8.count == 32 else { throw ValidationError("'\(path)' is damaged: it has not 32 digits") }
    return text
  }
}
