// Profiles for asking devices: credentials, the ranges of addresses that they may be sent to, and which devices there are
// meant. Secrets are encrypted with the key file and never shown again.

import { Fault } from '../../fault.ts'
import { forgetSecret, type Keys } from '../../keys/key-ring.ts'
import { list } from '../../schema/list.ts'
import {
  assigned,
  assignedSet,
  type DraftOf,
  empty,
  optional,
  type RecordOf,
  required,
  resource,
  secret,
  set,
} from '../../schema/resource.ts'
import { fold, int, long, text } from '../../schema/scalar.ts'
import type { Reader, Transaction } from '../../store/database.ts'
import { collection, requireRoom, requireUnique } from '../collection.ts'
import { hidden, oneOf } from '../notify/gateway.ts'
import { addressRange, bitsOf, rangeAround, rangeForm } from './address-range.ts'

/** A profile for a device, and its range that the device is in. */
export interface ProfileMatch {
  readonly profile: AskProfile
  readonly range: string
}

/** The profile for a device: of those that are meant for it, the one with the narrowest range, then the oldest. */
export class ProfileIndex {
  readonly #byRange = new Map<string, AskProfile[]>()
  readonly #lengths: readonly number[]

  constructor(profiles: readonly AskProfile[]) {
    const lengths = new Set<number>()
    for (const profile of profiles.toSorted((a, b) => Number(a.id - b.id))) {
      for (const range of profile.addressRange) {
        lengths.add(Number(range.split('/')[1]))
        this.#byRange.set(range, [...(this.#byRange.get(range) ?? []), profile])
      }
    }
    this.#lengths = [...lengths].toSorted((a, b) => b - a)
  }

  find(device: {
    readonly id: bigint
    readonly ip: string
    readonly zoneId: bigint
  }): ProfileMatch | undefined {
    const addressBits = bitsOf(device.ip)
    for (const length of this.#lengths) {
      if (length > addressBits) continue
      const range = rangeAround(device.ip, length)
      const profile = this.#byRange.get(range)?.find((one) => isMeant(one, device))
      if (profile) return { profile, range }
    }
    return undefined
  }
}

const isMeant = (
  { device, zone }: AskProfile,
  { id, zoneId }: { readonly id: bigint; readonly zoneId: bigint },
) => (device.length === 0 && zone.length === 0) || device.includes(id) || zone.includes(zoneId)

const password = hidden(
  1000,
  (value) => Buffer.byteLength(value, 'utf8') >= 8,
  'a password of 8 to 1000 characters',
)
const secretFields = {
  community: secret(hidden(255, () => true, 'text of at most 255 characters')),
  authPassword: secret(password),
  privPassword: secret(password),
}
type SecretName = keyof typeof secretFields
const secretNames = Object.keys(secretFields) as readonly SecretName[]
export type ProfileSecrets = { readonly [name in SecretName]?: string }

/** Not a version of SNMP: whether a machine is there is found out by a connection to its port. */
export const byTcp = 'tcp'
/** Nor is this: by an echo, which the program fping sends. */
export const byIcmp = 'icmp'

/** Whether devices are asked for nothing but whether they are there, without credentials. */
export const isBare = ({ version }: { readonly version: string }): boolean =>
  version === byTcp || version === byIcmp

export const askProfile = resource(
  'askProfile',
  {
    id: assigned(long),
    name: required(text({ maxLength: 100 }), { keyed: true }),
    description: optional(text(), empty),
    version: required(oneOf('1', '2c', '3', byTcp, byIcmp)),
    userName: optional(text({ maxLength: 32 })),
    authAlgorithm: optional(oneOf('md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512')),
    privAlgorithm: optional(oneOf('des', 'aes128', 'aes192', 'aes256')),
    ...secretFields,
    /** The names of its secrets. */
    secretSet: assignedSet(text({ maxLength: 100 })),
    /** Where the secrets may be sent to. Devices and zones only narrow that: operators may edit these. */
    addressRange: set(addressRange),
    device: set(long),
    zone: set(long),
    port: optional(int({ min: 1, max: 65_535 })),
    /** How long an answer is waited for, and how often a question is sent. */
    timeoutSeconds: optional(int({ min: 1, max: 10 })),
    tries: optional(int({ min: 1, max: 5 })),
  },
  { table: 'ask_profile', key: 'id' },
)

export type AskProfileRecord = RecordOf<typeof askProfile.fields>
type Defaulted = 'port' | 'timeoutSeconds' | 'tries'
/** As it is stored: what was not given has its default. */
export type AskProfile = Omit<AskProfileRecord, SecretName | Defaulted> & {
  readonly [name in Defaulted]: number
}

const defaults = { port: 161, timeoutSeconds: 2, tries: 3 }
/** The port need not be open. */
const defaultsByTcp = { ...defaults, port: 22 }
const maxProfiles = 200
const maxRanges = 1000
/** Devices and zones that are named one by one. */
const maxNamed = 10_000

const described = {
  resource: askProfile,
  noun: 'profile',
  list: list('/plat/askProfile', askProfile, {
    filters: ({ wildcard }) => ({ name: wildcard('name') }),
    orderBy: { id: 'id', name: 'name' },
  }),
}

const secretOf = (id: bigint) => `askProfile ${id}`

/** None where the key is lost: they must be entered again. */
export async function profileSecrets(keys: Keys, id: bigint, reader?: Reader): Promise<ProfileSecrets> {
  const sealed = await keys.get(secretOf(id), reader)
  return sealed === undefined ? {} : JSON.parse(sealed)
}

