// One trap: its content, its outcome, and why.

import { hrefOf } from '../core/address.ts'
import { read } from '../core/api.ts'
import { html } from '../core/html.ts'
import { Refused } from '../core/refused.ts'
import { may } from '../core/session.ts'
import { DeviceLink, useDeviceNames } from '../parts/device-names.ts'
import { Facts, Section } from '../parts/facts.ts'
import { Table } from '../parts/list.ts'
import { useLoad, When } from '../parts/load.ts'
import { Empty } from '../parts/problem.ts'
import { RuleLinks } from '../parts/rule-links.ts'
import { Time } from '../parts/time.ts'
import { trapTexts as words } from '../texts/traps.ts'
import type { Trap } from './alarm-why.ts'

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
  return html`<article class="page">
    <header class="page-head"><h1>${words.one} ${id}: ${trap.eventName ?? words.noEvent}</h1></header>
    <${Section} title=${words.became}>
      <p><b>${words.bins[bin] ?? bin}</b>: <${RuleLinks} text=${reason} />. ${alarmId && html`<a href=${hrefOf('alarm', alarmId)}>${words.toAlarm} ${alarmId}</a>`}</p>
      ${trap.rules && html`<p><${RuleLinks} text=${trap.rules} />.</p>`}
    <//>
    <${Facts}
      facts=${[
        [words.received, html`<${Time} at=${Number(trap.receivedTime)} />`],
        [
          words.device,
          deviceId !== '0' && deviceId !== '' && html`<${DeviceLink} id=${deviceId} otherwise=${deviceId} />`,
        ],
        [words.source, trap.sourceIp],
        [words.event, html`<span class="mono">${OID}</span>`],
        [words.version, trap.version],
      ]}
    />
    <${Section} title=${words.variables}>
      <${Table} columns=${columns} rows=${trap.variables} caption=${words.variables} keyOf=${({ oid }: Variable) => oid} />
    <//>
    ${
      may('operator') &&
      OID !== '' &&
      html`<div class="buttons">
        <a class="button" href=${hrefOf('event', '', { oid: OID })}>${words.define}</a>
        <a class="button" href=${hrefOf('rule', 'new', { oid: OID, device: deviceId === '0' ? '' : deviceId })}>${words.makeRule}</a>
      </div>`
    }
  </article>`
}

export default function TrapPage({ id }: { id: string }) {
  const loaded = useLoad((over) => read<Trap>(`/fault/trap/${encodeURIComponent(id)}`, {}, over), [id])
  if (loaded.error instanceof Refused && loaded.error.status === 404)
    return html`<${Empty} title=${words.gone}><a class="button" href=${hrefOf('traps')}>${words.title}</a><//>`
  return html`<${When} loaded=${loaded} show=${(trap: Trap) => html`<${TrapView} trap=${trap} />`} />`
}
