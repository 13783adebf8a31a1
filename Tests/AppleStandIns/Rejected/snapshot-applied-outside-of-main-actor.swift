// Warned: main actor-isolated instance method 'apply
import UIKit

private typealias Source = UICollectionViewDiffableDataSource<Int, String>

#if REJECTED
  private nonisolated func show(_ source: Source) { source.apply(NSDiffableDataSourceSnapshot()) }
#else
  @MainActor private func show(_ source: Source) { source.apply(NSDiffableDataSourceSnapshot()) }
#endif
