// What a text may mean, by kind: pages and open alarms are known here, the inventory is asked of the service.

import { openAlarms } from '../alarms/live.ts'
import type { AlarmRow } from '../alarms/row.ts'
import { hrefOf } from '../core/address.ts'
import { list, read } from '../core/api.ts'
import { pages } from '../core/pages.ts'
import { may } from '../core/session.ts'
import type { Device } from '../inventory/devices.tsx'
import { addressOf } from '../inventory/ip.ts'
import type { AssignedIp, Segment } from '../inventory/segment-picture.tsx'
import { macOf, type Terminal } from '../inventory/terminals.tsx'
import { searchTexts as words } from '../texts/search-texts.ts'
import { texts } from '../texts/shared-texts.ts'

export interface Result {
  readonly href: string
  readonly label: string
  /** What tells it from others. */
  readonly note?: string
  readonly level?: number
}

export interface Group {
  readonly kind: keyof typeof words.groups
  readonly results: readonly Result[]
}

/** Of each kind; the list of that kind has the others. */
const maxShown = 5

const wordsOf = (text: string) => text.toLowerCase().split(/\s+/).filter(Boolean)

const hasAll = (text: string, wanted: readonly string[]) => wanted.every((word) => text.includes(word))

function pagesLike(wanted: readonly string[]): Result[] {
  return Object.entries(pages).flatMap(([name, { title, group, needs }]) => {
    if (!group || (needs && !may(needs))) return []
    const note = texts.menu[group]
    return hasAll(`${note} ${title}`.toLowerCase(), wanted)
      ? [{ href: hrefOf(name), label: title, note }]
      : []
  })
}

function actionsLike(wanted: readonly string[]): Result[] {
  if (!may('operator')) return []
  const all: Result[] = [
    { href: hrefOf('raise'), label: words.actions.raise },
    { href: hrefOf('window', 'new'), label: words.actions.window },
    { href: hrefOf('rule', 'new'), label: words.actions.rule },
    { href: hrefOf('import'), label: words.actions.import },
  ]
  return all.filter(({ label }) => hasAll(label.toLowerCase(), wanted))
}

const alarmResult = ({ id, device, text, level, endedAt }: AlarmRow): Result => ({
  href: hrefOf('alarm', id),
  label: text,
  note: [words.alarm(id), device, ...(endedAt > 0 ? [words.over] : [])].join(' · '),
  level,
})

const worstFirst = (a: AlarmRow, b: AlarmRow) => a.level - b.level || b.time - a.time

function openAlarmsLike(text: string, wanted: readonly string[]): Result[] {
  const found = [...openAlarms.rows.values()].filter(({ search }) => hasAll(search, wanted)).sort(worstFirst)
  const results = found.slice(0, maxShown).map(alarmResult)
  if (found.length <= maxShown) return results
  return [...results, { href: hrefOf('alarms', '', { q: text }), label: words.allAlarms(found.length) }]
}

/** At once, without asking anybody. */
export function knownHere(text: string): Group[] {
  const wanted = wordsOf(text)
  if (wanted.length === 0) return [{ kind: 'actions', results: actionsLike([]) }]
  return [
    { kind: 'alarms', results: openAlarmsLike(text, wanted) },
    { kind: 'pages', results: pagesLike(wanted).slice(0, maxShown) },
    { kind: 'actions', results: actionsLike(wanted) },
  ]
}

/** An alarm that is over is in the history alone. */
async function alarmByNumber(text: string, over: AbortSignal): Promise<Group[]> {
  const [, id] = /^#?(\d{1,19})$/.exec(text) ?? []
  if (id === undefined || openAlarms.rows.has(id)) return []
  const { rows } = await list<{ id: string; alarmDesc: string; deviceName: string; alarmLevel: string }>(
    '/fault/alarm',
    { id, size: 1 },
    over,
  )
  const results = rows.map(({ alarmDesc, deviceName, alarmLevel }) => ({
    href: hrefOf('alarm', id),
    label: alarmDesc || words.alarm(id),
    note: `${words.alarm(id)} · ${deviceName}`,
    level: Number(alarmLevel),
  }))
  return [{ kind: 'alarms', results }]
}

const isIpv4Part = (text: string) => /^\d{1,3}(\.\d{0,3})+$/.test(text)

/** Digits and dots, or groups of an IPv6 address. */
const isAddressPart = (text: string) => isIpv4Part(text) || /^[0-9a-f]*:[0-9a-f:]*$/i.test(text)

const portsOf = ({ id, label, interfaces }: Device, wanted: readonly string[]): Result[] =>
  interfaces
    .filter(({ ifDesc }) => hasAll(ifDesc.toLowerCase(), wanted))
    .map(({ ifDesc, ifIndex }) => ({
      href: hrefOf('device', id),
      label: `${label} ${ifDesc}`,
      note: ifIndex,
    }))

/** Where the text means one device, what can be done with it. */
const actionsOn = ({ id, label }: Device): Result[] => [
  ...(may('operator')
    ? [{ href: hrefOf('window', 'new', { device: id }), label: words.actionsOn.window(label) }]
    : []),
  { href: hrefOf('alarms', '', { device: id }), label: words.actionsOn.alarms(label) },
  { href: hrefOf('history', '', { deviceId: id }), label: words.actionsOn.history(label) },
]

