// Warned: main actor-isolated initializer 'init\(title
import UIKit

#if REJECTED
  private nonisolated func action() -> UIAction { UIAction(title: "Add") { _ in } }
#else
  @MainActor private func action() -> UIAction { UIAction(title: "Add") { _ in } }
#endif
