// A link from a record to its entries in the audit log, for those who may read that.

import { hrefOf } from '../core/address.ts'
import { may } from '../core/session.ts'
import { texts } from '../texts/shared-texts.ts'

export const ChangesLink = ({ resource, id }: { resource: string; id: string }) =>
  may('administrator') && (
    <a href={hrefOf('audit', '', { resource, resourceId: id })}>{texts.records.changes}</a>
  )
