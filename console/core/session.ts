// The signed-in operator and its rights. What an operator may not do is not offered.

import { computed, signal } from '@preact/signals'
import { ask, read, signedOut } from './api.ts'
import { Refused } from './refused.ts'
import { clockOffset, serverZone } from './time-text.ts'

export type Role = 'viewer' | 'operator' | 'administrator'
const roles: readonly Role[] = ['viewer', 'operator', 'administrator']

export interface Session {
  /** `ended`: revoked or expired. The page waits, with what was typed into it, behind the form to sign in. */
  readonly state: 'asking' | 'open' | 'signed-in' | 'ended' | 'signed-out' | 'unreachable'
  readonly name: string
  /** Empty as long as there are no operators. */
  readonly operatorId: string
  readonly sessionId: string
  readonly role: Role
  /** How one shows to be present, before what outlasts the session. */
  readonly presence: '' | 'password' | 'provider'
  /** Whether devices and alarms are made up, by the demo. */
  readonly isSample: boolean
  /** How one can sign in. */
  readonly ways: readonly string[]
  /** Operations of the service that are open to the viewer, as `GET /fault/alarm`. */
  readonly allowed: ReadonlySet<string>
}

const nobody = {
  name: '',
  operatorId: '',
  sessionId: '',
  role: 'viewer',
  presence: '',
  isSample: false,
  ways: [],
  allowed: new Set<string>(),
} as const

export const session = signal<Session>({ state: 'asking', ...nobody })

export const isIn = computed(() => session.value.state === 'open' || session.value.state === 'signed-in')

/** Whose drafts and choices these are; where nobody has to sign in, all are one. Empty before that is known. */
export const person = computed(() => (session.value.state === 'open' ? 'everyone' : session.value.operatorId))

/** Whether there is a page, be it one that waits. */
const hasPage = () => isIn.value || session.value.state === 'ended'

/** Whether the viewer's role is this one or above it. */
export const may = (role: Role) => hasPage() && roles.indexOf(session.value.role) >= roles.indexOf(role)

/** Whether the service has the operation, and the viewer may use it. */
export const allows = (operation: string) => session.value.allowed.has(operation)

export const serviceVersion = signal('')

export interface SessionAnswer {
  readonly signedIn: string
  readonly name: string
  readonly operatorId?: string
  readonly sessionId?: string
  readonly role: Role
  readonly presence?: Session['presence']
  readonly sampleData?: string
  readonly by: string
  readonly way: readonly string[]
  readonly allowed: readonly string[]
}

function sessionOf(answer: SessionAnswer): Session {
  const {
    signedIn,
    name,
    operatorId = '',
    sessionId = '',
    role,
    presence = '',
    sampleData,
    by,
    way,
    allowed,
  } = answer
  if (signedIn !== 'true') return { state: 'signed-out', ...nobody, ways: way }
  // Nobody has to sign in as long as there are no operators.
  const state = by === 'nobody' ? 'open' : 'signed-in'
  return {
    state,
    name: by === 'nobody' ? '' : name,
    operatorId,
    sessionId,
    role,
    presence,
    isSample: sampleData === 'true',
    ways: way,
    allowed: new Set(allowed),
  }
}

/** Asks the service who is signed in. */
export async function findSession(): Promise<void> {
  // Both at once when the page is loaded: it is not known yet whether the second will be answered.
  const asked = session.value.state === 'asking' ? readService().catch(() => undefined) : undefined
  try {
    await enter(sessionOf(await read<SessionAnswer>('/console/session')), asked)
  } catch (error) {
    // The service is open to its own machine alone, and this is another one.
    const isRefused = error instanceof Refused && error.status === 403
    if (hasPage() && !isRefused) return
    session.value = { state: isRefused ? 'signed-out' : 'unreachable', ...nobody }
  }
}

interface Service {
  readonly version: string
  readonly time: string
  readonly timeZone: string
}

const readService = () => read<Service>('/')

/** The service's clock and zone are known before the first time is written. */
async function enter(found: Session, asked?: Promise<Service | undefined>): Promise<void> {
  if (found.state !== 'signed-out') {
    const service = (await asked) ?? (await readService())
    serviceVersion.value = service.version
    serverZone.value = service.timeZone
    clockOffset.value = Date.now() - Number(service.time) * 1000
  }
  const isOver = found.state === 'signed-out' && hasPage()
  session.value = isOver ? { ...session.value, state: 'ended', ways: found.ways } : found
}

export const enterAs = (answer: SessionAnswer) => enter(sessionOf(answer))

export async function signIn(name: string, password: string): Promise<void> {
  await enterAs((await ask<SessionAnswer>('POST', '/console/session', { body: { name, password } })).data)
}

export async function signOut(): Promise<void> {
  await ask('DELETE', '/console/session')
  // Nothing of the page is kept.
  session.value = { state: 'asking', ...nobody }
  await findSession()
}

/** A session that was revoked, or expired, is noticed with the next answer. */
export function watchSession(): void {
  let before = signedOut.value
  signedOut.subscribe((times) => {
    if (times !== before && isIn.value) void findSession()
    before = times
  })
  // One may have signed in again in another tab.
  addEventListener('focus', () => {
    const { state } = session.value
    if (state === 'ended' || state === 'signed-out') void findSession()
  })
}