/** A device by a part of its name or address; of several words, those behind its name are of a port. */
async function devicesLike(text: string, over: AbortSignal): Promise<Group[]> {
  const [name = '', ...port] = wordsOf(text)
  const asked = (part: string) => ({
    [isAddressPart(part) ? 'ip' : 'label']: `*${part}*`,
    ...{ size: maxShown, orderBy: 'label' },
  })
  const whole = await list<Device>('/plat/res/device', asked(text), over)
  const results: Result[] = whole.rows.map(({ id, label, ip }) => ({
    href: hrefOf('device', id),
    label,
    note: ip,
  }))
  const href = hrefOf('devices', '', { [isAddressPart(text) ? 'ip' : 'label']: text })
  if (whole.total > maxShown) results.push({ href, label: words.allDevices(whole.total) })
  const ofPorts = port.length === 0 ? [] : (await list<Device>('/plat/res/device', asked(name), over)).rows
  const ports = ofPorts.flatMap((device) => portsOf(device, port)).slice(0, maxShown)
  return [
    { kind: 'devices', results },
    { kind: 'ports', results: ports },
    { kind: 'actions', results: whole.total === 1 ? whole.rows.flatMap(actionsOn) : [] },
  ]
}

/** Four hexadecimal digits are the least by which an address is looked for. */
const isMacPart = (text: string) =>
  /^[0-9a-f:.-]+$/i.test(text) && !isIpv4Part(text) && text.replace(/[^0-9a-f]/gi, '').length >= 4

async function terminalsBy(name: 'terminalMac' | 'ip', text: string, over: AbortSignal): Promise<Result[]> {
  const query = { [name]: name === 'ip' ? `*${text}*` : macOf(text), size: maxShown }
  const { rows, total } = await list<Terminal>('/res/access/terminal', query, over)
  const results: Result[] = rows.map(({ id, terminalMac, terminalName, ip, deviceName, deviceIp, port }) => ({
    href: hrefOf('terminal', id),
    label: terminalMac,
    note: [terminalName, ip, deviceName || deviceIp, port].filter(Boolean).join(' · '),
  }))
  const href = hrefOf('terminals', '', { [name]: text })
  return total > maxShown ? [...results, { href, label: words.allTerminals(total) }] : results
}

/** Groups with colons may be a part of a MAC address or of an IPv6 address. */
async function terminalsLike(text: string, over: AbortSignal): Promise<Group[]> {
  const found = await Promise.all([
    isMacPart(text) ? terminalsBy('terminalMac', text, over) : [],
    isAddressPart(text) ? terminalsBy('ip', text, over) : [],
  ])
  const byPlace = new Map(found.flat().map((result) => [result.href, result]))
  return [{ kind: 'terminals', results: [...byPlace.values()] }]
}

const isWholeAddress = (text: string) =>
  /^\d{1,3}(\.\d{1,3}){3}$/.test(text) || URL.canParse(`http://[${text}]`)

/** The smallest segment that contains it. */
function segmentOf(text: string, segments: readonly Segment[]): Segment | undefined {
  const { family, value } = addressOf(text)
  const around = segments.find(({ startIp, endIp }) => {
    const [start, end] = [addressOf(startIp), addressOf(endIp)]
    return start.family === family && start.value <= value && value <= end.value
  })
  return around && (segmentOf(text, around.assignedIpScope ?? []) ?? around)
}

async function addressesLike(text: string, over: AbortSignal): Promise<Group[]> {
  if (!isWholeAddress(text)) return []
  const tree = await read<{ assignedIpScope?: readonly Segment[] }>('/res/access/assignedIpScope', {}, over)
  const segment = segmentOf(text, tree.assignedIpScope ?? [])
  if (!segment) return []
  const query = { ipScopeId: segment.id, ip: text, size: 1 }
  const { rows } = await list<AssignedIp>('/res/access/assignedIpScope/ip', query, over)
  const note = rows[0] ? words.assignedIn(rows[0].name ?? '', segment.name) : words.freeIn(segment.name)
  return [
    {
      kind: 'addresses',
      results: [{ href: hrefOf('addresses', '', { segment: segment.id }), label: text, note }],
    },
  ]
}

/** Asked of the service; rejects where all of it failed. */
export async function askedFor(text: string, over: AbortSignal): Promise<Group[]> {
  if (text.length < 2 && !/^\d$/.test(text)) return []
  const asked = [alarmByNumber, devicesLike, terminalsLike, addressesLike].map((find) => find(text, over))
  const answers = await Promise.allSettled(asked)
  const [failed] = answers.filter((answer) => answer.status === 'rejected')
  if (failed && answers.every(({ status }) => status === 'rejected')) throw failed.reason
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
}

const order = Object.keys(words.groups)

/** One group of each kind, in the order of the kinds; without the empty ones. */
export function together(groups: readonly Group[]): Group[] {
  const byKind = Map.groupBy(groups, ({ kind }) => kind)
  return [...byKind]
    .map(([kind, some]) => ({ kind, results: some.flatMap(({ results }) => results) }))
    .filter(({ results }) => results.length > 0)
    .sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
}
