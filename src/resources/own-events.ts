// The events of the service itself. The enterprise number is the one reserved for examples: no device sends it.

const own = '1.3.6.1.4.1.32473.1'

export const ownEvents = {
  trapsLost: {
    eventOid: `${own}.1`,
    alarmLevel: 2,
    alarmCategory: 1,
    alarmDesc: 'The kernel dropped traps because they came faster than they were read',
  },
  entriesMissed: {
    eventOid: `${own}.2`,
    alarmLevel: 2,
    alarmCategory: 1,
    alarmDesc: 'Alarms could not be delivered to a client: it was away longer than they are kept',
  },
  clientLagging: {
    eventOid: `${own}.3`,
    alarmLevel: 3,
    alarmCategory: 1,
    alarmDesc: 'A registered client is far behind',
  },
  ruleBusy: {
    eventOid: `${own}.4`,
    alarmLevel: 4,
    alarmCategory: 1,
    alarmDesc: 'A trap rule filters very many traps',
  },
  devicesFull: {
    eventOid: `${own}.11`,
    alarmLevel: 2,
    alarmCategory: 1,
    alarmDesc: 'Traps of unknown senders are refused: there are as many devices as the settings allow',
  },
} as const
