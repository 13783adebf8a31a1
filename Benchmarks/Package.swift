// swift-tools-version: 6.1
import PackageDescription

// A package of its own, so that what Alter is measured against is no dependency of Alter's, and so that it is measured from
// outside, as its users see it. Only the traits that are measured are on: swift-syntax in release would take a quarter of an hour.

let package = Package(
  name: "benchmarks",
  platforms: [.macOS(.v14)],
  // Off unless libpq and a server's programs are there: script/benchmark looks.
  traits: [.trait(name: "Postgres", description: "Measures AlterPostgres, too.")],
  dependencies: [
    .package(name: "alter", path: "..", traits: ["SQLite", .trait(name: "Postgres", condition: .when(traits: ["Postgres"]))]),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
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
        .product(name: "AlterPostgres", package: "alter"),
        .product(name: "AlterTesting", package: "alter"),
        .target(name: "CBareLibPQ", condition: .when(traits: ["Postgres"])),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
        .product(name: "OrderedCollections", package: "swift-collections"),
        .product(name: "HashTreeCollections", package: "swift-collections"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
