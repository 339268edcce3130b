// Gateways: the servers through which messages leave. Administrators define them.

import { useMemo, useState } from 'preact/hooks'
import { list } from '../core/api.ts'
import type { Values } from '../parts/form.tsx'
import type { Column } from '../parts/list.tsx'
import { useLoad, When } from '../parts/load.tsx'
import { Records } from '../parts/records.tsx'
import { gatewayTexts as words } from '../texts/notify-texts.ts'
import { gatewayBody, gatewayFields, type Template } from './gateway-fields.tsx'
import { SendTest } from './send-test.tsx'

type Gateway = Readonly<Record<'id' | 'name' | 'kind' | 'enabled', string>> &
  Readonly<Partial<Record<'description' | 'addressHint' | 'template' | 'host' | 'port', string>>> & {
    readonly secretSet: readonly string[]
  }

const columns: readonly Column<Gateway>[] = [
  { title: words.name, order: 'name', cell: ({ name }) => <b>{name}</b> },
  {
    title: words.kind,
    cell: ({ kind, template }) => (template ? words.templateKind(template) : (words.kinds[kind] ?? kind)),
  },
  { title: words.state, cell: ({ enabled }) => words.states[enabled] },
  { title: words.where, kind: 'mono', cell: ({ host, port }) => host && `${host}:${port ?? ''}` },
  {
    title: words.secretsSet,
    kind: 'wide',
    cell: ({ secretSet }) => secretSet.map((name) => words.secrets[name] ?? name).join(', '),
  },
  { title: words.description, kind: 'rare', cell: ({ description }) => description },
]

const toForm = ({ secretSet, ...gateway }: Gateway): Values => ({
  ...gateway,
  secretSet: secretSet.join(' '),
})

/** What is chosen without being said. */
const blank: Values = {
  kind: 'mail',
  security: 'starttls',
  method: 'POST',
  contentType: 'application/json',
  version: '2c',
  inform: 'false',
  enabled: 'true',
}

/** Addresses of these lead to one place by themselves. */
const withoutAddress = ['slackWebhook', 'teams', 'snmp']

function Gateways({ templates }: { templates: readonly Template[] }) {
  const fields = useMemo(() => gatewayFields(templates), [templates])
  const [tested, setTested] = useState<Gateway | undefined>(undefined)
  const test = (gateway: Gateway) => (
    <button
      type="button"
      class="plain"
      aria-label={words.testOne(gateway.name)}
      onClick={() => setTested(gateway)}
    >
      {words.test}
    </button>
  )
  return (
    <Records
      title={words.title}
      noun={words.one}
      about={words.about}
      changes="administrator"
      path="/notify/gateway"
      columns={columns}
      actions={test}
      filters={[
        { name: 'name', label: words.name, anywhere: true },
        { name: 'kind', label: words.kind, choices: words.kinds },
      ]}
      fields={fields}
      blank={blank}
      toForm={toForm}
      fromForm={(values: Values, before: Gateway | undefined) => gatewayBody(values, before === undefined)}
      keyOf={({ id }: Gateway) => id}
      nameOf={({ name }: Gateway) => name}
      emptyHint={words.emptyHint}
      deleteHint={words.deleteHint}
      isWide
    >
      {tested && (
        <SendTest
          name={tested.name}
          path={`/notify/gateway/${tested.id}/test`}
          fields={
            withoutAddress.includes(tested.kind)
              ? []
              : [
                  {
                    name: 'address',
                    label: words.testAddress,
                    required: tested.kind !== 'webhook',
                    ...(tested.addressHint && { hint: tested.addressHint }),
                  },
                ]
          }
          close={() => setTested(undefined)}
        />
      )}
    </Records>
  )
}

export default function GatewaysPage() {
  const loaded = useLoad(
    async (over) => (await list<Template>('/notify/gateway/template', {}, over)).rows,
    [],
  )
  return (
    <When loaded={loaded} show={(templates: readonly Template[]) => <Gateways templates={templates} />} />
  )
}
