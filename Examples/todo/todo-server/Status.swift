import Alter
import AlterSQLite
import ArgumentParser
import Foundation
import TodoServerCore

/// `todo-server status`
struct Status: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "status", abstract: "Show the users, and the lists that they share.")

  @OptionGroup var data: DataFolder

  mutating func run() async throws {
    let accounts = try await data.accounts()
    let state = accounts.state
    _ = await accounts.close()
    if state.users.isEmpty { print("No users.") }
    for (user, tokens) in state.users.sorted(by: { $0.key < $1.key }) {
      print("\(user): \(tokens.isEmpty ? "no valid token" : tokens.count == 1 ? "1 token" : "\(tokens.count) tokens")")
    }
    for (list, shares) in state.shares.sorted(by: { $0.key < $1.key }) {
      for (user, access) in shares.sorted(by: { $0.key < $1.key }) {
        print("\(list): \(user) may \(access == .write ? "change" : "read") it")
      }
    }
  }
}
