#if Macros
  import Alter
  import AlterCore
  import AlterTesting
  import StoreTesting
  import Testing

  @testable import AlterJournal
  @testable import AlterStore

  /// One model in several builds: each has the stored names of the first, but for one modification.
  private enum Builds {
    @Alterable struct First: Hashable {
      let name: String
      let count: Int
    }
    /// Another name of the type, and another order: the same form.
    @Alterable struct Same: Hashable {
      let count: Int
      let name: String
    }
    @Alterable struct WithProperty: Hashable {
      let name: String
      let count: Int
      @Default(0) let price: Int
    }
    @Alterable struct WithOtherDefault: Hashable {
      let name: String
      let count: Int
      @Default(1) let price: Int
    }
    @Alterable struct Renamed: Hashable {
      @Renamed(from: "name") let title: String
      let count: Int
    }
    @Alterable struct WithOtherType: Hashable {
      let name: String
      let count: Int?
    }
    @Alterable struct WithCase: Hashable {
      let name: String
      let count: Int
      @Wire enum OwnChange: Hashable { case clear }
      mutating func apply(_ change: OwnChange, at stamp: Stamp) { self = WithCase(name: "", count: 0) }
    }
    @Alterable struct WithValue: Hashable {
      let name: String
      let count: Int
      @Wire enum OwnChange: Hashable { case clear(but: Int, note: String?) }
      mutating func apply(_ change: OwnChange, at stamp: Stamp) { self = WithValue(name: "", count: 0) }
    }
    /// A type that contains itself.
    @Wire indirect enum Tree: Hashable { case leaf(Int), node(parts: [Tree], label: String?) }
    struct ByHand: Journaled, Hashable {
      enum Change: Hashable, Codable { case add(Int) }
      private(set) var total = 0
      mutating func apply(_ change: Change, at stamp: Stamp) { if case .add(let amount) = change { total += amount } }
    }
  }

  @Suite("The fingerprint of a stored form")
  struct StoredFormFingerprintTests {
    @Test("depends on names, older names, defaults and types, also of parts and of changes, and on nothing else")
    func distinct() {
      let forms = [
        Builds.First.form, Builds.WithProperty.form, Builds.WithOtherDefault.form, Builds.Renamed.form, Builds.WithOtherType.form,
        Builds.WithCase.form, Builds.WithValue.form, OldShelf.form, NewShelf.form, Builds.ByHand.form,
      ]
      #expect(Set(forms).count == forms.count && forms.allSatisfy { $0 > 0 })
      #expect(Builds.First.form == Builds.Same.form && Builds.First.form == Builds.First.form)
      let tree = StoredFormDescription.fingerprint(of: [Builds.Tree.self])
      #expect(tree == StoredFormDescription.fingerprint(of: [Builds.Tree.self]) && !forms.contains(tree))
    }

    @Test("of a build that reads more names is greater")
    func order() {
      for larger in [Builds.WithProperty.form, Builds.Renamed.form, Builds.WithCase.form, Builds.WithValue.form] {
        #expect(larger > Builds.First.form)
      }
      #expect(Builds.WithValue.form > Builds.WithCase.form && NewShelf.form > OldShelf.form)
    }

    @Test("of a type with a form by hand is that of its name")
    func byHand() {
      #expect(Builds.ByHand.form == StoredFormDescription.fingerprint(of: [Builds.ByHand.self, Builds.ByHand.Change.self]))
      #expect(Builds.ByHand.form >> 48 == 0)
    }

    @Test("makes a store ignore the snapshot of another build with a report, and keep it")
    func ignored() async throws {
      let journal = MemoryJournal()
      var options = StoreOptions.sharedJournal
      options.undoWindow = 4
      options.snapshotSpacing = 20
      let old = try await Store.open(OldShelf(), in: journal, options: options)
      for id in 1...60 { try await old.change(.add(.product(OldProduct(id: id, name: "x")))).durable() }
      await old.rest()
      await old.close()
      let before = try await journal.snapshots(upTo: 1_000, limit: 100)
      #expect(!before.isEmpty && before.allSatisfy { $0.form == OldShelf.form })
      let new = try await Store.open(NewShelf(), in: journal, options: options)
      #expect(new.state.products.count == 60)
      await new.rest()
      await new.close()
      var problems: [String] = []
      for await problem in new.problems { problems.append(problem.description) }
      #expect(problems.count == 1 && problems.first?.contains("another stored form") == true)
      let after = try await journal.snapshots(upTo: 1_000, limit: 100)
      // The newer build may replace one at the end.
      #expect(after.contains { $0.form == NewShelf.form } && before.dropFirst().allSatisfy(after.contains))
      #expect(try await Shelves.compact(journal) == [.newerSchema, nil, .newerSchema])
    }
  }
#endif
