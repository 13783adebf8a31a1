import Alter
import AlterSQLite
import AlterTesting
import Foundation
import ProcessTesting
import Testing

#if Macros
  /// The guide "Coming from TCA, ReSwift, SwiftRex, ArchitectureKit and RxFeedback": one task, for comparison.
  enum MigratingGuide {
    // snippet: coming-state
    enum Weather: Hashable, Codable { case unknown, loading, degrees(Int), failed }

    @Alterable struct City: Identifiable, Hashable {
      let id: String
      @Default(false) let isFavorite: Bool
      @Default(Weather.unknown) let weather: Weather
    }

    @Alterable struct Trip: Hashable {
      @Each(.add, .update, .remove) let cities: IdentityArray<City>
    }
    // end

    /// The code that the macro writes for a city.
    enum ByHand {
      // snippet: coming-apply
      struct City: Identifiable, Hashable, Codable, Alterable {
        enum Change: Hashable, Codable { case isFavorite(Bool), weather(Weather) }

        let id: String
        private(set) var isFavorite = false
        private(set) var weather = Weather.unknown

        init(id: String) { self.id = id }

        mutating func apply(_ change: Change, at stamp: Stamp) {
          switch change {
          case .isFavorite(let isFavorite): self.isFavorite = isFavorite
          case .weather(let weather): self.weather = weather
          }
        }
      }
      // end
    }

    // snippet: coming-effect
    struct World: Sendable { var weather: @Sendable (String) async -> Weather }

    static let load = Feedback<Trip, World>("load", each: \.cities, request: { $0.weather == .loading ? $0.id : nil }) { id, world in
      .city(id, .weather(await world.weather(id)))
    }
    // end

    // snippet: coming-scope
    struct CityContext {
      let city: City
      let send: (City.Change) -> Void  // knows cities, and no trip
    }
    // end

    // snippet: coming-result
    struct Offline: Error {}

    static func weather(of id: String) -> AsyncResult<World, Weather, Offline> {
      AsyncResult { world in
        let weather = await world.weather(id)
        return weather == .failed ? .failure(Offline()) : .success(weather)
      }
    }

    static let answer = Feedback<Trip, World>("load", request: { $0.cities.first { $0.weather == .loading }?.id }) { id, world in
      await weather(of: id)
        .map { Trip.Change.city(id, .weather($0)) }
        .recover { _ in .city(id, .weather(.failed)) }
        .value(in: world)
    }
    // end

    @Suite("The guide Coming from")
    struct Tests {
      @Test("a JSON file becomes a journal")
      func importing() async throws {
        let folder = try Folder()
        let oldFile = folder.url.appendingPathComponent("trip.json")
        try Data(#"{"cities":[{"id":"Rome"}]}"#.utf8).write(to: oldFile)
        let path = folder.path("trip.db")
        // snippet: coming-import
        let store = try await Store.open(importing: "trip.json", in: SQLiteJournal(at: path)) {
          try JSONDecoder().decode(Trip.self, from: Data(contentsOf: oldFile))
        }
        try store.change(.city("Rome", .isFavorite(true)))
        // end
        #expect(store.state == Trip(cities: [City(id: "Rome", isFavorite: true)]))
        await store.close()
      }

      @Test("what a macro writes, and what a hand does")
      func byHand() {
        let changes: [ByHand.City.Change] = [.isFavorite(true), .weather(.degrees(21))]
        let city = changes.reduce(ByHand.City(id: "Rome")) { $0.alter($1) }
        #expect(city.isFavorite && city.weather == .degrees(21))
        #expect(City(id: "Rome").alter(.isFavorite(true), .weather(.degrees(21))).weather == city.weather)
      }

      @Test("makes changes, performs an effect, and shows the result")
      @MainActor func use() async throws {
        let world = World(weather: { $0 == "Rome" ? .degrees(21) : .failed })
        // snippet: coming-send
        let store = Store(Trip())
        try store.change(.add(.city(City(id: "Rome"))))
        try store.change(.city("Rome", .isFavorite(true)), .city("Rome", .weather(.loading)))  // both or none
        // end

        // snippet: coming-observe
        let binding = store.bind({ $0.cities.count { $0.isFavorite } }) { print("\($0) favorites") }
        let list = store.observed { $0.cities }  // for SwiftUI, and for any other observer
        // end

        // snippet: coming-context
        let children = list.value.map { city in
          CityContext(city: city, send: { list.send(.city(city.id, $0)) })
        }
        children[0].send(.isFavorite(false))
        // end
        #expect(store.state.cities[id: "Rome"]?.isFavorite == false && children[0].city.isFavorite)

        // snippet: coming-run
        try store.run([load], in: world)
        for await weather in store.values(of: { $0.cities[id: "Rome"]?.weather }) where weather != .loading { break }
        // end
        #expect(list.refusal == nil && store.state.cities[id: "Rome"]?.weather == .degrees(21))
        binding.cancel()

        // snippet: coming-action
        let reload = UserAction(store, .city("Rome", .weather(.loading)))
        let add = UserAction(store) { (name: String) in .add(.city(City(id: name))) }
        reload()
        add("Oslo")
        // end
        #expect(store.state.cities.map(\.id) == ["Rome", "Oslo"])
        await store.close()
      }

      @Test("an effect that is an AsyncResult")
      func asyncResult() async throws {
        let store = TestStore(
          Trip(cities: [City(id: "Rome", weather: .loading)]), feedbacks: [answer], in: World(weather: { _ in .failed }))
        await store.receive(.city("Rome", .weather(.failed))) { $0 = Trip(cities: [City(id: "Rome", weather: .failed)]) }
        await store.finish()
      }

      // snippet: coming-test
      @Test("loads the weather")
      func loads() async {
        let store = TestStore(Trip(cities: [City(id: "Rome")]), feedbacks: [load], in: World(weather: { _ in .degrees(21) }))
        store.send(.city("Rome", .weather(.loading))) { $0 = Trip(cities: [City(id: "Rome", weather: .loading)]) }
        await store.receive(.city("Rome", .weather(.degrees(21)))) { $0 = Trip(cities: [City(id: "Rome", weather: .degrees(21))]) }
        await store.finish()  // fails if a change, an effect or a problem is left over
      }
      // end

      // snippet: coming-pure
      @Test("a trip keeps its cities apart")
      func cities() throws {
        let trip = try Trip(.add(.city(City(id: "Rome"))), .add(.city(City(id: "Oslo"))))
        let later = try trip.alter(.city("Oslo", .isFavorite(true)), .remove(.city("Rome")))
        #expect(later == Trip(cities: [City(id: "Oslo", isFavorite: true)]))
        #expect(throws: Refusal.missing("City", "Bern")) { try trip.alter(.city("Bern", .isFavorite(true))) }
      }
      // end

      @Test("the calls of the articles")
      func articles() async throws {
        let folder = try Folder()
        let path = folder.path("trip.alter")
        let rome = City(id: "Rome")
        // snippet: coming-articles
        let store = try await Store.open(Trip(), in: SQLiteJournal(at: path))
        let token = store.observe { record, trip in print(trip.cities.count) }
        try store.change(.add(.city(rome)))
        try store.change(.update(.city(rome.alter(.isFavorite(true)))))  // the whole city: the last writer wins
        try store.change(.city("Rome", .weather(.loading)))  // a part of it: both writers win
        try store.reset(to: Trip())
        // end
        #expect(store.state == Trip())
        // snippet: coming-undo
        try await store.undo()  // the reset is an entry, too
        // end
        #expect(store.state.cities[id: "Rome"] == City(id: "Rome", isFavorite: true, weather: .loading))
        token.cancel()
        await store.close()
      }
    }
  }
#endif
