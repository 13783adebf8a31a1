// Rejected: to parameter expecting synchronous function type
import UIKit

private func load() async {}

#if REJECTED
  @MainActor private func action() -> UIAction { UIAction { _ in await load() } }
#else
  @MainActor private func action() -> UIAction { UIAction { _ in Task { await load() } } }
#endif
