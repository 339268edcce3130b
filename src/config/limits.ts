// Numbers that are no settings: the service is built for them, or nobody would miss the choice. A test may give others.

export const limits = {
  /** How long the rate of traps is averaged over, and how long it must be low until a storm is over. */
  stormSeconds: 30,
  /** Within which an alarm must come and go to flap, and how long it must stay as it is until it no longer does. */
  flapSeconds: 300,
  /** How many alarms of events without a definition may be open, for one device and overall. */
  unknownAlarmsPerDevice: 100,
  unknownAlarms: 10_000,
  /** How long a terminal must not have been refused again, or seen where it may not be, until its alarm recovers. */
  terminalAlarmHours: 24,
  /** How many results of a report template are kept that somebody requested, and for how long. */
  reportResults: 20,
  reportResultDays: 90,
  /** How long a sender must be refused until that is an alarm, and must not be until the alarm ends. */
  refusalSeconds: 10,
  refusalQuietSeconds: 3600,
  /** How long after the last report of an alarm a device is asked whether it is over, and how long between two questions. */
  verifyQuietSeconds: 30,
  verifyAgainSeconds: 5,
  /** How many entries of the alarm log a registered client may lag before that is an alarm. */
  lagEntries: 10_000,
  /** How many traps a rule may filter, since it was last quiet, before that is an alarm. */
  filteredTraps: 10_000,
  /** How long nodes may have different settings, as while one after the other is changed, before that is an alarm. */
  differingMinutes: 30,
  /** How many connections may send syslog messages, overall and from one address. */
  syslogConnections: 1500,
  syslogConnectionsPerSender: 50,
  /** How long a connection for messages may be silent: long, because the first message after the end of one is often lost. */
  syslogIdleSeconds: 24 * 3600,
  syslogHandshakeSeconds: 10,
  /** How long a message may take from its first octet to its last. */
  syslogMessageSeconds: 30,
  /** How long a sender over TCP waits while its messages cannot be processed; after that, they are counted only. */
  syslogPushBackSeconds: 3,
  /** How often it is judged whether a device that sends syslog messages has fallen silent, or floods. */
  messageRateSeconds: 300,
  /** The largest file that can be imported at once. */
  importBytes: 256 * 2 ** 20,
} as const

export type Limits = { readonly [Name in keyof typeof limits]: number }
