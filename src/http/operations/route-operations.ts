// Operations on routes, on the ledger of notifications, and on dry runs of both.

import { notifications } from '../../notify/routes/ledger.ts'
import { routes } from '../../notify/routes/route.ts'
import { alarms } from '../../resources/alarms/alarm.ts'
import { answerList } from '../handlers/list-handlers.ts'
import * as handlers from '../handlers/notify/route-handlers.ts'
import { createOne, deleteOne, modifyOne, readOne } from '../handlers/record-handlers.ts'
import { administrator, at, done, located, page, record, viewer } from '../operation.ts'

export const routeOperations = [
  ...at(routes.path, 'route', {
    GET: viewer('List', 'routes, in the order in which they are asked', (call) => answerList(call, routes), {
      list: routes.list,
      gives: page(routes.resource),
    }),
    POST: administrator('Create', 'a route', createOne(routes, handlers.routeOptions), {
      takes: routes.resource,
      gives: located(201),
    }),
  }),
  ...at(`${routes.path}/{id}`, 'route', {
    GET: viewer('Read', 'a route', readOne(routes), { gives: record(routes.resource) }),
    PUT: administrator('Modify', 'a route', modifyOne(routes, handlers.routeOptions), {
      takes: routes.resource,
      gives: done,
    }),
    DELETE: administrator('Delete', 'a route; what it told stays in the ledger', deleteOne(routes), {
      gives: done,
    }),
  }),
  ...at(`${routes.path}/dryRun`, 'route', {
    POST: viewer(
      'Try',
      'what a route would have sent in the past; nothing is saved',
      handlers.tryRouteOnHistory,
      {
        parameters: {
          days: { meaning: 'How many days back: 1 to 400, 7 without', scalar: handlers.trialDays },
        },
        takes: routes.resource,
        gives: record(handlers.routeTrialDocument),
      },
    ),
  }),
  ...at(notifications.path, 'notification', {
    GET: viewer('List', 'what was told to whom, and what was not and why', handlers.listNotifications, {
      list: notifications.list,
      gives: page(notifications.resource),
    }),
  }),
  ...at(`${notifications.path}/{id}`, 'notification', {
    GET: viewer('Read', 'a row of the ledger', handlers.readNotification, {
      gives: record(notifications.resource),
    }),
  }),
  ...at('/notify/dryRun', 'notification', {
    POST: viewer(
      'Plan',
      'who would be told of an alarm at a time; nothing is sent',
      handlers.planNotifications,
      {
        takes: handlers.trialRequest,
        gives: record(handlers.planDocument),
      },
    ),
  }),
  ...at(`${alarms.path}/{id}/notification`, 'alarm', {
    GET: viewer(
      'ExplainNotifications',
      'why somebody was told of an alarm, or nobody was',
      handlers.explainAlarm,
      {
        gives: record(handlers.explanationDocument),
      },
    ),
  }),
]