export const askProfilesWith = (keys: Keys) =>
  collection({
    ...described,
    rules: {
      // A record cannot tell a secret that was not mentioned from one that is to be removed.
      adapt(draft: DraftOf<typeof askProfile.fields>) {
        for (const name of secretNames) if (draft[name] === null) draft[name] = ''
      },
      check: requirePlaces,
      async saving(tx, record, before) {
        const unique = { table: 'ask_profile', column: 'name_key', field: 'name', noun: 'profile' }
        await requireUnique(tx, unique, fold(record.name), record.id, record.name)
        if (!before)
          await requireRoom(tx, 'ask_profile', maxProfiles, 'profiles, which is the limit: delete one first')
        const values = record.version === byTcp ? defaultsByTcp : defaults
        for (const name of Object.keys(defaults) as (keyof typeof defaults)[]) record[name] ??= values[name]
        await saveSecrets(tx, keys, record, before)
      },
      async deleting(tx, { id }) {
        await forgetSecret(tx, secretOf(id))
      },
    },
  })

/** For reading. */
export const askProfiles = collection(described)

export async function readProfiles(reader: Reader): Promise<AskProfile[]> {
  const { form, name } = askProfiles.table
  const rows = await reader.all(`select ${form.shown} from ${name} order by id`)
  return rows.map((row) => form.toRecord(row) as AskProfileRecord as AskProfile)
}

function requirePlaces({ addressRange: ranges, device, zone }: AskProfileRecord): void {
  if (ranges.length === 0) {
    const message = `say where it may be sent to: at least one addressRange, ${rangeForm}`
    throw new Fault('invalid', message, { field: 'addressRange' })
  }
  const limits = {
    addressRange: [ranges, maxRanges],
    device: [device, maxNamed],
    zone: [zone, maxNamed],
  } as const
  for (const [field, [given, limit]] of Object.entries(limits)) {
    if (given.length <= limit) continue
    throw new Fault('invalid', `${given.length} are too many: expected ${limit} at most`, { field })
  }
}

async function saveSecrets(
  tx: Transaction,
  keys: Keys,
  record: AskProfileRecord,
  before: AskProfileRecord | undefined,
): Promise<void> {
  const stored = before ? await profileSecrets(keys, record.id, tx) : {}
  const given = new Map(secretNames.flatMap((name) => (record[name] === null ? [] : [[name, record[name]]])))
  for (const name of secretNames) record[name] = null
  if (before) requireAgain(record, before, stored, given)
  const kept = secretNames.flatMap((name) => {
    const value = given.get(name) ?? stored[name] ?? ''
    return value === '' ? [] : [[name, value] as const]
  })
  record.secretSet = kept.map(([name]) => name)
  requireCredentials(record)
  if (kept.length > 0) await keys.put(tx, secretOf(record.id), JSON.stringify(Object.fromEntries(kept)))
  else await forgetSecret(tx, secretOf(record.id))
}

/** Whoever does not know a secret cannot have it sent to another place. */
function requireAgain(
  record: AskProfileRecord,
  before: AskProfileRecord,
  stored: ProfileSecrets,
  given: ReadonlyMap<SecretName, string>,
): void {
  const isNewRange = record.addressRange.some((range) => !before.addressRange.includes(range))
  const changed = isNewRange
    ? 'addressRange'
    : (['port', 'version'] as const).find((name) => record[name] !== before[name])
  const missing = secretNames.find((name) => stored[name] !== undefined && !given.has(name))
  if (changed === undefined || missing === undefined) return
  const message = `${missing} is needed again: ${changed} has changed, and a stored secret is not sent to another place`
  throw new Fault('conflict', message, { field: missing })
}

type Credential = SecretName | 'userName' | 'authAlgorithm' | 'privAlgorithm'
type Has = (name: Credential) => boolean
type Need = (name: Credential, why: string) => void

const ofVersion3 = ['userName', 'authAlgorithm', 'authPassword', 'privAlgorithm', 'privPassword'] as const

/** Refuses what belongs to another version, and what lacks its counterpart. */
function requireCredentials(record: AskProfileRecord): void {
  const has: Has = (name) => (record[name] ?? '') !== '' || record.secretSet.includes(name)
  const need: Need = (name, why) => {
    if (!has(name)) throw new Fault('invalid', `${name} is required for ${why}`, { field: name })
  }
  const { version } = record
  if (isBare(record)) {
    const needless = secretNames.find(has) ?? ofVersion3.find(has)
    if (needless === undefined) return
    const message = `${needless} is not accepted for version=${version}: expected no credentials`
    throw new Fault('invalid', message, { field: needless })
  }
  const foreign = version === '3' ? (['community'] as const).find(has) : ofVersion3.find(has)
  if (foreign !== undefined) {
    const expected = version === '3' ? ofVersion3.join(', ') : 'community'
    const message = `${foreign} is not accepted for version=${version}: expected ${expected}`
    throw new Fault('invalid', message, { field: foreign })
  }
  if (version !== '3') need('community', `version=${version}`)
  else requireUser(record, has, need)
}

/** A password and its algorithm belong together, and privacy needs authentication. */
function requireUser({ userName }: AskProfileRecord, has: Has, need: Need): void {
  need('userName', 'version=3')
  if (Buffer.byteLength(userName ?? '', 'utf8') > 32)
    throw new Fault('invalid', 'the name of a user has 1 to 32 bytes', { field: 'userName' })
  if (has('authAlgorithm')) need('authPassword', 'authAlgorithm')
  if (has('authPassword')) need('authAlgorithm', 'authPassword')
  if (has('privAlgorithm')) need('privPassword', 'privAlgorithm')
  if (!has('privPassword')) return
  need('privAlgorithm', 'privPassword')
  need('authAlgorithm', 'privAlgorithm')
}
