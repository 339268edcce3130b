// The form of a gateway: only the fields that its kind needs. Secrets can be written, and are never shown.

import type { FormField, Values } from '../parts/form.tsx'
import { gatewayTexts as words } from '../texts/notify-texts.ts'
import { secretField, typedSecret } from './secret-field.tsx'

export interface Template {
  readonly name: string
  readonly description: string
  readonly field: readonly { readonly fieldName: string; readonly value: string }[]
  readonly needs: readonly string[]
}

const algorithms = (...all: readonly string[]) => ({
  '': words.none,
  ...Object.fromEntries(all.map((one) => [one, one])),
})

const isVersion3 = ({ version }: Values) => version === '3'
const isVersion2 = (values: Values) => !isVersion3(values)
const isEncrypted = ({ security }: Values) => security !== 'none'

const server: readonly FormField[] = [
  { name: 'host', label: words.host, hint: words.hostHint, required: true },
  { name: 'port', label: words.port, kind: 'number', hint: words.portHint },
]

const ofKind: Readonly<Record<string, readonly FormField[]>> = {
  mail: [
    ...server,
    { name: 'security', label: words.security, kind: 'choice', choices: words.securities, required: true },
    { name: 'sender', label: words.sender, hint: words.senderHint, required: true },
    { name: 'userName', label: words.userName, shown: isEncrypted },
    { ...secretField('password', 'password', false), shown: isEncrypted },
  ],
  slack: [secretField('token')],
  slackWebhook: [secretField('url', 'text')],
  teams: [secretField('url', 'text')],
  webhook: [
    secretField('url', 'text'),
    {
      name: 'method',
      label: words.method,
      kind: 'choice',
      choices: { POST: 'POST', PUT: 'PUT' },
      required: true,
    },
    {
      name: 'contentType',
      label: words.contentType,
      kind: 'choice',
      choices: {
        'application/json': 'application/json',
        'application/x-www-form-urlencoded': 'application/x-www-form-urlencoded',
        'text/plain': 'text/plain',
      },
      required: true,
    },
    { name: 'body', label: words.body, kind: 'area', hint: words.bodyHint },
    secretField('token', 'password', false),
    secretField('header', 'area', false),
    secretField('signingSecret', 'password', false),
  ],
  snmp: [
    ...server,
    {
      name: 'version',
      label: words.version,
      kind: 'choice',
      choices: { '2c': '2c', 3: '3' },
      required: true,
    },
    { ...secretField('community'), shown: isVersion2 },
    { name: 'userName', label: words.userName, required: true, shown: isVersion3 },
    { name: 'engineId', label: words.engineId, hint: words.engineIdHint, shown: isVersion3 },
    {
      name: 'authAlgorithm',
      label: words.authAlgorithm,
      kind: 'choice',
      choices: algorithms('md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512'),
      shown: isVersion3,
    },
    {
      ...secretField('authPassword'),
      shown: (values) =>
        isVersion3(values) && values.authAlgorithm !== undefined && values.authAlgorithm !== '',
    },
    {
      name: 'privAlgorithm',
      label: words.privAlgorithm,
      kind: 'choice',
      choices: algorithms('des', 'aes128', 'aes192', 'aes256'),
      shown: isVersion3,
    },
    {
      ...secretField('privPassword'),
      shown: (values) =>
        isVersion3(values) && values.privAlgorithm !== undefined && values.privAlgorithm !== '',
    },
    { name: 'inform', label: words.inform, kind: 'check' },
  ],
}

/** What the choice of a kind is called where it is a template: a webhook that is filled in. */
const templateSign = 'webhook '
const templateOf = (kind = '') => (kind.startsWith(templateSign) ? kind.slice(templateSign.length) : '')

/** From a template, one is asked for what it leaves open. Everything else can be changed afterwards. */
const ofTemplate = ({ name, needs }: Template): readonly FormField[] =>
  needs.map((need) => ({
    ...secretField(need, need === 'url' ? 'text' : 'password'),
    shown: ({ kind, id }: Values) => id === undefined && templateOf(kind) === name,
  }))

const kindChoices = (templates: readonly Template[]) => ({
  ...words.kinds,
  ...Object.fromEntries(templates.map(({ name }) => [templateSign + name, words.templateKind(name)])),
})

/** A kind is chosen once: another one would be another gateway. */
export const gatewayFields = (templates: readonly Template[]): readonly FormField[] => [
  {
    name: 'kind',
    label: words.kind,
    kind: 'choice',
    choices: kindChoices(templates),
    required: true,
    shown: ({ id }) => id === undefined,
  },
  ...templates.map(({ name, description }) => ({
    name: `about ${name}`,
    label: name,
    control: () => <p class="hint">{description}</p>,
    shown: ({ kind, id }: Values) => id === undefined && templateOf(kind) === name,
  })),
  { name: 'name', label: words.name, required: true },
  ...templates.flatMap(ofTemplate),
  ...Object.entries(ofKind).flatMap(([kind, fields]) =>
    fields.map((field) => ({
      ...field,
      shown: (values: Values) => values.kind === kind && (field.shown?.(values) ?? true),
    })),
  ),
  {
    name: 'addressHint',
    label: words.addressHint,
    hint: words.addressHintHint,
    shown: ({ kind, addressHint = '' }) => kind === 'webhook' || addressHint !== '',
  },
  { name: 'description', label: words.description },
  { name: 'enabled', label: words.enabled, kind: 'check' },
]

const isSecret = (name: string) => name in words.secrets

/** As it is sent: nothing of what was left empty when it is made, and no secret that stays. */
export function gatewayBody(values: Values, isNew: boolean): Values {
  const { kind = '' } = values
  const template = templateOf(kind)
  const fields = ofKind[template === '' ? kind : ''] ?? []
  const asked = new Set([
    'name',
    'addressHint',
    'description',
    'enabled',
    ...(template === '' ? [] : Object.keys(words.secrets)),
  ])
  const given: Record<string, string> = {}
  for (const { name, shown } of fields) {
    if (shown?.(values) ?? true) asked.add(name)
    // It belonged to what was chosen before.
    else if (!isNew) given[name] = ''
  }
  for (const name of asked) {
    const value = values[name] ?? ''
    if (isSecret(name)) Object.assign(given, typedSecret(name, value))
    else if (value !== '' || !isNew) given[name] = value
  }
  return template === '' ? { ...given, kind } : { ...given, kind: 'webhook', template }
}
