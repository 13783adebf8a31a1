// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "shelf",
  platforms: [.macOS(.v14)],
  dependencies: [.package(name: "alter", path: "../..", traits: ["SQLite"])],
  targets: [
    .executableTarget(
      name: "shelf",
      dependencies: [.product(name: "Alter", package: "alter"), .product(name: "AlterSQLite", package: "alter")]),
    .testTarget(name: "ShelfTests", dependencies: ["shelf", .product(name: "AlterTesting", package: "alter")]),
  ]
)
