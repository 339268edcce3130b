// Operations on alarms: actions, statistics, and maintenance windows.

import { alarmCheck } from '../../ask/verify/alarm-checks.ts'
import { alarms } from '../../resources/alarms/alarm.ts'
import { maintenances } from '../../resources/alarms/maintenance.ts'
import { wholeList } from '../../schema/list.ts'
import { bool, instant, int, long } from '../../schema/scalar.ts'
import { alarmDetailDocument, alarmDocument, bookmarkDocument, gapDocument } from '../alarm-documents.ts'
import * as alarmHandlers from '../handlers/alarms/alarm-handlers.ts'
import { alarmHistoryDocument, showHistory } from '../handlers/alarms/alarm-handlers.ts'
import * as work from '../handlers/alarms/alarm-work-handlers.ts'
import { showCheck, verifyAlarm } from '../handlers/alarms/check-handlers.ts'
import {
  deleteRegistration,
  listRegistrations,
  openEvents,
  registrationDocument,
  testRegistration,
} from '../handlers/alarms/event-stream-handlers.ts'
import { impactDocument, showImpact } from '../handlers/alarms/impact-handlers.ts'
import * as windows from '../handlers/alarms/maintenance-handlers.ts'
import { alarmSpanDocument, listSpans, maxSpans } from '../handlers/alarms/span-handlers.ts'
import {
  dayText,
  overviewDocument,
  showOverview,
  showStatistics,
  statisticsDocument,
  statisticsPages,
} from '../handlers/alarms/statistics-handlers.ts'
import { board, faultRealTime, showBoard } from '../imc/imc-alarms.ts'
import { at, done, type Operation, operator, page, record, viewer } from '../operation.ts'

const byFilter = {
  filters: alarms.list,
  parameters: {
    confirm: { meaning: `Must be true where more than ${work.unconfirmed} are meant`, scalar: bool },
  },
  gives: record(work.alarmBatch),
}

/** An action on one alarm by its id, and on many by a filter. */
const withAlarms = (
  step: string,
  verb: string,
  words: string,
  { one, many }: typeof work.acknowledge,
  body: Pick<Operation, 'takes' | 'bodyOptional'> = {},
): Operation[] => [
  ...at(`${alarms.path}/${step}/{id}`, 'alarm', {
    PUT: operator(verb, `an alarm${words}`, one, { ...body, gives: done }),
  }),
  ...at(`${alarms.path}/${step}`, 'alarm', {
    PUT: operator(`${verb}Each`, `the alarms that a filter finds${words}`, many, { ...body, ...byFilter }),
  }),
]

const raised = { kind: 'location', shape: alarmHandlers.raisedAlarmsDocument } as const

export const alarmOperations = [
  ...at(alarms.path, 'alarm', {
    GET: viewer('List', 'alarms', alarmHandlers.listAlarms, {
      list: alarms.list,
      gives: page(alarmDocument),
    }),
    POST: operator(
      'Raise',
      `an alarm, or a list of up to ${alarmHandlers.raisedAtOnce}; 200 where all are open already`,
      alarmHandlers.raiseAlarm,
      { takes: { oneOrMore: alarmDocument }, gives: { 201: raised, 200: raised } },
    ),
  }),
  ...at(`${alarms.path}/{id}`, 'alarm', {
    GET: viewer('Read', 'an alarm', alarmHandlers.readAlarm, { gives: record(alarmDetailDocument) }),
    PUT: operator('Remark', 'an alarm; only its remark is set', alarmHandlers.remarkAlarm, {
      takes: alarmDocument,
      gives: done,
    }),
    DELETE: operator('Delete', 'an alarm; an open one is recovered first', alarmHandlers.removeAlarm, {
      gives: done,
    }),
  }),
  ...withAlarms('acknowledge', 'Acknowledge', '', work.acknowledge, {
    takes: work.acknowledgement,
    bodyOptional: true,
  }),
  ...withAlarms('unacknowledge', 'Unacknowledge', ': withdraws it', work.unacknowledge),
  ...withAlarms('assign', 'Assign', ' to an operator, or to nobody', work.assign, {
    takes: work.assignment,
  }),
  ...withAlarms('shelve', 'Shelve', ' until a time, or until it gets worse', work.shelve, {
    takes: work.shelf,
  }),
  ...withAlarms('unshelve', 'Unshelve', '', work.unshelve),
  ...withAlarms('recover', 'Recover', '', work.recover),
  ...at(`${alarms.path}/verify/{id}`, 'alarm', {
    PUT: operator('Verify', 'an alarm: its device is asked whether it is still so', verifyAlarm, {
      alsoAnswers: ['conflict'],
      gives: done,
    }),
  }),
  ...at(`${alarms.path}/{id}/check`, 'alarm', {
    GET: viewer(
      'ShowCheck',
      'what the device said when it was asked whether an alarm is still so',
      showCheck,
      {
        gives: record(alarmCheck),
      },
    ),
  }),
  ...at(`${alarms.path}/{id}/note`, 'alarm', {
    POST: operator('Note', 'something about an alarm', work.note.one, {
      takes: work.alarmNote,
      gives: done,
    }),
  }),
  ...at(`${alarms.path}/note`, 'alarm', {
    POST: operator('NoteEach', 'something about the alarms that a filter finds', work.note.many, {
      ...byFilter,
      takes: work.alarmNote,
    }),
  }),
  ...at(`${alarms.path}/{id}/impact`, 'alarm', {
    GET: viewer(
      'Impact',
      'what an alarm means for others: terminals, devices, zones, as a tree',
      showImpact,
      {
        gives: record(impactDocument),
      },
    ),
  }),
  ...at(`${alarms.path}/{id}/history`, 'alarm', {
    GET: viewer('History', 'what has happened to an alarm, and which clients are past it', showHistory, {
      gives: record(alarmHistoryDocument),
    }),
  }),
  ...at('/fault/alarmSpan', 'alarmSpan', {
    GET: viewer(
      'List',
      `when alarms were open in a period; of more than ${maxSpans}, the newest`,
      listSpans,
      {
        parameters: {
          from: { meaning: 'When the period begins; by default a day before it ends', scalar: instant },
          until: { meaning: 'When the period ends; by default now', scalar: instant },
          deviceId: { meaning: 'The device that they are about; by default any', scalar: long },
        },
        pages: wholeList,
        gives: page(alarmSpanDocument),
      },
    ),
  }),
  ...at(board.path, 'faultRealTime', {
    GET: viewer(
      'Show',
      'the newest alarms that are not over; JSON has them inside an object "faultRealTime"',
      showBoard,
      { list: board, gives: record(faultRealTime) },
    ),
  }),
]

