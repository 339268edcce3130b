// Where is this MAC? Terminals that were seen, each with the port it is at.

import { address, hrefOf } from '../core/address.ts'
import { dayBegins, dayEnds } from '../core/time-text.ts'
import { Section } from '../parts/facts.tsx'
import type { Column } from '../parts/list.tsx'
import type { ListFilter } from '../parts/list-filters.tsx'
import { ListPage } from '../parts/list-page.tsx'
import { Empty } from '../parts/problem.tsx'
import { Age, Ago } from '../parts/time.tsx'
import { locationTexts, seenTexts as words } from '../texts/terminal-texts.ts'
import { MacLocations } from './mac-locations.tsx'

/** Where a terminal is, or was. */
export interface Stay {
  readonly id: string
  readonly terminalMac: string
  readonly terminalName: string
  readonly maintainer: string
  readonly deviceId: string
  readonly deviceIp: string
  readonly deviceName: string
  readonly ifIndex: string
  readonly port: string
  readonly ip: string
  readonly vlan: string
  readonly since: string
  readonly lastTime: string
}

export interface Terminal extends Stay {
  readonly source: string
  readonly present: string
  readonly bound: string
  readonly violation: string
  readonly reason: string
}

export function Place({ stay }: { stay: Stay }) {
  const { deviceId, deviceIp, deviceName, ifIndex, port } = stay
  const device = deviceName || deviceIp
  const where = port || (ifIndex === '' ? '' : words.port(ifIndex))
  const named =
    deviceId === '0' || deviceId === '' ? device : <a href={hrefOf('device', deviceId)}>{device}</a>
  return (
    <span>
      {named}
      {where !== '' && `, ${where}`}
    </span>
  )
}

export function Standing({ terminal: { present, violation, bound } }: { terminal: Terminal }) {
  return (
    <>
      <span>{present === 'true' ? words.here : words.left}</span>
      {violation === 'true' && (
        <>
          {' '}
          <span class="tag danger">{words.violation}</span>
        </>
      )}
      {bound !== 'true' && (
        <>
          {' '}
          <span class="tag">{words.unbound}</span>
        </>
      )}
    </>
  )
}

const columns: readonly Column<Terminal>[] = [
  {
    title: words.mac,
    kind: 'mono',
    order: 'terminalMac',
    cell: ({ id, terminalMac }) => <a href={hrefOf('terminal', id)}>{terminalMac}</a>,
  },
  { title: words.name, cell: ({ terminalName }) => terminalName },
  { title: words.place, kind: 'wide', cell: (stay) => <Place stay={stay} /> },
  { title: words.ip, kind: 'mono', order: 'ip', cell: ({ ip }) => ip },
  { title: words.state, cell: (terminal) => <Standing terminal={terminal} /> },
  { title: words.since, kind: 'number', cell: ({ since }) => <Age at={Number(since)} /> },
  {
    title: words.last,
    kind: 'number',
    order: 'lastTime',
    cell: ({ lastTime }) => <Ago at={Number(lastTime)} />,
  },
]

/** A whole address or a part of one, with separators or without: the service takes them alike. */
export const macOf = (text: string) =>
  /[*?]/.test(text) || text.replace(/[^0-9a-f]/gi, '').length === 12 ? text : `*${text.toLowerCase()}*`

const yesNo = { true: words.yes, false: words.no }

const filters: readonly ListFilter[] = [
  { name: 'terminalMac', label: words.find, form: macOf, hint: '02:00:5e:…' },
  { name: 'ip', label: words.ip, anywhere: true },
  { name: 'present', label: words.present, choices: yesNo },
  { name: 'violation', label: words.violations, choices: yesNo },
  { name: 'deviceId', label: words.atDevice, kind: 'device' },
  { name: 'ifIndex', label: words.atPort },
  { name: 'bound', label: words.bound, choices: yesNo },
  { name: 'zoneId', label: words.inZone, of: 'zone' },
  { name: 'startTime', label: words.seenFrom, kind: 'day', form: dayBegins },
  { name: 'endTime', label: words.seenUntil, kind: 'day', form: dayEnds },
]

/** A terminal that no switch has reported may still have a binding. */
function Elsewhere() {
  const mac = address.value.query.get('terminalMac') ?? ''
  return (
    <>
      <p>{words.noMatchHint}</p>
      <a class="button" href={hrefOf('bindings', '', { terminalMac: mac })}>
        {words.lookInBindings}
      </a>
    </>
  )
}

/** With a whole address, the answer of all sources: devices that are asked know terminals that no switch has reported. */
function Located() {
  const mac = address.value.query.get('terminalMac') ?? ''
  if (mac.replace(/[^0-9a-f]/gi, '').length !== 12) return null
  return (
    <Section title={locationTexts.title}>
      <MacLocations mac={mac} />
    </Section>
  )
}

export default function TerminalsPage() {
  const list = {
    path: '/res/access/terminal',
    columns,
    filters,
    keyOf: ({ id }: Terminal) => id,
    empty: (
      <Empty title={words.empty}>
        <p>{words.emptyHint}</p>
        <a class="button" href={hrefOf('bindings')}>
          {words.toBindings}
        </a>
      </Empty>
    ),
    elsewhere: <Elsewhere />,
  }
  return (
    <ListPage
      title={words.title}
      about={words.about}
      list={list}
      before={
        <>
          <p>
            <a href={hrefOf('stays')}>{words.toStays}</a>
          </p>
          <Located />
        </>
      }
    />
  )
}
