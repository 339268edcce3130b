// Relabels open alarms that were raised before their event had a definition: each is ended, and raised anew as the
// definition says, with its time, its repetitions and what people did with it.

import { EventCatalog } from '../../events/event-catalog.ts'
import type { MibLibrary } from '../../events/mib-library.ts'
import type { Alarm } from '../../resources/alarms/alarm.ts'
import { type TrapRecord, traps } from '../../resources/alarms/trap.ts'
import { otherSpelling } from '../../resources/alarms/trap-event.ts'
import type { Database, Reader } from '../../store/database.ts'
import { find } from '../../store/table.ts'
import type { AlarmChanges } from '../engine/alarm-changes.ts'
import { type AlarmDraft, identityOfAlarm } from '../engine/alarm-draft.ts'
import { deviceOf } from '../engine/event-dry-run.ts'
import { draftOf, meaningOf } from '../engine/trap-meaning.ts'
import { type AlarmWriter, auditAlarm, recoverByOperator } from './alarm-actions.ts'

export interface Relabelled {
  /** Raised anew under the definition, and ended because the definition raises none. */
  raised: number
  ended: number
  /** Left as they are, because the trap that raised them is no longer kept. */
  left: number
}

/** Alarms in one transaction; other transactions wait for it. */
const batchSize = 50

const relabelReason = 'its event has got a definition'

export async function relabelAlarms(
  engine: AlarmWriter,
  database: Database,
  modules: MibLibrary,
  eventOid: string,
  userName: string,
): Promise<Relabelled> {
  const catalog = new EventCatalog(database, modules)
  await catalog.refresh(database)
  const done: Relabelled = { raised: 0, ended: 0, left: 0 }
  let last = 0n
  for (;;) {
    const count = await engine.change(async (changes, tx) => {
      const ids = await unknownOf(tx, eventOid, last)
      const open = await changes.load(ids)
      const renewed = await Promise.all(
        open.map(async (alarm) => ({ alarm, fault: await faultOf(tx, alarm, catalog) })),
      )
      const faults = renewed.flatMap(({ fault }) => (fault && fault !== 'gone' ? [fault] : []))
      await changes.gather([...open.map((one) => ({ identity: identityOfAlarm(one) })), ...faults])
      for (const { alarm, fault } of renewed) {
        if (fault === 'gone') {
          done.left += 1
          continue
        }
        recoverByOperator(changes, alarm, userName, tx.now)
        if (fault) raiseAnew(changes, alarm, fault, userName)
        done[fault ? 'raised' : 'ended'] += 1
      }
      await changes.write()
      for (const { alarm, fault } of renewed)
        if (fault !== 'gone') await auditAlarm(tx, 'relabel', alarm.id, alarm)
      last = ids.at(-1) ?? last
      return ids.length
    })
    if (count < batchSize) return done
  }
}

/** Open alarms of the event that were raised without a definition. */
async function unknownOf(reader: Reader, eventOid: string, after: bigint): Promise<bigint[]> {
  const rows = await reader.all(
    `select unknown_alarm.alarm_id as id from unknown_alarm join alarm on alarm.id = unknown_alarm.alarm_id
     where alarm.alarm_type in (?, ?) and alarm.rec_status = 0 and unknown_alarm.alarm_id > ?
     order by unknown_alarm.alarm_id limit ${batchSize}`,
    [eventOid, otherSpelling(eventOid), after],
  )
  return rows.map(({ id }) => id as bigint)
}

/** The alarm that its trap raises by now; undefined if it raises none. */
async function faultOf(
  reader: Reader,
  alarm: Alarm,
  catalog: EventCatalog,
): Promise<AlarmDraft | undefined | 'gone'> {
  const trap = (await find(reader, traps.table, alarm.trapId)) as TrapRecord | undefined
  if (!trap) return 'gone'
  const { OID: oid, receivedTime: receivedAt, sourceIp, version } = trap
  const variables = trap.variables.map((one) => ({ ...one, value: one.value ?? '' }))
  const device = await deviceOf(reader, trap)
  const received = {
    kind: 'trap',
    oid,
    receivedAt,
    sourceIp,
    agentIp: undefined,
    version,
    variables,
  } as const
  const meaning = meaningOf(received, { ...device, id: alarm.deviceId ?? 0n }, catalog)
  if (meaning.effect !== 'alarm') return undefined
  return { ...draftOf(meaning), at: alarm.faultTime, trapId: trap.id, reason: relabelReason }
}

function raiseAnew(changes: AlarmChanges, before: Alarm, fault: AlarmDraft, userName: string): void {
  const { identity, alarmLevel } = fault
  const repeats = Number(before.repeats)
  if (changes.openAlarm(identity)) {
    changes.repeat(identity, alarmLevel, before.lastTime, repeats)
    return
  }
  const id = changes.raise(fault)
  if (repeats > 1) changes.repeat(identity, alarmLevel, before.lastTime, repeats - 1)
  const { ackStatus, ackUserName, ackUntil, owner, note } = before
  if (ackStatus === 1) changes.update.acknowledge(id, { userName: ackUserName, until: ackUntil })
  if (owner !== '') changes.update.assign(id, userName, owner)
  if (note !== '') changes.update.note(id, userName, note)
}
