// What the first view waits for, requested before the rest of the code has run: the service answers meanwhile.

import { address } from '../core/address.ts'
import { list } from '../core/api.ts'
import { comeBack, isReturning } from '../core/openid.ts'
import { findSession } from '../core/session.ts'
import { firstQueries } from './first-screen.ts'
import type { ListedAlarm } from './row.ts'

const isBack = isReturning()

/** Until it is known who looks. */
export const entering: Promise<void> = isBack ? comeBack() : findSession()

/** The rows that will be first; whoever may not see them is refused. Undefined where none could be requested. */
export const earlyRows: Promise<readonly ListedAlarm[] | undefined> = isBack
  ? Promise.resolve(undefined)
  : askEarly()

async function askEarly(): Promise<readonly ListedAlarm[] | undefined> {
  const { page, query: filter } = address.peek()
  const [query] = page === 'alarms' ? firstQueries(filter) : []
  if (!query) return undefined
  try {
    return (await list<ListedAlarm>('/fault/alarm', query)).rows
  } catch {
    return undefined
  }
}
