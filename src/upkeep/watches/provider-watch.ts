// Watches operators who sign in through an identity provider: their tokens and sessions end when the provider refuses
// them, and an alarm announces the end of a token two weeks ahead.

import type { Logger } from 'pino'
import type { Logins } from '../../access/logins.ts'
import type { OpenIdProvider } from '../../access/openid-provider.ts'
import type { AlarmChanger } from '../../alarms/engine/engine.ts'
import {
  openServiceAlarms,
  raiseServiceAlarm,
  recoverServiceAlarm,
} from '../../alarms/service/service-alarms.ts'
import type { Keys } from '../../keys/key-ring.ts'
import { refreshSecret } from '../../resources/access/identity.ts'
import { endAccess, endTokens } from '../../resources/access/operator.ts'
import type { Database } from '../../store/database.ts'

const hour = 3_600_000
const day = 24 * hour
const warnBefore = 14 * day
/**
 * How often the provider is asked about an operator. With many providers, a refresh token expires if it is not used for
 * half an hour.
 */
const askEvery = hour / 4

interface ProviderWatchParts {
  readonly engine: AlarmChanger
  /** Writes only while this node is the leader. */
  readonly database: Database
  readonly logins: Logins
  readonly keys: Keys
  readonly openid?: Pick<OpenIdProvider, 'stillKnows'> | undefined
  readonly clock: () => number
  readonly log: Pick<Logger, 'info'>
}

export class ProviderWatch {
  readonly #parts: ProviderWatchParts
  /** When the provider was last asked, by operator. */
  readonly #asked = new Map<bigint, number>()

  constructor(parts: ProviderWatchParts) {
    this.#parts = parts
  }

  async check(): Promise<void> {
    const { logins, database, clock } = this.#parts
    const { tokensById, sessionsById, byId } = await logins.directory.entries()
    const holders = new Set(
      [...tokensById.values(), ...sessionsById.values()].map(({ operatorId }) => operatorId),
    )
    const now = clock()
    for (const operatorId of holders) {
      // The others sign in with a password.
      if (byId.get(operatorId)?.password !== undefined) continue
      const tokens = [...tokensById.values()].filter((token) => token.operatorId === operatorId)
      if (tokens.some(({ signedInTime = now }) => now - signedInTime >= logins.providerTokenLife))
        await database.transaction((tx) => endTokens(tx, operatorId))
      await this.#ask(operatorId, now)
    }
    for (const operatorId of this.#asked.keys()) if (!holders.has(operatorId)) this.#asked.delete(operatorId)
    await this.#warn(now)
  }

  /** Only a refusal counts: that the provider cannot be reached says nothing about the operator. */
  async #ask(operatorId: bigint, now: number): Promise<void> {
    const { openid, keys, database, log } = this.#parts
    if (!openid || Math.abs(now - (this.#asked.get(operatorId) ?? 0)) < askEvery) return
    this.#asked.set(operatorId, now)
    const name = refreshSecret(operatorId)
    const held = await keys.get(name)
    if (held === undefined) return
    const { isKnown, next = held } = await openid.stillKnows(held)
    if (isKnown !== false && next === held) return
    const isEnded = await database.transaction(async (tx) => {
      // The operator may have signed in meanwhile, with a new refresh token.
      if ((await keys.get(name, tx)) !== held) return false
      if (isKnown === false) await endAccess(tx, operatorId)
      else await keys.put(tx, name, next)
      return isKnown === false
    })
    if (isEnded) log.info({ operatorId }, 'the provider refuses an operator: sessions and tokens have ended')
  }

  async #warn(now: number): Promise<void> {
    const { engine, database, logins } = this.#parts
    const { tokensById, byId } = await logins.directory.entries()
    const open = await openServiceAlarms(database, 'tokenEnding')
    for (const token of tokensById.values()) {
      const left = logins.endOf(token) - now
      if (token.signedInTime === undefined || left <= 0 || left > warnBefore) continue
      const resource = `token=${token.id}`
      if (!open.delete(resource)) {
        const owner = byId.get(token.operatorId)?.name ?? ''
        const text = `The token ${token.id} of ${owner} ends in ${Math.ceil(left / day)} days: let programs use one of a local operator, or ${owner} sign in and make another`
        await raiseServiceAlarm(engine, 'tokenEnding', resource, text)
      }
    }
    for (const resource of open) {
      const text = `The token ${resource.slice('token='.length)} has ended, or is valid for longer`
      await recoverServiceAlarm(engine, 'tokenEnding', resource, text)
    }
  }
}
