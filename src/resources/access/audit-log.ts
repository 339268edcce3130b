// The audit log as a read-only list.

import { list } from '../../schema/list.ts'
import { collection } from '../collection.ts'
import { auditEntry, auditSize } from './audit-entry.ts'

export const auditLog = collection({
  resource: auditEntry,
  sized: auditSize,
  noun: 'audit entry',
  list: list('/plat/audit', auditEntry, {
    filters: ({ wildcard, anySpelling, period }) => ({
      name: wildcard('name'),
      address: anySpelling('address'),
      action: anySpelling('action'),
      resource: wildcard('resource'),
      resourceId: wildcard('resourceId'),
      startTime: period('time', 'from'),
      endTime: period('time', 'until'),
    }),
    orderBy: { id: 'id', time: 'time', name: 'name' },
    descendingWithoutOrder: true,
    unindexed: true,
  }),
})
