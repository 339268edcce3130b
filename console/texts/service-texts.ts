// The words of what runs the service: clients, operators, tokens, sessions, the audit log, settings, modules, imports.

import { numberText } from './shared-texts.ts'

const plural = (count: number, one: string, many: string) =>
  `${numberText(count)} ${count === 1 ? one : many}`

export const clientTexts = {
  title: 'Clients',
  about:
    'Programs that are registered for alarms. One with a name keeps its place: what happens while it is away is delivered when it comes back.',
  name: 'Name',
  unnamed: 'no name, such as this page',
  owner: 'Operator',
  filter: 'Wants',
  everything: 'everything',
  /** By the parameter of the registration; behind each is what was given. */
  wants: {
    alarmLevel: 'level',
    customView: 'devices of the view',
    zoneId: 'devices of the zone',
    deviceIp: 'from',
    ipSegment: 'from addresses',
    eventOid: 'events',
    alarmCategory: 'category',
  } as Record<string, string>,
  ways: {
    sendRecovered: 'ends that name what they ended',
    changes: 'also what people do',
    causes: 'causes alone, not what follows from them',
  } as Record<string, string>,
  state: 'State',
  connected: 'Connected',
  away: 'Away',
  lag: 'Behind',
  upToDate: 'up to date',
  behind: (entries: number, age: string) => `${plural(entries, 'change', 'changes')}, ${age}`,
  position: 'Has been given',
  upTo: (entry: number) => (entry === 0 ? 'nothing yet' : `all up to change ${numberText(entry)}`),
  positionHint: (position: string, epoch: string) =>
    `Position ${position}: changes of alarms are numbered one by one; ${epoch} is the epoch of the store`,
  last: 'Last written',
  since: 'Since',
  test: 'Test alarm',
  testOne: (name: string) => `Send a test alarm to ${name}`,
  tested: (name: string) => `A test alarm was written to ${name}.`,
  end: 'End',
  endOne: (name: string) => `End the registration of ${name}`,
  endTitle: (name: string) => `End the registration of ${name}`,
  endHint:
    'Its connection is closed and its place forgotten. If it registers again it starts at now, and misses what was in between.',
  empty: 'No program is registered',
  emptyHint:
    'Programs register by asking for /events; see the documents for examples. This page itself counts as one without a name.',
}

export const operatorTexts = {
  title: 'Operators',
  one: 'operator',
  about:
    'People and programs that may call. As long as there is none, everyone on this machine may do everything.',
  name: 'Name',
  fullName: 'Full name',
  role: 'Role',
  roles: {
    viewer: 'viewer: looks at everything',
    operator: 'operator: also changes alarms, rules and inventory',
    administrator: 'administrator: also operators and settings',
  } as Record<string, string>,
  roleNames: { viewer: 'viewer', operator: 'operator', administrator: 'administrator' } as Record<
    string,
    string
  >,
  enabled: 'May call',
  enabledShort: { true: 'yes', false: 'no' } as Record<string, string>,
  digest: 'May use Digest, for which more than a slow hash of the password is kept',
  description: 'Description',
  knownBy: 'Signs in by',
  knownByWays: { '0': 'password', '1': 'organisation' } as Record<string, string>,
  lastLogin: 'Last sign-in',
  never: 'never',
  password: 'Password',
  passwordRule: 'At least 12 characters.',
  passwordHint: 'At least 12 characters. Empty leaves it as it is.',
  emptyHint: 'The first one must be an administrator. From then on everyone has to sign in, also here.',
  deleteHint: 'The operator, the tokens and the sessions are gone at once.',
  first:
    'This will be the first operator. From then on everyone has to sign in, also you: do not forget the password.',
  keepTokens: 'Keep the tokens; otherwise they end, too',
  ownName: 'Change your name',
  ownNameTitle: 'Your full name',
  ownNameHint: 'Shown beside the name with which you sign in, where alarms are assigned.',
  ownNameChanged: 'Your name is changed.',
  ownHint: 'At least 12 characters.',
  ownChangedOnly: 'Your password is changed. Other sessions of yours have ended.',
  ownTitle: 'Your password',
  own: 'Change your password',
  ownChanged: 'Your password is changed. Other sessions and tokens of yours have ended.',
}

