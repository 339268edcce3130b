// Handlers for the links in messages: what one is about, and acting by it. The link is in the body and not in the
// address, so that no log has it.

import { Fault } from '../../../fault.ts'
import { type LinkAction, linkActions, nameOf, type OpenedLink } from '../../../notify/links/action-links.ts'
import { type Alarm, alarms } from '../../../resources/alarms/alarm.ts'
import { readDraft } from '../../../schema/read-document.ts'
import {
  type AnyRecord,
  empty,
  optional,
  required,
  resource,
  type Shape,
  set,
} from '../../../schema/resource.ts'
import { bool, instant, int, long, text } from '../../../schema/scalar.ts'
import { find } from '../../../store/table.ts'
import { type Call, type Handler, readDocument } from '../../call.ts'
import { sendRecord } from '../../responses.ts'

const actionWord = text({
  pattern: { source: linkActions.join('|'), accepted: `one of ${linkActions.join(', ')}` },
})

export const linkDocument = resource(
  'actionLink',
  { link: required(text({ maxLength: 1000 })), action: optional(actionWord) },
  { table: 'action_use', key: 'link' },
)

/** What the page of a link shows. */
export const linkedAlarmDocument: Shape = {
  name: 'linkedAlarm',
  fields: {
    contactName: required(text()),
    expiryTime: required(instant),
    /** What can be done by the link, and was not done by it yet. */
    action: set(actionWord),
    id: required(long),
    alarmLevel: required(int()),
    alarmLevelDesc: required(text()),
    deviceName: optional(text(), empty),
    deviceIp: optional(text(), empty),
    alarmDesc: optional(text({ maxLength: 10_000 }), empty),
    faultTime: required(instant),
    faultTimeDesc: required(text()),
    recStatus: required(int()),
    recTimeDesc: optional(text(), empty),
    ackStatus: required(int()),
    ackUserName: optional(text(), empty),
    owner: optional(text(), empty),
    shelved: required(bool),
  },
}

/** Refuses what others could have read on its way, as for tokens. */
function requirePrivate({ channel }: Call): void {
  if (channel === 'open') throw new Fault('forbidden', 'a link is accepted over TLS only: use https')
}

export const showLink: Handler = async (call) => {
  requirePrivate(call)
  const { link } = readDraft(linkDocument, await readDocument(call, linkDocument.name), 'create')
  await sendLinked(call, await call.links.open(link ?? ''))
}

export const useLink: Handler = async (call) => {
  requirePrivate(call)
  const { link, action } = readDraft(linkDocument, await readDocument(call, linkDocument.name), 'create')
  if (!action)
    throw new Fault('invalid', `action is required: expected ${actionWord.accepted}`, { field: 'action' })
  await call.links.use(link ?? '', action as LinkAction, call.caller.address)
  await sendLinked(call, await call.links.open(link ?? ''))
}

async function sendLinked(call: Call, opened: OpenedLink): Promise<void> {
  const { database, alarmTexts, clock, links, response, form } = call
  const record = (await find(database, alarms.table, opened.alarmId)) as Alarm | undefined
  if (!record) throw new Fault('not-found', `alarm ${opened.alarmId} is no longer kept`)
  await alarmTexts.fill([record])
  sendRecord(response, form, linkedAlarmDocument, {
    ...(record as AnyRecord),
    contactName: nameOf(opened.contact),
    expiryTime: opened.expiryTime,
    action: await links.actionsOf(opened, record),
    shelved: record.shelvedUntil > clock(),
  })
}
