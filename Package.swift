// swift-tools-version: 6.1
import CompilerPluginSupport
import PackageDescription

// One package, many small targets: each line is a layer, each dependency an arrow that points down.
// Heavy dependencies sit behind traits, so that a user who leaves a trait out does not even clone them.

// PostgreSQL's own client library. Without the trait nothing imports it. On Linux the library is loaded at the first use: a program that is
// linked to it loads twenty other libraries at every start.
#if os(Linux)
  let libpq = Target.target(name: "CLibPQ", exclude: ["System"], cSettings: [.define("ALTER_POSTGRES", .when(traits: ["Postgres"]))])
#else
  let libpq = Target.systemLibrary(
    name: "CLibPQ", path: "Sources/CLibPQ/System", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])])
#endif

// Each trait is a flag of every module, and the order of the flags counts. With ALTER_EVERYTHING, which script/lib.sh sets, the default traits are those
// of the tests here and in Examples/: modules that both use are compiled once.
let defaultTraits: Set<String> =
  Context.environment["ALTER_EVERYTHING"] == nil
  ? ["SQLite", "Macros"] : ["SQLite", "Macros", "Postgres", "Service", "SyncServer", "InspectorServer"]

let package = Package(
  name: "alter",
  platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
  products: [
    .library(name: "Alter", targets: ["Alter"]),
    .library(name: "AlterSQLite", targets: ["AlterSQLite"]),
    .library(name: "AlterRows", targets: ["AlterRows"]),
    .library(name: "AlterPostgres", targets: ["AlterPostgres"]),
    .library(name: "AlterPostgresRows", targets: ["AlterPostgresRows"]),
    .library(name: "AlterService", targets: ["AlterService"]),
    .library(name: "AlterSync", targets: ["AlterSync"]),
    .library(name: "AlterSyncServer", targets: ["AlterSyncServer"]),
    .library(name: "AlterTesting", targets: ["AlterTesting"]),
    .library(name: "AlterSwiftUI", targets: ["AlterSwiftUI"]),
    .library(name: "AlterInspector", targets: ["AlterInspector"]),
    .library(name: "AlterInspectorServer", targets: ["AlterInspectorServer"]),
    .library(name: "_AlterWeb", targets: ["_AlterWeb"]),
    .library(name: "_AlterTerminal", targets: ["_AlterTerminal"]),
    .executable(name: "alter", targets: ["AlterTool"]),
    // For the tests of this package, of Examples/ and of Tests/Network/, not for others: they may change at any time.
    .library(name: "_AlterTestSupport", targets: ["ProcessTesting", "BrowserTesting", "FuzzTargets", "SyncGuideModel"]),
    .executable(name: "sync-guide-app", targets: ["sync-guide-app"]),
    .executable(name: "sync-fault-peer", targets: ["sync-fault-peer"]),
  ],
  traits: [
    .trait(
      name: "SQLite", description: "AlterSQLite: the journal in a SQLite file; AlterRows: the state as SQL tables (brings in GRDB)."),
    .trait(
      name: "Postgres",
      description:
        "AlterPostgres: journals in PostgreSQL, for many machines; AlterPostgresRows: their rows (needs libpq, a system library)."),
    .trait(
      name: "Service",
      description:
        "AlterService: logs, metrics, traces and graceful shutdown (brings in swift-log, swift-metrics, swift-distributed-tracing and swift-service-lifecycle)."
    ),
    .trait(name: "SyncServer", description: "AlterSyncServer: the server of synced journals (brings in Hummingbird)."),
    .trait(name: "Inspector", description: "AlterInspector and the tool `alter` (brings in swift-argument-parser)."),
    .trait(
      name: "InspectorServer",
      description: "AlterInspectorServer: the inspector's page, `alter serve`, and _AlterWeb (brings in Hummingbird).",
      enabledTraits: ["Inspector"]),
    .trait(name: "Macros", description: "@Alterable and @Wire (brings in swift-syntax, for the compiler's plugin alone)."),
    .trait(
      name: "AsyncHTTPClient",
      description: "On Linux, AlterSync's connections use async-http-client instead of URLSession (brings in SwiftNIO with TLS)."),
    .default(enabledTraits: defaultTraits),
  ],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    // What _AlterWeb imports of Hummingbird's own dependencies, at least in the versions that Hummingbird 2.28.1 itself asks for.
    .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.34.1"),
    .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0", traits: []),
    .package(url: "https://github.com/apple/swift-log.git", from: "1.14.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.0.0"),
    // Hummingbird brings them in as well. AlterService imports them.
    .package(url: "https://github.com/apple/swift-metrics.git", from: "2.9.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.6.0"),
    // The connections of devices on Linux.
    .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.26.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.30.0"),
    // A range, because every package with macros must agree on one version: script/test --syntax tests three of them.
    .package(url: "https://github.com/swiftlang/swift-syntax", "600.0.1"..<"604.0.0"),
  ],
  targets: [
    // How text is shown on a terminal: the one place that escapes it.
    .target(name: "_AlterTerminal"),
    // The functional core.
    .target(name: "AlterCore"),
    .target(name: "AlterCollections", dependencies: ["AlterCore"]),
    .target(name: "AlterJournal", dependencies: ["AlterCore", "_AlterTerminal"]),
    .target(
      name: "AlterMacros",
      dependencies: [
        "AlterCore", "AlterCollections", "AlterJournal",
        .target(name: "AlterMacrosPlugin", condition: .when(traits: ["Macros"])),
      ]),
    // Runs inside the compiler. Without the trait it is an empty program.
    .macro(
      name: "AlterMacrosPlugin",
      dependencies: [
        .product(name: "SwiftSyntax", package: "swift-syntax", condition: .when(traits: ["Macros"])),
        .product(name: "SwiftDiagnostics", package: "swift-syntax", condition: .when(traits: ["Macros"])),
        .product(name: "SwiftParser", package: "swift-syntax", condition: .when(traits: ["Macros"])),
        .product(name: "SwiftSyntaxBuilder", package: "swift-syntax", condition: .when(traits: ["Macros"])),
        .product(name: "SwiftSyntaxMacros", package: "swift-syntax", condition: .when(traits: ["Macros"])),
        .product(name: "SwiftCompilerPlugin", package: "swift-syntax", condition: .when(traits: ["Macros"])),
      ]),
    // The runtime.
    .target(name: "AlterStore", dependencies: ["AlterCore", "AlterCollections", "AlterJournal"]),
    .target(name: "AlterFeedback", dependencies: ["AlterCore", "AlterCollections", "AlterJournal", "AlterStore"]),
    .target(
      name: "Alter", dependencies: ["AlterCore", "AlterCollections", "AlterMacros", "AlterJournal", "AlterStore", "AlterFeedback"]),
    // Sync as pure values: the server's decision, the device's file and its engine. AlterSync and AlterSyncServer carry them out.
    .target(name: "AlterSyncCore", dependencies: ["AlterCore", "AlterJournal"]),
    // The adapters.
    .target(
      name: "AlterSQLite",
      dependencies: [
        "AlterJournal",
        .target(name: "CAlterSQLite", condition: .when(traits: ["SQLite"])),
        .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
        .product(name: "GRDBSQLite", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
      ]),
    // The calls of SQLite's that Swift can't make. Without the trait it is empty.
    .target(
      name: "CAlterSQLite",
      dependencies: [.product(name: "GRDBSQLite", package: "GRDB.swift", condition: .when(traits: ["SQLite"]))],
      cSettings: [.define("ALTER_SQLITE", .when(traits: ["SQLite"]))]),
    // The state as SQL tables. Without the trait it has the declarations alone.
    .target(
      name: "AlterRows",
      dependencies: [
        "AlterCore", "AlterCollections", "AlterJournal", "AlterStore",
        .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
        .product(name: "GRDBSQLite", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
      ]),
    // Sync on a device: its file, the journal of its stores, and the connection to the server.
    .target(
      name: "AlterSync",
      dependencies: [
        "AlterCore", "AlterJournal", "AlterStore", "AlterSyncCore", "AlterSQLite",
        .product(
          name: "AsyncHTTPClient", package: "async-http-client", condition: .when(platforms: [.linux], traits: ["AsyncHTTPClient"])),
        .product(name: "NIOCore", package: "swift-nio", condition: .when(platforms: [.linux], traits: ["AsyncHTTPClient"])),
        .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(platforms: [.linux], traits: ["AsyncHTTPClient"])),
        .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(platforms: [.linux], traits: ["AsyncHTTPClient"])),
      ]),
    // Sync on a server: the decisions about journals, and with the trait the service that answers devices over HTTP.
    .target(
      name: "AlterSyncServer",
      dependencies: [
        "AlterCore", "AlterJournal", "AlterStore", "AlterSyncCore", "_AlterWeb",
        .product(name: "Hummingbird", package: "hummingbird", condition: .when(traits: ["SyncServer"])),
        .product(name: "HummingbirdCore", package: "hummingbird", condition: .when(traits: ["SyncServer"])),
        .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["SyncServer"])),
        .product(name: "HTTPTypes", package: "swift-http-types", condition: .when(traits: ["SyncServer"])),
        .product(name: "Logging", package: "swift-log", condition: .when(traits: ["SyncServer"])),
        .product(name: "Metrics", package: "swift-metrics", condition: .when(traits: ["SyncServer"])),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: .when(traits: ["SyncServer"])),
      ]),
    .target(
      name: "AlterPostgres",
      dependencies: ["AlterJournal", .target(name: "CLibPQ", condition: .when(traits: ["Postgres"]))]),
    libpq,
    // The state as tables of PostgreSQL. Without the trait it is empty.
    .target(
      name: "AlterPostgresRows",
      dependencies: ["AlterCore", "AlterCollections", "AlterJournal", "AlterStore", "AlterRows", "AlterPostgres"]),
    // What a server process needs: logs, metrics, traces, and a shutdown in order. Without the trait it is empty.
    .target(
      name: "AlterService",
      dependencies: [
        "AlterCore", "AlterJournal", "AlterStore", "AlterFeedback", "AlterPostgres",
        .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Service"])),
        .product(name: "Metrics", package: "swift-metrics", condition: .when(traits: ["Service"])),
        .product(name: "Tracing", package: "swift-distributed-tracing", condition: .when(traits: ["Service"])),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: .when(traits: ["Service"])),
      ]),
    .target(name: "AlterTesting", dependencies: ["Alter"]),
    // Bindings for SwiftUI. Without SwiftUI it has the decisions of its views alone.
    .target(name: "AlterSwiftUI", dependencies: ["AlterCore", "AlterStore"]),
    // The inspector: commands over any journal.
    .target(
      name: "AlterInspector",
      dependencies: [
        "AlterCore", "AlterJournal", "AlterStore", "AlterFeedback", "_AlterTerminal",
        .product(name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["Inspector"])),
      ]),
    // Its web page, and the command that serves it.
    .target(
      name: "AlterInspectorServer",
      dependencies: [
        "AlterCore", "AlterJournal", "_AlterTerminal", "AlterInspector", "_AlterWeb", "AlterInspectorPage",
        .product(name: "Hummingbird", package: "hummingbird", condition: .when(traits: ["InspectorServer"])),
        .product(name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["InspectorServer"])),
      ]),
    .target(name: "AlterInspectorPage", resources: [.embedInCode("Page")]),
    // What a web page over a journal needs beside itself: who may come in, streams of events, files.
    // For the inspector, and for pages of an app's own.
    .target(
      name: "_AlterWeb",
      dependencies: [
        "AlterCore", "_AlterTerminal",
        .product(name: "Hummingbird", package: "hummingbird", condition: .when(traits: ["InspectorServer", "SyncServer"])),
        .product(name: "HummingbirdCore", package: "hummingbird", condition: .when(traits: ["InspectorServer", "SyncServer"])),
        .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["InspectorServer", "SyncServer"])),
        .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["InspectorServer", "SyncServer"])),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras", condition: .when(traits: ["InspectorServer", "SyncServer"])),
        .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras", condition: .when(traits: ["InspectorServer", "SyncServer"])),
        .product(name: "HTTPTypes", package: "swift-http-types", condition: .when(traits: ["InspectorServer", "SyncServer"])),
        .product(name: "Logging", package: "swift-log", condition: .when(traits: ["InspectorServer", "SyncServer"])),
        .product(
          name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: .when(traits: ["InspectorServer", "SyncServer"])),
        .product(name: "UnixSignals", package: "swift-service-lifecycle", condition: .when(traits: ["InspectorServer", "SyncServer"])),
      ],
      resources: [.embedInCode("Library")]),
    // The product `alter`: the inspector without its app's types.
    .executableTarget(
      name: "AlterTool",
      dependencies: [
        "AlterCore", "AlterJournal", "AlterInspector", "AlterSQLite", "AlterRows", "AlterPostgres",
        .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
        .target(name: "AlterInspectorServer", condition: .when(traits: ["InspectorServer"])),
        .product(name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["Inspector"])),
      ]),
    // The tests.
    .target(name: "ProcessTesting", dependencies: ["AlterCore"], path: "Tests/ProcessTesting"),
    // A journal that a test scripts, and the models that several targets share.
    .target(name: "StoreTesting", dependencies: ["Alter", "AlterCore", "AlterJournal", "AlterTesting"], path: "Tests/StoreTesting"),
    // A server and a device as values, which decide by the product's own rules.
    .target(name: "SyncModel", dependencies: ["AlterCore", "AlterJournal", "AlterSyncCore"], path: "Tests/SyncModel"),
    .testTarget(name: "AlterCoreTests", dependencies: ["AlterCore"]),
    .testTarget(name: "AlterCollectionsTests", dependencies: ["AlterCollections", "AlterCore", "AlterTesting", "ProcessTesting"]),
    .testTarget(name: "AlterMacrosTests", dependencies: ["Alter", "AlterTesting", "ModelsInAnotherModule", "ProcessTesting"]),
    // The plugin itself. The package manager builds such tests for the machine of the compiler, with all other tests of the package and all that
    // these use, which is then compiled twice. Therefore they are built alone: ALTER_TESTS=AlterMacrosPluginTests.
    .testTarget(
      name: "AlterMacrosPluginTests",
      dependencies: [
        .target(name: "AlterMacrosPlugin", condition: .when(traits: ["Macros"])),
        .product(name: "SwiftSyntax", package: "swift-syntax", condition: .when(traits: ["Macros"])),
        .product(name: "SwiftSyntaxBuilder", package: "swift-syntax", condition: .when(traits: ["Macros"])),
        .product(name: "SwiftSyntaxMacros", package: "swift-syntax", condition: .when(traits: ["Macros"])),
        .product(name: "SwiftSyntaxMacroExpansion", package: "swift-syntax", condition: .when(traits: ["Macros"])),
        .product(name: "SwiftSyntaxMacrosGenericTestSupport", package: "swift-syntax", condition: .when(traits: ["Macros"])),
      ]),
    // Public models, for the tests that use them from outside.
    .target(name: "ModelsInAnotherModule", dependencies: ["Alter"], path: "Tests/ModelsInAnotherModule"),
    .testTarget(
      name: "AlterEvolutionTests", dependencies: ["Alter", "AlterTesting", "FuzzTargets", "ProcessTesting"], exclude: ["Fixtures"]),
    .testTarget(name: "AlterJournalTests", dependencies: ["AlterJournal", "AlterTesting", "ProcessTesting"]),
    .testTarget(
      name: "AlterStoreTests", dependencies: ["Alter", "AlterSyncCore", "AlterTesting", "ProcessTesting", "StoreTesting", "SyncModel"],
      exclude: ["Fixtures"]),
    .testTarget(name: "AlterSwiftUITests", dependencies: ["AlterSwiftUI", "AlterStore", "AlterJournal", "AlterCollections", "AlterCore"]),
    .testTarget(
      name: "AlterFeedbackTests",
      dependencies: ["Alter", "AlterSQLite", "AlterTesting", "ProcessTesting", "StoreTesting", "TillModel", "feedback-worker"],
      exclude: ["Faults"]),
    .executableTarget(
      name: "feedback-worker", dependencies: ["Alter", "AlterSQLite", "StoreTesting", "TillModel"], path: "Tests/FeedbackWorker"),
    // An app with every feature at once: as a library for its test, and as a program under simulated threads or as one of several processes.
    .target(
      name: "OrderBook",
      dependencies: [
        "Alter", "AlterCore", "AlterJournal", "AlterStore", "AlterFeedback", "AlterInspector", "AlterPostgres", "AlterRows", "AlterSQLite",
        "AlterSync", "AlterSyncCore", "AlterSyncServer", "AlterTesting", "ProcessTesting",
        .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
      ],
      path: "Tests/OrderBook"),
    .executableTarget(
      name: "order-book",
      dependencies: [
        "OrderBook", "Alter", "AlterCore", "AlterFeedback", "AlterInspector", "AlterJournal", "AlterSQLite", "AlterStore", "AlterSyncCore",
        "AlterTesting",
      ],
      path: "Tests/OrderBookProgram"),
    .executableTarget(
      name: "order-book-simulation", dependencies: ["OrderBook", "AlterTesting", "SimulatedThreads"], path: "Tests/OrderBookSimulation"),
    .testTarget(
      name: "EverythingTests",
      dependencies: [
        "OrderBook", "Alter", "AlterCore", "AlterJournal", "AlterStore", "AlterFeedback", "AlterInspector", "AlterRows",
        "AlterSQLite", "AlterSync", "AlterSyncCore", "AlterSyncServer", "AlterTesting", "ProcessTesting",
        .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
      ],
      exclude: ["Faults"]),
    .testTarget(
      name: "AlterSyncTests", dependencies: ["AlterSyncCore", "AlterCore", "AlterJournal", "AlterTesting", "ProcessTesting", "SyncModel"],
      exclude: ["Faults"]),
    .testTarget(
      name: "AlterSyncServerTests",
      dependencies: [
        "AlterSyncServer", "AlterSync", "AlterSyncCore", "AlterSQLite", "AlterPostgres", "Alter", "AlterStore", "AlterJournal",
        "AlterTesting", "ProcessTesting", "StoreTesting", "StockModel", "SyncModel", "sync-peer",
      ]),
    .testTarget(
      name: "AlterSyncHTTPTests",
      dependencies: [
        "AlterSyncServer", "AlterSync", "AlterSyncCore", "AlterSQLite", "Alter", "AlterCore", "AlterStore", "AlterJournal", "AlterTesting",
        "ProcessTesting", "StockModel", "TillModel", "sync-guide-app", "sync-guide-server", "sync-fault-peer",
        .product(name: "Hummingbird", package: "hummingbird", condition: .when(traits: ["SyncServer"])),
        .product(name: "Logging", package: "swift-log", condition: .when(traits: ["SyncServer"])),
        .product(name: "Metrics", package: "swift-metrics", condition: .when(traits: ["SyncServer"])),
        .product(name: "MetricsTestKit", package: "swift-metrics", condition: .when(traits: ["SyncServer"])),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: .when(traits: ["SyncServer"])),
      ]),
    // The programs of the guide "Sync".
    .target(name: "SyncGuideModel", dependencies: ["Alter"], path: "Tests/SyncGuide/Model"),
    .executableTarget(name: "sync-guide-app", dependencies: ["Alter", "AlterSync", "SyncGuideModel"], path: "Tests/SyncGuide/App"),
    .executableTarget(
      name: "sync-guide-server",
      dependencies: [
        "Alter", "AlterSQLite", "AlterSyncServer", "SyncGuideModel",
        .product(name: "Hummingbird", package: "hummingbird", condition: .when(traits: ["SyncServer"])),
      ],
      path: "Tests/SyncGuide/Server"),
    .target(name: "TillModel", dependencies: ["Alter", "AlterCore"], path: "Tests/TillModel"),
    .target(name: "StockModel", dependencies: ["Alter", "AlterJournal"], path: "Tests/StockModel"),
    // The programs of the rounds of kill -9: a device and a server.
    .executableTarget(
      name: "sync-peer",
      dependencies: [
        "AlterSyncServer", "AlterSync", "AlterSyncCore", "AlterSQLite", "Alter", "AlterCore", "AlterStore", "AlterJournal",
        "ProcessTesting", "StockModel",
      ],
      path: "Tests/SyncPeer"),
    // The device and the server processes of the rounds of faults over HTTP, for Tests/Network.
    .executableTarget(
      name: "sync-fault-peer",
      dependencies: [
        "AlterSyncServer", "AlterSync", "AlterSQLite", "AlterPostgres", "Alter", "AlterCore", "AlterStore", "AlterJournal", "StockModel",
        "TillModel", .product(name: "Hummingbird", package: "hummingbird", condition: .when(traits: ["SyncServer"])),
        .product(name: "Logging", package: "swift-log", condition: .when(traits: ["SyncServer"])),
      ],
      path: "Tests/SyncFaultPeer"),
    .testTarget(
      name: "AlterSyncFileTests",
      dependencies: [
        "AlterSync", "AlterSyncCore", "AlterSQLite", "Alter", "AlterStore", "AlterTesting", "ProcessTesting", "StoreTesting", "SyncModel",
      ]),
    .testTarget(name: "AlterTestingTests", dependencies: ["Alter", "AlterTesting", "ProcessTesting"]),
    .testTarget(
      name: "AlterSQLiteTests", dependencies: ["AlterSQLite", "Alter", "AlterTesting", "ProcessTesting", "StoreTesting", "people-writer"],
      exclude: ["Fixtures"]),
    .executableTarget(name: "people-writer", dependencies: ["Alter", "AlterSQLite", "StoreTesting"], path: "Tests/PeopleWriter"),
    .testTarget(
      name: "AlterRowsTests",
      dependencies: [
        "AlterRows", "AlterSQLite", "Alter", "AlterCore", "AlterJournal", "AlterStore", "AlterSync", "AlterSyncCore", "AlterSyncServer",
        "AlterTesting", "ProcessTesting", "RowsModel", "rows-writer", "AlterTool",
        .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
      ]),
    .target(name: "RowsModel", dependencies: ["Alter", "AlterRows"], path: "Tests/RowsModel"),
    .executableTarget(
      name: "rows-writer",
      dependencies: [
        "Alter", "AlterRows", "AlterSQLite", "AlterTesting", "RowsModel",
        .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
      ],
      path: "Tests/RowsWriter"),
    .testTarget(
      name: "AlterPostgresTests",
      dependencies: [
        "AlterPostgres", "Alter", "AlterCore", "AlterJournal", "AlterTesting", "ProcessTesting", "StoreTesting", "AlterTool",
        "ledger-writer", "ten-million",
      ]),
    .testTarget(
      name: "AlterPostgresRowsTests",
      dependencies: [
        "AlterPostgresRows", "AlterPostgres", "AlterRows", "AlterSQLite", "Alter", "AlterCore", "AlterJournal", "AlterStore",
        "AlterTesting",
        "FuzzTargets", "ProcessTesting", "RowsModel", "postgres-rows-writer",
        .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
      ]),
    .executableTarget(
      name: "postgres-rows-writer",
      dependencies: ["Alter", "AlterRows", "AlterPostgres", "AlterPostgresRows", "AlterTesting", "RowsModel"],
      path: "Tests/PostgresRowsWriter"),
    .testTarget(
      name: "AlterServiceTests",
      dependencies: [
        "AlterService", "AlterPostgres", "AlterRows", "Alter", "AlterTesting", "ProcessTesting", "StoreTesting",
        .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
        .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Service"])),
        .product(name: "InMemoryLogging", package: "swift-log", condition: .when(traits: ["Service"])),
        .product(name: "MetricsTestKit", package: "swift-metrics", condition: .when(traits: ["Service"])),
        .product(name: "Tracing", package: "swift-distributed-tracing", condition: .when(traits: ["Service"])),
        .product(name: "InMemoryTracing", package: "swift-distributed-tracing", condition: .when(traits: ["Service"])),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: .when(traits: ["Service"])),
      ]),
    .executableTarget(name: "ledger-writer", dependencies: ["Alter", "AlterPostgres"], path: "Tests/LedgerWriter"),
    // The program of script/benchmark --ten-million.
    .executableTarget(
      name: "ten-million",
      dependencies: ["Alter", "AlterInspector", "AlterJournal", "AlterPostgres", "AlterSQLite", "AlterStore"], path: "Tests/TenMillion"),
    // The faults: what the system, the disk and other processes may do to a journal.
    .testTarget(
      name: "AlterFaultTests",
      dependencies: [
        "FaultModel", "FuzzTargets", "Alter", "AlterCore", "AlterJournal", "AlterSQLite", "AlterSync", "AlterSyncCore", "AlterTesting",
        "ProcessTesting",
      ]),
    .target(
      name: "FaultModel", dependencies: ["Alter", "AlterCore", "AlterJournal", "AlterSyncCore", "SyncModel"], path: "Tests/FaultModel"),
    .target(name: "FuzzTargets", dependencies: ["Alter"], path: "Tests/FuzzTargets"),
    // No test depends on it, though they run it: the calls that it interposes would be linked into the tests themselves.
    .executableTarget(
      name: "fault-writer",
      dependencies: [
        "FaultModel", "FuzzTargets", "Alter", "AlterCore", "AlterJournal", "AlterSQLite", "AlterSync", "AlterSyncCore", "AlterTesting",
        "InterposedCalls",
      ],
      path: "Tests/FaultWriter"),
    .target(name: "InterposedCalls", path: "Tests/InterposedCalls"),
    // The store in threads whose order a seed decides. As above: the test that runs it does not depend on it.
    .executableTarget(
      name: "store-simulation", dependencies: ["AlterStore", "AlterJournal", "AlterCore", "AlterTesting", "SimulatedThreads"],
      path: "Tests/StoreSimulation", exclude: ["Faults"]),
    .target(name: "SimulatedThreads", path: "Tests/SimulatedThreads"),
    .testTarget(name: "StoreSimulationTests", dependencies: ["ProcessTesting"]),
    // The code of the guides.
    .testTarget(name: "GuideTests", dependencies: ["Alter", "AlterSQLite", "AlterTesting", "ProcessTesting"]),
    // The pages, in a real browser.
    .target(name: "BrowserTesting", dependencies: ["AlterCore", "AlterJournal", "ProcessTesting"], path: "Tests/BrowserTesting"),
    .testTarget(
      name: "AlterInspectorTests",
      dependencies: [
        "AlterInspector", "AlterInspectorServer", "AlterTool", "_AlterTerminal", "_AlterWeb", "BrowserTesting", "ProcessTesting",
        "StoreTesting", "SyncModel", "Alter", "AlterJournal", "AlterSQLite", "AlterSync", "AlterSyncCore", "AlterTesting",
      ]),
  ],
  swiftLanguageModes: [.v6]
)

