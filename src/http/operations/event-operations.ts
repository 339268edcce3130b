// Operations on the event stream and on registrations of its clients.

import { wholeList } from '../../schema/list.ts'
import { bool, int } from '../../schema/scalar.ts'
import { alarmDocument, bookmarkDocument, gapDocument } from '../alarm-documents.ts'
import {
  deleteRegistration,
  listRegistrations,
  openEvents,
  registrationDocument,
  testRegistration,
} from '../handlers/alarms/event-stream-handlers.ts'
import { at, done, page, viewer } from '../operation.ts'

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
      {
        gives: done,
      },
    ),
  }),
]
