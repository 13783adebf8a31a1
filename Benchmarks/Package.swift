// swift-tools-version: 6.1
import PackageDescription

// A package of its own, so that what Alter is measured against is no dependency of Alter's, and so that it is measured from
// outside, as its users see it. The traits are off: nothing is built that isn't measured.

let package = Package(
  name: "benchmarks",
  platforms: [.macOS(.v14)],
  dependencies: [
    .package(name: "alter", path: "..", traits: []),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
  ],
  targets: [
    .target(name: "CMemory"),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "CMemory",
        .product(name: "Alter", package: "alter"),
        .product(name: "OrderedCollections", package: "swift-collections"),
        .product(name: "HashTreeCollections", package: "swift-collections"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
