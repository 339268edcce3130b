// Handlers for maintenance windows: their state, ending one early, and a dry run of what one would have suppressed.

import { dryRunWindow as runOnStoredAlarms } from '../../../alarms/suppression/window-dry-run.ts'
import { Fault } from '../../../fault.ts'
import { TimeSlice } from '../../../pacing/time-slice.ts'
import { auditChange } from '../../../resources/access/audit-entry.ts'
import { alarms } from '../../../resources/alarms/alarm.ts'
import { showHits } from '../../../resources/alarms/hits.ts'
import {
  type Maintenance,
  maintenance,
  maintenances,
  showSuppressed,
} from '../../../resources/alarms/maintenance.ts'
import { read, unsaved } from '../../../resources/collection.ts'
import { customViews } from '../../../resources/inventory/custom-view.ts'
import { devices } from '../../../resources/inventory/device.ts'
import { zones } from '../../../resources/inventory/zone.ts'
import { inForce, nextChange, noEnd } from '../../../rules/maintenance-windows.ts'
import { ZoneTime } from '../../../rules/zone-time.ts'
import { readDraft } from '../../../schema/read-document.ts'
import { groups, required, type Shape } from '../../../schema/resource.ts'
import { instant, int, long, text } from '../../../schema/scalar.ts'
import { find, update } from '../../../store/table.ts'
import { type Call, type Handler, readDocument } from '../../call.ts'
import { sendEmpty, sendRecord } from '../../responses.ts'
import { answerList } from '../list-handlers.ts'
import type { RecordOptions } from '../record-handlers.ts'

/** Fills in the state of windows. */
async function show({ database, config, clock }: Call, windows: Maintenance[]): Promise<void> {
  const zone = new ZoneTime(config['time-zone'])
  const now = clock()
  const pace = new TimeSlice()
  for (const window of windows) {
    // The next time of one that comes rarely is searched day by day.
    await pace.step()
    window.active = inForce(window, zone)(now)
    const turn = nextChange(window, zone, now)
    window.activeUntil = window.active ? turn : 0
    window.nextTime = window.active || turn === noEnd ? 0 : turn
  }
  await showSuppressed(database, windows)
  await showHits(database, 'window', windows)
}

export const listWindows: Handler = (call) =>
  answerList(call, maintenances, (_database, records) => show(call, records as Maintenance[]))

export const readWindow: Handler = async (call) => {
  const window = await read(call.database, maintenances, call.id)
  await show(call, [window])
  sendRecord(call.response, call.form, maintenance, window)
}

export const windowOptions: RecordOptions = {
  async warnings(call, id) {
    const window = await read(call.database, maintenances, id)
    const zone = new ZoneTime(call.config['time-zone'])
    const now = call.clock()
    const isOver = !inForce(window, zone)(now) && nextChange(window, zone, now) === noEnd
    const over = isOver ? ['the window is never in force: its times lie in the past or are empty'] : []
    return [...over, ...everywhere(window), ...(await unknownPlaces(call, window))]
  },
}

/** Every event of the field lies below it. */
const internet = '1.3.6.1'

/** A branch that is too short would silence the whole network. */
function everywhere({ event, device, interface: ports, view, zone }: Maintenance): string[] {
  if ([device, ports, view, zone].some((places) => places.length > 0)) return []
  const all = event.filter((oid) => `${internet}.`.startsWith(`${oid}.`))
  return all.map((oid) => `event ${oid} means every event there is, of every device: nothing would be pushed`)
}

async function unknownPlaces({ database }: Call, window: Maintenance): Promise<string[]> {
  const named = [
    ...[...window.device, ...window.interface.map(({ deviceId }) => deviceId)].map(
      (id) => [devices, id] as const,
    ),
    ...window.view.map((id) => [customViews, id] as const),
    ...window.zone.map((id) => [zones, id] as const),
  ]
  const said = new Set<string>()
  for (const [{ table, noun }, id] of named) {
    if (id !== 0n && !(await find(database, table, id))) said.add(`${noun} ${id} does not exist`)
  }
  return [...said]
}

/** One that recurs is over until its regular end, and comes back. */
export const endWindow: Handler = async (call) => {
  const zone = new ZoneTime(call.config['time-zone'])
  await call.database.transaction(async (tx) => {
    const before = (await find(tx, maintenances.table, call.id)) as Maintenance | undefined
    if (!before) throw new Fault('not-found', `maintenance window ${call.id} does not exist`)
    if (!inForce(before, zone)(tx.now)) {
      throw new Fault('conflict', `maintenance window ${call.id} is not in force`)
    }
    const after = { ...before, endedFrom: tx.now, endedUntil: nextChange(before, zone, tx.now) }
    await update(tx, maintenances.table, call.id, before, after)
    await auditChange(tx, 'end', maintenance, call.id, before, after)
  })
  sendEmpty(call.response, 204)
}

export const windowTrialDocument: Shape = {
  name: 'windowTrial',
  fields: {
    examined: required(long),
    covered: required(long),
    suppressed: required(long),
    silent: required(long),
    released: required(long),
    open: required(long),
    alarm: groups({ alarmLevel: required(int()), count: required(long) }),
    example: groups({
      id: required(long),
      faultTime: required(instant),
      OID: required(text()),
      deviceName: required(text(), { absent: 'empty' }),
      alarmDesc: required(text({ maxLength: 10_000 }), { absent: 'empty' }),
    }),
  },
}

export const tryWindow: Handler = async (call) => {
  const { database, config, clock, response } = call
  const draft = readDraft(maintenance, await readDocument(call, maintenance.name), 'create')
  const window = unsaved(maintenances, draft)
  const now = clock()
  // "From now" was never in force before: what counts is the length alone, as if it ended now.
  const span = (window.minutes ?? 0) * 60_000
  Object.assign(window, {
    fromTime: now - span,
    untilTime: span === 0 ? 0 : now,
    endedFrom: 0,
    endedUntil: 0,
  })
  const zone = new ZoneTime(config['time-zone'])
  const { levels, examples, ...counts } = await runOnStoredAlarms(
    database,
    window,
    zone,
    () => response.destroyed,
  )
  const found = await Promise.all(examples.map((id) => find(database, alarms.table, id)))
  sendRecord(response, call.form, windowTrialDocument, {
    ...Object.fromEntries(Object.entries(counts).map(([name, n]) => [name, BigInt(n)])),
    alarm: [...levels].sort(([a], [b]) => a - b).map(([alarmLevel, n]) => ({ alarmLevel, count: BigInt(n) })),
    example: found.filter((record) => record !== undefined),
  })
}