export const tokenTexts = {
  title: 'Tokens',
  one: 'token',
  about:
    'What programs send instead of a name and a password. Make one for each program, and give it no more than it needs.',
  operator: 'Operator',
  scope: 'May',
  scopes: {
    events: 'receive the event stream',
    heartbeat: 'report that a program is alive',
    viewer: 'read everything',
    operator: 'work on alarms and the inventory',
    administrator: 'all that administrators do, except the following',
    backup: 'make backups',
    operators: 'manage operators',
    tokens: 'make tokens',
    access: 'answer a RADIUS server, and nothing else',
  } as Record<string, string>,
  description: 'For',
  descriptionHint: 'The program, and where it runs.',
  prefix: 'Begins with',
  created: 'Made',
  expires: 'Ends',
  expiresHint: 'At the end of this day; without one in a year, and in ten at the latest.',
  lastUse: 'Last used',
  never: 'never',
  create: 'New token',
  made: 'The token is made',
  madeHint: 'Copy it now: it is shown this once, and kept only as a hash.',
  revoke: 'Revoke',
  revokeTitle: (name: string) => `Revoke the token ${name}`,
  revokeHint: 'Whoever uses it loses access at once.',
  empty: 'No tokens',
  noOperators: 'A token belongs to an operator: make an operator first.',
  self: 'Yourself',
}

export const groupTexts = {
  title: 'Operator groups',
  one: 'operator group',
  find: 'Find a group',
  about:
    'Reports that were made here can be for groups alone. The first three are the roles: everyone with the role is in it.',
  name: 'Name',
  description: 'Description',
  members: 'Operators',
  byRole: 'by role',
  noOperators: 'There are no operators yet.',
  emptyHint: 'A group says who may see a report.',
}

export const storeTexts = {
  title: 'The store',
  about: 'Everything that the service has stored. Neither of these holds up anything else.',
  backup: 'Download a backup',
  backupHint: 'It holds what is stored of every password: keep it as you keep those.',
  check: 'Check the store',
  checking: 'Looking…',
  sound: 'Nothing is wrong with it.',
  unsound: 'Something is wrong with it; docs/operations.md says what to do.',
  part: 'What',
  looked: 'Looked at',
  found: 'Found',
  nothing: 'nothing wrong',
}

export const sessionTexts = {
  title: 'Sessions',
  about: 'Browsers in which somebody has signed in.',
  operator: 'Operator',
  address: 'From',
  agent: 'Browser',
  way: 'By',
  ways: { password: 'password', openid: 'organisation' } as Record<string, string>,
  this: 'this browser',
  began: 'Signed in',
  last: 'Last used',
  expires: 'Ends at the latest',
  end: 'End',
  endTitle: (name: string) => `End the session of ${name}`,
  endHint: 'The browser is signed out at once.',
  empty: 'Nobody has signed in',
  emptyHint: 'As long as there are no operators, nobody needs to.',
}

export const auditTexts = {
  title: 'Audit log',
  about: 'Every change: who, when, from where, and what was before and after. Newest first.',
  time: 'When',
  name: 'Who',
  role: 'Role',
  address: 'From',
  action: 'What',
  resource: 'On',
  id: 'Id',
  detail: 'Detail',
  change: 'Before and after',
  before: 'Before',
  after: 'After',
  show: 'Show',
  empty: 'Nothing has been changed yet',
  noEntryHint:
    'Nobody has changed this one by itself. What came by an import is one entry for the whole file, without ids.',
  withoutId: 'Look at all of this kind',
  from: 'From day',
  until: 'To day',
  export: 'All of it as CSV',
  count: (count: number) => `× ${numberText(count)}`,
  title1: (id: string) => `Entry ${id}`,
}

export const settingTexts = {
  title: 'Settings',
  about:
    'What the service runs with. Settings are given by flags, environment variables or a file, and hold from the next start.',
  name: 'Setting',
  value: 'Value',
  hidden: 'not shown',
  empty: 'empty',
  source: 'From',
  sources: { flag: 'flag', environment: 'environment', file: 'file', default: 'default' } as Record<
    string,
    string
  >,
  byDefault: 'Default',
  description: 'What it does',
  changed: 'Only those that are not the default',
}

