// Handlers for signing in and out from a browser: a session begins with a password or at a provider, and is
// identified by a cookie.

import { isLogin, type Login } from '../../../access/login.ts'
import { Fault } from '../../../fault.ts'
import { mayAct } from '../../../resources/access/role.ts'
import { type SignInWay, sessions } from '../../../resources/access/session.ts'
import { erase } from '../../../resources/collection.ts'
import { readDraft } from '../../../schema/read-document.ts'
import { type AnyRecord, optional, required, resource, set } from '../../../schema/resource.ts'
import { bool, instant, int, long, text } from '../../../schema/scalar.ts'
import { readCounter, sampleCounter } from '../../../store/counter.ts'
import { ActorDatabase } from '../../../store/database.ts'
import { callerOf, objectionTo, RefusedCall, sessionCookie, unauthorized } from '../../access-control.ts'
import { type Call, type Caller, type Handler, readDocument } from '../../call.ts'
import type { Operation } from '../../operation.ts'
import { contentType, documentOf, sendEmpty, sendRecord, sendText } from '../../responses.ts'
import { writeCookie } from '../../wire/cookies.ts'
import { requireOwn } from '../own-record-handlers.ts'
import { endRefusedStreams } from './operator-handlers.ts'
import { reauthenticationOf, requireReauthentication } from './reauthentication.ts'

const empty = { absent: 'empty' } as const

/** The caller, for pages that offer only what it may do. */
export const callerDocument = {
  name: 'caller',
  fields: {
    signedIn: required(bool),
    name: optional(text(), empty),
    fullName: optional(text(), empty),
    role: optional(text(), empty),
    by: optional(text(), empty),
    operatorId: optional(long, empty),
    sessionId: optional(long, empty),
    /** When the session ends, and after how long without use. */
    expiryTime: optional(instant, empty),
    idleSeconds: optional(int(), empty),
    /** How one shows to be present, before what outlasts the session: `password`, or `provider`. */
    presence: optional(text(), empty),
    /** Whether the store has the sample network of the demo. */
    sampleData: optional(bool, empty),
    /** How one can sign in here. */
    way: set(text()),
    /** Methods and paths, as the table of operations has them. */
    allowed: set(text()),
  },
}

/** A password is only compared here: no rule about its form applies. */
export const signInDocument = resource(
  'signIn',
  { name: required(text({ maxLength: 1000 })), password: required(text({ maxLength: 100_000 })) },
  { table: 'session', key: 'name' },
)

export type OperationTable = () => readonly Operation[]

async function describe(call: Call, caller: Caller, operations: readonly Operation[]): Promise<AnyRecord> {
  const { logins, channel } = call
  const isStranger = caller.only === 'console/session'
  const isOpen = caller.by === 'nobody'
  const operator = logins.directory.last?.byId.get(caller.operatorId ?? 0n)
  const allowed = operations.filter(
    (operation) => !isStranger && objectionTo(caller, operation, operation.path) === undefined,
  )
  const isSample = !isStranger && (await readCounter(call.database, sampleCounter)) !== undefined
  return {
    signedIn: !isStranger,
    ...(!isStranger && { name: caller.name, role: caller.role, by: caller.by }),
    fullName: operator?.fullName ?? null,
    operatorId: caller.operatorId ?? null,
    sessionId: caller.session?.id ?? null,
    expiryTime: caller.session?.expiryTime ?? null,
    idleSeconds: caller.session ? logins.sessions.limits.idle / 1000 : null,
    presence: reauthenticationOf({ logins, caller }) ?? null,
    sampleData: isSample || null,
    way: isOpen || channel === 'open' ? [] : ['password', ...(call.openid ? ['openid'] : [])],
    allowed: allowed.map(({ method, path }) => `${method} ${path}`),
  }
}

export const showCaller =
  (table: OperationTable): Handler =>
  async (call) =>
    sendRecord(call.response, call.form, callerDocument, await describe(call, call.caller, table()))

export const signIn =
  (table: OperationTable): Handler =>
  async (call) => {
    const { logins, caller, channel } = call
    if (caller.by === 'nobody')
      throw new Fault('conflict', 'there is no operator yet: nobody needs to sign in')
    if (channel === 'open') throw new Fault('forbidden', 'a password is accepted over TLS only: use https')
    const { name, password } = readDraft(signInDocument, await readDocument(call, 'signIn'), 'create')
    const outcome = await logins.password(String(name), String(password), caller.address)
    if (!isLogin(outcome)) {
      const { wait, message } = outcome
      if (wait === undefined) throw unauthorized(logins, message)
      throw new RefusedCall('too-many-requests', message, { 'Retry-After': wait })
    }
    await beginSession(call, outcome, { way: 'password' }, table())
  }

/** Gives a caller that has signed in the cookie of a session, beside the others. */
export async function beginSession(
  call: Call,
  admitted: Login,
  { way, presentTime }: { readonly way: SignInWay; readonly presentTime?: number | undefined },
  table: readonly Operation[],
  cookies: readonly string[] = [],
): Promise<void> {
  const { logins, caller, channel, form } = call
  const actor = callerOf(logins, admitted, caller.address)
  const database = new ActorDatabase(ActorDatabase.withoutActor(call.database), actor)
  const agent = legible(call.request.headers['user-agent'] ?? '')
  const place = { address: caller.address, agent, way, presentTime }
  const begun = await logins.sessions.begin(database, admitted.operator, place)
  await endOwn(call)
  const login = (await logins.cookie(begun.secret)) ?? admitted
  const record = await describe(call, callerOf(logins, login, caller.address), table)
  const own = writeCookie(channel, sessionCookie, begun.secret, { sameSite: 'Strict' })
  sendText(call.response, 201, contentType[form], documentOf(form, callerDocument, record), {
    'Set-Cookie': [own, ...cookies],
  })
}

/** The part of a program's name for itself that can be kept and shown in a line. */
const legible = (agent: string) => agent.replace(/[^\x20-\x7e]/g, '?').slice(0, 200)

/** A caller that comes with a session ends that one. */
async function endOwn(call: Call): Promise<void> {
  const { session: held } = call.caller
  if (!held) return
  await erase(call.database, sessions, held.id)
  await endRefusedStreams(call)
}

export const signOut: Handler = async (call) => {
  await endOwn(call)
  sendEmpty(call.response, 204, {
    'Set-Cookie': writeCookie(call.channel, sessionCookie, '', { sameSite: 'Strict', maxAge: 0 }),
  })
}

export const deleteSession: Handler = async (call) => {
  await requireOwn(call, sessions)
  // With a found token, nobody must be able to end its operator's sessions.
  if (call.caller.token && !mayAct(call.caller.role, 'administrator'))
    throw new Fault('forbidden', 'a token ends no sessions')
  if (call.id !== call.caller.session?.id) await requireReauthentication(call)
  await erase(call.database, sessions, call.id)
  await endRefusedStreams(call)
  sendEmpty(call.response, 204)
}
