#if SQLite
  import AlterCore
  import AlterJournal
  import AlterSQLite
  import AlterSyncCore

  // The engine's commands: the lock, requests, timers, the stream and the file's bell. Each of them ends as a signal to the loop.
  extension SyncDriver {
    // MARK: - Commands

    func carryOut(_ command: EngineCommand) async {
      switch command {
      case .takeLock: takeLock()
      case .releaseLock: await releaseLock()
      case .send(let number, let exchange): send(number, exchange)
      case .cancel: request?.cancel()
      case .setTimer(let number, let seconds):
        timer?.cancel()
        timer = Task { [options, mailbox, progress] in
          // The timeout of a request is a time without progress: on a slow line, a page or a snapshot may take longer. A line that moves next to
          // nothing makes no progress.
          let enough = max(1, Int(seconds * Self.bytesPerSecond))
          var (seen, waited) = (0, 0.0)
          repeat {
            seen = progress.withLock { $0 }
            guard (try? await options.clock.sleep(for: .seconds(seconds))) != nil else { return }
            waited += seconds
          } while waited < options.times.longestRequest && progress.withLock({ $0 }) - seen >= enough
          mailbox.yield(.event(.fired(number)))
        }
      case .cancelTimer: timer?.cancel()
      case .openStream: openStream()
      case .closeStream: endStream()
      case .refreshToken:
        refresh?.cancel()
        refresh = Task { [transport, mailbox] in
          guard let result = await Self.abandoning({ try await transport.refreshToken() }) else { return }
          if case .success = result { mailbox.yield(.event(.tokenRefreshed)) } else { mailbox.yield(.event(.refreshFailed)) }
        }
      case .report(let link):
        report(link)
        if link == .unauthorised {
          isAway = true
          pulse?.cancel()
          await talker.release()
        }
      }
    }

    /// Reports a status. `live` waits for the store, because an app that has seen it reads the state; a store that takes longer than a request may
    /// take is not waited for.
    func report(_ link: SyncLink) {
      reporting?.cancel()
      reporting = nil
      guard link == .live, let taken = options.taken, let transaction = standing?.transactions else { return status.report(link) }
      reporting = Task { [options] in
        let limit = Waiter<Void>()
        let waits = [
          Task {
            await taken(transaction)
            limit.finish(())
          },
          Task {
            try? await options.clock.sleep(for: .seconds(options.times.timeout))
            limit.finish(())
          },
        ]
        _ = await limit.value()
        for wait in waits { wait.cancel() }
        if !Task.isCancelled { status.report(link) }
      }
    }

    private func takeLock() {
      lockNumber += 1
      (isQueued, isAway) = (false, false)
      waitForLock = Task { [talker, options, mailbox, lockNumber, name = storage.journal.name] in
        let silent = Lock<JournalError?>(nil)
        let taking = Task { () async -> JournalError? in
          do throws(JournalError) {
            try await talker.take { mailbox.yield(.queued(lockNumber)) }
            return nil
          } catch {
            return error
          }
        }
        let watch = Task {
          // By the clock of the system, as the times of files.
          while (try? await Task.sleep(for: options.silence / 4)) != nil {
            guard let sign = talker.lastSign, options.now() / 1_000_000 - sign > options.silence.components.seconds else { continue }
            silent.withLock { $0 = .stopped(name, talker.holder, for: options.silence) }
            return taking.cancel()
          }
        }
        let error = await withTaskCancellationHandler {
          await taking.value
        } onCancel: {
          taking.cancel()
        }
        watch.cancel()
        guard let error else { return _ = mailbox.yield(.lock(lockNumber, nil)) }
        // Two processes that talk at once are harmless.
        if error.code != .cancelled || !Task.isCancelled { mailbox.yield(.lock(lockNumber, silent.withLock { $0 } ?? error)) }
      }
    }

    /// Begins to write signs of life, while this process has the lock.
    func beginPulse() {
      pulse?.cancel()
      pulse = Task { [talker, options] in
        while (try? await Task.sleep(for: options.pulse)) != nil { await talker.renew() }
      }
    }

    /// Releases the lock, after all that may use the file has ended.
    private func releaseLock() async {
      lockNumber += 1
      await stop(waitForLock)
      waitForLock = nil
      refresh?.cancel()
      pulse?.cancel()
      await stop(request)
      await talker.release()
    }

    /// The least progress of a request: a slower one is given up after its timeout.
    private static let bytesPerSecond = 1_024.0

    func stop(_ task: Task<Void, Never>?) async {
      task?.cancel()
      await task?.value
    }

    private func send(_ number: Int, _ exchange: EngineCommand.Exchange) {
      let earlier = request
      earlier?.cancel()
      let news = exchange == .pull && self.news?.hint == hint ? self.news : nil
      self.news = nil
      request = Task { [mailbox, hint, standing] in
        // It may be in a transaction. Only the newest request is awaited before the lock is released.
        await earlier?.value
        guard let outcome = await outcome(of: exchange, hint, news, reporting: standing?.report) else { return }
        mailbox.yield(.answered(number, outcome))
      }
    }

    /// Makes a request, sends it, and absorbs its answer; nil if it was given up. A pull is not sent if the stream has brought what it asks
    /// for.
    private nonisolated func outcome(
      of exchange: EngineCommand.Exchange, _ hint: Hint?, _ news: Announced?, reporting report: SyncHTTP.OutboxReport?
    ) async -> RequestEnd? {
      do throws(JournalError) {
        guard
          let request = try await storage.request(for: exchange, limits: transport.limits, hint: hint, unlessOutdatedFor: options.schemas)
          // As if the server had compacted the journal: the engine fetches another start.
        else { return .replied(.gone, hint, schema: 0, fault: nil) }
        // Another user may have signed in since the engine's decision.
        guard !storage.isLocked(request.principal) else { return .failed(nil) }
        if let page = news.flatMap({ Page(announcing: $0.entries, to: $0.hint, instead: request) }) {
          let reply = try await storage.absorb(.page(page), to: request)
          return .replied(reply, hint, schema: page.newestSchema, fault: nil)
        }
        let result = await Self.abandoning { [transport, progress] in
          try await transport.exchange(request, reporting: report) { bytes in progress.withLock { $0 &+= bytes } }
        }
        guard let result else { return nil }
        guard !Task.isCancelled else { return nil }
        let answer: Answer
        switch result {
        case .success(let received): answer = received
        case .failure(let error): return .failed(SyncConnectionError.explain(error))
        }
        let reply = try await storage.absorb(answer, to: request)
        let schema = if case .page(let page) = answer { page.newestSchema } else { 0 }
        return .replied(reply, hint, schema: schema, fault: transport.fault)
      } catch {
        return error.code == .cancelled || Task.isCancelled ? nil : .fileFailed(error)
      }
    }

    /// Runs work that may ignore its cancellation. Returns nil if the present task is cancelled first.
    private nonisolated static func abandoning<Value: Sendable>(
      _ work: @escaping @Sendable () async throws -> Value
    ) async -> Result<Value, any Error>? {
      let waiter = Waiter<Result<Value, any Error>>()
      let task = Task {
        do { waiter.finish(.success(try await work())) } catch { waiter.finish(.failure(error)) }
      }
      let result = await waiter.value()
      if result == nil { task.cancel() }
      return result
    }

    // MARK: - Streams

    private func openStream() {
      streamNumber += 1
      let number = streamNumber
      announced.withLock { $0 = nil }
      stream?.cancel()
      stream = Task { [options, transport, mailbox, announced] in
        defer { mailbox.yield(.stream(number, .streamEnded)) }
        @Sendable func limit(_ pause: Duration) -> Task<Void, Never> {
          Task {
            guard (try? await options.clock.sleep(for: pause)) != nil else { return }
            mailbox.yield(.stream(number, .streamEnded))
          }
        }
        var watchdog = limit(.seconds(options.times.timeout))
        defer { watchdog.cancel() }
        guard case .success(let announcements) = await Self.abandoning({ try await transport.announcements() }), !Task.isCancelled else {
          return
        }
        mailbox.yield(.stream(number, .streamOpened))
        watchdog.cancel()
        watchdog = limit(options.heartbeat * 2)
        do {
          for try await announcement in announcements {
            if case .hint(let hint, let entries) = announcement {
              let isFirst = announced.withLock { announced in
                defer { announced = Announced(hint: hint, entries: entries) }
                return announced == nil
              }
              if isFirst { mailbox.yield(.hint) }
            }
            watchdog.cancel()
            watchdog = limit(options.heartbeat * 2)
          }
        } catch {
          // The reason does not matter: the engine's next exchange finds out whether the server is there.
        }
      }
    }

    func endStream() {
      streamNumber += 1
      stream?.cancel()
      stream = nil
    }

    // MARK: - The file's bell

    /// Follows the transactions of all processes of the device.
    func follow() {
      watch = Task { [storage, options, mailbox] in
        var seen: Int64 = -1
        while !Task.isCancelled {
          do throws(JournalError) {
            if seen >= 0 { try await storage.journal.waitForTransaction(after: seen) }
            let standing = try await storage.standing()
            seen = standing.transactions
            mailbox.yield(.news(standing))
          } catch {
            if error.code == .closed || error.code == .cancelled { return }
            try? await options.clock.sleep(for: .seconds(1))
          }
        }
      }
    }
  }

  extension JournalError {
    /// The error of an exchange with a server that did not lead to the exchange of changes.
    static func exchange(_ code: Code, _ journal: String, _ reason: String) -> JournalError {
      JournalError(
        code, journal: journal,
        message: "was not exchanged with its server: \(reason) The changes of this device stay in its file, and another attempt follows.")
    }

    /// The process that talks to the server for this device gives no sign of life.
    fileprivate static func stopped(_ journal: String, _ holder: String?, for time: Duration) -> JournalError {
      JournalError(
        .locked, journal: journal,
        message: """
          is exchanged with its server by this process, too: \(holder.map { "process \($0)" } ?? "another process"), which held the connection of this \
          device, has given no sign of life for \(time). End that process if it is stopped.
          """)
    }
  }
#endif
