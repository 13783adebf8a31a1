#if Inspector
  import AlterCore
  package import AlterJournal
  import _AlterTerminal
  package import ArgumentParser

  /// Opens journals by their locations.
  package protocol JournalOpener {
    /// Opens a journal, read-only.
    ///
    /// - Parameters:
    ///   - location: The path of a file, or the address of a database.
    ///   - key: The key of the journal there.
    static func journal(at location: String, key: String) async throws -> any Journal

    /// Opens an existing journal, to change it.
    ///
    /// - Parameters:
    ///   - location: The path of a file, or the address of a database.
    ///   - key: The key of the journal there.
    static func writableJournal(at location: String, key: String) async throws -> any Journal
  }

  /// `trace`: follows one change from the device that made it to all others.
  package struct TraceCommand<Opener: JournalOpener>: AsyncParsableCommand {
    package static var configuration: CommandConfiguration {
      CommandConfiguration(
        commandName: "trace", abstract: "Follow one change from the device that made it to all others.",
        discussion: """
          Name the files of devices and the journal of the server, in any order. Each line is the place of the change in one of them: in the outbox, refused, \
          an entry, or not there, with the reason. 'log', 'show' and 'outbox' print the ids. With --json, each line is an object.

          Example:
            alter trace 1f0c9a3e#7 phone.db laptop.db postgres://db.example.org/lists --key groceries
          """)
    }

    @Argument(
      help: ArgumentHelp(
        "The beginning of the origin's id, at least four digits, and the number of the change: 1f0c9a3e#7.", valueName: "id"))
    var id: String
    @Argument(
      help: ArgumentHelp("The files of devices, and the file or the address of the server's journal.", valueName: "journal"),
      completion: .file())
    var locations: [String]
    @Option(help: "The key of the journal, in files and databases that hold several.") var key = "main"
    @OptionGroup var printing: PrintingOptions
    @OptionGroup var common: CommonOptions

    package init() {}

    package func validate() throws {
      guard Inspection.TracedID(id) != nil else {
        throw ValidationError("the id needs the form ORIGIN#NUMBER with at least four digits of the origin, as in 1f0c9a3e#7")
      }
      guard !locations.isEmpty else { throw ValidationError("name at least one journal") }
    }

    package func run() async throws {
      guard let traced = Inspection.TracedID(id) else { return }
      CommandOutput.begin()
      var journals: [(location: String, opened: Opened)] = []
      var status: Int32?
      for location in locations {
        let name = Self.shown(location)
        do {
          let journal = try await Opener.journal(at: location, key: key)
          let inspection = Inspection(of: journal, hiding: Hiding(common.hidden))
          inspection.waitForIndex()
          journals.append((name, Opened(journal: journal, inspection: inspection)))
        } catch { try Self.complain(about: error, &status) }
      }
      var outcome: Result<Bool, any Error> = .success(false)
      do { outcome = .success(try await trace(traced, in: journals, &status)) } catch { outcome = .failure(error) }
      for (_, opened) in journals {
        opened.inspection.end()
        await opened.journal.close()
      }
      if try !outcome.get(), status == nil {
        CommandOutput.complain("none of these journals has the change \(id)")
        status = CommandStatus.noSuchThing
      }
      if let status { throw ExitCode(status) }
    }

    private struct Opened {
      let journal: any Journal
      let inspection: Inspection
    }

    /// Prints what each journal knows. A journal that cannot be read is no reason not to print the others.
    ///
    /// - Returns: Whether one of them has the change.
    private func trace(
      _ traced: Inspection.TracedID, in journals: [(location: String, opened: Opened)], _ status: inout Int32?
    ) async throws -> Bool {
      var origins: Set<Origin> = []
      var readable: [(location: String, opened: Opened)] = []
      for journal in journals {
        do {
          origins.formUnion(try await journal.opened.inspection.origins(of: traced))
          readable.append(journal)
        } catch { try Self.complain(about: error, &status) }
      }
      guard origins.count <= 1 else {
        CommandOutput.complain(
          "several changes have an id that begins so; name more digits of: " + origins.map(\.text).sorted().joined(separator: ", "))
        status = CommandStatus.usage
        return true
      }
      guard let origin = origins.first else { return false }
      var traces: [(location: String, trace: Trace)] = []
      for (location, opened) in readable {
        do {
          traces.append((location, try await opened.inspection.trace(EntryID(origin: origin, sequence: traced.sequence))))
        } catch { try Self.complain(about: error, &status) }
      }
      // The device that made the change comes first, then the server's journal.
      let ordered = traces.enumerated().sorted { (Self.rank($0.element.trace), $0.offset) < (Self.rank($1.element.trace), $1.offset) }
        .map(\.element)
      if printing.json {
        for (_, trace) in ordered { try CommandOutput.printJSON(trace) }
        return true
      }
      let text = TraceText(traces: ordered)
      try CommandOutput.print(["\(origin.text.prefix(8))#\(traced.sequence)\(text.change)"] + text.lines)
      return true
    }

    private static func rank(_ trace: Trace) -> Int { trace.isMaker ? 0 : trace.role == .mirror ? 2 : 1 }

    /// The location without a password.
    private static func shown(_ location: String) -> String {
      if case .file(let path)? = try? JournalAddress(location) { path } else { "the database" }
    }

    /// Prints an error that belongs to one journal. The first one decides the exit status.
    private static func complain(about error: any Error, _ status: inout Int32?) throws {
      guard let (message, code) = CommandOutput.told(error) else { throw error }
      CommandOutput.complain(message)
      status = status ?? code
    }
  }

  /// Formats the way of one change for a person.
  struct TraceText {
    /// The knowledge of each journal, in the order of the lines.
    let traces: [(location: String, trace: Trace)]

    /// The change with its time, behind its id.
    var change: String {
      guard let known = traces.first(where: { $0.trace.text != nil })?.trace, let text = known.text, let time = known.time else {
        return ""
      }
      return "  \(CommandOutput.text(time: time))  \(text)"
    }

    /// One line for each journal.
    var lines: [String] {
      traces.map { location, trace in
        ([Self.owner(of: trace, at: location) + ": " + place(trace)] + notes(trace)).joined(separator: "; ")
      }
    }

    private static func owner(of trace: Trace, at location: String) -> String {
      switch trace.role {
      case .plain: location
      case .server: "\(location) (the server)"
      case .mirror: "\(location) (\(trace.isMaker ? "made here" : "a device")\(trace.user.map { ", of '\($0)'" } ?? ""))"
      }
    }

    /// The revision of the change's entry, if one of the journals has it.
    private var revision: Int64? { traces.lazy.compactMap(\.trace.revision).first }

    private func place(_ trace: Trace) -> String {
      switch trace.place {
      case .entry:
        return "entry \(trace.revision ?? 0)\(receipt(trace))"
      case .refusal:
        return "refused at \(trace.revision ?? 0)\(receipt(trace)): \(trace.verdict ?? "")\(reason(trace))"
      case .outbox:
        guard let verdict = trace.verdict else {
          return "number \(trace.number ?? 0) in the outbox, not decided as far as this device knows"
        }
        return "decided (\(verdict)\(at(trace.revision))), and the device has not received the entry yet"
      case .refusals: return "refused\(at(trace.revision)): \(trace.verdict ?? "")\(reason(trace)); listed until it is retried or dismissed"
      case .awaited: return "accepted before the server's journal was restored; the device waits for it to arrive again"
      case .verdict: return "decided (\(trace.verdict ?? "")\(at(trace.revision))); this copy begins after it, at \(trace.floor)"
      case .absent: return absence(trace)
      }
    }

    private func absence(_ trace: Trace) -> String {
      if let entry = traces.first(where: { $0.trace.place == .entry || $0.trace.place == .refusal })?.trace, entry.id != trace.id,
        trace.head > 0
      {
        return "not there: it is another journal"
      }
      if let revision, trace.role == .mirror {
        if revision <= trace.floor {
          return "in the state at \(trace.floor), where this copy begins; its entry \(revision) is not in the file"
        }
        if revision > trace.head { return "not received yet: this copy ends at \(trace.head), before entry \(revision)" }
      }
      switch trace.role {
      case .server: return "has not arrived; the journal ends at \(trace.head)"
      case .plain, .mirror: return "not there; the journal ends at \(trace.head)"
      }
    }

    private func receipt(_ trace: Trace) -> String {
      trace.receipt.map { ", sent by \($0.sender), arrived \(CommandOutput.text(time: $0.arrival))" } ?? ""
    }

    private func reason(_ trace: Trace) -> String { trace.reason.map { " '\($0)'" } ?? "" }

    private func at(_ revision: Int64?) -> String { revision.map { " at \($0)" } ?? "" }

    private func notes(_ trace: Trace) -> [String] {
      var notes = trace.retries.map { "repeated as \($0.origin.prefix(8))#\($0.sequence)" }
      if let taker = trace.undoneBy { notes.append("undone by \(taker)") }
      if let problem = trace.problem { notes.append("problem: \(problem)") }
      return notes
    }
  }
#endif
