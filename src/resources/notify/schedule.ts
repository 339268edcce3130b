// On-call schedules: who is called when. A schedule is a stack of layers; where several apply, the last one counts.

import { Fault, shown } from '../../fault.ts'
import { list } from '../../schema/list.ts'
import {
  assigned,
  derived,
  empty,
  optional,
  type RecordOf,
  required,
  requiredGroups,
  resource,
  set,
} from '../../schema/resource.ts'
import { fold, instant, int, long, type Scalar, text } from '../../schema/scalar.ts'
import { bulk, type Reader, type Transaction } from '../../store/database.ts'
import { validityFields } from '../alarms/validity.ts'
import { collection, requireRoom, requireUnique } from '../collection.ts'
import { requireContact, timeOfDay, timeZone } from './contact.ts'

const rotations = ['daily', 'weekly', 'byHand'] as const
const rotation = text({
  pattern: { source: rotations.join('|'), accepted: `one of ${rotations.join(', ')}` },
})

const dayText = text({ maxLength: 10 })
/** Only days that exist: the 31st of June would silently be the 1st of July. */
const day: Scalar<string> = {
  ...dayText,
  accepted: 'a day as yyyy-MM-dd, from 1970-01-01 on',
  read(value) {
    const at = /^(19[7-9]\d|[2-9]\d{3})-\d\d-\d\d$/.test(value)
      ? Date.parse(`${value}T00:00:00Z`)
      : Number.NaN
    if (!Number.isNaN(at) && new Date(at).toISOString().startsWith(value)) return value
    throw new Fault('invalid', `${shown(value)} is not accepted: expected ${day.accepted}`)
  },
}

const { startTime, endTime, selectedWeekDay } = validityFields

export const schedule = resource(
  'schedule',
  {
    id: assigned(long),
    name: required(text({ maxLength: 100 }), { keyed: true }),
    description: optional(text(), empty),
    timeZone: required(timeZone),
    layer: requiredGroups({
      name: required(text({ maxLength: 100 })),
      rotation: required(rotation),
      /** How many days or weeks a turn lasts; 1 without. */
      every: optional(int({ min: 1, max: 52 }), empty),
      /** Local time at which a turn ends and the next begins. */
      handOver: optional(timeOfDay, empty),
      /** The local day on which the first turn begins; weekly turns begin on its weekday. */
      startDay: optional(day, empty),
      /** In the order of their turns; one may have several. */
      contact: set(long),
      /** With byHand: whose turn it is, until somebody else is named. */
      onCall: optional(long, empty),
      /** When the layer applies, within its turns; as in a trap rule. */
      startTime,
      endTime,
      selectedWeekDay,
    }),
    /** Who is on call now, until when, and who follows then; absent where nobody is. */
    onCallId: derived(long, { mayBeAbsent: true }),
    onCallName: derived(text(), { mayBeAbsent: true }),
    onCallUntil: derived(instant),
    nextId: derived(long, { mayBeAbsent: true }),
    nextName: derived(text(), { mayBeAbsent: true }),
    /** The first time in the coming weeks when nobody is on call; 0 where there is none. */
    gapFrom: derived(instant),
    gapUntil: derived(instant),
  },
  { table: 'schedule', key: 'id' },
)

export type Schedule = RecordOf<typeof schedule.fields>
export type Layer = Schedule['layer'][number]

const scheduleLimits = { schedules: 1000, layers: 10, contacts: 100 }

const inLayer = (index: number, field: string, message: string) =>
  new Fault('invalid', message, { field: `layer[${index + 1}]/${field}` })

function check({ layer: layers }: Schedule): void {
  if (layers.length > scheduleLimits.layers) {
    const message = `${layers.length} layers are too many: expected at most ${scheduleLimits.layers}`
    throw new Fault('invalid', message, { field: 'layer' })
  }
  const names = layers.map(({ name }) => fold(name))
  for (const [index, layer] of layers.entries()) {
    if (names.indexOf(fold(layer.name)) < index) {
      throw inLayer(index, 'name', `${shown(layer.name)} is the name of another layer`)
    }
    checkLayer(index, layer)
  }
}

function checkLayer(index: number, layer: Layer): void {
  const { contact, onCall } = layer
  if (contact.length === 0 || contact.length > scheduleLimits.contacts) {
    const message = `${contact.length} contacts: expected 1 to ${scheduleLimits.contacts}, in the order of their turns`
    throw inLayer(index, 'contact', message)
  }
  if (layer.rotation === 'byHand') {
    const given = (['every', 'handOver', 'startDay'] as const).find((name) => layer[name] !== null)
    if (given) throw inLayer(index, given, `${given} is accepted only with rotation daily or weekly`)
    if (onCall !== null && !contact.includes(onCall)) {
      throw inLayer(
        index,
        'onCall',
        `contact ${onCall} is not in the layer: expected one of ${contact.join(', ')}`,
      )
    }
  } else {
    if (onCall !== null) throw inLayer(index, 'onCall', 'onCall is accepted only with rotation byHand')
    for (const name of ['handOver', 'startDay'] as const) {
      if (layer[name] !== null) continue
      const { accepted } = name === 'handOver' ? timeOfDay : day
      throw inLayer(index, name, `${name} is required with rotation ${layer.rotation}: expected ${accepted}`)
    }
  }
}

/** Who is in which schedule: contacts that are cannot be deleted. */
const addMember = bulk('insert into schedule_contact (schedule_id, contact_id) values (?, ?)', [
  'bigint',
  'bigint',
])

export const schedules = collection({
  resource: schedule,
  noun: 'schedule',
  list: list('/notify/schedule', schedule, {
    filters: ({ wildcard }) => ({ name: wildcard('name') }),
    orderBy: { id: 'id', name: 'name' },
  }),
  rules: {
    check,
    async saving(tx, record, before) {
      const unique = { table: 'schedule', column: 'name_key', field: 'name', noun: 'schedule' }
      await requireUnique(tx, unique, fold(record.name), record.id, record.name)
      if (!before)
        await requireRoom(tx, 'schedule', scheduleLimits.schedules, 'schedules, which is the limit')
      for (const layer of record.layer) {
        if (layer.rotation === 'byHand') layer.onCall ??= layer.contact[0] ?? null
        else layer.every ??= 1
      }
      await requireContacts(tx, record.layer)
    },
    async saved(tx, { id, layer }) {
      await tx.run('delete from schedule_contact where schedule_id = ?', [id])
      const members = new Set(layer.flatMap(({ contact }) => contact))
      await tx.runEach(
        addMember,
        [...members].map((contactId) => [id, contactId]),
      )
    },
    async deleting(tx, { id }) {
      await tx.run('delete from schedule_contact where schedule_id = ?', [id])
      await tx.run('delete from schedule_override where schedule_id = ?', [id])
      await tx.run('delete from calendar_feed where schedule_id = ?', [id])
    },
  },
})

async function requireContacts(tx: Transaction, layers: readonly Layer[]): Promise<void> {
  const known = new Set<bigint>()
  for (const [index, { contact }] of layers.entries()) {
    for (const [place, id] of contact.entries()) {
      if (!known.has(id)) await requireContact(tx, id, `layer[${index + 1}]/contact[${place + 1}]`)
      known.add(id)
    }
  }
}

export async function readSchedules(reader: Reader): Promise<Schedule[]> {
  const { form, name } = schedules.table
  const rows = await reader.all(`select ${form.shown} from ${name} order by id`)
  return rows.map((row) => form.toRecord(row) as Schedule)
}
