// Gateways: the servers through which messages leave, with their secrets. A secret is encrypted with the key file and is
// never shown again.

import { randomBytes } from 'node:crypto'
import { Fault } from '../../fault.ts'
import { forgetSecret, type Keys } from '../../keys/key-ring.ts'
import { list } from '../../schema/list.ts'
import {
  assigned,
  assignedSet,
  type DraftOf,
  optional,
  type RecordOf,
  required,
  resource,
  secret,
} from '../../schema/resource.ts'
import { bool, fold, int, long, type Scalar, text } from '../../schema/scalar.ts'
import type { Reader, Transaction } from '../../store/database.ts'
import { collection, requireRoom, requireUnique } from '../collection.ts'
import { checkUsage, defaultPort, type GatewayKind, gatewayKinds } from './gateway-kinds.ts'

export const oneOf = (...words: readonly string[]) =>
  text({ pattern: { source: words.join('|'), accepted: `one of ${words.join(', ')}` } })

/** The received text is not repeated in messages. */
export function hidden(maxLength: number, isAccepted: (value: string) => boolean, accepted: string) {
  const inner = text({ maxLength })
  const form: Scalar<string> = {
    ...inner,
    accepted,
    read(value) {
      let isText = true
      try {
        inner.read(value)
      } catch {
        isText = false
      }
      if (isText && isAccepted(value)) return value
      throw new Fault('invalid', `the value is not accepted: expected ${accepted}`)
    },
  }
  return form
}

