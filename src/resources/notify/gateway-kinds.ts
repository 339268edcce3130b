// Which fields and secrets a gateway of each kind has, and which of them it needs.

import { Fault } from '../../fault.ts'

export const gatewayKinds = ['mail', 'webhook', 'slack', 'slackWebhook', 'teams', 'snmp'] as const
export type GatewayKind = (typeof gatewayKinds)[number]

interface Usage {
  readonly needs: readonly string[]
  readonly may: readonly string[]
  /** Whether an address must be given; otherwise the gateway leads to one place by itself. */
  readonly address: boolean
}

export const usages: Readonly<Record<GatewayKind, Usage>> = {
  mail: { needs: ['host', 'sender'], may: ['port', 'security', 'userName', 'password'], address: true },
  webhook: {
    needs: ['url'],
    may: ['method', 'contentType', 'body', 'header', 'signingSecret', 'token', 'template'],
    address: false,
  },
  slack: { needs: ['token'], may: ['url'], address: true },
  slackWebhook: { needs: ['url'], may: [], address: false },
  teams: { needs: ['url'], may: [], address: false },
  snmp: {
    needs: ['host'],
    may: [
      ...['port', 'version', 'inform', 'community', 'userName', 'engineId'],
      ...['authAlgorithm', 'authPassword', 'privAlgorithm', 'privPassword'],
    ],
    address: false,
  },
}

/** Fields that belong to some kinds only. */
const ofKinds = new Set(Object.values(usages).flatMap(({ needs, may }) => [...needs, ...may]))

interface Used {
  readonly kind: string
  readonly secretSet: readonly string[]
  readonly [field: string]: unknown
}

const smtpPorts: Readonly<Record<string, number>> = { starttls: 587, tls: 465, none: 25 }
const trapPort = 162

/** Where no port is given. */
export function defaultPort({ kind, security }: { readonly kind: string; readonly security: string | null }) {
  if (kind === 'mail') return smtpPorts[security ?? 'starttls'] ?? null
  return kind === 'snmp' ? trapPort : null
}

/** Refuses a gateway that lacks what its kind needs, or has what belongs to another. */
export function checkUsage(record: Used): void {
  const usage = usages[record.kind as GatewayKind]
  const has = (name: string) => (record[name] ?? null) !== null || record.secretSet.includes(name)
  const known = [...usage.needs, ...usage.may]
  for (const name of ofKinds) {
    if (has(name) && !known.includes(name)) {
      const message = `${name} is not accepted for kind=${record.kind}: expected ${known.join(', ')}`
      throw new Fault('invalid', message, { field: name })
    }
  }
  const needed = [...usage.needs, ...alsoNeeded(record, has)]
  const missing = needed.find((name) => !has(name))
  if (missing !== undefined)
    throw new Fault('invalid', `${missing} is required for kind=${record.kind}`, { field: missing })
}

type Has = (name: string) => boolean

/** What follows from the other fields. */
function alsoNeeded(record: Used, has: Has): string[] {
  if (record.kind === 'mail') {
    if (record.security === 'none') refuse(has, ['password'], 'security=starttls or security=tls')
    return together(has, 'userName', 'password')
  }
  if (record.kind !== 'snmp') return []
  if (record.version !== '3') {
    refuse(
      has,
      ['userName', 'engineId', 'authAlgorithm', 'authPassword', 'privAlgorithm', 'privPassword'],
      'version=3',
    )
    return ['community']
  }
  refuse(has, ['community'], 'version=2c')
  const privacy = together(has, 'privAlgorithm', 'privPassword')
  const authentication = together(has, 'authAlgorithm', 'authPassword')
  return ['userName', ...privacy, ...(privacy.length > 0 ? ['authAlgorithm'] : []), ...authentication]
}

/** Both or none. */
const together = (has: Has, one: string, other: string) => (has(one) || has(other) ? [one, other] : [])

function refuse(has: Has, names: readonly string[], only: string): void {
  const wrong = names.find(has)
  if (wrong !== undefined)
    throw new Fault('invalid', `${wrong} is accepted only with ${only}`, { field: wrong })
}
