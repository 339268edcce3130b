// Signing in through a provider of identities. One leaves for its pages, and comes back to an address of the console with
// what it said; that is taken from the address at once, and shown to the service from here, its own origin.

import { signal } from '@preact/signals'
import { address, go, hrefOf } from './address.ts'
import { ask } from './api.ts'
import { enterAs, findSession, type SessionAnswer } from './session.ts'

const path = '/console/session/openid'
/** Where one was when one left. */
const placeKey = 'belfry-place'

/** Why coming back did not work. */
export const returnTrouble = signal('')

export async function leaveForProvider(): Promise<void> {
  const { data } = await ask<{ address: string }>('POST', path)
  sessionStorage.setItem(placeKey, location.pathname + location.search)
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
