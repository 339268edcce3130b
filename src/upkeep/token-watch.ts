// Tokens of operators who sign in through a provider of identities: they end when the person is gone, and an alarm says
// so two weeks before they end.

import type { Logins } from '../access/logins.ts'
import type { OpenIdProvider } from '../access/openid.ts'
import type { Raising } from '../alarms/engine.ts'
import { openOwn, raiseOwn, recoverOwn } from '../alarms/own-alarms.ts'
import type { Keys } from '../keys/keys.ts'
import { refreshSecret } from '../resources/access/identity.ts'
import { endTokens } from '../resources/access/operator.ts'
import type { Database } from '../store/database.ts'

const hour = 3_600_000
const day = 24 * hour
const warnBefore = 14 * day
/** How often the provider is asked whether it still knows somebody. */
const askEvery = hour

interface TokenWatchParts {
  readonly engine: Raising
  /** As the settling node changes it. */
  readonly database: Database
  readonly logins: Logins
  readonly keys: Keys
  readonly openid?: Pick<OpenIdProvider, 'stillKnows'> | undefined
  readonly clock: () => number
}

export class TokenWatch {
  readonly #parts: TokenWatchParts
  /** When the provider was last asked, by operator. */
  readonly #asked = new Map<bigint, number>()

  constructor(parts: TokenWatchParts) {
    this.#parts = parts
  }

  async check(): Promise<void> {
    const { logins, database, clock } = this.#parts
    const { tokensById } = await logins.directory.entries()
    const concerned = [...tokensById.values()].filter(({ signedInTime }) => signedInTime !== undefined)
    const now = clock()
    for (const operatorId of new Set(concerned.map((token) => token.operatorId))) {
      const own = concerned.filter((token) => token.operatorId === operatorId)
      const isAbsent = own.some(({ signedInTime = now }) => now - signedInTime >= logins.providerTokenLife)
      if (isAbsent || (await this.#isGone(operatorId, now)))
        await database.transaction((tx) => endTokens(tx, operatorId))
    }
    await this.#warn(now)
  }

  /** Only the provider's refusal counts: one that cannot be reached says nothing about anybody. */
  async #isGone(operatorId: bigint, now: number): Promise<boolean> {
    const { openid, keys, database } = this.#parts
    if (!openid || Math.abs(now - (this.#asked.get(operatorId) ?? 0)) < askEvery) return false
    this.#asked.set(operatorId, now)
    const name = refreshSecret(operatorId)
    const held = await keys.get(name)
    if (!held) return false
    const answer = await openid.stillKnows(held)
    if (answer.next !== undefined && answer.next !== held) {
      const { next } = answer
      await database.transaction((tx) => keys.put(tx, name, next))
    }
    return answer.isKnown === false
  }

  async #warn(now: number): Promise<void> {
    const { engine, database, logins } = this.#parts
    const { tokensById, byId } = await logins.directory.entries()
    const open = await openOwn(database, 'tokenEnding')
    for (const token of tokensById.values()) {
      const left = logins.endOf(token) - now
      if (token.signedInTime === undefined || left <= 0 || left > warnBefore) continue
      const resource = `token=${token.id}`
      if (!open.delete(resource)) {
        const owner = byId.get(token.operatorId)?.name ?? ''
        const text = `The token ${token.id} of ${owner} ends in ${Math.ceil(left / day)} days: let programs use one of a local operator, or ${owner} sign in and make another`
        await raiseOwn(engine, 'tokenEnding', resource, text)
      }
    }
    for (const resource of open) {
      const text = `The token ${resource.slice('token='.length)} has ended, or is valid for longer`
      await recoverOwn(engine, 'tokenEnding', resource, text)
    }
  }
}