export const overviewOperations = at('/fault/overview', 'overview', {
  GET: viewer('Show', 'what is open, what was raised in the last day, and what comes in', showOverview, {
    gives: record(overviewDocument),
  }),
})

export const statisticsOperations = at('/fault/statistics', 'statistics', {
  GET: viewer('List', 'how many alarms there were, and how long they took', showStatistics, {
    parameters: {
      by: 'day (default), device, event or zone',
      deviceId: { meaning: 'Of this device alone', scalar: long },
      eventOid: 'Of this event alone',
      zoneId: { meaning: 'Of this zone alone', scalar: long },
      from: { meaning: 'The first day; 30 days without', scalar: dayText },
      to: { meaning: 'The last day; today without', scalar: dayText },
    },
    pages: statisticsPages,
    gives: page(statisticsDocument),
  }),
})

export const maintenanceOperations = [
  ...at(`${maintenances.path}/end/{id}`, 'maintenance', {
    PUT: operator('End', 'a maintenance window early; one that recurs comes back', windows.endWindow, {
      alsoAnswers: ['conflict'],
      gives: done,
    }),
  }),
  // It changes nothing.
  ...at(`${maintenances.path}/dryRun`, 'maintenance', {
    POST: viewer(
      'Try',
      'what a maintenance window would have held back; nothing is saved',
      windows.tryWindow,
      {
        takes: maintenances.resource,
        gives: record(windows.windowTrialDocument),
      },
    ),
  }),
]

// Operations on the event stream and on registrations of its clients.

const stream = { kind: 'stream', shapes: [alarmDocument, gapDocument, bookmarkDocument] } as const

const several = (what: string) => ({
  meaning: `${what}: any of them matches; repeated, or separated by commas`,
  several: true as const,
})

export const eventOperations = [
  ...at('/events', 'events', {
    GET: viewer(
      'Register',
      'for alarms, pushed as they come; server-sent events have status 200',
      openEvents,
      {
        parameters: {
          type: { meaning: 'Must be 11', scalar: int(), required: true },
          uuid: 'Identifies a client that wants to resume: 1 to 256 characters, none of them a control character',
          alarmLevel: several('Levels'),
          customView: 'The symbolId of a custom view',
          deviceIp: several('Addresses of devices'),
          ipSegment: several('Ranges of addresses, first-last'),
          eventOid: several('Event OIDs; .* after one stands for all below it'),
          zoneId: several('Zones of devices'),
          changes: { meaning: 'What people do with alarms is pushed, too', scalar: bool },
          causes: { meaning: 'What follows from another alarm is not pushed', scalar: bool },
          sendRecovered: { meaning: 'A recovery carries lstRecovered', scalar: bool },
          cursor: { meaning: 'Documents carry their position', scalar: bool },
          since: 'A position to go on from',
          snapshot: { meaning: 'All open alarms first', scalar: bool },
        },
        gives: { 202: stream, 200: stream },
        ownForm: true,
        endless: true,
        scope: 'events',
      },
    ),
  }),
  ...at('/events/registrations', 'registration', {
    GET: viewer('List', 'clients that are registered for alarms', listRegistrations, {
      pages: wholeList,
      gives: page(registrationDocument),
    }),
  }),
  // One's own; an administrator, everyone's.
  ...at('/events/registrations/{name}', 'registration', {
    DELETE: viewer('Delete', 'the registration of a client, by its uuid', deleteRegistration, {
      gives: done,
    }),
  }),
  ...at('/events/registrations/{name}/test', 'registration', {
    POST: viewer(
      'Test',
      'the way to a client that is connected, by an alarm that is in no list',
      testRegistration,
      { alsoAnswers: ['conflict'], gives: done },
    ),
  }),
]
