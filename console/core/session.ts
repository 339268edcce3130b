// Who looks at the page, and what that one may do. What one may not do is not offered.

import { computed, signal } from '@preact/signals'
import { ask, Refused, read, signedOut } from './api.ts'
import { clockOffset, serverZone } from './time.ts'

export type Role = 'viewer' | 'operator' | 'administrator'
const roles: readonly Role[] = ['viewer', 'operator', 'administrator']

export interface Session {
  readonly state: 'asking' | 'open' | 'signed-in' | 'signed-out' | 'unreachable'
  readonly name: string
  readonly role: Role
}

const nobody = { name: '', role: 'viewer' } as const

export const session = signal<Session>({ state: 'asking', ...nobody })

export const isIn = computed(() => session.value.state === 'open' || session.value.state === 'signed-in')

/** Whether the viewer's role is this one or above it. */
export const may = (role: Role) => isIn.value && roles.indexOf(session.value.role) >= roles.indexOf(role)

export const serviceVersion = signal('')

interface Service {
  readonly version: string
  readonly time?: string
  readonly timeZone?: string
}

/** Asks the service who this is; without operators everyone on the machine may do everything. */
export async function findSession(): Promise<void> {
  try {
    const service = await read<Service>('/')
    serviceVersion.value = service.version
    serverZone.value = service.timeZone
    if (service.time !== undefined) clockOffset.value = Date.now() - Number(service.time) * 1000
    session.value = await whoAmI()
  } catch (error) {
    const status = error instanceof Refused ? error.status : 0
    session.value = { state: status === 401 || status === 403 ? 'signed-out' : 'unreachable', ...nobody }
  }
}

async function whoAmI(): Promise<Session> {
  try {
    const { name, role } = await read<{ name: string; role: Role }>('/plat/operator/self')
    return { state: 'signed-in', name, role }
  } catch (error) {
    // Nobody has to sign in as long as there are no operators.
    if (error instanceof Refused && error.status === 404)
      return { state: 'open', name: '', role: 'administrator' }
    throw error
  }
}

export async function signIn(name: string, password: string): Promise<void> {
  await ask('POST', '/console/session', { body: { name, password } })
  await findSession()
}

export async function signOut(): Promise<void> {
  await ask('DELETE', '/console/session')
  session.value = { state: 'signed-out', ...nobody }
}

/** A session that was revoked, or ended by itself, is noticed with the next answer. */
export function watchSession(): void {
  let before = signedOut.value
  signedOut.subscribe((times) => {
    if (times !== before && isIn.value) session.value = { state: 'signed-out', ...nobody }
    before = times
  })
}
