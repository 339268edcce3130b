// Operations on schedules, heartbeats, and the links in messages by which people act.

import { calendarFeeds } from '../../resources/notify/calendar-feed.ts'
import { heartbeats } from '../../resources/notify/heartbeat.ts'
import { outgoingHeartbeats } from '../../resources/notify/outgoing-heartbeat.ts'
import { schedules } from '../../resources/notify/schedule.ts'
import { scheduleOverrides } from '../../resources/notify/schedule-override.ts'
import { wholeList } from '../../schema/list.ts'
import { instant, long } from '../../schema/scalar.ts'
import { actionPath, calendarPath } from '../access-control.ts'
import { answerList } from '../handlers/list-handlers.ts'
import * as actions from '../handlers/notify/action-handlers.ts'
import * as calendars from '../handlers/notify/calendar-handlers.ts'
import * as beats from '../handlers/notify/heartbeat-handlers.ts'
import { observeRoutes } from '../handlers/notify/route-observer.ts'
import * as handlers from '../handlers/notify/schedule-handlers.ts'
import { listOwn, readOwn } from '../handlers/own-record-handlers.ts'
import { createOne, deleteOne, modifyOne, readOne } from '../handlers/record-handlers.ts'
import { administrator, anyone, at, done, located, operator, page, record, viewer } from '../operation.ts'

const plan = schedules.resource
const override = scheduleOverrides.resource
const feed = calendarFeeds.resource

export const scheduleOperations = [
  ...at(schedules.path, 'schedule', {
    GET: viewer('List', 'schedules, with who is on call now and next', handlers.listSchedules, {
      list: schedules.list,
      gives: page(plan),
    }),
    POST: administrator('Create', 'a schedule', createOne(schedules, handlers.scheduleOptions), {
      takes: plan,
      gives: located(201),
    }),
  }),
  ...at(`${schedules.path}/{id}`, 'schedule', {
    GET: viewer('Read', 'a schedule', handlers.readSchedule, { gives: record(plan) }),
    PUT: administrator(
      'Modify',
      'a schedule',
      modifyOne(schedules, { ...handlers.scheduleOptions, observer: observeRoutes }),
      {
        takes: plan,
        gives: done,
      },
    ),
    DELETE: administrator(
      'Delete',
      'a schedule with its overrides',
      deleteOne(schedules, { observer: observeRoutes }),
      { gives: done },
    ),
  }),
  ...at(`${schedules.path}/{id}/handOver`, 'schedule', {
    PUT: operator('HandOver', 'a layer of a schedule that is handed over by hand', handlers.handOver, {
      takes: handlers.handOverDocument,
      gives: done,
    }),
  }),
  ...at('/notify/shift', 'shift', {
    GET: viewer('List', 'who is on call when, and when nobody is', handlers.listShifts, {
      pages: wholeList,
      parameters: {
        scheduleId: { meaning: 'By this schedule alone', scalar: long },
        contactId: { meaning: 'Shifts of this contact alone', scalar: long },
        fromTime: { meaning: 'From this time on; now without', scalar: instant },
        toTime: { meaning: 'Up to this time, at most 92 days later; 28 days later without', scalar: instant },
      },
      gives: page(handlers.shiftDocument),
    }),
  }),
  ...at(scheduleOverrides.path, 'override', {
    GET: viewer('List', 'overrides of schedules', handlers.listOverrides, {
      list: scheduleOverrides.list,
      gives: page(override),
    }),
    POST: operator('Create', 'an override: for oneself, or as an administrator', handlers.createOverride, {
      takes: override,
      gives: located(201),
    }),
  }),
  ...at(`${scheduleOverrides.path}/{id}`, 'override', {
    GET: viewer('Read', 'an override', handlers.readOverride, { gives: record(override) }),
    PUT: operator('Modify', 'an override', handlers.modifyOverride, { takes: override, gives: done }),
    DELETE: operator('Delete', 'an override', handlers.deleteOverride, { gives: done }),
  }),
  ...at(calendarFeeds.path, 'calendarFeed', {
    GET: viewer('List', 'calendar feeds', listOwn(calendarFeeds), {
      list: calendarFeeds.list,
      gives: page(feed),
    }),
    POST: viewer('Create', 'a calendar feed; the answer has its secret address', calendars.createFeed, {
      takes: feed,
      gives: { 201: { kind: 'record', shape: feed, located: true } },
      scope: 'tokens',
    }),
  }),
  ...at(`${calendarFeeds.path}/{id}`, 'calendarFeed', {
    GET: viewer('Read', 'a calendar feed', readOwn(calendarFeeds), { gives: record(feed) }),
    DELETE: viewer('Delete', 'a calendar feed, which revokes its address', calendars.deleteFeed, {
      gives: done,
    }),
  }),
  ...at(`${calendarPath}/{name}`, 'calendar', {
    GET: anyone('Read', 'shifts as iCalendar, by the secret address of a feed', calendars.answerCalendar, {
      gives: { 200: { kind: 'text' } },
      alsoAnswers: ['not-found'],
      ownForm: true,
    }),
  }),
]

