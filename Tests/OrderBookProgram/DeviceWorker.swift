#if SQLite && Macros && SyncServer
  import Alter
  import AlterCore
  import AlterFeedback
  import AlterInspector
  import AlterJournal
  import AlterStore
  import AlterSyncCore
  import AlterTesting
  import Foundation

  @testable import OrderBook

  /// A process of a device, with a server of its own, beside others, until its input ends or it is killed.
  enum DeviceWorker {
    static func work(in folder: String, seed: UInt64) async throws {
      let input = InputEnd()
      var random = SeededGenerator(seed: seed)
      var lastOrder = Int(seed) * 10_000
      do {
        let served = try await ServedBook(ServedBook.file(in: folder))
        let bank = Bank(seed: seed, folder: "\(folder)/bank")
        let store = try await random.oneIn(2) ? served.store() : nil
        var options = FeedbackOptions()
        options.lease = .seconds(2)
        let run = try store?.run([.pay, .audit], in: bank, options: options)
        let name = random.pick(["ann", "bob"])
        let device = try await Device(Principal(name), "\(folder)/\(name).db", served.server, window: Contents.undoWindow)
        while !input.hasCome {
          do { try await step(device, store, &lastOrder, using: &random) } catch {
            // Another process of the device has changed what this one has seen.
            guard error is CommitError<Refusal> else { throw error }
            say("dropped")
          }
        }
        await run?.stop()
        await device.close()
        await store?.close()
        await served.close()
      } catch { fail("failed \(error)") }
    }

    private static func step(
      _ device: Device<Build3>, _ server: Store<Build3>?, _ lastOrder: inout Int, using random: inout SeededGenerator
    ) async throws {
      let contents = device.store.state.contents
      switch random.below(40) {
      case 0..<18: try await change([contents.randomChange(&lastOrder, using: &random)], on: device)
      case 18..<21:
        let changes = (0..<2 + random.below(2)).map { _ in contents.randomChange(&lastOrder, using: &random) }
        try await change(changes, on: device)
      case 21..<23: try await change([contents.randomChange(&lastOrder, using: &random)], scope: .never, on: device)
      case 23, 24: try await change([.forbidden], on: device)
      case 25:
        let first = try device.store.change(Build3.wrap(.forbidden))
        if let second = try? device.store.change(Build3.wrap(.dependent), requires: first) {
          try await second.durable()
          say(second.id.line)
        }
      case 26..<33:
        let redo = random.oneIn(3)
        do throws(UndoError) { _ = redo ? try await device.store.redo() : try await device.store.undo() } catch {
          guard Naive.Outcome(error) != nil else { throw error }
        }
        print(redo ? "redo" : "undo")
      case 33, 34:
        let isCut = random.oneIn(2)
        device.line.isCut.withLock { $0 = isCut }
      case 35: try await device.restart(window: Contents.undoWindow)
      case 36: _ = try await device.store.compact(keeping: .last(2 * Contents.undoWindow))
      case 37:
        guard let server else { return }
        do throws(ChangeError<Refusal>) {
          _ = try server.change(Build3.wrap(server.state.contents.randomChange(&lastOrder, using: &random)))
        } catch {
          guard case .refused = error else { throw error }
        }
      case 38: _ = try await Inspection(of: device.storage.journal, as: Build3.self).wholeState()
      default:
        for await _ in device.store.values(of: { $0.contents }) { break }
      }
    }

    private static func change(_ changes: [Contents.Change], scope: UndoScope? = nil, on device: Device<Build3>) async throws {
      let commit: Commit<Build3>
      do throws(ChangeError<Refusal>) { commit = try device.store.change(changes.map(Build3.wrap), scope: scope) } catch {
        guard case .refused = error else { throw error }
        return print("refused")
      }
      try await commit.durable()
      say(commit.id.line)
    }
  }
#endif
