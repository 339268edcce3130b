// Handlers for calendar feeds: people make and revoke them, calendar programs read them by their secret address.

import { looksLikeSecret, newSecret, secretHash } from '../../../access/secrets.ts'
import { Fault } from '../../../fault.ts'
import { calendarText } from '../../../notify/oncall/calendar.ts'
import { create, erase, read } from '../../../resources/collection.ts'
import {
  type CalendarFeed,
  calendarFeed,
  calendarFeeds,
  calendarFeedsWith,
  findFeed,
} from '../../../resources/notify/calendar-feed.ts'
import { contactNames } from '../../../resources/notify/contact.ts'
import { readDraft } from '../../../schema/read-document.ts'
import { calendarPath } from '../../access-control.ts'
import { type Call, type Handler, readDocument } from '../../call.ts'
import { contentType, documentOf, sendEmpty, sendText } from '../../responses.ts'
import { requireOwn } from '../own-record-handlers.ts'

const day = 24 * 3600 * 1000
/** What a calendar shows: last week, and a quarter of a year ahead. */
const span = { before: 7 * day, after: 92 * day }

export const createFeed: Handler = async (call) => {
  const { caller, database } = call
  const draft = readDraft(calendarFeed, await readDocument(call, calendarFeed.name), 'create')
  const secret = newSecret()
  const operatorId = caller.operatorId ?? null
  const id = await create(database, calendarFeedsWith(secretHash(secret)), { ...draft, operatorId })
  const made: CalendarFeed = await read(database, calendarFeeds, id)
  made.address = `${call.base}${calendarPath}/${secret}.ics`
  sendText(call.response, 201, contentType[call.form], documentOf(call.form, calendarFeed, made), {
    Location: `${call.base}${calendarFeeds.path}/${id}`,
  })
}

export const deleteFeed: Handler = async (call) => {
  await requireOwn(call, calendarFeeds)
  await erase(call.database, calendarFeeds, call.id)
  sendEmpty(call.response, 204)
}

export const answerCalendar: Handler = async (call) => {
  const { database, onCall, response, clock, base } = call
  if (call.channel === 'open') {
    throw new Fault(
      'forbidden',
      'the address of a calendar is a secret, and is accepted over TLS only: use https',
    )
  }
  const feed = await requireFeed(call)
  const now = clock()
  const contactId = feed.contactId ?? undefined
  const shifts = await onCall.wholeShifts({
    ...{ scheduleId: feed.scheduleId ?? undefined, contactId },
    ...{ from: now - span.before, until: now + span.after },
  })
  const names = await contactNames(database)
  const nameOf = (contact: bigint | undefined) => (contact === undefined ? '' : (names.get(contact) ?? ''))
  const body = calendarText({
    name: feed.description ?? `On call${contactId === undefined ? '' : `: ${nameOf(contactId)}`}`,
    source: new URL(base).host,
    now,
    shifts: shifts.map((shift) => ({ ...shift, contactName: nameOf(shift.contact) })),
  })
  sendText(response, 200, 'text/calendar; charset=UTF-8', body)
}

/** An unknown feed, a revoked one, and one whose operator is gone or disabled are the same to strangers. */
async function requireFeed({ name, database, logins }: Call): Promise<CalendarFeed> {
  const secret = name.replace(/\.ics$/, '')
  const feed = looksLikeSecret(secret) ? await findFeed(database, secretHash(secret)) : undefined
  const operator = feed?.operatorId ? (await logins.directory.entries()).byId.get(feed.operatorId) : undefined
  if (feed && (feed.operatorId === null || operator?.enabled)) return feed
  throw new Fault('not-found', 'there is no such calendar, or it was revoked')
}
