// swift-tools-version: 6.1
import PackageDescription

// A package of its own, so that what Alter is measured against is no dependency of Alter's, and so that it is measured from
// outside, as its users see it. Only the traits that are measured are on: swift-syntax in release would take a quarter of an hour.

let package = Package(
  name: "benchmarks",
  platforms: [.macOS(.v14)],
  dependencies: [
    .package(name: "alter", path: "..", traits: ["SQLite"]),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .target(name: "CMemory"),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "CMemory",
        .product(name: "Alter", package: "alter"),
        .product(name: "AlterSQLite", package: "alter"),
        .product(name: "AlterTesting", package: "alter"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
        .product(name: "OrderedCollections", package: "swift-collections"),
        .product(name: "HashTreeCollections", package: "swift-collections"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
