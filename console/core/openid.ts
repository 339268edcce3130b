// Signing in through an identity provider. The browser leaves for its pages, and comes back to an address of the
// console with its answer; that is removed from the address at once, and sent to the service from here, its own origin.

import { signal } from '@preact/signals'
import { address, go, hrefOf } from './address.ts'
import { ask } from './api.ts'
import { enterAs, findSession, type SessionAnswer, session } from './session.ts'
import { stashDrafts } from './unsaved.ts'

const path = '/console/session/openid'
/** The page from which the sign-in began. */
const placeKey = 'belfry-place'

/** Why the sign-in failed. */
export const returnTrouble = signal('')

export async function leaveForProvider(): Promise<void> {
  const { data } = await ask<{ address: string }>('POST', path)
  sessionStorage.setItem(placeKey, location.pathname + location.search)
  stashDrafts(session.value.operatorId)
  location.assign(data.address)
}

export const isReturning = () => address.value.page === 'openid'

export async function comeBack(): Promise<void> {
  const query = location.search.slice(1)
  const place = sessionStorage.getItem(placeKey) ?? ''
  sessionStorage.removeItem(placeKey)
  go(place.startsWith(hrefOf('')) ? place : hrefOf('alarms'), { replace: true })
  try {
    await enterAs((await ask<SessionAnswer>('PUT', path, { body: { query } })).data)
  } catch (error) {
    returnTrouble.value = (error as Error).message
    await findSession()
  }
}