export const moduleTexts = {
  title: 'MIB modules',
  about: 'Modules name the variables of traps, and propose what their notifications mean.',
  name: 'Module',
  objects: 'Objects',
  notifications: 'Notifications',
  loaded: 'Loaded',
  remarks: 'Remarks',
  file: 'File',
  load: 'Load modules',
  loadHint: 'Choose files with the text of modules.',
  loaded1: (modules: number, remarks: number) =>
    `${plural(modules, 'module', 'modules')} loaded${remarks > 0 ? `, with ${plural(remarks, 'remark', 'remarks')}` : ''}.`,
  noModule: (files: readonly string[]) =>
    files.length === 1
      ? `${files[0]} contains no module. The text of a module has a line such as IF-MIB DEFINITIONS ::= BEGIN.`
      : `These files contain no module: ${files.join(', ')}. The text of a module has a line such as IF-MIB DEFINITIONS ::= BEGIN.`,
  empty: 'No module is loaded',
  emptyHint:
    'Variables of traps are then shown by their numbers. Vendors offer the modules of their devices.',
  delete: 'Delete',
  deleteTitle: (name: string) => `Delete the module ${name}`,
  deleteHint: 'Names from it are gone; definitions that were accepted stay.',
  proposals: 'Proposals',
  proposalsHint:
    'What the notifications of loaded modules probably mean. Those that are accepted become event definitions. Measured on notifications that were judged by hand, all 24 that were kept apart and came out as high were right; of the rest, read the reason.',
  noProposals: 'There is nothing to propose: every notification of the loaded modules is defined.',
  notification: 'Notification',
  confidence: 'How sure',
  confidences: { high: 'high', medium: 'medium', low: 'low' } as Record<string, string>,
  module: 'Of the module',
  atLeast: 'At least so sure',
  level: 'Level',
  text: 'Text',
  reason: 'Because',
  accept: 'Accept',
  acceptOne: (name: string) => `Accept ${name}`,
  acceptAll: (count: number) => `Accept all that are at least medium sure (${numberText(count)})`,
  accepted: (count: number) => `${plural(count, 'definition', 'definitions')} made.`,
  line: (line: string, reason: string) => `line ${line}: ${reason}`,
  moreProposals: (count: number) => `and ${numberText(count)} more; they come when these are accepted`,
  show: 'Show',
  showOne: (name: string) => `Show what ${name} defines`,
  object: 'Name',
  oid: 'OID',
  carries: 'Carries',
  type: 'Type',
  values: 'Values',
  more: (count: number) => `and ${numberText(count)} more`,
  nothing: 'It defines neither notifications nor objects.',
}

export const importTexts = {
  title: 'Import',
  about:
    'A file of records becomes part of the inventory: all of it, or nothing. It is tried first, and you see what would change.',
  kind: 'What the file holds',
  kinds: {
    device: 'Devices',
    zone: 'Zones',
    assignedIpScope: 'Segments',
    assignedIpInfo: 'Assigned addresses',
    macAccessBind: 'Bindings',
    customView: 'Views',
    trapRule: 'Trap rules',
    trapEvent: 'Event definitions',
    reportTemplate: 'Report templates',
    alarmCategory: 'Alarm categories',
    maintenance: 'Maintenance windows',
    reportType: 'Report types',
  } as Record<string, string>,
  file: 'File',
  fileHint: 'CSV with the names of fields in the first line, JSON or XML. An export shows the form:',
  exports: { csv: 'Export as CSV', json: 'JSON', xml: 'XML' } as Record<string, string>,
  replace: 'Records whose id exists take the place of those that have it',
  trying: 'Trying…',
  outcomes: {
    new: (count: number) => `${plural(count, 'record', 'records')} would be new`,
    changed: (count: number) => `${plural(count, 'record', 'records')} would change`,
    refused: (count: number) => `${plural(count, 'record', 'records')} cannot be imported`,
  },
  what: { new: 'What it holds', changed: 'What would change', refused: 'Why' },
  unchanged: (count: number) => `${plural(count, 'record', 'records')} would stay as before.`,
  mend: (count: number) =>
    `Correct the ${count === 1 ? 'line' : 'lines'} below in the file, and choose it again.`,
  line: 'Line',
  record: 'Record',
  id: (id: string) => `number ${id}`,
  becomes: 'becomes',
  empty: 'nothing',
  more: (count: number) => `and ${numberText(count)} more`,
  first: 'The first lines',
  go: (count: number) => `Import ${plural(count, 'record', 'records')}`,
  importing: (rows: number) => `${plural(rows, 'record', 'records')} so far…`,
  done: (count: number) => `${plural(count, 'record', 'records')} imported.`,
  failed: 'Nothing of the file can be imported as it is',
}