// The tests of the macros' plugin are compiled only where ALTER_TESTS names them: see their target.
let omitted: Set = ["AlterMacrosPluginTests"]
// The programs that tests run without depending on them.
let programs = [
  "AlterFaultTests": ["fault-writer"], "EverythingTests": ["order-book", "order-book-simulation"],
  "StoreSimulationTests": ["store-simulation"],
]
// ALTER_TESTS has the names of test targets. Nothing is compiled then but these and the targets that they need: script/test.
if let names = Context.environment["ALTER_TESTS"]?.split(separator: " ").map(String.init) {
  var needed: Set<String> = [], found = names + names.flatMap { programs[$0] ?? [] }
  while let name = found.popLast() {
    guard needed.insert(name).inserted, let target = package.targets.first(where: { $0.name == name }) else { continue }
    for dependency in target.dependencies {
      switch dependency {
      case .targetItem(let name, _), .byNameItem(let name, _): found.append(name)
      default: break
      }
    }
  }
  package.targets.removeAll { !needed.contains($0.name) }
  package.products.removeAll { product in
    let targets = (product as? Product.Library)?.targets ?? (product as? Product.Executable)?.targets ?? []
    return !needed.isSuperset(of: targets)
  }
} else {
  package.targets.removeAll { omitted.contains($0.name) }
}
// Measures a device's file with a long outbox: `ALTER_OUTBOX_BENCH=1 swift run -c release outbox-bench 100000`.
if Context.environment["ALTER_OUTBOX_BENCH"] != nil {
  package.targets.append(
    .executableTarget(
      name: "outbox-bench",
      dependencies: ["Alter", "AlterStore", "AlterCore", "AlterJournal", "AlterSQLite", "AlterSync", "AlterSyncCore"],
      path: "Tests/OutboxBench"))
}
