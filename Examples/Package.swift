// swift-tools-version: 6.1
import PackageDescription

// The examples are a package of their own, so that the compiler lets them use only the public API of Alter.

// The names of the test targets to compile, or 'all': script/test.
let selectedTests = Context.environment["EXAMPLE_TESTS"]

// For the tests, Alter gets the default traits, as for its own tests: ALTER_EVERYTHING in its manifest.
let alterTraits: Set<Package.Dependency.Trait> =
  if selectedTests != nil {
    [.defaults]
  } else {
    [
      "SQLite", "Inspector",
      .trait(name: "InspectorServer", condition: .when(traits: ["Server"])),
      .trait(name: "Service", condition: .when(traits: ["Server"])),
      .trait(name: "SyncServer", condition: .when(traits: ["Server"])),
      .trait(name: "Macros", condition: .when(traits: ["Macros"])),
      .trait(name: "Postgres", condition: .when(traits: ["Postgres"])),
      .trait(name: "AsyncHTTPClient", condition: .when(traits: ["AsyncHTTPClient"])),
    ]
  }

let package = Package(
  name: "examples",
  platforms: [.macOS(.v14), .iOS(.v17)],
  products: [
    .executable(name: "todo", targets: ["todo"]),
    .executable(name: "todo-web", targets: ["todo-web"]),
    .executable(name: "todo-sync", targets: ["todo-sync"]),
    .executable(name: "todo-server", targets: ["todo-server"]),
    .executable(name: "cloud-server", targets: ["cloud-server"]),
    .executable(name: "board", targets: ["board"]),
    .executable(name: "plants", targets: ["plants"]),
    .executable(name: "expenses", targets: ["expenses"]),
    .executable(name: "articles", targets: ["articles"]),
    .executable(name: "cookies", targets: ["cookies"]),
    .executable(name: "fasting", targets: ["fasting"]),
    .executable(name: "jokes", targets: ["jokes"]),
    .executable(name: "orders", targets: ["orders"]),
    // For an app target of Xcode: todo/TodoApp/README.md.
    .library(name: "TodoApp", targets: ["TodoApp"]),
  ],
  traits: [
    .trait(name: "Macros", description: "The examples with macros (brings in swift-syntax: a quarter of an hour in release)."),
    .trait(name: "Postgres", description: "`orders`, and lists of `todo` in PostgreSQL (needs libpq, a system library)."),
    .trait(
      name: "Server",
      description: "Programs with a web server: `todo-web`, `todo-sync`, `todo-server`, `orders` (brings in Hummingbird)."),
    .trait(
      name: "AsyncHTTPClient",
      description: "On Linux, `todo-sync` uses async-http-client instead of URLSession (compiles BoringSSL, which takes minutes)."),
    .default(enabledTraits: ["Macros", "Server"]),
  ],
  dependencies: [
    .package(name: "alter", path: "..", traits: alterTraits),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    .package(url: "https://github.com/apple/swift-log.git", from: "1.14.0"),
    .package(url: "https://github.com/apple/swift-metrics.git", from: "2.9.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.0.0"),
  ],
  targets: [
    // The todo list: commands, a live view in the terminal, a page.
    .target(name: "TodoCore", dependencies: [.alter, .terminal], path: "todo/TodoCore"),
    // Its tables of rows, and the search in them.
    .target(name: "TodoRows", dependencies: ["TodoCore", .alter, .rows, .grdb], path: "todo/TodoRows"),
    // The screens of the app for Apple's platforms, without a user interface: view models and actions.
    .target(name: "TodoViewModels", dependencies: ["TodoCore", .alter], path: "todo/TodoViewModels"),
    // Its views, which are empty without SwiftUI.
    .target(
      name: "TodoApp", dependencies: ["TodoCore", "TodoRows", "TodoViewModels", .alter, .sqlite, .grdb, .swiftUI], path: "todo/TodoApp",
      exclude: ["README.md"]
    ),
    // The commands that need neither a web server nor a connection to servers.
    .target(
      name: "TodoCommands",
      dependencies: [
        "TodoCore", "TodoRows", .alter, .sqlite, .rows, .grdb, .postgres, .inspector, .terminal,
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "todo/TodoCommands"),
    .executableTarget(name: "todo", dependencies: ["TodoCommands"], path: "todo/todo"),
    // The web server: `todo` continues as the first program for `serve`, and as the second one for synced lists.
    .target(
      name: "TodoWeb",
      dependencies: [
        "TodoCommands", "TodoCore", .alter, .inspector, .inspectorServer, .web, .hummingbird,
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "todo/TodoWeb", resources: [.embedInCode("Page")]),
    .executableTarget(name: "todo-web", dependencies: ["TodoCommands", "TodoWeb"], path: "todo/todo-web"),
    .executableTarget(
      name: "todo-sync", dependencies: ["TodoCommands", "TodoWeb", "TodoCore", .alter, .sync], path: "todo/todo-sync"),
    // The server of synced lists.
    .target(name: "TodoServerCore", dependencies: ["TodoCore", .alter], path: "todo/TodoServerCore"),
    .executableTarget(
      name: "todo-server",
      dependencies: [
        "TodoServerCore", "TodoCore", .alter, .sqlite, .postgres, .syncServer, .hummingbird, .logging,
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "todo/todo-server"),
    // The server that `todo cloud` uses in the demo and in the tests.
    .executableTarget(name: "cloud-server", path: "todo/cloud-server"),
    // The README's first screen.
    .executableTarget(name: "board", dependencies: [.alter, .sqlite], path: "board"),
    // The guide "Getting started".
    .executableTarget(name: "plants", dependencies: [.alter, .sqlite], path: "plants"),
    // Smaller examples, each for one idea: README.md.
    .target(name: "Console", dependencies: [.terminal], path: "console"),
    .executableTarget(name: "expenses", dependencies: [.alter, .sqlite], path: "expenses"),
    // The samples of the articles.
    .executableTarget(name: "articles", dependencies: [.alter, .sqlite], path: "articles", exclude: ["README.md"]),
    .executableTarget(name: "cookies", dependencies: [.alter, "Console"], path: "cookies", exclude: ["README.md"]),
    .target(name: "FastingCore", dependencies: [.alter], path: "fasting/FastingCore"),
    .executableTarget(name: "fasting", dependencies: ["FastingCore", .alter, .sqlite, "Console"], path: "fasting/fasting"),
    .executableTarget(name: "jokes", dependencies: [.alter, "Console"], path: "jokes", exclude: ["README.md"]),
    // A service over PostgreSQL.
    .target(name: "OrdersCore", dependencies: [.alter, .rows, .grdb], path: "orders/OrdersCore"),
    .executableTarget(
      name: "orders",
      dependencies: [
        "OrdersCore", .alter, .postgres, .service, .hummingbird, .logging, .metrics, .coreMetrics, .lifecycle,
      ],
      path: "orders/orders"),
    // Its payments with a bank that is a file, for processes that die.
    .executableTarget(name: "till", dependencies: ["OrdersCore", .alter, .sqlite, "Console"], path: "orders/till"),
    // The tests.
    .testTarget(name: "OrdersTests", dependencies: ["OrdersCore", .alter, .postgres, .testing, .support, "orders", "till"]),
    .testTarget(
      name: "TodoTests",
      dependencies: [
        "TodoCore", "TodoRows", "TodoViewModels", "TodoFuzzTargets", .alter, .sqlite, .rows, .grdb, .terminal, .testing, .support, .tool,
        "todo", "todo-web",
        "todo-sync", "todo-server", "TodoServerCore", "cloud-server", "TodoTesting",
      ]),
    // Fuzz targets for the parsers of `todo`, which read bytes that others may have written; run by script/fuzz.
    .target(name: "TodoFuzzTargets", dependencies: ["TodoCore", .alter, .support], path: "Tests/TodoFuzzTargets"),
    .testTarget(
      name: "TodoWebTests",
      dependencies: ["TodoTesting", .alter, .support, "todo", "todo-web", "todo-sync", "todo-server"]),
    // The servers of `todo` as processes, for all of these tests.
    .target(name: "TodoTesting", dependencies: [.support], path: "Tests/TodoTesting"),
    // Hostile files, arguments, requests and terminals for every released command, including `alter`.
    .testTarget(
      name: "HostileTests",
      dependencies: [
        "TodoCore", "TodoTesting", .alter, .sqlite, .inspector, .inspectorServer, .terminal, .web, .support, "todo", "todo-web",
        .product(name: "alter", package: "alter"),
      ]),
    .testTarget(
      name: "ExampleTests",
      dependencies: [
        .alter, .sqlite, .testing, .support, "board", "plants", "expenses", "articles", "cookies", "FastingCore", "fasting", "jokes",
      ]),
  ],
  swiftLanguageModes: [.v6]
)

// Only the selected tests and the targets that they need.
if let names = selectedTests?.split(separator: " ").map(String.init), names != ["all"] {
  var needed: Set<String> = [], found = names
  while let name = found.popLast() {
    guard needed.insert(name).inserted, let target = package.targets.first(where: { $0.name == name }) else { continue }
    for case .byNameItem(let name, _) in target.dependencies { found.append(name) }
  }
  package.targets.removeAll { !needed.contains($0.name) }
  package.products.removeAll { product in
    let targets = (product as? Product.Library)?.targets ?? (product as? Product.Executable)?.targets ?? []
    return !needed.isSuperset(of: targets)
  }
}

extension Target.Dependency {
  static let alter = Self.product(name: "Alter", package: "alter")
  static let sqlite = Self.product(name: "AlterSQLite", package: "alter")
  static let rows = Self.product(name: "AlterRows", package: "alter")
  static let grdb = Self.product(name: "GRDB", package: "GRDB.swift")
  static let postgres = Self.product(name: "AlterPostgres", package: "alter")
  static let sync = Self.product(name: "AlterSync", package: "alter")
  static let syncServer = Self.product(name: "AlterSyncServer", package: "alter")
  static let service = Self.product(name: "AlterService", package: "alter")
  static let inspector = Self.product(name: "AlterInspector", package: "alter")
  static let inspectorServer = Self.product(name: "AlterInspectorServer", package: "alter")
  static let swiftUI = Self.product(name: "AlterSwiftUI", package: "alter")
  static let terminal = Self.product(name: "_AlterTerminal", package: "alter")
  static let web = Self.product(name: "_AlterWeb", package: "alter")
  static let testing = Self.product(name: "AlterTesting", package: "alter")
  static let tool = Self.product(name: "alter", package: "alter")
  static let hummingbird = Self.product(name: "Hummingbird", package: "hummingbird", condition: .when(traits: ["Server"]))
  static let logging = Self.product(name: "Logging", package: "swift-log", condition: .when(traits: ["Server"]))
  static let metrics = Self.product(name: "Metrics", package: "swift-metrics", condition: .when(traits: ["Server"]))
  static let coreMetrics = Self.product(name: "CoreMetrics", package: "swift-metrics", condition: .when(traits: ["Server"]))
  static let lifecycle = Self.product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: .when(traits: ["Server"]))
  static let support = Self.product(name: "_AlterTestSupport", package: "alter")
}
