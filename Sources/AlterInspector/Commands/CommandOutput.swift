#if Inspector
  import AlterCore
  import AlterJournal
  import _AlterTerminal
  import ArgumentParser

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// The exit statuses of a command, for scripts: see `docs/exit-statuses.md`.
  package enum CommandStatus {
    static let usage: Int32 = 64
    package static let badData: Int32 = 65
    package static let noSuchThing: Int32 = 66
    static let internalError: Int32 = 70
    package static let cannotCreate: Int32 = 73
    package static let ioError: Int32 = 74
    package static let tryAgain: Int32 = 75
    static let newerVersion: Int32 = 76
    static let noPermission: Int32 = 77
    static let outputClosed: Int32 = 141
  }

  extension JournalError {
    /// The exit status of a command that ends with this error, as `alter` and the inspector's commands use it.
    ///
    /// The numbers are those of BSD's `sysexits.h`: 65 for damaged or foreign data, 66 if the journal or the revision does not exist,
    /// 70 for a mistake of the program, 74 for an I/O error or a full disk, 75 if the same command may succeed later, 76 for a newer
    /// format or schema, 77 if the user may not read or write. A command that creates journals returns 73 for the code `unreachable` instead.
    public var exitStatus: Int32 {
      switch code {
      case .damaged, .undecodable, .refusedAtReplay, .notAJournal, .diverged, .originCollision: CommandStatus.badData
      case .newerFormat, .newerSchema: CommandStatus.newerVersion
      case .locked, .unavailable, .conflict, .leased, .staleLease: CommandStatus.tryAgain
      case .full, .failed, .unknownOutcome: CommandStatus.ioError
      case .readOnly: CommandStatus.noPermission
      // The inspector's commands only read, so that a journal that cannot be opened does not exist.
      case .unreachable, .noSuchRevision: CommandStatus.noSuchThing
      case .unencodable, .closed, .cancelled: CommandStatus.internalError
      }
    }
  }

  /// The output of a command: results on the standard output, errors on the standard error.
  package enum CommandOutput {
    /// The style of the standard output.
    static let style = TextOutput.standard.style

    /// The number of columns of a line; nil if the standard output is not a terminal.
    static var columns: Int? { TextOutput.standard.size?.columns }

    /// Begins a command: a write to a closed output then fails with an error where it happens, and does not end the process.
    package static func begin() { signal(SIGPIPE, SIG_IGN) }

    /// Prints lines, escaped, and returns when the system has accepted them.
    ///
    /// - Throws: An exit code, if the output was closed or cannot be written.
    package static func print(_ lines: [String]) throws { try print(shown: lines.map(\.printable)) }

    /// Prints lines that `TextStyle` has already escaped.
    static func print(shown lines: [String]) throws {
      guard !lines.isEmpty else { return }
      try write(Array((lines.joined(separator: "\n") + "\n").utf8), to: STDOUT_FILENO, "the standard output")
    }

    /// Prints one line, escaped.
    package static func print(_ line: String) throws { try print([line]) }

    /// Prints a value as a line of JSON.
    package static func printJSON(_ value: some Encodable) throws {
      try print(shown: [String(decoding: JournalCoding.encode(value), as: UTF8.self).printableJSON])
    }

    /// Writes bytes without escaping them.
    static func write(_ bytes: [UInt8], to descriptor: Int32, _ name: String) throws {
      let code = TextOutput(descriptor: descriptor).write(bytes)
      if code == EPIPE { throw ExitCode(CommandStatus.outputClosed) }
      guard code == 0 else {
        complain("can't write to \(name): \(String(cString: strerror(code)))")
        throw ExitCode(CommandStatus.ioError)
      }
    }

    /// Prints an error message, escaped except for line feeds. A failure of this output is ignored.
    package static func complain(_ message: String) {
      guard !SignalEnd.isPending else { return }
      let name = CommandLine.arguments.first.flatMap { $0.split(separator: "/").last } ?? "alter"
      _ = TextOutput.standardError.write("\(String(name).printable): \(message.printableLines)\n")
    }

    /// Returns the message and the exit status of an error of a journal or an inspection; nil for any other error.
    package static func told(_ error: any Error) -> (message: String, status: Int32)? {
      switch error {
      // The message must stay one line, even if the name of a file contains line feeds.
      case let error as JournalError: (error.description.printable, error.exitStatus)
      case let error as JournalAddress.Malformed: (error.description, CommandStatus.noSuchThing)
      case let error as InspectionError:
        (error.description.printable, error.code == .notFound ? CommandStatus.noSuchThing : CommandStatus.usage)
      default: nil
      }
    }

    /// Formats a time for a person, in the machine's time zone, like '2026-12-01 09:30:05'.
    static func text(time: Int64) -> String {
      var seconds = time_t(Int((Double(time) / 1_000_000).rounded(.down)))
      var parts = tm()
      localtime_r(&seconds, &parts)
      func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
      return
        "\(parts.tm_year + 1_900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday)) \(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
    }

    /// Parses a time: `2026-12-01`, `2026-12-01T09:30:05Z`, or microseconds since 1970 UTC. Returns nil for any other text.
    static func time(_ text: String) -> Int64? {
      if let number = Int64(text) { return number }
      let whole = text.utf8.count == 10 ? text + "T00:00:00Z" : text
      return (try? Date(whole, strategy: .iso8601)).map(\.microseconds)
    }
  }

  extension InspectorSource {
    /// Opens the journal, does the work, and closes the journal in every case. An error is printed, and becomes the exit status.
    ///
    /// - Parameters:
    ///   - common: The options of every command, with the keys to hide.
    ///   - handlesSignals: Whether the work ends gracefully by itself when a signal arrives.
    ///   - body: The work.
    package func work(_ common: CommonOptions, handlesSignals: Bool = false, _ body: (Inspection) async throws -> Void) async throws {
      CommandOutput.begin()
      do {
        let (inspection, journal) = try await open(hiding: Hiding(common.hidden))
        inspection.waitForIndex()
        let end = handlesSignals ? nil : SignalEnd(closing: journal)
        defer { end?.stop() }
        do { try await body(inspection) } catch {
          await SignalEnd.end(journal)
          inspection.end()
          await journal.close()
          throw error
        }
        await SignalEnd.end(journal)
        inspection.end()
        await journal.close()
      } catch {
        guard let (message, status) = CommandOutput.told(error) else { throw error }
        CommandOutput.complain(message)
        throw ExitCode(status)
      }
    }
  }
#endif
