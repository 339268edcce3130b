// The events that the service raises about itself. Their enterprise number is the one reserved for examples: no
// device sends it.

const event = '1.3.6.1.4.1.32473.1'

export const serviceEvents = {
  trapsLost: {
    eventOid: `${event}.1`,
    alarmLevel: 2,
    alarmCategory: 1,
    alarmDesc: 'The kernel dropped traps because they came faster than they were read',
  },
  entriesMissed: {
    eventOid: `${event}.2`,
    alarmLevel: 2,
    alarmCategory: 1,
    alarmDesc: 'Alarms could not be delivered to a client: it was away longer than they are kept',
  },
  clientLagging: {
    eventOid: `${event}.3`,
    alarmLevel: 3,
    alarmCategory: 1,
    alarmDesc: 'A registered client is far behind',
  },
  ruleBusy: {
    eventOid: `${event}.4`,
    alarmLevel: 4,
    alarmCategory: 1,
    alarmDesc: 'A trap rule filters very many traps',
  },
  trapStorm: {
    eventOid: `${event}.5`,
    alarmLevel: 3,
    alarmCategory: 1,
    alarmDesc: 'A sender sends far too many traps: most of them are counted, and not read',
  },
  /** Its level and category are those of the alarm that flaps. */
  alarmFlapping: {
    eventOid: `${event}.6`,
    alarmLevel: 3,
    alarmCategory: 1,
    alarmDesc: 'An alarm is raised and recovered again and again: this one stands for all of it',
  },
  certificateRefused: {
    eventOid: `${event}.9`,
    alarmLevel: 2,
    alarmCategory: 1,
    alarmDesc: 'The files of the TLS certificate and its key have changed and cannot be used',
  },
  certificateExpiring: {
    eventOid: `${event}.10`,
    alarmLevel: 2,
    alarmCategory: 1,
    alarmDesc: 'The TLS certificate ends soon, or has ended',
  },
  devicesFull: {
    eventOid: `${event}.11`,
    alarmLevel: 2,
    alarmCategory: 1,
    alarmDesc: 'Traps of unknown senders are refused: there are as many devices as the settings allow',
  },
  storeRestored: {
    eventOid: `${event}.12`,
    alarmLevel: 2,
    alarmCategory: 1,
    alarmDesc: 'The store was restored from a backup: what happened after it was made is missing',
  },
  /** Sent to one client on request; in no list. */
  testAlarm: {
    eventOid: `${event}.20`,
    alarmLevel: 5,
    alarmCategory: 1,
    alarmDesc: 'A test of the way to a client: nothing is wrong',
  },
  storeFailing: {
    eventOid: `${event}.21`,
    alarmLevel: 1,
    alarmCategory: 1,
    alarmDesc: 'The store cannot be read or written as it should: the disk fails, or is full',
  },
  storeOlder: {
    eventOid: `${event}.22`,
    alarmLevel: 1,
    alarmCategory: 1,
    alarmDesc: 'The store is older than it was left, or came from elsewhere: something is missing in it',
  },
  alarmsFull: {
    eventOid: `${event}.48`,
    alarmLevel: 2,
    alarmCategory: 1,
    alarmDesc: 'As many alarms are open as the settings allow: this one stands for the rest',
  },
  terminalRefused: {
    eventOid: `${event}.40`,
    alarmLevel: 3,
    alarmCategory: 8,
    alarmDesc: 'A terminal was refused, or was seen where its binding does not allow it',
  },
  terminalUnknown: {
    eventOid: `${event}.41`,
    alarmLevel: 4,
    alarmCategory: 8,
    alarmDesc: 'A terminal without a binding was admitted, as the settings say',
  },
  terminalsMany: {
    eventOid: `${event}.42`,
    alarmLevel: 2,
    alarmCategory: 8,
    alarmDesc:
      'Very many terminals at one port are refused, or have no binding: this one stands for the rest',
  },
  addressConflict: {
    eventOid: `${event}.43`,
    alarmLevel: 3,
    alarmCategory: 8,
    alarmDesc: 'An assigned address is used by another terminal than the one it belongs to',
  },
  unknownEvents: {
    eventOid: `${event}.26`,
    alarmLevel: 3,
    alarmCategory: 1,
    alarmDesc: 'Very many alarms of events without a definition are open: this one stands for the rest',
  },
  nodeGone: {
    eventOid: `${event}.30`,
    alarmLevel: 2,
    alarmCategory: 1,
    alarmDesc: 'A node has given no sign of life for some time',
  },
  nodeClock: {
    eventOid: `${event}.31`,
    alarmLevel: 3,
    alarmCategory: 1,
    alarmDesc: "The clock of a node is far from the store's: set it by a time server",
  },
  storeMoved: {
    eventOid: `${event}.32`,
    alarmLevel: 2,
    alarmCategory: 1,
    alarmDesc:
      'The store is served by another PostgreSQL than before: a standby was promoted, or a copy restored',
  },
  datagramsAside: {
    eventOid: `${event}.33`,
    alarmLevel: 2,
    alarmCategory: 1,
    alarmDesc: 'A datagram could not be processed in several attempts and was quarantined',
  },
  clockDoubted: {
    eventOid: `${event}.36`,
    alarmLevel: 2,
    alarmCategory: 1,
    alarmDesc:
      "The store's clock jumped, or most nodes differ from it: nothing is deleted because of its age",
  },
  settingsDiffer: {
    eventOid: `${event}.37`,
    alarmLevel: 2,
    alarmCategory: 1,
    alarmDesc:
      'A setting that decides is not the same at all nodes: what happens depends on which of them works',
  },
  sightingsLost: {
    eventOid: `${event}.55`,
    alarmLevel: 3,
    alarmCategory: 1,
    alarmDesc: 'Sightings of terminals were dropped: more are reported than can be processed',
  },
  tokenEnding: {
    eventOid: `${event}.62`,
    alarmLevel: 4,
    alarmCategory: 1,
    alarmDesc: 'A token of an operator who signs in through OpenID Connect ends soon',
  },
  reportFailed: {
    eventOid: `${event}.45`,
    alarmLevel: 4,
    alarmCategory: 1,
    alarmDesc: 'A scheduled report could not be made',
  },
  settingIgnored: {
    eventOid: `${event}.63`,
    alarmLevel: 4,
    alarmCategory: 1,
    alarmDesc: 'A setting was given that no longer exists: it is ignored',
  },
  notificationFailed: {
    eventOid: `${event}.66`,
    alarmLevel: 2,
    alarmCategory: 1,
    alarmDesc: 'A message to people could not be delivered through a channel, and was given up',
  },
  notificationsMissed: {
    eventOid: `${event}.67`,
    alarmLevel: 2,
    alarmCategory: 1,
    alarmDesc: 'Changes of alarms may not have been told: they are missing in the log',
  },
  heartbeatSilent: {
    eventOid: `${event}.70`,
    alarmLevel: 2,
    alarmCategory: 1,
    alarmDesc: 'A program that reports in regularly has been silent for longer than its time',
  },
  heartbeatUndelivered: {
    eventOid: `${event}.71`,
    alarmLevel: 3,
    alarmCategory: 1,
    alarmDesc:
      'A heartbeat of the service could not be delivered for long: whoever expects it believes that it is down',
  },
  trapsRefused: {
    eventOid: `${event}.72`,
    alarmLevel: 3,
    alarmCategory: 1,
    alarmDesc: 'Traps of a device are refused: their community, user, password or engine is not accepted',
  },
  deviceUnreachable: {
    eventOid: `${event}.75`,
    alarmLevel: 2,
    alarmCategory: 2,
    alarmDesc: 'A device that answered before is silent: it is out of reach',
    outOfReach: true,
  },
  agentRefusing: {
    eventOid: `${event}.76`,
    alarmLevel: 3,
    alarmCategory: 4,
    alarmDesc: 'The machine is there, but its SNMP agent no longer answers as it did: its state is not known',
  },
  deviceRestarted: {
    eventOid: `${event}.77`,
    alarmLevel: 4,
    alarmCategory: 4,
    alarmDesc: 'The SNMP agent of a device has restarted, and no trap told of it',
  },
  rangeSilent: {
    eventOid: `${event}.78`,
    alarmLevel: 1,
    alarmCategory: 2,
    alarmDesc: 'All devices of a range are silent at once: the way to them is interrupted',
  },
  messagesSilent: {
    eventOid: `${event}.80`,
    alarmLevel: 4,
    alarmCategory: 2,
    alarmDesc: 'A device that sends syslog messages regularly has fallen silent',
  },
  messagesFlooding: {
    eventOid: `${event}.81`,
    alarmLevel: 4,
    alarmCategory: 2,
    alarmDesc: 'A device sends a hundred times more syslog messages than usual',
  },
  contactDisabled: {
    eventOid: `${event}.79`,
    alarmLevel: 3,
    alarmCategory: 1,
    alarmDesc:
      'Routes lead to a contact who is disabled, such as one whose operator was removed: nothing is told there',
  },
} as const

/** OIDs of those that are about a device and not about the service. */
export const deviceServiceEvents: readonly string[] = [
  serviceEvents.alarmFlapping,
  serviceEvents.terminalRefused,
  serviceEvents.terminalUnknown,
  serviceEvents.terminalsMany,
  serviceEvents.addressConflict,
  serviceEvents.deviceUnreachable,
  serviceEvents.agentRefusing,
  serviceEvents.deviceRestarted,
  serviceEvents.messagesSilent,
  serviceEvents.messagesFlooding,
].map(({ eventOid }) => eventOid)