/** Until the path begins, an address has no placeholders: the server is not chosen by what is sent. */
function isWebAddress(value: string): boolean {
  const [origin = ''] = /^https?:\/\/[^/?#]*/i.exec(value) ?? []
  if (origin === '' || origin.includes('{') || origin.includes('@') || /\s/.test(origin)) return false
  return URL.canParse(origin) && !value.includes('#')
}

const anyValue = () => true
const isHeader = (line: string) => /^[!#$%&'*+.^_`|~\w-]{1,100}:[\t\x20-\x7e]*$/.test(line)
export const headerLines = (value: string) =>
  value
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

export const webAddress = hidden(
  2000,
  isWebAddress,
  'an http or https address without user, password and fragment, and without placeholders before its path',
)
const headers = hidden(
  4000,
  (value) => headerLines(value).length <= 20 && headerLines(value).every(isHeader),
  'at most 20 lines such as "Authorization: Bearer …"',
)
/** Standard Webhooks: 24 to 64 random bytes in base64. */
const signingKey = hidden(
  200,
  (value) => {
    const [, digits] = /^whsec_([A-Za-z0-9+/]{1,150}={0,2})$/.exec(value) ?? []
    const { length } = Buffer.from(digits ?? '', 'base64')
    return length >= 24 && length <= 64
  },
  'whsec_ followed by 24 to 64 bytes in base64',
)
const shortSecret = hidden(1000, anyValue, 'text of at most 1000 characters')

export const secretFields = {
  url: secret(webAddress),
  password: secret(shortSecret),
  token: secret(shortSecret),
  header: secret(headers),
  signingSecret: secret(signingKey),
  community: secret(hidden(255, anyValue, 'text of at most 255 characters')),
  authPassword: secret(shortSecret),
  privPassword: secret(shortSecret),
}

export type SecretName = keyof typeof secretFields
export type GatewaySecrets = { readonly [name in SecretName]?: string }
export const secretNames = Object.keys(secretFields) as readonly SecretName[]

export const mailAddress = text({
  maxLength: 254,
  pattern: {
    source: '[^@\\s<>,;:"()]{1,64}@[^@\\s<>,;:"()]{1,189}',
    accepted: 'a mail address such as alarms@example.net',
  },
})

export const gateway = resource(
  'gateway',
  {
    id: assigned(long),
    name: required(text({ maxLength: 100 }), { keyed: true }),
    kind: required(oneOf(...gatewayKinds)),
    enabled: optional(bool),
    description: optional(text()),
    /** What an address on this gateway is, for people who enter one. */
    addressHint: optional(text({ maxLength: 200 })),
    host: optional(
      text({
        maxLength: 253,
        pattern: { source: '[A-Za-z0-9._:-]{1,253}', accepted: 'the name or the IP address of a server' },
      }),
    ),
    port: optional(int({ min: 1, max: 65535 })),
    security: optional(oneOf('starttls', 'tls', 'none')),
    userName: optional(text({ maxLength: 200 })),
    sender: optional(mailAddress),
    /** The shipped template that it was made from. */
    template: optional(text({ maxLength: 100 })),
    method: optional(oneOf('POST', 'PUT')),
    contentType: optional(oneOf('application/json', 'application/x-www-form-urlencoded', 'text/plain')),
    body: optional(text({ maxLength: 20_000 })),
    version: optional(oneOf('2c', '3')),
    inform: optional(bool),
    authAlgorithm: optional(oneOf('md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512')),
    privAlgorithm: optional(oneOf('des', 'aes128', 'aes192', 'aes256')),
    /** The engine that sends traps of version 3: receivers must know it. */
    engineId: optional(
      text({
        maxLength: 64,
        pattern: { source: '([0-9a-fA-F]{2}){5,32}', accepted: 'an engine id: 10 to 64 hexadecimal digits' },
      }),
    ),
    ...secretFields,
    /** The names of its secrets. */
    secretSet: assignedSet(text({ maxLength: 100 })),
  },
  { table: 'gateway', key: 'id' },
)

export type GatewayRecord = RecordOf<typeof gateway.fields>
export type Gateway = Omit<GatewayRecord, SecretName | 'kind'> & { readonly kind: GatewayKind }

/** RFC 3411: the enterprise number for examples, then octets of our own, the same at all nodes. */
const newEngineId = () => `80007ed905${randomBytes(8).toString('hex')}`

const path = '/notify/gateway'
/** All of them may be in use at the same time, each with connections of its own. */
const maxGateways = 200

const secretOf = (id: bigint) => `gateway ${id}`

/** None where the key is lost: they must be entered again. */
export async function secretsOf(keys: Keys, id: bigint, reader?: Reader): Promise<GatewaySecrets> {
  const sealed = await keys.get(secretOf(id), reader)
  return sealed === undefined ? {} : JSON.parse(sealed)
}

/** Takes the secrets out of the record. An empty one is to be removed. */
function takeSecrets(record: GatewayRecord): Map<SecretName, string> {
  const taken = new Map<SecretName, string>()
  for (const name of secretNames) {
    const value = record[name]
    if (value !== null) taken.set(name, value)
    record[name] = null
  }
  return taken
}

/** Where messages, and the secrets with them, are sent to. */
const destination: readonly (keyof GatewayRecord)[] = ['kind', 'host', 'port', 'security', 'version']

/**
 * A secret that is kept while the destination changes would be sent to wherever the new one is, without the caller
 * knowing it.
 */
function requireAgain(
  record: GatewayRecord,
  before: GatewayRecord,
  kept: ReadonlySet<SecretName>,
  given: ReadonlyMap<SecretName, string>,
): void {
  const changed = given.has('url') ? 'url' : destination.find((name) => record[name] !== before[name])
  const [missing] = [...kept].filter((name) => !given.has(name) && !(name === 'url' && changed !== 'kind'))
  if (changed === undefined || missing === undefined) return
  const message = `${missing} is needed again: ${changed} has changed, and a stored secret is not sent to another place`
  throw new Fault('conflict', message, { field: missing })
}

/** Without the token that it writes, a template makes requests that the other side refuses. */
function requireToken(body: string | null, secrets: GatewaySecrets): void {
  if (secrets.token !== undefined) return
  const parts = { url: secrets.url, header: secrets.header, body: body ?? undefined }
  for (const [name, template] of Object.entries(parts)) {
    if (template === undefined || !writesToken.test(template)) continue
    const message = `token is required: the template ${name} writes {{ token }}`
    throw new Fault('invalid', message, { field: 'token' })
  }
}

const writesToken = /\{\{-? ?token\b/

async function saveSecrets(
  tx: Transaction,
  keys: Keys,
  record: GatewayRecord,
  before: GatewayRecord | undefined,
): Promise<void> {
  const given = takeSecrets(record)
  const stored = before ? await secretsOf(keys, record.id, tx) : {}
  const kept = new Set(secretNames.filter((name) => stored[name] !== undefined))
  if (before) requireAgain(record, before, kept, given)
  const all = secretNames.flatMap((name) => {
    const value = given.get(name) ?? stored[name] ?? ''
    return value === '' ? [] : [[name, value] as const]
  })
  record.secretSet = all.map(([name]) => name)
  checkUsage(record)
  requireToken(record.body, Object.fromEntries(all))
  if (all.length > 0) await keys.put(tx, secretOf(record.id), JSON.stringify(Object.fromEntries(all)))
  else await forgetSecret(tx, secretOf(record.id))
}

/** What saving a gateway needs beside the store. */
export interface GatewaySaving {
  readonly keys: Keys
  /** Refuses templates that do not work. */
  checkTemplates(record: GatewayRecord): Promise<void>
}

const described = {
  resource: gateway,
  noun: 'gateway',
  list: list(path, gateway, {
    filters: ({ wildcard, equals }) => ({ name: wildcard('name'), kind: equals('kind') }),
    orderBy: { id: 'id', name: 'name' },
  }),
}

export const gatewaysWith = ({ keys, checkTemplates }: GatewaySaving) =>
  collection({
    ...described,
    rules: {
      // A record cannot tell a secret that was not mentioned from one that is to be removed.
      adapt(draft: DraftOf<typeof gateway.fields>) {
        for (const name of secretNames) if (draft[name] === null) draft[name] = ''
      },
      async saving(tx, record, before) {
        record.enabled ??= true
        const unique = { table: 'gateway', column: 'name_key', field: 'name', noun: 'gateway' }
        await requireUnique(tx, unique, fold(record.name), record.id, record.name)
        if (!before) await requireRoom(tx, 'gateway', maxGateways, 'gateways already: delete one first')
        await checkTemplates(record)
        record.port ??= defaultPort(record)
        if (record.kind === 'snmp' && record.version === '3') record.engineId ??= newEngineId()
        await saveSecrets(tx, keys, record, before)
      },
      async deleting(tx, { id }) {
        const [channel] = await tx.all('select id from channel where gateway_id = ? limit 1', [id])
        if (channel) {
          const message = `channel ${channel.id} is on gateway ${id}: delete the channel first`
          throw new Fault('conflict', message)
        }
        const [beat] = await tx.all('select id from outgoing_heartbeat where gateway_id = ? limit 1', [id])
        if (beat) {
          const message = `outgoing heartbeat ${beat.id} is sent through gateway ${id}: delete the heartbeat first`
          throw new Fault('conflict', message)
        }
        await forgetSecret(tx, secretOf(id))
      },
    },
  })

/** For reading. */
export const gateways = collection(described)

/** What everybody may see of a gateway. */
export async function gatewayNames(reader: Reader) {
  const rows = await reader.all(
    'select id, name, kind, enabled, address_hint from gateway order by name_key, id',
  )
  return rows.map(({ id, name, kind, enabled, address_hint: addressHint }) => ({
    ...{ id, name, kind, addressHint },
    enabled: enabled !== 0n,
  }))
}
