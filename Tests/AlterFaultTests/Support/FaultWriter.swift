import Foundation
import ProcessTesting

/// Starts a process of `Tests/FaultWriter`, which a test can talk to, stop and kill. Its standard error is ignored, because its exit status
/// reveals a trap.
func faultWriter(_ arguments: String...) throws -> LineProcess {
  try LineProcess([Product.path("fault-writer")] + arguments, environment: ["SWIFT_BACKTRACE": "enable=no"])
}
