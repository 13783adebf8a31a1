import AlterCore
import AlterJournal

@testable import AlterStore

extension Participant {
  /// Makes a change and records its outcome.
  ///
  /// - Returns: The commit; nil if the store refused it.
  func change(_ changes: [Bank.Change], requires requirement: Commit<Bank>? = nil, under lease: Lease? = nil) -> Commit<Bank>? {
    world.note("store \(number): change \(changes)\(requirement.map { " requires \($0.id)" } ?? "")")
    let wasClosed = isClosed
    do throws(ChangeError<Refusal>) {
      let commit: Commit<Bank>
      if changes.count == 1 {
        commit = try store.change(changes[0], requires: requirement, under: lease)
      } else {
        commit = try store.change(changes, requires: requirement, under: lease)
        world.count(changes.isEmpty ? .emptyBatch : .batch)
      }
      world.note("store \(number): made \(commit.id)")
      world.count(.change)
      if requirement != nil { world.count(.required) }
      if lease != nil { world.count(.leased) }
      if wasClosed { world.fail(.closing, "\(commit.id) was taken after store \(number) was closed") }
      guard commit.promise != nil, !changes.isEmpty else { return commit }
      let made = Made(commit: commit, changes: changes, requirement: requirement?.id, lease: lease)
      world.register(made)
      commits.append(made)
      unresolved.append(made)
      return commit
    } catch {
      switch error {
      case .refused, .conditionFailed: world.count(.refused)
      case .closed: world.count(.closedRefusal)
      case .failed, .unencodable: world.count(.failedRefusal)
      case .full: world.count(.full)
      case .requirementDropped: world.count(.requirementRefusal)
      }
      return nil
    }
  }

  /// Performs an undo or a redo.
  func undo(redo: Bool) async {
    do throws(UndoError) {
      let undone = redo ? try await store.redo() : try await store.undo()
      world.count(redo ? .redo : .undo)
      if undone.revision > world.definition.revision { world.refresh() }
      let record = world.definition.records[Int(undone.revision.number) - 1]
      if record.targets.isEmpty { world.fail(.written, "an undo was reported at \(undone.revision), where \(record.kind) is") }
    } catch {
      world.count(.undoRefused)
    }
  }

  /// Closes the store and records the unwritten changes.
  ///
  /// - Returns: The changes that `close` returned.
  @discardableResult
  func close(deadline: Duration?) async -> [Unwritten<Bank>] {
    isClosing = true
    world.count(.close)
    let start = world.clock.elapsed
    closeDue = deadline.map { start + $0 }
    let unwritten = await store.close(deadline: deadline)
    if let closeDue, world.clock.elapsed >= closeDue { world.count(.closedByDeadline) }
    isClosed = true
    world.note("store \(number) is closed: \(unwritten.map { "\($0.record.id)\($0.mayBeWritten ? "?" : "")" })")
    for work in unwritten {
      world.count(.unwritten)
      handedBack.append(work.record.id)
      if !work.mayBeWritten {
        world.expectNever(work.record.id, because: "closing store \(number) handed it back as unwritten")
      }
    }
    return unwritten
  }
}
