// Where a MAC address is, from every source: what people bound, what switches reported, what devices said when they were asked.

import { hrefOf } from '../core/address.ts'
import { list as readList } from '../core/api.ts'
import { type Column, Table } from '../parts/list.tsx'
import { useEvery, useLoad, When } from '../parts/load.tsx'
import { Ago } from '../parts/time.tsx'
import { locationTexts as words } from '../texts/terminal-texts.ts'

interface MacLocation {
  readonly mac: string
  readonly ip: readonly string[]
  readonly source: keyof typeof words.sources
  readonly state: keyof typeof words.states
  readonly deviceId: string
  readonly deviceIp: string
  readonly deviceName: string
  readonly ifIndex: string
  readonly port: string
  readonly vlan: string
  readonly since: string
  readonly lastTime: string
}

const timeOf = (time: string) => (time === '0' || time === '' ? '' : <Ago at={Number(time)} />)

const columns: readonly Column<MacLocation>[] = [
  {
    title: words.place,
    kind: 'wide',
    cell: ({ deviceId, deviceName, deviceIp, port, ifIndex }) => {
      const device = deviceName || deviceIp || deviceId
      const where = port || (ifIndex === '0' ? '' : words.port(ifIndex))
      return (
        <span>
          {deviceId === '0' ? device : <a href={hrefOf('device', deviceId)}>{device}</a>}
          {where !== '' && `, ${where}`}
        </span>
      )
    },
  },
  {
    title: words.state,
    cell: ({ state }) =>
      state === 'here' ? words.states.here : <span class="tag">{words.states[state]}</span>,
  },
  { title: words.source, cell: ({ source }) => words.sources[source] },
  { title: words.vlan, kind: 'number', cell: ({ vlan }) => (vlan === '0' ? '' : vlan) },
  { title: words.since, kind: 'number', cell: ({ since }) => timeOf(since) },
  { title: words.last, kind: 'number', cell: ({ lastTime }) => timeOf(lastTime) },
]

const maxShown = 20

/** By a whole MAC address; the likeliest place comes first. */
export function MacLocations({ mac }: { mac: string }) {
  const loaded = useLoad(
    (over) => readList<MacLocation>('/plat/macLocation', { mac, size: maxShown }, over),
    [mac],
  )
  useEvery(30, loaded)
  const show = ({ rows }: { readonly rows: readonly MacLocation[] }) => {
    const ips = rows[0]?.ip ?? []
    if (rows.length === 0) return <p class="hint">{words.nowhere}</p>
    return (
      <>
        <Table
          columns={columns}
          rows={rows}
          caption={words.title}
          keyOf={(one: MacLocation) => `${one.source} ${one.deviceId} ${one.ifIndex} ${one.vlan}`}
        />
        {ips.length > 0 && <p class="hint">{words.addresses(ips.join(', '))}</p>}
      </>
    )
  }
  return <When loaded={loaded} show={show} />
}
