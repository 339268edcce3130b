// One device: its state, its alarms, its ports and its neighbours.

import { useState } from 'preact/hooks'
import { openAlarms } from '../alarms/live.ts'
import type { AlarmRow } from '../alarms/row.ts'
import { hrefOf } from '../core/address.ts'
import { list, listWhole, read } from '../core/api.ts'
import { Refused } from '../core/refused.ts'
import { may } from '../core/session.ts'
import { NameOf, useChoosable } from '../parts/by-name.tsx'
import { ChangesLink } from '../parts/changes-link.tsx'
import { Facts, Section } from '../parts/facts.tsx'
import { LevelShape } from '../parts/level.tsx'
import { useEvery, useLoad, When } from '../parts/load.tsx'
import { Empty } from '../parts/problem.tsx'
import { RecordDialog } from '../parts/records.tsx'
import { Status } from '../parts/status.tsx'
import { Age } from '../parts/time.tsx'
import { aroundTexts } from '../texts/around-texts.ts'
import { learntTexts, linkTexts, reachTexts, deviceTexts as words } from '../texts/inventory-texts.ts'
import { frontTexts } from '../texts/map-texts.ts'
import { texts } from '../texts/shared-texts.ts'
import type { Binding } from './bindings.tsx'
import { DeviceDay } from './device-day.tsx'
import { type DeviceLinkRow, DeviceLinks } from './device-links.tsx'
import { DeviceMaintenance } from './device-maintenance.tsx'
import { DrawnNeighbours } from './device-neighbours.tsx'
import { Ports } from './device-ports.tsx'
import { type Device, deviceShape } from './devices.tsx'
import { DeviceChanges, type DeviceFacts, DeviceSays, type LearntPort, type Neighbour } from './learnt.tsx'
import { PortStrip } from './port-strip.tsx'
import { ReachHistory } from './reach-history.tsx'
import { DeviceReachability } from './reachability.tsx'

interface Around {
  readonly device: Device
  readonly bindings: readonly Binding[]
  readonly facts: DeviceFacts | undefined
  readonly ports: readonly LearntPort[]
  readonly neighbours: readonly Neighbour[]
  readonly links: readonly DeviceLinkRow[]
}

const maxAlarms = 30

function OpenAlarms({ id }: { id: string }) {
  void openAlarms.version.value
  const rows = [...openAlarms.rows.values()].filter((row) => row.deviceId === id && row.endedAt === 0)
  rows.sort((a, b) => a.level - b.level || b.time - a.time)
  if (rows.length === 0)
    return <p class="hint">{openAlarms.isWhole.value ? words.noAlarms : texts.stream.loading}</p>
  const line = (row: AlarmRow) => (
    <li key={row.id}>
      <LevelShape level={row.level} />
      <span>
        <a href={hrefOf('alarm', row.id)}>{row.text}</a>
      </span>
      {may('operator') && (
        <a href={hrefOf('rule', 'new', { alarm: row.id })} aria-label={aroundTexts.ruleFor(row.text)}>
          {aroundTexts.rule}
        </a>
      )}
      <Age at={row.time} />
    </li>
  )
  return (
    <>
      <ul class="lines">{rows.slice(0, maxAlarms).map(line)}</ul>
      {rows.length > maxAlarms && (
        <p>
          <a href={hrefOf('alarms', '', { device: id })}>{words.moreAlarms(rows.length - maxAlarms)}</a>
        </p>
      )}
    </>
  )
}

