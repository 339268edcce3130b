// Watches the clock of the store, by which old data is deleted. While it cannot be trusted, because it jumped while a
// service ran or because most nodes differ from it, nothing is deleted because of its age. An alarm says so, until the
// jump is undone or an administrator confirms the clock. Limits by number and size apply meanwhile.

import type { AlarmChanger } from '../../alarms/engine/engine.ts'
import {
  openServiceAlarms,
  raiseServiceAlarm,
  recoverServiceAlarm,
} from '../../alarms/service/service-alarms.ts'
import { listNodes } from '../../cluster/nodes/membership.ts'
import { Fault } from '../../fault.ts'
import { SerialQueue } from '../../pacing/serial-queue.ts'
import { audit } from '../../resources/access/audit-entry.ts'
import type { Database, Reader, Transaction } from '../../store/database.ts'
import { ClockJumps, type MonotonicClocks } from '../checks/clock-jumps.ts'

const minute = 60_000
const hour = 60 * minute
/** Larger jumps are doubtful. */
const jumpLimit = hour
/** A node that differs by more disagrees. */
const offsetLimit = minute

const resource = 'store clock'

interface ClockWatchParts {
  /** Writes only while this node is the leader. */
  readonly database: Database
  readonly alarms: AlarmChanger
  readonly monotonic?: MonotonicClocks | undefined
}

interface Judged {
  readonly now: number
  readonly doubt: string | undefined
}

export class ClockWatch {
  readonly #parts: ClockWatchParts
  readonly #jumps: ClockJumps
  readonly #looks = new SerialQueue()
  /** A jump that was detected but is not recorded in the store yet. */
  #unrecorded = 0
  #mayBeOpen = true

  constructor(parts: ClockWatchParts) {
    this.#parts = parts
    this.#jumps = new ClockJumps(jumpLimit, parts.monotonic)
    // Later calls are compared with this one.
    this.#jumps.look(parts.database.now())
  }

  /** The time relative to which age is measured; while the clock is in doubt, one at which nothing was old yet. */
  async judgingTime(): Promise<number> {
    const { now, doubt } = await this.#look()
    return doubt === undefined ? now : 0
  }

  /** Called about once a second by the leader. */
  async check(): Promise<void> {
    const { database, alarms } = this.#parts
    const { doubt } = await this.#look()
    if (doubt === undefined && !this.#mayBeOpen) return
    this.#mayBeOpen = true
    const isOpen = (await openServiceAlarms(database, 'clockDoubted')).has(resource)
    if (doubt === undefined) {
      const over = "The store's clock is right again, or was confirmed: what is old is deleted"
      if (isOpen) await recoverServiceAlarm(alarms, 'clockDoubted', resource, over)
      this.#mayBeOpen = false
    } else if (!isOpen) {
      const text = `Nothing is deleted because of its age: ${doubt}. Set the clock right, or confirm that it is with PUT /plat/clock/confirm`
      await raiseServiceAlarm(alarms, 'clockDoubted', resource, text)
    }
  }

  /** One after the other: a jump is recorded once, whoever asks meanwhile. */
  #look(): Promise<Judged> {
    return this.#looks.run(() => this.#lookNow())
  }

  async #lookNow(): Promise<Judged> {
    const { database } = this.#parts
    const now = database.now()
    this.#unrecorded += this.#jumps.look(now)
    if (this.#unrecorded !== 0) {
      await database.transaction((tx) => addJump(tx, this.#unrecorded, now))
      this.#unrecorded = 0
    }
    const found = await readDoubts(database)
    if (isUndone(found, now)) await database.transaction((tx) => write(tx, { ...found, jump: 0 }))
    if (found.trusted && !found.differing)
      await database.transaction((tx) => write(tx, { ...found, trusted: false }))
    return { now, doubt: doubtOf(found, now) }
  }
}

interface Doubts {
  readonly jump: number
  readonly jumpedTo: number
  readonly trusted: boolean
  /** How many nodes differ, of how many, if most do. */
  readonly differing: string | undefined
}

async function readDoubts(reader: Reader): Promise<Doubts> {
  const [row] = await reader.all('select jump, jumped_to, trusted from store_clock where one = 1')
  const nodes = (await listNodes(reader)).filter(({ stopped, gone }) => !stopped && !gone)
  const far = nodes.filter(({ clockOffset }) => Math.abs(clockOffset) > offsetLimit).length
  return {
    jump: Number(row?.jump ?? 0n),
    jumpedTo: Number(row?.jumped_to ?? 0n),
    trusted: row?.trusted === 1n,
    differing: far * 2 > nodes.length ? `${far} of ${nodes.length}` : undefined,
  }
}

/** The clock may have been set back while no service ran. */
const isUndone = ({ jump, jumpedTo }: Doubts, now: number) => jump > 0 && now < jumpedTo - jumpLimit

/** Why the clock is in doubt; undefined if it is not. */
function doubtOf(doubts: Doubts, now: number): string | undefined {
  const { jump, jumpedTo, trusted, differing } = doubts
  if (jump !== 0 && !isUndone(doubts, now)) {
    const way = jump > 0 ? 'ahead' : 'back'
    return `the store's clock jumped ${lengthOf(Math.abs(jump))} ${way}, to ${new Date(jumpedTo).toISOString()}`
  }
  if (differing === undefined || trusted) return undefined
  return `the clocks of ${differing} nodes differ by more than a minute from the store's`
}

function lengthOf(milliseconds: number): string {
  const hours = milliseconds / hour
  return hours < 48 ? `${hours.toFixed(1)} hours` : `${(hours / 24).toFixed(1)} days`
}

/** Adds a jump to those that are recorded: a jump back undoes a jump ahead. */
async function addJump(tx: Transaction, by: number, now: number): Promise<void> {
  const before = await readDoubts(tx)
  const sum = Math.round(before.jump + by)
  await write(tx, { ...before, jump: Math.abs(sum) <= jumpLimit ? 0 : sum, jumpedTo: now })
}

async function write(tx: Transaction, { jump, jumpedTo, trusted }: Omit<Doubts, 'differing'>): Promise<void> {
  await tx.run(
    'insert into store_clock (one, jump, jumped_to, trusted) values (1, ?, ?, ?) on conflict (one) do update set jump = excluded.jump, jumped_to = excluded.jumped_to, trusted = excluded.trusted',
    [jump, jumpedTo, trusted ? 1 : 0],
  )
}

/** Why nothing is deleted because of its age; undefined if that is not so. */
export const clockDoubt = async (database: Database): Promise<string | undefined> =>
  doubtOf(await readDoubts(database), database.now())

/** Called when an administrator confirms that the clock is right. */
export async function confirmClock(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    const found = await readDoubts(tx)
    const doubt = doubtOf(found, tx.now)
    if (doubt === undefined)
      throw new Fault('conflict', "the store's clock is not in doubt: there is nothing to confirm")
    await write(tx, { jump: 0, jumpedTo: found.jumpedTo, trusted: found.differing !== undefined })
    await audit(tx, { action: 'confirm', resource: 'clock', detail: doubt })
  })
}
