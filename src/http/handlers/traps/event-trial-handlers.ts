// Handlers on the way from a trap to a definition: a proposal for a stored trap, a test of definitions on traps, and
// relabelling alarms that were raised before.

import { relabelAlarms } from '../../../alarms/actions/relabel.ts'
import type { KnownDevice } from '../../../alarms/engine/device-directory.ts'
import { deviceOf } from '../../../alarms/engine/event-dry-run.ts'
import { type PlayedTrap, playTraps } from '../../../alarms/engine/event-test.ts'
import { EventCatalog, EventDefinition } from '../../../events/event-catalog.ts'
import { proposeForTrap } from '../../../events/trap-proposal.ts'
import { Fault } from '../../../fault.ts'
import { TimeSlice } from '../../../pacing/time-slice.ts'
import { type TrapRecord, traps } from '../../../resources/alarms/trap.ts'
import { otherSpelling, type TrapEvent, trapEvent, trapEvents } from '../../../resources/alarms/trap-event.ts'
import { read, unsaved } from '../../../resources/collection.ts'
import { deviceAt } from '../../../resources/inventory/device.ts'
import { readDraft } from '../../../schema/read-document.ts'
import { groups, optional, required, resource, type Shape, set } from '../../../schema/resource.ts'
import { bool, int, ip, long, oid, oidLength, text } from '../../../schema/scalar.ts'
import type { Reader } from '../../../store/database.ts'
import { allWithValues } from '../../../store/where.ts'
import { type Call, type Handler, readDocument } from '../../call.ts'
import { sendRecord } from '../../responses.ts'
import { answerRows, sendRows } from '../list-handlers.ts'

const { id: _id, source: _source, ...definition } = trapEvent.fields
const word = text({ maxLength: 100 })

export const trapProposalDocument: Shape = {
  name: 'trapProposal',
  fields: {
    /** Where it comes from: definition, catalogue, module, or the trap itself. */
    basis: required(word),
    confidence: required(word),
    reason: required(text({ maxLength: 2000 })),
    ...definition,
  },
}

export const proposeDefinition: Handler = async (call) => {
  const { database, modules, proposals } = call
  const trap = (await read(database, traps, call.id)) as TrapRecord
  if (trap.OID === '')
    throw new Fault(
      'not-found',
      `trap ${trap.id} was not read (${trap.bin}: ${trap.reason}): it has no event`,
    )
  await modules.vendors.open()
  const found = proposeForTrap(trap, {
    defined: await definitionOf(database, trap.OID),
    vendors: modules.vendors,
    proposals: await proposals.current(),
    library: await modules.refresh(),
  })
  answerRows(
    call,
    trapProposalDocument,
    found.map(({ event, ...about }) => ({ ...event, ...about })),
  )
}

async function definitionOf(reader: Reader, eventOid: string): Promise<TrapEvent | undefined> {
  const { form, name } = trapEvents.table
  const [row] = await reader.all(`select ${form.names} from ${name} where event_oid in (?, ?)`, [
    eventOid,
    otherSpelling(eventOid),
  ])
  return row && (form.toRecord(row) as TrapEvent)
}

/** The most traps and definitions of one test. */
const testedLimit = 1000

/** What to test. */
export const eventTest = resource(
  'eventTest',
  {
    /** Definitions that count before those of the store. */
    trapEvent: groups(definition),
    /** Traps that are not stored, and stored ones, by id or the newest. */
    trap: groups({
      OID: required(oid),
      sourceIp: optional(ip),
      variables: groups({
        oid: required(oid),
        type: optional(word),
        name: optional(text({ maxLength: oidLength })),
        value: optional(text({ maxLength: 100_000 })),
      }),
    }),
    trapId: set(long),
    newest: optional(int({ min: 1, max: testedLimit })),
  },
  // Never stored.
  { table: '', key: 'newest' },
)

export const eventTestDocument = {
  name: 'testedTrap',
  fields: {
    /** 0 where it is not a stored one. */
    trapId: required(long),
    OID: required(oid),
    eventName: required(text()),
    isDefined: required(bool),
    outcome: required(word),
    alarmLevel: required(int()),
    resource: required(text({ maxLength: 300 }), { absent: 'empty' }),
    alarmDesc: required(text({ maxLength: 10_000 }), { absent: 'empty' }),
    /** The places, from 1, of the traps whose alarm it repeats or ends. */
    alarm: set(int()),
  },
}

