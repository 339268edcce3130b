// What a device says of itself, with the age of it; and what has changed of that.

import { hrefOf } from '../core/address.ts'
import { list as readList } from '../core/api.ts'
import { type Fact, Facts } from '../parts/facts.tsx'
import { useEvery, useLoad, When } from '../parts/load.tsx'
import { Ago } from '../parts/time.tsx'
import { deviceTexts, learntTexts as words } from '../texts/inventory-texts.ts'

export interface DeviceFacts {
  readonly sysName: string
  readonly sysDescription: string
  readonly sysOid: string
  readonly location: string
  readonly contact: string
  readonly serialNumber: string
  readonly model: string
  readonly software: string
  readonly address: readonly string[]
  readonly asked: string
  readonly problem: string
  readonly differs: string
}

export interface LearntPort {
  readonly id: string
  readonly ifIndex: string
  readonly name: string
  readonly description: string
  readonly alias: string
  readonly speed: string
  readonly mac: string
  readonly adminStatus: string
  readonly operStatus: string
  readonly lastChange: string
  readonly typed: string
}

export interface Neighbour {
  readonly id: string
  readonly ifIndex: string
  readonly portName: string
  readonly protocol: string
  readonly chassis: string
  readonly sysName: string
  readonly remotePort: string
  readonly address: string
  readonly missing: string
  readonly neighbourId?: string
  readonly neighbourName: string
}

interface Change {
  readonly id: string
  readonly ifIndex: string
  readonly portName: string
  readonly time: string
  readonly kind: string
  readonly oldValue: string
  readonly newValue: string
}

/** What a neighbour is called, as a link where it is in the inventory. */
export function neighbourLink(one: Neighbour) {
  const name = one.neighbourName || one.sysName || one.chassis || one.address
  return (
    <>
      {one.neighbourId ? <a href={hrefOf('device', one.neighbourId)}>{name}</a> : name}{' '}
      <span class="hint">
        {one.remotePort} {one.missing === 'true' && words.missing}
      </span>
    </>
  )
}

const compared = ['sysName', 'sysDescription', 'sysOid', 'location', 'contact'] as const
const titles = {
  sysName: deviceTexts.sysName,
  sysDescription: deviceTexts.description,
  sysOid: deviceTexts.sysOid,
  location: deviceTexts.location,
  contact: deviceTexts.contact,
} as const

export function DeviceSays({ facts }: { facts: DeviceFacts | undefined }) {
  if (!facts) return <p class="hint">{words.notAsked}</p>
  const { serialNumber, model, software, address, asked, problem } = facts
  const differs = facts.differs.split(',')
  const said = compared.map((name): Fact => {
    const isOther = differs.includes(name)
    return [
      titles[name],
      isOther ? (
        <>
          {facts[name] || words.nothing} <span class="tag">{words.differs}</span>
        </>
      ) : (
        facts[name]
      ),
    ]
  })
  return (
    <Facts
      facts={[
        ...said,
        [words.model, model],
        [words.serialNumber, serialNumber],
        [words.software, software],
        [words.addresses, address.join(', ')],
        [words.asked, <Ago at={Number(asked)} />],
        [words.problem, problem],
      ]}
    />
  )
}

const maxChanges = 20

function changeText({ kind, portName, oldValue, newValue }: Change): string {
  const what = words.kinds[kind] ?? kind
  const where = portName === '' ? what : `${portName}: ${what}`
  if (oldValue === '') return newValue === '' ? where : `${where}: ${newValue}`
  return `${where}: ${oldValue} → ${newValue || words.nothing}`
}

export function DeviceChanges({ id }: { id: string }) {
  const loaded = useLoad(
    (over) => readList<Change>('/plat/deviceChange', { deviceId: id, size: maxChanges }, over),
    [id],
  )
  useEvery(60, loaded)
  const show = ({ rows }: { readonly rows: readonly Change[] }) =>
    rows.length === 0 ? (
      <p class="hint">{words.noChanges}</p>
    ) : (
      <ul class="lines">
        {rows.map((change) => (
          <li key={change.id}>
            <span>{changeText(change)}</span>
            <Ago at={Number(change.time)} />
          </li>
        ))}
      </ul>
    )
  return <When loaded={loaded} show={show} />
}
