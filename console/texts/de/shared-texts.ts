// What all pages share, in German, and the page of alarms.

import type { ShapeOf } from '../shape.ts'
import type * as english from '../shared-texts.ts'

export const plural: typeof english.plural = (count, one, many) =>
  `${numberText(count)} ${count === 1 ? one : many}`

let numbers: Intl.NumberFormat | undefined

export const numberText: typeof english.numberText = (count) => {
  if (Number.isInteger(count) && Math.abs(count) < 1000) return String(count)
  numbers ??= new Intl.NumberFormat('de')
  return numbers.format(count)
}

const alarmsText = (count: number) => plural(count, 'Alarm', 'Alarme')

/** After "von". */
const ofAlarms = (count: number) => plural(count, 'Alarm', 'Alarmen')

/** What is done, behind what it is done to. */
const infinitives: Readonly<Record<string, string>> = {
  Quittieren: 'quittieren',
  Zurückstellen: 'zurückstellen',
  'Quittierung zurücknehmen': 'nicht mehr quittieren',
  Zuweisen: 'zuweisen',
  Beenden: 'beenden',
}

/** Where the word on the button is no verb. */
const titles: Readonly<Record<string, string>> = {
  Notiz: 'Notiz hinzufügen',
  Bemerkung: 'Bemerkung schreiben',
}