export const testEvents: Handler = async (call) => {
  const { database, modules, config, clock } = call
  const asked = readDraft(eventTest, await readDocument(call, eventTest.name), 'create')
  const [drafts, given, ids] = [asked.trapEvent ?? [], asked.trap ?? [], asked.trapId ?? []]
  for (const [field, some] of Object.entries({ trapEvent: drafts, trap: given, trapId: ids }))
    if (some.length > testedLimit)
      throw new Fault('invalid', `${field}: ${some.length} are too many: expected ${testedLimit} at most`, {
        field,
      })
  const tried: EventDefinition[] = []
  const timeSlice = new TimeSlice()
  for (const draft of drafts) {
    await timeSlice.step()
    tried.push(new EventDefinition(unsaved(trapEvents, draft)))
  }
  const catalog = new EventCatalog(database, modules)
  await catalog.refresh(database)
  catalog.preferTried(tried)
  const played: PlayedTrap[] = []
  const devices = new Map<string, KnownDevice>()
  for (const one of await storedTraps(call, ids, asked.newest ?? 0))
    played.push(await playedOf(database, one, devices))
  for (const { OID, sourceIp, variables = [] } of given) {
    const address = sourceIp ?? '127.0.0.1'
    const deviceId = (await deviceAt(database, address)) ?? 0n
    const sent = { id: 0n, OID, sourceIp: address, deviceId, receivedTime: clock(), variables }
    played.push(await playedOf(database, sent, devices))
  }
  const play = () => playTraps(played, catalog, config['unknown-traps'])
  const outcomes = await call.memory.dryRuns.run(play)
  sendRows(
    call,
    eventTestDocument,
    outcomes.map(({ alarms, ...one }) => ({ ...one, alarm: [...alarms] })),
  )
}

type Sent = Pick<TrapRecord, 'id' | 'OID' | 'sourceIp' | 'deviceId' | 'receivedTime'> & {
  readonly variables: readonly {
    readonly oid: string
    readonly type?: string | null
    readonly value?: string | null
  }[]
}

/** With its device, each of which is read once. */
async function playedOf(reader: Reader, sent: Sent, devices: Map<string, KnownDevice>): Promise<PlayedTrap> {
  const { id, OID, sourceIp, deviceId, receivedTime, variables } = sent
  const key = `${deviceId} ${sourceIp}`
  const device = devices.get(key) ?? (await deviceOf(reader, sent))
  devices.set(key, device)
  return {
    ...{ id, oid: OID, sourceIp, device, receivedAt: receivedTime },
    variables: variables.map(({ oid: of, type, value }) => ({
      oid: of,
      type: type ?? '',
      value: value ?? '',
    })),
  }
}

/** Those with these ids, and the newest, the oldest first. */
async function storedTraps(
  { database }: Call,
  ids: readonly bigint[],
  newest: number,
): Promise<TrapRecord[]> {
  const { form, name } = traps.table
  const rowsById = await allWithValues(
    database,
    ids,
    (marks) => `select ${form.names} from ${name} where id in (${marks})`,
  )
  const named = rowsById.map((row) => form.toRecord(row) as TrapRecord)
  const found = new Set(named.map(({ id }) => id))
  const missing = ids.find((id) => !found.has(id))
  if (missing !== undefined)
    throw new Fault('invalid', `trapId: trap ${missing} is not stored, or no longer`, { field: 'trapId' })
  const rows =
    newest === 0
      ? []
      : await database.readInBackground(`select ${form.names} from ${name} order by id desc limit ?`, [
          newest,
        ])
  const all = [...named, ...rows.map((row) => form.toRecord(row) as TrapRecord)]
  const unique = [...new Map(all.map((one) => [one.id, one])).values()].sort((a, b) => Number(a.id - b.id))
  return unique.filter(({ OID, version }) => OID !== '' && version !== 'syslog')
}

export const relabelDocument = {
  name: 'relabelled',
  fields: {
    /** Alarms that were raised anew, that were only ended, and whose trap is no longer kept. */
    raised: required(long),
    ended: required(long),
    left: required(long),
  },
}

export const relabelEvent: Handler = async (call) => {
  const { database, engine, modules, caller } = call
  const { eventOid } = (await read(database, trapEvents, call.id)) as TrapEvent
  const { raised, ended, left } = await relabelAlarms(engine, database, modules, eventOid, caller.name)
  sendRecord(call.response, call.form, relabelDocument, {
    raised: BigInt(raised),
    ended: BigInt(ended),
    left: BigInt(left),
  })
}
