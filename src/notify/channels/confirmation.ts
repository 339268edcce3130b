// Confirms addresses: a code is sent to the address, and whoever has received it enters it. Until then nothing else is sent
// there, so that nobody is told of alarms by mistake, or by malice.

import { randomInt, timingSafeEqual } from 'node:crypto'
import { Fault } from '../../fault.ts'
import type { Keys } from '../../keys/key-ring.ts'
import { audit } from '../../resources/access/audit-entry.ts'
import { type Channel, channel, confirm, keepCode, sentCode } from '../../resources/notify/channel.ts'
import { readActingContact } from '../../resources/notify/contact.ts'
import type { Database, Transaction } from '../../store/database.ts'
import type { Message, SendResult } from '../message.ts'
import type { Senders } from './senders.ts'

const minute = 60_000
const hour = 60 * minute
const codeLimits = { life: 15 * minute, tries: 5, perChannel: 5, perContact: 20 } as const
const digits = 8

const newCode = () => String(randomInt(10 ** digits)).padStart(digits, '0')

interface ConfirmationParts {
  readonly keys: Keys
  readonly senders: Senders
  readonly clock: () => number
}

export class Confirmations {
  readonly #parts: ConfirmationParts

  constructor(parts: ConfirmationParts) {
    this.#parts = parts
  }

  /** Sends a new code; one that was sent before is no longer accepted. The database acts for the caller. */
  async sendCode(database: Database, { id, contactId }: Channel, signal: AbortSignal): Promise<SendResult> {
    if (contactId === null)
      throw new Fault(
        'conflict',
        `channel ${id} belongs to nobody: an administrator confirms it without a code`,
      )
    const code = newCode()
    await database.transaction(async (tx) => {
      await countCode(tx, contactId)
      const before = await sentCode(tx, id)
      const isRecent = tx.now - before.since < hour
      if (isRecent && before.sent >= codeLimits.perChannel)
        throw new Fault(
          'too-many-requests',
          `${codeLimits.perChannel} codes were sent within an hour: try again later`,
        )
      await keepCode(tx, id, {
        digest: await this.#digest(tx, id, code),
        until: tx.now + codeLimits.life,
        tries: 0,
        sent: isRecent ? before.sent + 1 : 1,
        since: isRecent ? before.since : tx.now,
      })
      await audit(tx, { action: 'sendCode', resource: channel.name, id })
    })
    return this.#parts.senders.send(id, codeMessage(id, code, this.#parts.clock()), signal)
  }

  /** With the code that was sent; a channel of nobody is confirmed by an administrator without one. */
  async confirm(database: Database, { id, contactId }: Channel, code: string): Promise<void> {
    const objection = await database.transaction(async (tx) => {
      const found = contactId === null ? undefined : await this.#objectionTo(tx, id, code)
      if (found === undefined) await confirm(tx, id)
      await audit(tx, {
        action: found === undefined ? 'confirm' : 'confirmRefused',
        resource: channel.name,
        id,
      })
      return found
    })
    // The attempt counts, so it is thrown only now.
    if (objection !== undefined) throw objection
  }

  async #objectionTo(tx: Transaction, id: bigint, code: string): Promise<Fault | undefined> {
    const field = 'code'
    const sent = await sentCode(tx, id)
    if (sent.digest === '' || tx.now > sent.until || sent.tries >= codeLimits.tries)
      return new Fault('conflict', `no code is awaited for channel ${id}: send a new one first`, { field })
    const [given, expected] = [await this.#digest(tx, id, code.trim()), sent.digest].map((one) =>
      Buffer.from(one),
    )
    if (given && expected && given.length === expected.length && timingSafeEqual(given, expected))
      return undefined
    await keepCode(tx, id, { ...sent, tries: sent.tries + 1 })
    return new Fault('invalid', `this is not the code that was sent: expected ${digits} digits`, { field })
  }

  async #digest(tx: Transaction, id: bigint, code: string): Promise<string> {
    const key = await this.#parts.keys.current(tx)
    if (!key) throw new Fault('unavailable', 'the key that is in use is not in the key file of this node')
    return key.digest(`channel ${id}`, code)
  }
}

/** In the store, which all nodes share. */
async function countCode(tx: Transaction, contactId: bigint): Promise<void> {
  await tx.run('delete from confirmation_quota where since <= ? or since > ?', [tx.now - hour, tx.now])
  const operator = (await readActingContact(tx, contactId))?.operator
  const holder = operator ? `operator ${operator.id}` : `contact ${contactId}`
  const [row] = await tx.all('select sent from confirmation_quota where holder = ?', [holder])
  if (Number(row?.sent ?? 0) >= codeLimits.perContact)
    throw new Fault('too-many-requests', 'too many codes were sent within an hour: try again later')
  await tx.run(
    `insert into confirmation_quota (holder, sent, since) values (?, 1, ?)
     on conflict (holder) do update set sent = confirmation_quota.sent + 1`,
    [holder, tx.now],
  )
}

const plainMessage = { alarm: undefined, children: 0, links: [], earlier: undefined } as const

const codeMessage = (id: bigint, code: string, now: number): Message => ({
  ...plainMessage,
  id: `code-${id}-${now}`,
  incident: `code-${id}-${now}`,
  change: 'confirmation',
  title: `Belfry: ${code} is your code`,
  text: `Enter the code ${code} to receive alarms at this address. It is valid for ${codeLimits.life / minute} minutes. If you did not ask for it, ignore this message.`,
})

/** What a test sends. */
export const testMessage = (name: string, now: number): Message => ({
  ...plainMessage,
  id: `test-${now}`,
  incident: `test-${now}`,
  change: 'test',
  title: 'Belfry: a test',
  text: `${name} has sent this test. Alarms will look like it.`,
})
