// Warned: main actor-isolated property 'title'
import SwiftUI

@MainActor private final class Model { var title = "" }

#if REJECTED
  private nonisolated func title(of model: Model) -> Binding<String> { Binding(get: { model.title }, set: { model.title = $0 }) }
#else
  @MainActor private func title(of model: Model) -> Binding<String> { Binding(get: { model.title }, set: { model.title = $0 }) }
#endif
