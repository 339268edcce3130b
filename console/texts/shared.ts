// Every word the console says is in this folder: a language is added by writing its files again. Here is what all pages
// share, and the page of alarms.

const plural = (count: number, one: string, many: string) =>
  `${numberText(count)} ${count === 1 ? one : many}`

const numbers = new Intl.NumberFormat('en')
export const numberText = (count: number) => numbers.format(count)

const alarmsText = (count: number) => plural(count, 'alarm', 'alarms')

export const texts = {
  name: 'Belfry',
  close: 'Close',
  cancel: 'Cancel',
  undo: 'Undo',
  save: 'Save',
  again: 'Try again',
  skip: 'Skip to the content',
  time: { now: 'now', second: 's', minute: 'min', hour: 'h', day: 'd' },
  levels: { 1: 'Critical', 2: 'Major', 3: 'Minor', 4: 'Warning', 5: 'Info' } as Record<number, string>,

  errors: {
    unreachable: 'The service cannot be reached. Is it running, and is the network there?',
    status: (status: number) => `The service answered with status ${status} and no reason.`,
    title: 'That did not work',
    updated: 'The console has been updated. Load the page again to go on.',
    reload: 'Load again',
    noPage: 'There is no such page',
    noPageHint: 'The address may be mistyped, or what it named is gone.',
    toAlarms: 'Go to the alarms',
    tooLittle: (role: string) => `This page is for the role ${role}.`,
  },

  menu: {
    label: 'Pages',
    open: 'Menu',
    watch: 'Watch',
    decide: 'Traps and rules',
    inventory: 'Inventory',
    run: 'Administration',
    alarms: 'Alarms',
    alarm: 'Alarm',
    overview: 'Overview',
    history: 'History',
    traps: 'Traps',
    trap: 'Trap',
    rules: 'Trap rules',
    rule: 'Trap rule',
    maintenance: 'Maintenance',
    events: 'Event definitions',
    event: 'Event definition',
    devices: 'Devices',
    device: 'Device',
    zones: 'Zones',
    views: 'Views',
    addresses: 'Addresses',
    terminals: 'Terminals',
    reports: 'Report templates',
    import: 'Import',
    clients: 'Clients',
    modules: 'MIB modules',
    operators: 'Operators',
    tokens: 'Tokens',
    sessions: 'Sessions',
    audit: 'Audit log',
    settings: 'Settings',
    signedInAs: (name: string, role: string) => `${name}, ${role}`,
    everyone: 'No operators: everyone on this machine may do everything',
    signOut: 'Sign out',
    theme: { auto: 'As the system', light: 'Light', dark: 'Dark' } as Record<string, string>,
    themeLabel: 'Appearance',
    version: (version: string) => `Belfry ${version}`,
  },

  stream: {
    loading: 'Loading…',
    loadingOf: (here: number) => `Loading, ${numberText(here)} so far…`,
    live: 'Live',
    liveHint: 'Changes show here as they happen',
    stale: (time: string) => `Not up to date since ${time}`,
    staleHint: (reason: string, seconds: number) =>
      `${reason === '' ? 'The connection ended.' : reason} ${seconds > 0 ? `Next attempt in ${seconds} s.` : 'Trying now…'}`,
    retry: 'Try now',
    gap: (time: string) =>
      `At ${time} some changes could not be delivered. The list below was loaded anew and is complete; what came and went in between is in the history.`,
    gapRead: 'I have read this',
    summary: (count: number, grave: number) =>
      `${alarmsText(count)} shown, ${numberText(grave)} of them critical`,
  },

  alarms: {
    title: 'Alarms',
    search: 'Search in text, device, address, event',
    searchLabel: 'Search',
    count: (shown: number, all: number) =>
      shown === all ? alarmsText(all) : `${numberText(shown)} of ${alarmsText(all)}`,
    states: { new: 'New', acknowledged: 'Acknowledged', held: 'Held back' },
    levelFilter: 'Levels',
    stateFilter: 'States',
    more: 'Filter',
    device: 'Device',
    deviceHint: 'Name, address or id',
    event: 'Event',
    eventHint: 'Name or OID',
    view: 'View',
    anyView: 'All devices',
    zone: 'Zone',
    anyZone: 'All zones',
    heldBy: (by: string) => `Held back by ${by}: kept and counted, and told to nobody for now`,
    within: 'Since',
    ages: {
      0: 'Any time',
      900: 'Last 15 minutes',
      3600: 'Last hour',
      86400: 'Last day',
      604800: 'Last week',
    } as Record<number, string>,
    clear: 'Clear filters',
    columns: {
      select: 'Select',
      level: 'Level',
      device: 'Device',
      text: 'What is wrong',
      time: 'Age',
      repeats: 'Reports',
      state: 'State',
      remark: 'Remark',
    },
    selectAll: 'Select all that are shown',
    sortBy: (column: string) => `Sort by ${column}`,
    ended: 'Over',
    acknowledgedBy: (name: string) => `Acknowledged by ${name}`,
    heldBack: (count: number) => `${alarmsText(count)} ${count === 1 ? 'is' : 'are'} held back.`,
    showHeld: 'Show what is held back',
    none: 'Nothing is wrong',
    noneHint: 'No alarm is open. New ones appear here by themselves.',
    noneMatch: 'No open alarm matches the filter',
    noneMatchHint: (count: number) =>
      `${alarmsText(count)} ${count === 1 ? 'is' : 'are'} open but filtered out.`,
    firstSteps: 'No device has reported anything yet. Point the traps of a device at this machine, or try:',
    selected: (count: number) => `${numberText(count)} selected`,
    clearSelection: 'Clear',
    keys: 'Keys',
  },

  actions: {
    acknowledge: 'Acknowledge',
    acknowledgeHint: 'Says that somebody looks after it. It stays open until its cause is gone.',
    remark: 'Remark',
    remarkHint: 'Shown with the alarm to everyone. Empty: no remark.',
    end: 'End',
    endHint:
      'Takes the alarm off the list as if its cause were gone. If the cause is still there, the next report raises a new one. This cannot be undone.',
    title: (action: string, count: number) => `${action} ${count === 1 ? 'this alarm' : alarmsText(count)}`,
    go: 'Do it',
    andMore: (count: number) => `and ${numberText(count)} more`,
    done: {
      acknowledge: (count: number) => `${alarmsText(count)} acknowledged.`,
      remark: (count: number) => `Remark saved with ${alarmsText(count)}.`,
      end: (count: number) => `${alarmsText(count)} ended.`,
    },
    undone: 'Taken back.',
    someFailed: (failed: number, reason: string) => `${alarmsText(failed)} could not be changed: ${reason}`,
    working: (done: number, all: number) => `${numberText(done)} of ${numberText(all)}…`,
  },

  options: {
    sound: 'Sound for new critical alarms',
    notify: 'Notifications for new critical alarms',
    notifyRefused:
      'The browser does not allow notifications from this page. Its settings for this site say so.',
    wall: 'Wall mode',
    wallLeave: 'Escape ends the wall mode',
    label: 'Options',
  },

  keys: {
    title: 'Keys',
    list: [
      ['j, k', 'next and previous alarm'],
      ['x', 'select'],
      ['Enter', 'open'],
      ['a', 'acknowledge'],
      ['m', 'remark'],
      ['e', 'end'],
      ['/', 'search'],
      ['w', 'wall mode'],
      ['?', 'this list'],
      ['Escape', 'close, clear the selection, leave the search'],
    ] as readonly (readonly [string, string])[],
  },

  list: {
    any: 'Any',
    count: (total: number) => plural(total, 'entry', 'entries'),
    pages: 'Pages of the list',
    before: 'Previous',
    after: 'Next',
    range: (from: number, to: number, total: number) =>
      `${numberText(from)} to ${numberText(to)} of ${numberText(total)}`,
    noMatch: 'Nothing matches the filter',
    clear: 'Clear filters',
  },

  form: { optional: '(optional)', dryRun: 'Dry run' },

  records: {
    create: (noun: string) => `New ${noun}`,
    edit: (noun: string) => `Change ${noun}`,
    editShort: 'Change',
    editOne: (name: string) => `Change ${name}`,
    delete: 'Delete',
    deleteOne: (name: string) => `Delete ${name}`,
    deleteTitle: (noun: string, name: string) => `Delete ${noun} ${name}`,
    deleteHint: 'It is gone for good. The audit log keeps what it was.',
    deleted: 'Deleted.',
    saved: 'Saved.',
    savedWith: (remarks: string) => `Saved. Remark: ${remarks}`,
    actions: 'Actions',
    none: (title: string) => `${title}: none yet`,
  },

  signIn: {
    title: 'Sign in',
    name: 'Name',
    password: 'Password',
    go: 'Sign in',
    wrong: 'Name or password is wrong.',
    ended: 'You were signed out. Sign in to go on where you were.',
    nowhere:
      'One cannot sign in over this connection: others could read the password. Use the address that begins with https, or a browser on the machine of the service.',
  },
}
