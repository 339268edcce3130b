// Alarms that programs raise. Those of requests that wait one after the other are raised in one transaction, like a block
// of traps: its costs are shared. Each request keeps its place among all that write, its actor, its entries in the audit
// log and its outcome.

import { Fault } from '../../fault.ts'
import { type AuditFacts, auditEach, changeFacts } from '../../resources/access/audit-entry.ts'
import { alarm, fromService, type Origin, type raisedAlarm } from '../../resources/alarms/alarm.ts'
import { isOutOfReach } from '../../resources/alarms/trap-event.ts'
import { deviceAt, devices } from '../../resources/inventory/device.ts'
import type { DraftOf, RecordOf } from '../../schema/resource.ts'
import { defaultSpace, inSpace } from '../../schema/space.ts'
import type { Actor, Database, Transaction } from '../../store/database.ts'
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
const maxAlarms = 200
const maxRequests = 64

/** Requests that are raised together; until its turn has come, others may join. */
class Block {
  readonly requests: Waiting[] = []
  /** How many transactions had been asked for when this one was. */
  place = 0
  hasBegun = false
  #alarms = 0

  add(request: Waiting): void {
    this.requests.push(request)
    this.#alarms += request.drafts.length
  }

  hasRoom({ drafts }: Request): boolean {
    return !this.hasBegun && this.requests.length < maxRequests && this.#alarms + drafts.length <= maxAlarms
  }
}

export class ProgramAlarms {
  readonly #engine: Pick<AlarmEngine, 'change'>
  readonly #store: Pick<Database, 'requested'>
  #last = new Block()

  constructor(engine: Pick<AlarmEngine, 'change'>, store: Pick<Database, 'requested'>) {
    this.#engine = engine
    this.#store = store
    this.#last.hasBegun = true
  }

  /** What became of each alarm, in order, when it is durable. */
  raise(drafts: readonly ProgramDraft[], actor?: Actor): Promise<readonly Raised[]> {
    const { promise, ...answer } = Promise.withResolvers<readonly Raised[]>()
    const request: Waiting = { drafts, actor, ...answer }
    const last = this.#last
    // Not where anything else has been asked for since: that comes between them.
    if (last.hasRoom(request) && last.place === this.#store.requested) last.add(request)
    else {
      this.#last = new Block()
      this.#last.add(request)
      void this.#raiseTogether(this.#last)
    }
    return promise
  }

  async #raiseTogether(block: Block): Promise<void> {
    const { requests } = block
    let isDecided = false
    let isReplaced = false
    const onUndone = (error: unknown) => {
      if (requests.length === 1 || isDecided || isFailureOfStore(error)) return
      isReplaced = true
      this.#raiseEach(requests)
    }
    const raising = this.#engine.change(
      async (changes, tx) => {
        block.hasBegun = true
        const raised = await raiseInOrder(changes, tx, requests)
        isDecided = true
        return raised
      },
      undefined,
      { onUndone },
    )
    block.place = this.#store.requested
    try {
      const raised = await raising
      for (const [index, { resolve }] of requests.entries()) resolve(raised[index] ?? [])
    } catch (error) {
      // It may never have had its turn.
      block.hasBegun = true
      if (!isReplaced) for (const { reject } of requests) reject(error)
    }
  }

  /** One of them has failed, and with it the block, of which nothing is left: only that one fails now. */
  #raiseEach(requests: readonly Waiting[]): void {
    for (const { drafts, actor, resolve, reject } of requests) {
      raiseTogether(this.#engine, { drafts, actor }).then(resolve, reject)
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

  async #deviceOf({ deviceId, deviceIp, space }: ProgramDraft): Promise<typeof serviceDevice> {
    if (!deviceId && !deviceIp) return serviceDevice
    const key = `${deviceId} ${inSpace(deviceIp ?? '', space)}`
    const known = this.#devices.get(key)
    if (known) return known
    const device = await deviceOf(this.#tx, deviceId || null, deviceIp ?? null, space ?? defaultSpace)
    this.#devices.set(key, device)
    return device
  }
}

/** Finds the device by its id or, without one, by its address and space. */
async function deviceOf(
  tx: Transaction,
  id: bigint | null,
  address: string | null,
  space: number,
): Promise<typeof serviceDevice> {
  const found = id ?? (address === null ? null : await deviceAt(tx, address, space))
  // An alarm without a device is told from others by its address alone.
  if (found === null && space !== defaultSpace)
    throw new Fault('invalid', `no device of space ${space} has the address ${address}`, { field: 'space' })
  if (found === null) return address === null ? serviceDevice : { id: 0n, ip: address, name: address }
  const record = (await find(tx, devices.table, found)) as Device | undefined
  // Device ids are not checked anywhere in the API; an unknown one is stored as sent.
  if (!record) return { id: found, ip: address ?? '', name: '' }
  return { id: found, ip: record.ip, name: record.label }
}
