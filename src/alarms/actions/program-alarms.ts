// Alarms that programs raise. Those of requests that wait at the same time are raised in one transaction, like a block of
// traps: its costs, and its flush, are shared. Each request keeps its actor, its entries in the audit log and its outcome.

import { setImmediate as nextRound } from 'node:timers/promises'
import { Fault } from '../../fault.ts'
import { type AuditFacts, auditEach, changeFacts } from '../../resources/access/audit-entry.ts'
import { alarm, fromService, type Origin, type raisedAlarm } from '../../resources/alarms/alarm.ts'
import { isOutOfReach } from '../../resources/alarms/trap-event.ts'
import { deviceAt, devices } from '../../resources/inventory/device.ts'
import type { DraftOf, RecordOf } from '../../schema/resource.ts'
import type { Actor, Transaction } from '../../store/database.ts'
import { find } from '../../store/table.ts'
import type { AlarmChanges } from '../engine/alarm-changes.ts'
import { type AlarmDraft, Identity } from '../engine/alarm-draft.ts'
import type { AlarmEngine } from '../engine/engine.ts'
import { meansOutOfReach, otherCategory } from '../engine/trap-meaning.ts'
import { serviceDevice } from '../service/service-alarms.ts'

type Device = RecordOf<typeof devices.resource.fields>
export type ProgramDraft = DraftOf<typeof raisedAlarm.fields>

export interface Raised {
  readonly id: bigint
  /** False if such an alarm was open already and has been repeated. */
  readonly isNew: boolean
}

/**
 * The alarms of one request, each about a device it names, or about none: all of them are raised or, where one is
 * refused, none. One that is open already, also by one before it in the list, is repeated.
 */
interface Request {
  readonly drafts: readonly ProgramDraft[]
  readonly actor: Actor | undefined
}

interface Waiting extends Request {
  resolve(raised: readonly Raised[]): void
  reject(error: unknown): void
}

/** Alarms and requests of one transaction, for which others wait; a single request may have more alarms. */
const mostAlarms = 200
const mostRequests = 64

export class ProgramAlarms {
  readonly #engine: Pick<AlarmEngine, 'change'>
  readonly #waiting: Waiting[] = []
  #isRaising = false

  constructor(engine: Pick<AlarmEngine, 'change'>) {
    this.#engine = engine
  }

  /** What became of each alarm, in order, when it is durable. */
  raise(drafts: readonly ProgramDraft[], actor?: Actor): Promise<readonly Raised[]> {
    const { promise, ...answer } = Promise.withResolvers<readonly Raised[]>()
    this.#waiting.push({ drafts, actor, ...answer })
    if (!this.#isRaising) void this.#raiseAll()
    return promise
  }

  /** One block at a time. Nobody waits for company: a block has those that were read in the same round, or came since. */
  async #raiseAll(): Promise<void> {
    this.#isRaising = true
    while (this.#waiting.length > 0) {
      await nextRound()
      await this.#raiseBlock()
    }
    this.#isRaising = false
  }

  async #raiseBlock(): Promise<void> {
    let block: Waiting[] = []
    let isDecided = false
    try {
      const raised = await this.#engine.change(async (changes, tx) => {
        block = this.#take()
        const raised = await raiseInOrder(changes, tx, block)
        isDecided = true
        return raised
      })
      for (const [index, { resolve }] of block.entries()) resolve(raised[index] ?? [])
    } catch (error) {
      // Before its turn had come.
      if (block.length === 0) block = this.#take()
      if (block.length === 1 || isDecided || isFailureOfStore(error)) {
        for (const { reject } of block) reject(error)
      } else await this.#raiseEach(block)
    }
  }

  #take(): Waiting[] {
    let alarms = 0
    let requests = 0
    for (const { drafts } of this.#waiting) {
      alarms += drafts.length
      if (requests > 0 && (alarms > mostAlarms || requests >= mostRequests)) break
      requests += 1
    }
    return this.#waiting.splice(0, requests)
  }

  /** One of them has failed, and with it the block, of which nothing is left: only that one fails now. */
  async #raiseEach(block: readonly Waiting[]): Promise<void> {
    for (const { drafts, actor, resolve, reject } of block) {
      await raiseTogether(this.#engine, { drafts, actor }).then(resolve, reject)
    }
  }
}

/** All of them would fail in the same way. */
const isFailureOfStore = (error: unknown) => error instanceof Fault && error.code === 'unavailable'

/** Raises the alarms of one request, in a transaction of its own. */
async function raiseTogether(
  engine: Pick<AlarmEngine, 'change'>,
  { drafts, actor }: Request,
): Promise<readonly Raised[]> {
  const [raised] = await engine.change(
    (changes, tx) => raiseInOrder(changes, tx, [{ drafts, actor: actor ?? tx.actor }]),
    actor,
  )
  return raised ?? []
}