const beat = heartbeats.resource
const outgoing = outgoingHeartbeats.resource

export const heartbeatOperations = [
  ...at('/events/heartbeat/{name}', 'heartbeat', {
    POST: operator('Send', 'a heartbeat: the program of this name is alive', beats.receiveHeartbeat, {
      gives: done,
      scope: 'heartbeat',
    }),
  }),
  ...at(heartbeats.path, 'heartbeat', {
    GET: viewer('List', 'heartbeats that are expected', (call) => answerList(call, heartbeats), {
      list: heartbeats.list,
      gives: page(beat),
    }),
    POST: administrator('Create', 'a heartbeat that is expected', createOne(heartbeats), {
      takes: beat,
      gives: located(201),
    }),
  }),
  ...at(`${heartbeats.path}/{id}`, 'heartbeat', {
    GET: viewer('Read', 'a heartbeat', readOne(heartbeats), { gives: record(beat) }),
    PUT: administrator('Modify', 'a heartbeat', modifyOne(heartbeats), { takes: beat, gives: done }),
    DELETE: administrator('Delete', 'a heartbeat', deleteOne(heartbeats), { gives: done }),
  }),
  ...at(outgoingHeartbeats.path, 'outgoingHeartbeat', {
    GET: administrator(
      'List',
      'heartbeats that the service sends',
      (call) => answerList(call, outgoingHeartbeats),
      { list: outgoingHeartbeats.list, gives: page(outgoing) },
    ),
    POST: administrator('Create', 'a heartbeat that the service sends', beats.createOutgoing, {
      takes: outgoing,
      gives: located(201),
    }),
  }),
  ...at(`${outgoingHeartbeats.path}/{id}`, 'outgoingHeartbeat', {
    GET: administrator('Read', 'a heartbeat that the service sends', readOne(outgoingHeartbeats), {
      gives: record(outgoing),
    }),
    PUT: administrator('Modify', 'a heartbeat that the service sends', beats.modifyOutgoing, {
      takes: outgoing,
      gives: done,
    }),
    DELETE: administrator('Delete', 'a heartbeat that the service sends', beats.deleteOutgoing, {
      gives: done,
    }),
  }),
]

const linked = record(actions.linkedAlarmDocument)
const bodyFaults = ['invalid', 'not-acceptable', 'too-large', 'unsupported-media-type'] as const

export const actionOperations = [
  ...at(`${actionPath}/show`, 'actionLink', {
    POST: anyone('Show', 'the alarm of a link in a message; changes nothing', actions.showLink, {
      takes: actions.linkDocument,
      alsoAnswers: [...bodyFaults, 'forbidden', 'not-found'],
      gives: linked,
    }),
  }),
  ...at(actionPath, 'actionLink', {
    POST: anyone('Use', 'a link in a message: acts on its alarm, once', actions.useLink, {
      takes: actions.linkDocument,
      alsoAnswers: [...bodyFaults, 'forbidden', 'not-found', 'conflict'],
      gives: linked,
    }),
  }),
]
