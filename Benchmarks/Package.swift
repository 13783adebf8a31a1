// swift-tools-version: 6.1
import PackageDescription

// The benchmarks are a separate package, so that the baselines are no dependencies of Alter, and so that they use Alter from outside, as
// its users do. The traits are those of the commands (script/build), so that both builds share the modules; without macros, because
// swift-syntax takes a quarter of an hour to build in release.

let package = Package(
  name: "benchmarks",
  platforms: [.macOS(.v14)],
  // script/benchmark enables this trait if libpq and the programs of a server are installed.
  traits: [
    .trait(name: "Postgres", description: "Measures AlterPostgres, too."),
    .trait(name: "Sync", description: "The server, the devices and the load generator of the sync works (brings in Hummingbird)."),
    .default(enabledTraits: ["Sync"]),
  ],
  dependencies: [
    .package(
      name: "alter", path: "..",
      traits: [
        "SQLite", "Inspector",
        .trait(name: "InspectorServer", condition: .when(traits: ["Sync"])),
        .trait(name: "Service", condition: .when(traits: ["Sync"])),
        .trait(name: "SyncServer", condition: .when(traits: ["Sync"])),
        .trait(name: "AsyncHTTPClient", condition: .when(traits: ["Sync"])),
        .trait(name: "Postgres", condition: .when(traits: ["Postgres"])),
      ]),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    // The server of the sync works, and the bare server that it is compared with.
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    .package(url: "https://github.com/apple/swift-log.git", from: "1.14.0"),
  ],
  targets: [
    .target(name: "CMemory"),
    .systemLibrary(name: "CBareLibPQ", pkgConfig: "libpq"),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "CMemory",
        .product(name: "Alter", package: "alter"),
        .product(name: "AlterSQLite", package: "alter"),
        .product(name: "AlterRows", package: "alter"),
        .product(name: "AlterPostgres", package: "alter"),
        .product(name: "AlterPostgresRows", package: "alter"),
        .product(name: "AlterTesting", package: "alter"),
        .target(name: "CBareLibPQ", condition: .when(traits: ["Postgres"])),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
        .product(name: "OrderedCollections", package: "swift-collections"),
        .product(name: "HashTreeCollections", package: "swift-collections"),
      ]),
    // The server, the devices and the load generator of the sync works, each in a process of its own.
    .executableTarget(
      name: "sync-load",
      dependencies: [
        "CMemory",
        .target(name: "CBareLibPQ", condition: .when(traits: ["Postgres"])),
        .product(name: "Alter", package: "alter"),
        .product(name: "AlterSQLite", package: "alter"),
        .product(name: "AlterPostgres", package: "alter"),
        .product(name: "AlterSync", package: "alter"),
        .product(name: "AlterSyncServer", package: "alter"),
        .product(name: "Hummingbird", package: "hummingbird", condition: .when(traits: ["Sync"])),
        .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Sync"])),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      path: "Sources/SyncLoad"),
  ],
  swiftLanguageModes: [.v6]
)
