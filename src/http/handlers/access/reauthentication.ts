// Asks for the password again before a session is used for anything that outlasts it, because the session may be at
// an abandoned desk or its cookie stolen. An operator without a password here must have signed in at the provider
// just before.

import { isLogin } from '../../../access/login.ts'
import { Fault } from '../../../fault.ts'
import { RefusedCall } from '../../access-control.ts'
import type { Call } from '../../call.ts'

/** Carries the present password, percent-encoded. */
const passwordHeader = 'Belfry-Password'
/** In messages, and in the forms of the console. */
const field = 'presentPassword'
const justNow = 5 * 60_000

export type Reauthentication = 'password' | 'provider'

/** How the caller shows it; undefined for callers without a session. */
export function reauthenticationOf({
  logins,
  caller,
}: Pick<Call, 'logins' | 'caller'>): Reauthentication | undefined {
  if (caller.by !== 'session') return undefined
  const operator = logins.directory.last?.byId.get(caller.operatorId ?? 0n)
  return operator?.password === undefined ? 'provider' : 'password'
}

export async function requireReauthentication(call: Call): Promise<void> {
  const { logins, caller, request } = call
  const way = reauthenticationOf(call)
  if (way === undefined) return
  if (way === 'provider') {
    if (Math.abs(logins.now() - (caller.session?.presentTime ?? 0)) < justNow) return
    const message =
      'sign in again first: this outlasts your session, and your provider has not asked you who you are in the last five minutes'
    throw new Fault('forbidden', message, { field })
  }
  const password = decode(request.headers[passwordHeader.toLowerCase()])
  if (password === '') {
    const message = `your present password is needed for this: expected it in the header ${passwordHeader}, percent-encoded`
    throw new Fault('forbidden', message, { field })
  }
  const outcome = await logins.password(caller.name, password, caller.address)
  if (isLogin(outcome) && outcome.operator.id === caller.operatorId) return
  const wait = isLogin(outcome) ? undefined : outcome.wait
  if (wait !== undefined)
    throw new RefusedCall('too-many-requests', `too many failures: wait ${wait} seconds`, {
      'Retry-After': wait,
    })
  throw new Fault('forbidden', 'this is not your present password', { field })
}

function decode(header: string | string[] | undefined): string {
  try {
    return decodeURIComponent(String(header ?? ''))
  } catch {
    throw new Fault('invalid', `the header ${passwordHeader} is not percent-encoded UTF-8`, { field })
  }
}
