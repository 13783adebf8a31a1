@_exported import AlterSyncCore
