// Rejected: does not conform to protocol 'Hashable'|conform to 'Hashable'
import UIKit

private struct Item: Sendable { let title: String }

#if REJECTED
  private typealias Snapshot = NSDiffableDataSourceSnapshot<Int, Item>
#else
  private typealias Snapshot = NSDiffableDataSourceSnapshot<Int, String>
#endif

@MainActor private func snapshot() -> Snapshot { Snapshot() }
