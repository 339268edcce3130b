// The way from a record to what the audit log says about it, for those who may read that.

import { hrefOf } from '../core/address.ts'
import { html } from '../core/html.ts'
import { may } from '../core/session.ts'
import { texts } from '../texts/shared.ts'

export const ChangesLink = ({ resource, id }: { resource: string; id: string }) =>
  may('administrator') &&
  html`<a href=${hrefOf('audit', '', { resource, resourceId: id })}>${texts.records.changes}</a>`
