// One trap: its content, its outcome, and why.

import { hrefOf } from '../core/address.ts'
import { read } from '../core/api.ts'
import { Refused } from '../core/refused.ts'
import { may } from '../core/session.ts'
import { DeviceLink, useDeviceNames } from '../parts/device-names.tsx'
import { Facts, Section } from '../parts/facts.tsx'
import { Table } from '../parts/list.tsx'
import { useLoad, When } from '../parts/load.tsx'
import { Empty } from '../parts/problem.tsx'
import { RuleLinks } from '../parts/rule-links.tsx'
import { Time } from '../parts/time.tsx'
import { trapTexts as words } from '../texts/trap-texts.ts'
import type { Trap } from './alarm-why.tsx'
import { Remedy, TrapReason } from './trap-reason.tsx'

type Variable = Trap['variables'][number]

const columns = [
  { title: words.name, cell: ({ name, oid }: Variable) => (name === oid ? '' : name) },
  { title: words.value, kind: 'wide' as const, cell: ({ value }: Variable) => value },
  { title: words.type, cell: ({ type }: Variable) => type },
  { title: words.oid, kind: 'mono' as const, cell: ({ oid }: Variable) => oid },
]

function TrapView({ trap }: { trap: Trap }) {
  const { id, bin, reason, alarmId, OID, deviceId } = trap
  useDeviceNames([deviceId])
  return (
    <article class="page">
      <header class="page-head">
        <h1>
          {words.one} {id}: {trap.eventName ?? words.noEvent}
        </h1>
      </header>
      <Section title={words.became}>
        <p>
          <b>{words.bins[bin] ?? bin}</b>: <TrapReason bin={bin} reason={reason} />.{' '}
          {alarmId && (
            <a href={hrefOf('alarm', alarmId)}>
              {words.toAlarm} {alarmId}
            </a>
          )}
        </p>
        <Remedy bin={bin} reason={reason} />
        {trap.rules && (
          <p>
            <RuleLinks text={trap.rules} />.
          </p>
        )}
      </Section>
      <Facts
        facts={[
          [words.received, <Time at={Number(trap.receivedTime)} />],
          [
            words.device,
            deviceId !== '0' && deviceId !== '' && <DeviceLink id={deviceId} otherwise={deviceId} />,
          ],
          [words.source, trap.sourceIp],
          [words.event, <span class="mono">{OID}</span>],
          [words.version, trap.version],
        ]}
      />
      <Section title={words.variables}>
        <Table
          columns={columns}
          rows={trap.variables}
          caption={words.variables}
          keyOf={({ oid }: Variable) => oid}
        />
      </Section>
      {may('operator') && OID !== '' && (
        <div class="buttons">
          <a class="button" href={hrefOf('event', '', { oid: OID, trap: id })}>
            {words.define}
          </a>
          <a
            class="button"
            href={hrefOf('rule', 'new', { oid: OID, device: deviceId === '0' ? '' : deviceId })}
          >
            {words.makeRule}
          </a>
        </div>
      )}
    </article>
  )
}

export default function TrapPage({ id }: { id: string }) {
  const loaded = useLoad((over) => read<Trap>(`/fault/trap/${encodeURIComponent(id)}`, {}, over), [id])
  if (loaded.error instanceof Refused && loaded.error.status === 404)
    return (
      <Empty title={words.gone}>
        <a class="button" href={hrefOf('traps')}>
          {words.title}
        </a>
      </Empty>
    )
  return <When loaded={loaded} show={(trap: Trap) => <TrapView trap={trap} />} />
}