/** Raises one alarm in a transaction of its own. */
export async function raiseByProgram(
  engine: Pick<AlarmEngine, 'change'>,
  draft: ProgramDraft,
): Promise<Raised> {
  const [raised] = await raiseTogether(engine, { drafts: [draft], actor: undefined })
  return raised as Raised
}

/** What became of the alarms of each request, as if it had been alone: each sees what those before it have done. */
async function raiseInOrder(
  changes: AlarmChanges,
  tx: Transaction,
  requests: readonly Request[],
): Promise<Raised[][]> {
  const meanings = new Meanings(tx)
  const faults: AlarmDraft[][] = []
  for (const { drafts } of requests) faults.push(await meanings.faultsOf(drafts))
  await changes.gather(faults.flat())
  const audited: (AuditFacts & { readonly actor: Actor })[] = []
  const raised = requests.map(({ actor }, index) => {
    const done = (faults[index] ?? []).map((fault) => raiseOrRepeat(changes, fault))
    // Before the next one changes them again.
    if (actor) audited.push(...done.map((one) => ({ ...factsOf(changes, one), actor })))
    return done
  })
  await changes.write()
  await auditEach(tx, audited)
  return raised
}

function raiseOrRepeat(changes: AlarmChanges, fault: AlarmDraft): Raised {
  const { identity, alarmLevel, at } = fault
  const isNew = changes.openAlarm(identity) === undefined
  return { id: isNew ? changes.raise(fault) : changes.repeat(identity, alarmLevel, at), isNew }
}

function factsOf(changes: AlarmChanges, { id, isNew }: Raised): AuditFacts {
  if (!isNew) return { action: 'repeat', resource: alarm.name, id }
  return changeFacts('raise', alarm, id, undefined, changes.alarm(id))
}

/** What drafts mean, by what the store has of their devices and events; each is read once. */
class Meanings {
  readonly #tx: Transaction
  readonly #devices = new Map<string, typeof serviceDevice>()
  readonly #outOfReach = new Map<string, boolean>()

  constructor(tx: Transaction) {
    this.#tx = tx
  }

  async faultsOf(drafts: readonly ProgramDraft[]): Promise<AlarmDraft[]> {
    const faults: AlarmDraft[] = []
    for (const draft of drafts) faults.push(await this.#faultOf(draft))
    return faults
  }

  async #faultOf(draft: ProgramDraft): Promise<AlarmDraft> {
    const device = await this.#deviceOf(draft)
    const OID = draft.OID ?? ''
    const deviceIp = draft.deviceIp ?? device.ip
    const alarmCategory = draft.alarmCategory ?? otherCategory
    return {
      identity: new Identity(device.id, deviceIp, draft.resource ?? '', OID),
      OID,
      eventName: OID,
      originalType: (draft.originalType ?? fromService) as Origin,
      deviceIp,
      deviceName: draft.deviceName ?? device.name,
      alarmLevel: draft.alarmLevel ?? 0,
      alarmCategory,
      alarmDesc: draft.alarmDesc ?? '',
      paras: draft.paras ?? '',
      ifIndex: draft.ifIndex ?? null,
      ifDesc: draft.ifDesc ?? null,
      outOfReach: meansOutOfReach(await this.#isOutOfReach(OID), alarmCategory, draft.ifIndex ?? null),
      at: this.#tx.now,
    }
  }

  async #isOutOfReach(OID: string): Promise<boolean> {
    const known = this.#outOfReach.get(OID)
    if (known !== undefined) return known
    const found = await isOutOfReach(this.#tx, OID)
    this.#outOfReach.set(OID, found)
    return found
  }

  async #deviceOf({ deviceId, deviceIp }: ProgramDraft): Promise<typeof serviceDevice> {
    if (!deviceId && !deviceIp) return serviceDevice
    const key = `${deviceId} ${deviceIp}`
    const known = this.#devices.get(key)
    if (known) return known
    const device = await deviceOf(this.#tx, deviceId || null, deviceIp ?? null)
    this.#devices.set(key, device)
    return device
  }
}

/** Finds the device by its id or, without one, by its address. */
async function deviceOf(
  tx: Transaction,
  id: bigint | null,
  address: string | null,
): Promise<typeof serviceDevice> {
  const found = id ?? (address === null ? null : await deviceAt(tx, address))
  if (found === null) return address === null ? serviceDevice : { id: 0n, ip: address, name: address }
  const record = (await find(tx, devices.table, found)) as Device | undefined
  // Device ids are not checked anywhere in the API; an unknown one is stored as sent.
  if (!record) return { id: found, ip: address ?? '', name: '' }
  return { id: found, ip: record.ip, name: record.label }
}