export const texts: ShapeOf<typeof english.texts> = {
  name: 'Belfry',
  close: 'Schließen',
  aSecond: (value) => `${numberText(Number(value.toPrecision(2)))} pro Sekunde`,
  cancel: 'Abbrechen',
  undo: 'Rückgängig',
  save: 'Speichern',
  again: 'Erneut versuchen',
  more: (name) => `Mehr zu ${name}`,
  moreActions: 'Weitere Aktionen',
  skip: 'Zum Inhalt springen',
  time: { now: 'jetzt', second: 's', minute: 'min', hour: 'h', day: 'T', ago: (age) => `vor ${age}` },
  levels: { 1: 'Kritisch', 2: 'Schwer', 3: 'Leicht', 4: 'Warnung', 5: 'Info' },

  errors: {
    unreachable: 'Der Dienst ist nicht erreichbar. Läuft er, und besteht eine Verbindung zum Netz?',
    status: (status) => `Der Dienst antwortete mit Status ${status}, ohne Begründung.`,
    title: 'Das hat nicht geklappt',
    away: 'Der Dienst ist nicht erreichbar',
    awayHint:
      'Diese Seite öffnet sich von selbst, sobald er wieder da ist. Geöffnete Seiten zeigen, was zuletzt bekannt war.',
    updated: 'Die Konsole wurde aktualisiert. Laden Sie die Seite neu.',
    reload: 'Neu laden',
    noPage: 'Diese Seite gibt es nicht',
    noPageHint: 'Die Adresse enthält vielleicht einen Tippfehler, oder das Gesuchte gibt es nicht mehr.',
    toAlarms: 'Zu den Alarmen',
    tooLittle: (role, own) =>
      `Diese Seite erfordert die Rolle ${roleText(role)}; Ihre Rolle ist ${roleText(own)}.`,
    onlyLook: (own) =>
      `Sie dürfen dies ansehen. Änderungen erfordern die Rolle Operator; Ihre Rolle ist ${roleText(own)}.`,
    refused: (code, message) => {
      const reason = refusals[code]
      return reason === undefined ? message : `${reason} (${message})`
    },
  },

  menu: {
    label: 'Seiten',
    open: 'Menü',
    watch: 'Überwachen',
    decide: 'Traps und Regeln',
    notify: 'Benachrichtigung',
    inventory: 'Bestand',
    run: 'Verwaltung',
    alarms: 'Alarme',
    alarm: 'Alarm',
    raise: 'Alarm auslösen',
    overview: 'Übersicht',
    map: 'Karte',
    history: 'Verlauf',
    statistics: 'Alarmzahlen',
    traps: 'Traps',
    trap: 'Trap',
    messages: 'Meldungen',
    shapes: 'Unbekannte Meldungen',
    definitions: 'Meldungsdefinitionen',
    definition: 'Meldungsdefinition',
    rules: 'Trap-Regeln',
    rule: 'Trap-Regel',
    maintenance: 'Wartung',
    window: 'Wartungsfenster',
    calendar: 'Kalender',
    events: 'Ereignisdefinitionen',
    event: 'Ereignisdefinition',
    me: 'Meine Benachrichtigungen',
    oncall: 'Bereitschaft',
    schedule: 'Dienstplan',
    routes: 'Meldewege',
    told: 'Zustellungen',
    people: 'Personen',
    person: 'Person',
    gateways: 'Gateways',
    heartbeats: 'Lebenszeichen',
    devices: 'Geräte',
    device: 'Gerät',
    reachability: 'Erreichbarkeit',
    discoveries: 'Gerätesuche',
    discovery: 'Gerätesuche',
    zones: 'Bereiche',
    views: 'Sichten',
    addresses: 'Adressen',
    terminals: 'Endgeräte',
    terminal: 'Endgerät',
    stays: 'Wer war wo',
    bindings: 'Bindungen',
    reports: 'Berichte',
    report: 'Bericht',
    import: 'Import',
    clients: 'Clients',
    modules: 'MIB-Module',
    operators: 'Benutzer',
    tokens: 'Tokens',
    sessions: 'Sitzungen',
    audit: 'Protokoll',
    settings: 'Einstellungen',
    signedInAs: (name, role) => `${name}, ${roleText(role)}`,
    everyone: 'Keine Anmeldung nötig',
    everyoneHint: 'Es gibt noch keine Benutzer: Auf diesem Rechner darf jeder alles.',
    sample: 'Beispieldaten',
    sampleHint: 'Geräte und Alarme dieses Dienstes sind von der Demo erfunden.',
    signOut: 'Abmelden',
    theme: { auto: 'Wie das System', light: 'Hell', dark: 'Dunkel' },
    themeLabel: 'Farben',
    look: 'Darstellung',
    density: { comfortable: 'Komfortabel', compact: 'Kompakt' },
    densityLabel: 'Dichte',
    language: { auto: 'Wie der Browser', en: 'English', de: 'Deutsch' },
    languageLabel: 'Sprache',
    startLabel: 'Startseite',
    version: (version) => `Belfry ${version}`,
  },

  stream: {
    loading: 'Wird geladen …',
    loadingOf: (here) => `Wird geladen, bisher ${numberText(here)} …`,
    live: 'Live',
    notLive: 'Nicht live',
    liveHint: 'Änderungen erscheinen hier sofort',
    stale: (time) => `Nicht aktuell seit ${time}`,
    staleHint: (reason, seconds) =>
      `${reason === '' ? 'Die Verbindung ist abgebrochen.' : reason} ${seconds > 0 ? `Nächster Versuch in ${seconds} s.` : 'Neuer Versuch …'}`,
    retry: 'Jetzt versuchen',
    gap: (time) =>
      `Um ${time} konnten einige Änderungen nicht zugestellt werden. Die Liste unten wurde neu geladen und ist vollständig; was dazwischen kam und ging, steht im Verlauf.`,
    gapRead: 'Gelesen',
    summary: (count, critical) => `${alarmsText(count)} angezeigt, davon ${numberText(critical)} kritisch`,
  },

  alarms: {
    title: 'Alarme',
    search: 'Suchen oder filtern: Stufe, Gerät, Bereich …',
    searchLabel: 'Suche',
    terms: {
      level: 'Stufe',
      state: 'Zustand',
      device: 'Gerät',
      event: 'Ereignis',
      zone: 'Bereich',
      view: 'Sicht',
      within: 'Seit',
    },
    termHints: {
      level: 'Kritisch, schwer, …',
      state: 'Neu, quittiert, zurückgehalten',
      device: 'Name, Adresse oder Nummer',
      event: 'Name oder OID',
      zone: 'Nach Namen',
      view: 'Nach Namen',
      within: 'Höchstens so alt',
    },
    offered: 'Filter zur Auswahl',
    contains: (part) => `Enthält „${part}“`,
    quoted: (text) => `„${text}“`,
    changeTerm: (term) => `Filter ${term} ändern`,
    removeTerm: (term) => `Filter ${term} entfernen`,
    saved: {
      save: 'Filter speichern',
      title: 'Diesen Filter speichern',
      name: 'Name',
      nameHint:
        'Unter diesem Namen steht er im Menü, mit der Zahl seiner Alarme. Der Browser merkt ihn sich, nur für Sie.',
      done: (name) => `${name} steht im Menü`,
      delete: 'Gespeicherten Filter löschen',
      deleted: (name) => `${name} steht nicht mehr im Menü`,
      most: (count) => `Mehr als ${count} gespeicherte Filter sind nicht möglich. Löschen Sie zuerst einen.`,
      label: 'Gespeicherte Filter',
    },
    count: (shown, all) => (shown === all ? alarmsText(all) : `${numberText(shown)} von ${ofAlarms(all)}`),
    waiting: (count) => `${count} neu`,
    waitingHint:
      'Solange Sie auf die Liste zeigen, bleiben die Zeilen stehen. Drücken Sie hier, um das Neue zu zeigen.',
    states: { new: 'Neu', acknowledged: 'Quittiert', held: 'Zurückgehalten' },
    soFar: (shown) => `bisher ${alarmsText(shown)}`,
    notCounted: 'noch nicht gezählt',
    atLeast: 'oder mehr: von sehr vielen zurückgehaltenen wird ein Teil gelesen',
    levelFilter: 'Stufen',
    stateFilter: 'Zustände',
    heldBy: (by) => `${by}. Wird aufbewahrt und gezählt, aber vorerst niemandem gemeldet`,
    ages: {
      0: 'Beliebig',
      900: 'Letzte 15 Minuten',
      3600: 'Letzte Stunde',
      86400: 'Letzter Tag',
      604800: 'Letzte Woche',
    },
    clear: 'Filter entfernen',
    columns: {
      select: 'Auswählen',
      level: 'Stufe',
      device: 'Gerät',
      text: 'Störung',
      time: 'Alter',
      repeats: 'Anzahl',
      state: 'Zustand',
      remark: 'Notiz',
      address: 'Adresse',
      since: 'Seit',
      owner: 'Zugewiesen an',
      number: 'Nummer',
    },
    selectAll: 'Alle auswählen, die zum Filter passen',
    selectRest: (count) => `Alle ${count} passenden auswählen`,
    sortBy: (column) => `Nach ${column} sortieren`,
    ended: 'Beendet',
    follows: 'Folge des Alarms darüber',
    following: (count) => `${numberText(count)} ${count === 1 ? 'folgt' : 'folgen'} daraus`,
    shelvedUntil: (time) => (time === '' ? 'Zurückgestellt' : `Bis ${time}`),
    inWindow: (window) => `Wartung: ${window}`,
    onShelf: 'Zurückgestellt',
    owned: (name, isAcknowledged) => `${isAcknowledged ? 'Quitt., bei' : 'Bei'} ${name}`,
    acknowledgedBy: (name) => `Quitt. ${name}`,
    heldBack: (count) => `${alarmsText(count)} ${count === 1 ? 'wird' : 'werden'} zurückgehalten.`,
    showHeld: 'Zurückgehaltene zeigen',
    none: 'Keine Störung',
    noneHint: 'Kein Alarm ist offen. Neue erscheinen hier von selbst.',
    noneElse: 'Keine Störung, die nicht zurückgehalten wird',
    noneElseHint: 'Neue Alarme erscheinen hier von selbst.',
    noneMatch: 'Kein offener Alarm passt zum Filter',
    noneMatchHint: (count) =>
      `${alarmsText(count)} ${count === 1 ? 'ist' : 'sind'} offen, aber ausgefiltert.`,
    silent: 'Noch hat sich nichts gemeldet',
    silentHint: 'Ob etwas gestört ist, zeigt sich erst, wenn ein Gerät einen Trap gesendet hat.',
    heardOn: (host, port) =>
      port === '0'
        ? `SNMP-Traps werden auf ${host} empfangen, an einem freien UDP-Port, den das Log nennt.`
        : `SNMP-Traps werden auf ${host} empfangen, UDP-Port ${port}.`,
    onlyHere: 'Nur Programme auf diesem Rechner können dorthin senden. Für Geräte starten Sie den Dienst mit',
    firstSteps: 'Wie ein Alarm aussieht, zeigt:',
    lately: 'Frühere Störungen',
    selected: (count) => `${numberText(count)} ausgewählt`,
    clearSelection: 'Aufheben',
    keys: 'Tasten',
    taken: {
      number: 'Nummer',
      level: 'Stufe',
      device: 'Gerät',
      address: 'Adresse',
      text: 'Störung',
      since: 'Seit',
      repeats: 'Meldungen',
      acknowledgedBy: 'Quittiert von',
      owner: 'Zugewiesen an',
      note: 'Letzte Notiz',
      remark: 'Bemerkung',
    },
    copy: 'Kopieren',
    copyHint: 'Als Tabelle, für Tabellenkalkulation, Ticket oder E-Mail',
    copied: (count) => `${alarmsText(count)} als Tabelle kopiert.`,
    saveAs: { csv: 'Angezeigte als CSV speichern', json: 'Angezeigte als JSON speichern' },
  },

  actions: {
    acknowledge: 'Quittieren',
    shelve: 'Zurückstellen',
    unacknowledge: 'Quittierung zurücknehmen',
    assign: 'Zuweisen',
    note: 'Notiz',
    remark: 'Bemerkung',
    end: 'Beenden',
    maintenance: 'Wartung',
    hints: {
      maintenance: 'Plant ein Wartungsfenster für die Geräte dieser Alarme.',
      acknowledge:
        'Zeigt, dass jemand daran arbeitet. Der Alarm bleibt in der Liste, bis seine Ursache behoben ist. Mit einer Frist gilt er danach wieder als neu, falls er noch besteht.',
      shelve:
        'Legt ihn beiseite: Bis dahin verschwindet er aus der Liste und wird niemandem gemeldet. Er bleibt offen, unter „Zurückgehalten“.',
      assign: 'Legt fest, wer zuständig ist.',
      note: 'Kommt zu seiner Geschichte; die letzte Notiz steht in der Liste. Sie lässt sich nicht zurücknehmen.',
      remark: 'Eine Zeile, die allen beim Alarm gezeigt wird. Leer: keine Bemerkung.',
      end: 'Nimmt den Alarm aus der Liste, als wäre die Ursache behoben. Besteht sie weiter, löst die nächste Meldung einen neuen aus. Das lässt sich nicht rückgängig machen.',
    },
    withNote: 'Notiz (optional)',
    owner: 'Benutzer',
    shelfEnd: 'Wie lange',
    today: 'Bis heute, 8:00',
    tomorrow: 'Bis morgen, 8:00',
    until: (time) => `Bis ${time}`,
    times: [
      ['60', 'Eine Stunde'],
      ['240', 'Vier Stunden'],
      ['1440', 'Ein Tag'],
      ['10080', 'Eine Woche'],
    ],
    noShelf: 'Nicht länger: zurück in die Liste',
    whileNoWorse: 'Bis es schlimmer wird, egal wann',
    untilWorse: 'Oder bis es schlimmer wird, falls das früher ist',
    ackEnd: 'Quittiert bis',
    noEnd: 'Es vorbei ist',
    nobody: 'Niemand',
    named: (name, fullName) => `${name} (${fullName})`,
    title: (action, count) => {
      const what = count === 1 ? 'Diesen Alarm' : alarmsText(count)
      const title = titles[action]
      return title === undefined
        ? `${what} ${infinitives[action] ?? action}`
        : `${title}: ${count === 1 ? 'dieser Alarm' : what}`
    },
    go: 'Ausführen',
    andMore: (count) => `und ${numberText(count)} weitere`,
    someOf: (count, all) => (count === all ? alarmsText(all) : `${numberText(count)} von ${ofAlarms(all)}`),
    done: {
      acknowledge: (alarms, before, isAll, isChanged) => {
        const which = isAll ? '' : `, ${numberText(before)} davon`
        return `${alarms} quittiert${before > 0 ? `${which} ${isChanged ? 'erneut' : 'schon vorher'}` : ''}`
      },
      shelve: (alarms) => `${alarms} zurückgestellt`,
      unshelve: (alarms) => `${alarms} wieder in der Liste`,
      assign: (alarms, owner) => `${alarms} ${owner === '' ? 'niemandem' : owner} zugewiesen`,
      note: (alarms) => `Notiz hinzugefügt: ${alarms}`,
      remark: (alarms) => `Bemerkung gespeichert: ${alarms}`,
      end: (alarms) => `${alarms} beendet`,
    },
    sentence: (text, isPart) => `${text}${isPart ? '; der Rest blieb, wie er war' : ''}.`,
    undone: 'Zurückgenommen.',
    isOver: 'Dieser Alarm ist beendet: Es gibt nichts mehr zu tun.',
    working: (done, all) => `${numberText(done)} von ${numberText(all)} …`,
  },

  options: {
    sound: 'Ton bei neuen kritischen Alarmen',
    notify: 'Hinweis des Browsers bei neuen kritischen Alarmen',
    notifyRefused:
      'Der Browser lässt keine Hinweise dieser Seite zu. Erlauben Sie sie in seinen Einstellungen.',
    keys: 'Einzelne Tasten (j, k, x, a …)',
    wall: 'Wandanzeige',
    raise: 'Alarm von Hand auslösen',
    wallLeave: 'Escape beendet die Wandanzeige',
    label: 'Optionen',
  },

  keys: {
    title: 'Tasten',
    list: [
      ['j, k, ↓, ↑', 'nächster und voriger Alarm'],
      ['Bild ↓, Bild ↑', 'zwanzig weiter, zwanzig zurück'],
      ['Pos1, Ende', 'erster und letzter Alarm'],
      ['x', 'auswählen'],
      ['←, →', 'zu- und aufklappen, was daraus folgt'],
      ['Enter', 'öffnen'],
      ['a', 'quittieren; diese und die nächsten vier auch auf der Seite eines Alarms'],
      ['s', 'zurückstellen'],
      ['o', 'zuweisen'],
      ['n', 'Notiz'],
      ['e', 'beenden'],
      ['Strg K', 'alles durchsuchen, auf jeder Seite'],
      ['/', 'in der Liste dieser Seite suchen; ohne Liste in allem'],
      ['w', 'Wandanzeige'],
      ['?', 'diese Liste, auf jeder Seite'],
      ['Escape', 'schließen, Auswahl aufheben, Suche verlassen'],
    ],
  },

  list: {
    any: 'Alle',
    none: 'Keine',
    count: (total) => plural(total, 'Eintrag', 'Einträge'),
    pages: 'Seiten der Liste',
    before: 'Zurück',
    after: 'Weiter',
    range: (from, to, total) => `${numberText(from)} bis ${numberText(to)} von ${numberText(total)}`,
    noMatch: 'Nichts passt zum Filter',
    clear: 'Filter entfernen',
    deviceHint: 'Ein Teil des Namens',
    byName: 'Es sind sehr viele: Geben Sie einen Teil des Namens ein.',
    moreFound: (count) => `und ${numberText(count)} weitere: Geben Sie mehr vom Namen ein`,
    without: (what, one) => `${what}: ohne ${one}`,
    addAnother: 'Weiteres hinzufügen …',
    more: 'Mehr Filter',
    notShown: (count) => `und ${numberText(count)} weitere`,
  },

  form: { optional: '(optional)' },

  columns: {
    choose: 'Spalten',
    before: (title) => `${title}: weiter nach vorn`,
    after: (title) => `${title}: weiter nach hinten`,
    widthOf: (title) => `Breite von ${title}`,
    byContent: 'Nach Bedarf',
    widths: { narrow: 'Schmal', medium: 'Mittel', wide: 'Breit', widest: 'Sehr breit' },
    pixels: (width) => `${numberText(width)} Pixel`,
    reset: 'Wie vorgesehen',
  },

  rows: {
    one: (noun, number, name) => `${noun} ${number}${name === '' ? '' : `: ${name}`}`,
    add: (noun) => `${noun} hinzufügen`,
    up: (title) => `${title} nach oben`,
    down: (title) => `${title} nach unten`,
    remove: (title) => `${title} entfernen`,
  },

  records: {
    create: (noun) => `${noun} anlegen`,
    edit: (noun) => `${noun} ändern`,
    editShort: 'Ändern',
    editOne: (name) => `${name} ändern`,
    delete: 'Löschen',
    deleteOne: (name) => `${name} löschen`,
    deleteTitle: (noun, name) => `${noun} ${name} löschen`,
    deleteHint: 'Das lässt sich nicht rückgängig machen. Das Änderungsprotokoll bewahrt den letzten Stand.',
    deleted: 'Gelöscht.',
    deletedWith: (remarks) => `Gelöscht. Hinweis: ${remarks}`,
    saved: 'Gespeichert.',
    savedWith: (remarks) => `Gespeichert. Hinweis: ${remarks}`,
    actions: 'Aktionen',
    changes: 'Wer es geändert hat',
    none: (title) => `${title}: noch keine`,
  },

  ends: {
    show: 'Auch Enden von Störungen zeigen',
    search: 'Auch unter den Enden von Störungen suchen',
  },
  draft: {
    title: 'Eingaben verwerfen?',
    hint: 'Sie sind noch nicht gespeichert.',
    discard: 'Verwerfen',
    stay: 'Weiter bearbeiten',
    restored: 'Das hatten Sie eingegeben und nicht gespeichert.',
    discardIt: 'Verwerfen',
  },

  secret: {
    copy: 'Kopieren',
    copied: 'Kopiert.',
    notCopied:
      'Der Browser hat das Kopieren nicht zugelassen: Markieren Sie den Text und kopieren Sie ihn selbst.',
  },

  presence: {
    password: 'Ihr derzeitiges Passwort',
    hint: 'Womit Sie sich anmelden: Dies überdauert Ihre Sitzung.',
    provider:
      'Sie melden sich über Ihre Organisation an. Dafür muss sie Sie in den letzten fünf Minuten danach gefragt haben.',
    again: 'Erneut anmelden',
  },

  signIn: {
    title: 'Anmelden',
    name: 'Name',
    password: 'Passwort',
    go: 'Anmelden',
    or: 'oder',
    provider: 'Über die Organisation anmelden',
    wrong: 'Name oder Passwort ist falsch.',
    waiting:
      'Andere versuchen es mit diesem Namen. Sie sind gleich an der Reihe, spätestens in einer Minute.',
    ended: 'Sie wurden abgemeldet. Melden Sie sich an, um hier weiterzumachen.',
    nowhere:
      'Über diese Verbindung ist keine Anmeldung möglich: Andere könnten das Passwort mitlesen. Nehmen Sie die Adresse, die mit https beginnt, oder einen Browser auf dem Rechner des Dienstes.',
  },
}

const roles: Readonly<Record<string, string>> = {
  viewer: 'Betrachter',
  operator: 'Operator',
  administrator: 'Administrator',
}

const roleText = (role: string) => roles[role] ?? role

/** By the code of the refusal; behind it stands what the service says itself, with the value and what it expects. */
const refusals: Readonly<Record<string, string>> = {
  invalid: 'Diese Angabe ist nicht möglich.',
  unauthorized: 'Dafür ist eine Anmeldung nötig.',
  forbidden: 'Ihre Rolle erlaubt das nicht.',
  'not-found': 'Das gibt es nicht, oder nicht mehr.',
  'method-not-allowed': 'Das ist hier nicht möglich.',
  'not-acceptable': 'In dieser Form ist es nicht zu haben.',
  conflict: 'Das widerspricht dem, was schon da ist.',
  gone: 'Das gibt es nicht mehr.',
  'too-large': 'Das ist zu groß.',
  'unsupported-media-type': 'Diese Art von Datei nimmt der Dienst nicht an.',
  'too-many-requests': 'Das waren zu viele Anfragen. Versuchen Sie es gleich noch einmal.',
  internal: 'Im Dienst ist ein Fehler aufgetreten.',
  unavailable: 'Der Dienst kann das gerade nicht.',
}
