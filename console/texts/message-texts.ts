// The words of syslog messages and their shapes.

import { numberText } from './shared-texts.ts'

const plural = (count: number, one: string, many: string) =>
  `${numberText(count)} ${count === 1 ? one : many}`

/** By severity, the worst first. */
const severities = [
  'emergency',
  'alert',
  'critical',
  'error',
  'warning',
  'notice',
  'informational',
  'debug',
] as const

export const messageTexts = {
  title: 'Messages',
  about:
    'The last syslog messages, as far as memory reaches. Those of a storm, or below a threshold, are counted and not kept.',
  device: 'Device',
  text: 'With the text',
  textHint: 'anywhere in it',
  severity: 'Severity',
  severityText: (severity: number) => `${severity} ${severities[severity] ?? ''}`,
  atLeast: Object.fromEntries(
    severities.map((word, severity) => [
      severity,
      severity === 0 ? `0 ${word}` : `${severity} ${word} or worse`,
    ]),
  ) as Record<string, string>,
  does: 'What it means',
  effects: {
    raise: 'a fault',
    clear: 'the end of a fault',
    event: 'no fault',
    ignore: 'a detail',
    unknown: 'unknown',
  } as Record<string, string>,
  from: 'From day',
  until: 'To day',
  columns: {
    time: 'Received',
    device: 'Device',
    severity: 'Severity',
    origin: 'Code',
    text: 'Text',
    does: 'Means',
  },
  open: (time: string) => `About the message of ${time}`,
  follow: 'Follow',
  followHint: 'Show messages as they come',
  following:
    'Messages appear as they come, the newest first. Rows hold still while the pointer is on the list.',
  stop: 'Stop following',
  fresh: (count: number) => `${numberText(count)} new`,
  freshHint: 'Show them now',
  skipped: 'More came than could be shown: some are missing here.',
  none: 'No message has come yet',
  noneHint:
    'Set syslog-udp, syslog-tcp or syslog-tls, and let devices send their messages there. Or send one for a test:',
  toShapes: 'Unknown messages',
  one: 'Message',
  became: 'What became of it',
  becameOf: {
    unknown: 'No definition knows it. It is counted, and no alarm came of it.',
    event: 'A definition knows it as no fault, such as a login or a changed configuration. It is counted.',
    ignore: 'A definition knows it as a detail of other messages. It is counted.',
    raise: 'It reports a fault.',
    clear: 'It reports the end of a fault.',
  } as Record<string, string>,
  trap: 'In the list of traps',
  noTrap:
    'It is not in the list of traps: it came with others that say the same, or is no longer kept there.',
  toAlarm: (id: string) => `Alarm ${id}`,
  definition: 'Definition',
  event: 'Event',
  resource: 'About',
  received: 'Received',
  deviceTime: 'Time of the device',
  facility: 'Facility',
  host: 'Host it names',
  program: 'Program',
  code: 'Code',
  node: 'Received by node',
  address: 'From address',
}

export const shapeTexts = {
  title: 'Unknown messages',
  about:
    'Messages that no definition knows, with * for words that differ, since the start of the service. First comes what sounds like a fault, then what is severe, then what is frequent.',
  shape: 'Messages like this',
  severity: 'Severity',
  bad: 'sounds like a fault',
  count: 'Messages',
  devices: 'From',
  moreDevices: (count: number) => `and ${plural(count, 'other', 'others')}`,
  first: 'First',
  last: 'Last',
  show: 'Show',
  showOne: (shape: string) => `Show messages like ${shape}`,
  never: 'Never list',
  neverOne: (shape: string) => `Never list ${shape}`,
  neverDone: 'Such messages are listed no longer. They are counted as before.',
  empty: 'No unknown message has come',
  muted: 'Never listed',
  mutedOne: 'shape',
  mutedAbout: 'Their messages are counted, and can be read, but are not listed above.',
  mutedEmpty: 'What nobody wants to see above can be moved here.',
  mutedDelete: 'Such messages are listed again from now on.',
  origin: 'Code or program',
  originHint: 'As the messages have it; empty for messages without either.',
  shapeHint: 'The words of the message; * stands for one word.',
  why: 'Why',
}
