// Every text of the console is in this folder, and in German in the one below it. Here is what all pages share, and the
// page of alarms.

/** A number with the noun in its form: `1 alarm`, `2 alarms`. */
export const plural = (count: number, one: string, many: string) =>
  `${numberText(count)} ${count === 1 ? one : many}`

/** Made when a number first needs it: browsers take longer for that than for all other texts. */
let numbers: Intl.NumberFormat | undefined

export function numberText(count: number): string {
  if (Number.isInteger(count) && Math.abs(count) < 1000) return String(count)
  numbers ??= new Intl.NumberFormat('en')
  return numbers.format(count)
}

const alarmsText = (count: number) => plural(count, 'alarm', 'alarms')

/** Where the word on the button is no verb. */
const titles: Readonly<Record<string, string>> = { Note: 'Add a note to', Remark: 'Write a remark about' }

export const texts = {
  name: 'Belfry',
  close: 'Close',
  aSecond: (value: number) => `${numberText(Number(value.toPrecision(2)))} a second`,
  cancel: 'Cancel',
  undo: 'Undo',
  save: 'Save',
  again: 'Try again',
  more: (name: string) => `More about ${name}`,
  moreActions: 'More actions',
  skip: 'Skip to the content',
  time: { now: 'now', second: 's', minute: 'min', hour: 'h', day: 'd', ago: (age: string) => `${age} ago` },
  levels: { 1: 'Critical', 2: 'Major', 3: 'Minor', 4: 'Warning', 5: 'Info' } as Record<number, string>,

  errors: {
    unreachable: 'The service cannot be reached. Is it running, and is the network there?',
    status: (status: number) => `The service answered with status ${status} and no reason.`,
    title: 'That did not work',
    away: 'The service is away',
    awayHint:
      'This page opens by itself when it is back. What was known last stays on the pages that are open.',
    updated: 'The console has been updated. Load the page again to go on.',
    reload: 'Load again',
    noPage: 'There is no such page',
    noPageHint: 'The address may be mistyped, or what it named is gone.',
    toAlarms: 'Go to the alarms',
    tooLittle: (role: string, own: string) => `This page is for the role ${role}; yours is ${own}.`,
    onlyLook: (own: string) => `You may look at this. To change it takes the role operator; yours is ${own}.`,
    /** What the service says, by the code of the refusal. */
    refused: (_code: string, message: string) => message,
  },

  menu: {
    label: 'Pages',
    open: 'Menu',
    watch: 'Watch',
    decide: 'Traps and rules',
    notify: 'Notifications',
    inventory: 'Inventory',
    run: 'Administration',
    alarms: 'Alarms',
    alarm: 'Alarm',
    raise: 'Raise an alarm',
    overview: 'Overview',
    map: 'Map',
    history: 'History',
    statistics: 'Figures of alarms',
    traps: 'Traps',
    trap: 'Trap',
    messages: 'Messages',
    shapes: 'Unknown messages',
    definitions: 'Message definitions',
    definition: 'Message definition',
    rules: 'Trap rules',
    rule: 'Trap rule',
    maintenance: 'Maintenance',
    window: 'Maintenance window',
    calendar: 'Calendar',
    events: 'Event definitions',
    event: 'Event definition',
    me: 'My notifications',
    oncall: 'On call',
    schedule: 'Schedule',
    routes: 'Routes',
    told: 'Notification log',
    people: 'People',
    person: 'Person',
    gateways: 'Gateways',
    heartbeats: 'Heartbeats',
    devices: 'Devices',
    device: 'Device',
    reachability: 'Reachability',
    discoveries: 'Discovery',
    discovery: 'Discovery',
    zones: 'Zones',
    views: 'Views',
    addresses: 'Addresses',
    terminals: 'Terminals',
    terminal: 'Terminal',
    stays: 'Who was where',
    bindings: 'Bindings',
    reports: 'Reports',
    report: 'Report',
    import: 'Import',
    clients: 'Clients',
    modules: 'MIB modules',
    operators: 'Operators',
    tokens: 'Tokens',
    sessions: 'Sessions',
    audit: 'Audit log',
    settings: 'Settings',
    signedInAs: (name: string, role: string) => `${name}, ${role}`,
    everyone: 'No sign-in needed',
    everyoneHint: 'There are no operators yet: everyone on this machine may do everything.',
    sample: 'Sample data',
    sampleHint: 'The demo made up the devices and alarms of this service.',
    signOut: 'Sign out',
    theme: { auto: 'As the system', light: 'Light', dark: 'Dark' } as Record<string, string>,
    themeLabel: 'Colours',
    look: 'Appearance',
    density: { comfortable: 'Comfortable', compact: 'Compact' } as Record<string, string>,
    densityLabel: 'Density',
    language: { auto: 'As the browser', en: 'English', de: 'Deutsch' } as Record<string, string>,
    languageLabel: 'Language',
    startLabel: 'Start page',
    version: (version: string) => `Belfry ${version}`,
  },

  stream: {
    loading: 'Loading…',
    loadingOf: (here: number) => `Loading, ${numberText(here)} so far…`,
    live: 'Live',
    notLive: 'Not live',
    liveHint: 'Changes show here as they happen',
    stale: (time: string) => `Not up to date since ${time}`,
    staleHint: (reason: string, seconds: number) =>
      `${reason === '' ? 'The connection ended.' : reason} ${seconds > 0 ? `Next attempt in ${seconds} s.` : 'Trying now…'}`,
    retry: 'Try now',
    gap: (time: string) =>
      `At ${time} some changes could not be delivered. The list below was loaded anew and is complete; what came and went in between is in the history.`,
    gapRead: 'I have read this',
    summary: (count: number, critical: number) =>
      `${alarmsText(count)} shown, ${numberText(critical)} of them critical`,
  },

  alarms: {
    title: 'Alarms',
    search: 'Search, or filter by level, device, zone…',
    searchLabel: 'Search',
    terms: {
      level: 'Level',
      state: 'State',
      device: 'Device',
      event: 'Event',
      zone: 'Zone',
      view: 'View',
      within: 'Since',
    },
    termHints: {
      level: 'Critical, major, …',
      state: 'New, acknowledged, held back',
      device: 'Name, address or id',
      event: 'Name or OID',
      zone: 'By its name',
      view: 'By its name',
      within: 'How old at most',
    },
    offered: 'Filters to choose from',
    contains: (part: string) => `Contains “${part}”`,
    quoted: (text: string) => `“${text}”`,
    changeTerm: (term: string) => `Change the filter ${term}`,
    removeTerm: (term: string) => `Remove the filter ${term}`,
    saved: {
      save: 'Save filter',
      title: 'Save this filter',
      name: 'Name',
      nameHint:
        'It is in the menu under this name, with how many alarms it shows. The browser keeps it, for you alone.',
      done: (name: string) => `${name} is in the menu`,
      delete: 'Delete saved filter',
      deleted: (name: string) => `${name} is no longer in the menu`,
      most: (count: number) => `There are ${count} saved filters, which is the most. Delete one first.`,
      label: 'Saved filters',
    },
    count: (shown: number, all: number) =>
      shown === all ? alarmsText(all) : `${numberText(shown)} of ${alarmsText(all)}`,
    waiting: (count: string) => `${count} new`,
    waitingHint: 'Rows hold still while you point at them. Press to let in what has come meanwhile.',
    states: { new: 'New', acknowledged: 'Acknowledged', held: 'Held back' },
    soFar: (shown: number) => `${alarmsText(shown)} so far`,
    notCounted: 'not counted yet',
    atLeast: 'or more: of very many that are held back, a part is read',
    levelFilter: 'Levels',
    stateFilter: 'States',
    heldBy: (by: string) => `${by}. Kept and counted, and pushed to nobody for now`,
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
      remark: 'Note',
      address: 'Address',
      since: 'Since',
      owner: 'Assigned to',
      number: 'Number',
    },
    selectAll: 'Select all that match the filter',
    selectRest: (count: string) => `Select all ${count} that match`,
    sortBy: (column: string) => `Sort by ${column}`,
    ended: 'Over',
    follows: 'Follows from the alarm above',
    following: (count: number) => `${numberText(count)} ${count === 1 ? 'follows' : 'follow'} from it`,
    shelvedUntil: (time: string) => (time === '' ? 'Shelved' : `To ${time}`),
    /** `maintenance 3`, as the beginning of a line. */
    inWindow: (window: string) => `Maintenance: ${window}`,
    onShelf: 'Shelved',
    owned: (name: string, isAcknowledged: boolean) => `${isAcknowledged ? 'Ack., with' : 'With'} ${name}`,
    acknowledgedBy: (name: string) => `Ack. ${name}`,
    heldBack: (count: number) => `${alarmsText(count)} ${count === 1 ? 'is' : 'are'} held back.`,
    showHeld: 'Show what is held back',
    none: 'Nothing is wrong',
    noneHint: 'No alarm is open. New ones appear here by themselves.',
    noneElse: 'Nothing is wrong that is not held back',
    noneElseHint: 'New alarms appear here by themselves.',
    noneMatch: 'No open alarm matches the filter',
    noneMatchHint: (count: number) =>
      `${alarmsText(count)} ${count === 1 ? 'is' : 'are'} open but filtered out.`,
    silent: 'Nothing has reported yet',
    silentHint: 'Whether something is wrong is not known before a device has sent a trap.',
    heardOn: (host: string, port: string) =>
      port === '0'
        ? `SNMP traps are received on ${host}, on a free UDP port that the log names.`
        : `SNMP traps are received on ${host}, UDP port ${port}.`,
    onlyHere: 'Only programs on this machine can send there. For devices, start the service with',
    firstSteps: 'To see what an alarm looks like, try:',
    lately: 'What was wrong before',
    selected: (count: number) => `${numberText(count)} selected`,
    clearSelection: 'Clear',
    keys: 'Keys',
    /** Headings of alarms that are copied or saved. */
    taken: {
      number: 'Number',
      level: 'Level',
      device: 'Device',
      address: 'Address',
      text: 'What is wrong',
      since: 'Since',
      repeats: 'Reports',
      acknowledgedBy: 'Acknowledged by',
      owner: 'Owner',
      note: 'Last note',
      remark: 'Remark',
    },
    copy: 'Copy',
    copyHint: 'As a table, for a spreadsheet, a ticket or a mail',
    copied: (count: number) => `${alarmsText(count)} copied as a table.`,
    saveAs: { csv: 'Save what is shown as CSV', json: 'Save what is shown as JSON' },
  },

  actions: {
    acknowledge: 'Acknowledge',
    shelve: 'Shelve',
    unacknowledge: 'Take back the acknowledgement',
    assign: 'Assign',
    note: 'Note',
    remark: 'Remark',
    end: 'End',
    maintenance: 'Maintenance',
    hints: {
      maintenance: 'Plans a maintenance window for the devices of these alarms.',
      acknowledge:
        'Shows that somebody is working on it. It stays in the list until its cause is gone. With a time, it is new again then if it is still there.',
      shelve:
        'Puts it aside: it leaves the list and is pushed to nobody until then. It stays open, under "Held back".',
      assign: 'Says whose it is.',
      note: 'Added to what has happened to it; the last note is shown in the list. It cannot be taken back.',
      remark: 'One line that is shown with the alarm to everyone. Empty: no remark.',
      end: 'Takes the alarm off the list as if its cause were gone. If the cause is still there, the next report raises a new one. This cannot be undone.',
    },
    withNote: 'Note (optional)',
    owner: 'Operator',
    shelfEnd: 'For how long',
    today: 'Until today, 8:00',
    tomorrow: 'Until tomorrow, 8:00',
    until: (time: string) => `Until ${time}`,
    times: [
      ['60', 'One hour'],
      ['240', 'Four hours'],
      ['1440', 'A day'],
      ['10080', 'A week'],
    ] as const,
    noShelf: 'No longer: back to the list',
    whileNoWorse: 'Until it gets worse, however long that is',
    untilWorse: 'Or until it gets worse, if that comes first',
    ackEnd: 'Acknowledged until',
    noEnd: 'It is over',
    nobody: 'Nobody',
    named: (name: string, fullName: string) => `${name} (${fullName})`,
    title: (action: string, count: number) =>
      `${titles[action] ?? action} ${count === 1 ? 'this alarm' : alarmsText(count)}`,
    go: 'Do it',
    andMore: (count: number) => `and ${numberText(count)} more`,
    someOf: (count: number, all: number) =>
      count === all ? alarmsText(all) : `${numberText(count)} of ${alarmsText(all)}`,
    /** The alarms are given in words: `500 of 620 alarms`. */
    done: {
      /** Some, or all, had been acknowledged before. */
      acknowledge: (alarms: string, before: number, isAll: boolean, isChanged: boolean) => {
        const which = isAll ? '' : `, ${numberText(before)} of them`
        return `${alarms} acknowledged${before > 0 ? `${which} ${isChanged ? 'again' : 'already'}` : ''}`
      },
      shelve: (alarms: string) => `${alarms} shelved`,
      unshelve: (alarms: string) => `${alarms} back in the list`,
      assign: (alarms: string, owner: string) => `${alarms} assigned to ${owner === '' ? 'nobody' : owner}`,
      note: (alarms: string) => `Note added to ${alarms}`,
      remark: (alarms: string) => `Remark saved with ${alarms}`,
      end: (alarms: string) => `${alarms} ended`,
    },
    sentence: (text: string, isPart: boolean) => `${text}${isPart ? '; the rest was left as it is' : ''}.`,
    undone: 'Taken back.',
    isOver: 'This alarm is over: nothing is left to be done with it.',
    working: (done: number, all: number) => `${numberText(done)} of ${numberText(all)}…`,
  },

  options: {
    sound: 'Sound for new critical alarms',
    notify: 'Notifications for new critical alarms',
    notifyRefused:
      'The browser does not allow notifications from this page. Allow them in its settings for this site.',
    keys: 'Keys of one letter (j, k, x, a …)',
    wall: 'Wall mode',
    raise: 'Raise an alarm by hand',
    wallLeave: 'Escape ends the wall mode',
    label: 'Options',
  },

  keys: {
    title: 'Keys',
    list: [
      ['j, k, ↓, ↑', 'next and previous alarm'],
      ['PgDn, PgUp', 'twenty further, twenty back'],
      ['Home, End', 'first and last alarm'],
      ['x', 'select'],
      ['←, →', 'fold and unfold what follows from it'],
      ['Enter', 'open'],
      ['a', 'acknowledge; this and the next four also on the page of an alarm'],
      ['s', 'shelve'],
      ['o', 'assign'],
      ['n', 'note'],
      ['e', 'end'],
      ['Ctrl K', 'search everything, on every page'],
      ['/', 'search in the list of this page; everything, where it has none'],
      ['w', 'wall mode'],
      ['?', 'this list, on every page'],
      ['Escape', 'close, clear the selection, leave the search'],
    ] as readonly (readonly [string, string])[],
  },

  list: {
    any: 'Any',
    none: 'None',
    count: (total: number) => plural(total, 'entry', 'entries'),
    pages: 'Pages of the list',
    before: 'Previous',
    after: 'Next',
    range: (from: number, to: number, total: number) =>
      `${numberText(from)} to ${numberText(to)} of ${numberText(total)}`,
    noMatch: 'Nothing matches the filter',
    clear: 'Clear filters',
    deviceHint: 'A part of its name',
    byName: 'There are very many: type a part of the name.',
    moreFound: (count: number) => `and ${numberText(count)} more: type more of the name`,
    without: (what: string, one: string) => `${what}: without ${one}`,
    addAnother: 'Add another …',
    more: 'More filters',
    notShown: (count: number) => `and ${numberText(count)} more`,
  },

  form: { optional: '(optional)' },

  columns: {
    choose: 'Columns',
    before: (title: string) => `${title}: further to the front`,
    after: (title: string) => `${title}: further to the end`,
    widthOf: (title: string) => `Width of ${title}`,
    byContent: 'As needed',
    widths: { narrow: 'Narrow', medium: 'Medium', wide: 'Wide', widest: 'Very wide' } as Record<
      string,
      string
    >,
    pixels: (width: number) => `${numberText(width)} pixels`,
    reset: 'As it was',
  },

  rows: {
    one: (noun: string, number: number, name: string) =>
      `${noun[0]?.toUpperCase()}${noun.slice(1)} ${number}${name === '' ? '' : `: ${name}`}`,
    add: (noun: string) => `Add ${noun}`,
    up: (title: string) => `Move ${title} up`,
    down: (title: string) => `Move ${title} down`,
    remove: (title: string) => `Remove ${title}`,
  },

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
    deletedWith: (remarks: string) => `Deleted. Remark: ${remarks}`,
    saved: 'Saved.',
    savedWith: (remarks: string) => `Saved. Remark: ${remarks}`,
    actions: 'Actions',
    changes: 'Who changed it',
    none: (title: string) => `${title}: none yet`,
  },

  ends: {
    show: 'Show the ends of faults, too',
    search: 'Look among the ends of faults, too',
  },
  draft: {
    title: 'Discard what you have typed?',
    hint: 'It is not saved yet.',
    discard: 'Discard',
    stay: 'Keep editing',
    restored: 'This is what you had typed and not saved.',
    discardIt: 'Discard it',
  },

  secret: {
    copy: 'Copy',
    copied: 'Copied.',
    notCopied: 'The browser did not let it be copied: select the text, and copy it yourself.',
  },

  presence: {
    password: 'Your present password',
    hint: 'What you sign in with: this outlasts your session.',
    provider:
      'You sign in through your organisation. For this it must have asked you to in the last five minutes.',
    again: 'Sign in again',
  },

  signIn: {
    title: 'Sign in',
    name: 'Name',
    password: 'Password',
    go: 'Sign in',
    or: 'or',
    provider: 'Sign in with your organisation',
    wrong: 'Name or password is wrong.',
    waiting: 'Others are trying this name. Yours waits for its turn, a minute at most.',
    ended: 'You were signed out. Sign in to go on where you were.',
    nowhere:
      'One cannot sign in over this connection: others could read the password. Use the address that begins with https, or a browser on the machine of the service.',
  },
}
