// Heartbeats that the service sends while it is healthy: to a web address, which is a secret, or by mail.

import { useMemo } from 'preact/hooks'
import type { FormField, Values } from '../parts/form.tsx'
import type { Column } from '../parts/list.tsx'
import { useLoad } from '../parts/load.tsx'
import { Records } from '../parts/records.tsx'
import { Age, Ago } from '../parts/time.tsx'
import { outgoingHeartbeatTexts as words } from '../texts/notify-texts.ts'
import { type GatewayName, gatewayNames } from './channel.tsx'
import { secretField, typedSecret } from './secret-field.tsx'

interface OutgoingHeartbeat {
  readonly id: string
  readonly name: string
  readonly description?: string
  readonly everySeconds: string
  readonly enabled: string
  readonly urlSet: string
  readonly gatewayId?: string
  readonly address?: string
  readonly lastTime: string
  readonly failingSince: string
  readonly reason?: string
}

function State({ enabled, failingSince, reason, lastTime }: OutgoingHeartbeat) {
  if (enabled === 'false') return <span class="tag">{words.off}</span>
  if (failingSince === '0') return <span>{lastTime === '0' ? words.waits : words.delivered}</span>
  return (
    <>
      <span class="tag danger">
        {words.fails} <Age at={Number(failingSince)} />
      </span>{' '}
      {reason}
    </>
  )
}

const columns: readonly Column<OutgoingHeartbeat>[] = [
  {
    title: words.name,
    order: 'name',
    cell: ({ name, description }) => (
      <>
        <b>{name}</b> {description && <span class="hint">{description}</span>}
      </>
    ),
  },
  { title: words.state, kind: 'wide', cell: State },
  {
    title: words.last,
    cell: ({ lastTime }) => (lastTime === '0' ? words.never : <Ago at={Number(lastTime)} />),
  },
  {
    title: words.sent,
    cell: ({ everySeconds, address = '' }) => words.sentText(Number(everySeconds), address),
  },
]

const isMail = ({ way }: Values) => way === 'mail'

function fieldsWith(servers: readonly GatewayName[]): readonly FormField[] {
  return [
    { name: 'name', label: words.name, required: true },
    { name: 'description', label: words.description },
    {
      name: 'everySeconds',
      label: words.every,
      kind: 'number',
      hint: words.everyHint,
      required: true,
    },
    { name: 'way', label: words.way, kind: 'choice', choices: words.ways, required: true },
    { ...secretField('url', 'text'), shown: (values) => !isMail(values) },
    {
      name: 'gatewayId',
      label: words.gateway,
      kind: 'choice',
      choices: Object.fromEntries(servers.map(({ id, name }) => [id, name])),
      required: true,
      shown: isMail,
      ...(servers.length === 0 && { hint: words.noGateway }),
    },
    { name: 'address', label: words.address, required: true, shown: isMail },
    { name: 'enabled', label: words.enabled, kind: 'check' },
  ]
}

/** `server`: the one that is chosen at first for a heartbeat that becomes a mail. */
const toForm = (record: OutgoingHeartbeat, server: string): Values => {
  const { name, description = '', everySeconds, enabled, urlSet, gatewayId, address = '' } = record
  return {
    ...{ name, description, everySeconds, enabled, address },
    way: gatewayId === undefined ? 'url' : 'mail',
    gatewayId: gatewayId ?? server,
    secretSet: urlSet === 'true' ? 'url' : '',
  }
}

/** What belongs to the other way of sending is removed. */
function fromForm(values: Values): Values {
  const { name = '', description = '', everySeconds = '', enabled = '', url = '' } = values
  const { gatewayId = '', address = '' } = values
  const sent = isMail(values)
    ? { url: '', gatewayId, address }
    : { ...typedSecret('url', url), gatewayId: '', address: '' }
  return { name, description, everySeconds, enabled, ...sent }
}

export function OutgoingHeartbeats() {
  const { data: gateways = [] } = useLoad(gatewayNames, [])
  const servers = useMemo(() => gateways.filter(({ kind }) => kind === 'mail'), [gateways])
  const fields = useMemo(() => fieldsWith(servers), [servers])
  const server = servers[0]?.id ?? ''
  return (
    <Records
      queryPrefix="outgoing"
      title={words.title}
      noun={words.one}
      about={words.about}
      changes="administrator"
      path="/notify/outgoingHeartbeat"
      columns={columns}
      filters={[{ name: 'name', label: words.name, anywhere: true }]}
      fields={fields}
      blank={{ everySeconds: '300', way: 'url', enabled: 'true', gatewayId: server }}
      toForm={(record: OutgoingHeartbeat) => toForm(record, server)}
      fromForm={fromForm}
      keyOf={({ id }: OutgoingHeartbeat) => id}
      nameOf={({ name }: OutgoingHeartbeat) => name}
      emptyHint={words.emptyHint}
      deleteHint={words.deleteHint}
      every={15}
    />
  )
}
