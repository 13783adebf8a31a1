// Rejected: main actor-isolated property 'count'
import UIKit

@MainActor private final class Counter { var count = 0 }

// The type of a handler is not isolated: only a function literal in isolated code is.
@MainActor private func action(of counter: Counter) -> UIAction {
  #if REJECTED
    let handler: @Sendable (UIAction) -> Void = { _ in counter.count += 1 }
    return UIAction(handler: handler)
  #else
    return UIAction { _ in counter.count += 1 }
  #endif
}