function DeviceView({
  device,
  bindings,
  facts,
  ports,
  neighbours,
  links,
  again,
}: Around & { again: () => void }) {
  const zones = useChoosable('zone')
  const [editing, setEditing] = useState(false)
  const { id } = device
  return (
    <article class="page">
      <header class="page-head">
        <h1>{device.label}</h1>
        <Status status={device.status} />
        <span class="gap" />
        <ChangesLink resource="device" id={id} />
        <a class="button" href={hrefOf('map', '', { device: id })}>
          {frontTexts.onMap}
        </a>
        {may('operator') && (
          <>
            <a class="button" href={hrefOf('window', 'new', { device: id, name: device.label })}>
              {words.maintenance}
            </a>
            <button type="button" onClick={() => setEditing(true)}>
              {words.edit}
            </button>
          </>
        )}
      </header>
      <div class="columns">
        <div>
          <Section title={words.alarms}>
            <OpenAlarms id={id} />
            <p>
              <a href={hrefOf('history', '', { deviceId: id })}>{words.allAlarms}</a> ·{' '}
              <a href={hrefOf('traps', '', { deviceId: id })}>{words.traps}</a> ·{' '}
              <a href={hrefOf('messages', '', { deviceId: id, follow: 'true' })}>{words.messages}</a>
            </p>
          </Section>
          <Section title={frontTexts.day}>
            <DeviceDay id={id} />
          </Section>
          {device.interfaces.length + ports.length > 0 && (
            <Section title={frontTexts.title}>
              <PortStrip {...{ device, bindings, neighbours, again }} learnt={ports} />
            </Section>
          )}
          <Section title={aroundTexts.title} hint={aroundTexts.hint}>
            <DrawnNeighbours {...{ id, neighbours, ports }} label={device.label} typed={device.interfaces} />
          </Section>
          <Section title={words.interfaces} hint={device.interfaces.length > 0 ? words.interfacesHint : ''}>
            <Ports device={device} bindings={bindings} learnt={ports} neighbours={neighbours} />
          </Section>
          {links.length > 0 && (
            <Section title={linkTexts.title}>
              <DeviceLinks links={links} ports={ports} neighbours={neighbours} />
            </Section>
          )}
        </div>
        <div>
          <Section title={words.facts}>
            <Facts
              facts={[
                [words.ip, device.ip],
                [words.otherAddresses, device.otherAddress.map(({ ip }) => ip).join(', ')],
                [words.zone, <NameOf among={zones} id={device.zoneId ?? '1'} />],
                [words.type, device.typeName],
                [words.location, device.location],
                [words.contact, device.contact],
                [words.sysName, device.sysName],
                [words.description, device.sysDescription],
                [words.sysOid, device.sysOid],
                [words.mask, device.mask],
              ]}
            />
          </Section>
          <Section title={reachTexts.title}>
            <DeviceReachability id={id} />
            <ReachHistory id={id} />
          </Section>
          <Section title={learntTexts.title}>
            <DeviceSays facts={facts} />
          </Section>
          <Section title={aroundTexts.maintenance}>
            <DeviceMaintenance device={device} />
          </Section>
          {facts && (
            <Section title={learntTexts.changes}>
              <DeviceChanges id={id} />
            </Section>
          )}
        </div>
      </div>
      {editing && (
        <RecordDialog before={device} shape={deviceShape} close={() => setEditing(false)} again={again} />
      )}
    </article>
  )
}

async function load(id: string, over: AbortSignal): Promise<Around> {
  const [device, bindings, facts, ports, neighbours, links] = await Promise.all([
    read<Device>(`/plat/res/device/${encodeURIComponent(id)}`, {}, over),
    listWhole<Binding>('/res/access/macAccessBind', { deviceId: id }, over),
    list<DeviceFacts>('/plat/deviceFacts', { deviceId: id }, over),
    listWhole<LearntPort>('/plat/port', { deviceId: id }, over),
    listWhole<Neighbour>('/plat/neighbour', { deviceId: id }, over),
    listWhole<DeviceLinkRow>('/plat/link', { deviceId: id }, over),
  ])
  return { device, bindings, facts: facts.rows[0], ports, neighbours, links }
}

export default function DevicePage({ id }: { id: string }) {
  const loaded = useLoad((over) => load(id, over), [id])
  useEvery(15, loaded)
  if (loaded.error instanceof Refused && loaded.error.status === 404)
    return (
      <Empty title={words.gone}>
        <a class="button" href={hrefOf('devices')}>
          {words.title}
        </a>
      </Empty>
    )
  return <When loaded={loaded} show={(around: Around) => <DeviceView {...around} again={loaded.again} />} />
}
