// swift-tools-version: 6.2
import PackageDescription

// The tests that need TLS or async-http-client, and with the trait `Tokens` the code of the guide "Sync" that needs jwt-kit. They are a package
// of their own, so that BoringSSL, which takes minutes to compile, is no part of the other builds: swift-nio-ssl has a copy, and with the trait
// swift-crypto has another. Like the examples, they use the public API alone, and the products for tests.

let package = Package(
  name: "network-tests",
  platforms: [.macOS(.v14)],
  products: [
    // The tests load it into processes that use URLSession.
    .library(name: "_AlterTestAuthority", type: .dynamic, targets: ["TestAuthority"])
  ],
  traits: [
    .trait(name: "Tokens", description: "The guide's authenticator of JSON Web Tokens (brings in jwt-kit, and a second BoringSSL).")
  ],
  dependencies: [
    .package(name: "alter", path: "../..", traits: ["SQLite", "Postgres", "SyncServer", "AsyncHTTPClient"]),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-log.git", from: "1.14.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.0.0"),
    .package(url: "https://github.com/vapor/jwt-kit.git", from: "5.7.1"),
    // jwt-kit's own dependency, with which the tests make keys and signatures.
    .package(url: "https://github.com/apple/swift-crypto.git", from: "4.1.0"),
  ],
  targets: [
    .testTarget(
      name: "NetworkTests",
      dependencies: [
        "https-request", "TestAuthority",
        .product(name: "Alter", package: "alter"), .product(name: "AlterSQLite", package: "alter"),
        .product(name: "AlterSync", package: "alter"), .product(name: "AlterSyncServer", package: "alter"),
        .product(name: "_AlterTestSupport", package: "alter"), .product(name: "sync-guide-app", package: "alter"),
        .product(name: "sync-fault-peer", package: "alter"),
        .product(name: "Hummingbird", package: "hummingbird"), .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "HummingbirdTLS", package: "hummingbird"), .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"), .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "JWTKit", package: "jwt-kit", condition: .when(traits: ["Tokens"])),
        .product(name: "Crypto", package: "swift-crypto", condition: .when(traits: ["Tokens"])),
        .product(name: "CryptoExtras", package: "swift-crypto", condition: .when(traits: ["Tokens"])),
      ],
      path: "NetworkTests"),
    // One request of a device, in a process of its own.
    .executableTarget(name: "https-request", dependencies: [.product(name: "AlterSync", package: "alter")], path: "HTTPSRequest"),
    // Makes URLSession trust the authority of a test, in processes into which it is loaded.
    .target(name: "TestAuthority", path: "TestAuthority"),
  ],
  swiftLanguageModes: [.v6]
)
