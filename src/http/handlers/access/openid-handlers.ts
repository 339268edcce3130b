// Sign-in through an identity provider. The provider redirects the browser to a page of the console from another
// site, where the Strict session cookie is not sent. So that page calls again from the service's origin, with the
// provider's answer; a Lax cookie, encrypted with the installation's key and therefore readable by every node, proves
// that this browser began the sign-in, and when.

import { admitPerson } from '../../../access/identities.ts'
import { type BegunSignIn, markOf } from '../../../access/openid-provider.ts'
import { placeOf } from '../../../config/networks.ts'
import { Fault } from '../../../fault.ts'
import { refreshSecret, useSignIn } from '../../../resources/access/identity.ts'
import { readDraft } from '../../../schema/read-document.ts'
import { required, resource } from '../../../schema/resource.ts'
import { text } from '../../../schema/scalar.ts'
import { ActorDatabase } from '../../../store/database.ts'
import { RefusedCall, unauthorized } from '../../access-control.ts'
import { type Call, type Handler, readDocument } from '../../call.ts'
import { contentType, documentOf, sendText } from '../../responses.ts'
import { readCookie, writeCookie } from '../../wire/cookies.ts'
import { beginSession, type OperationTable } from './session-handlers.ts'

/** Where the browser is to go. */
export const departureDocument = { name: 'signInAddress', fields: { address: required(text()) } }

/** The query string that the provider added to the address of the page. */
export const returnDocument = resource(
  'signInReturn',
  { query: required(text({ maxLength: 8192 })) },
  { table: 'session', key: 'query' },
)

/** Lasts as long as a sign-in at the provider may take. */
const begunCookie = 'belfry-openid'
const begunSeconds = 600
const purpose = 'sign-in at a provider'
/** A node's clock may be a little behind that of the one where it was begun. */
const usedKept = 2 * begunSeconds * 1000

/** A page of the console; the provider must know it. */
const backOf = ({ base }: Call) => `${base}/console/openid`

function providerFor({ openid, caller, channel }: Call) {
  if (!openid) throw new Fault('conflict', 'no provider is named: expected the setting openid-issuer')
  if (caller.by === 'nobody') throw new Fault('conflict', 'there is no operator yet: nobody needs to sign in')
  if (channel === 'open') throw new Fault('forbidden', 'one signs in over TLS only: use https')
  return openid
}

export const beginOpenId: Handler = async (call) => {
  const { channel, form, response } = call
  // Who has a session, and comes again, does so to show to be present.
  const isAgain = call.caller.session !== undefined
  const { begun, address } = await providerFor(call).begin(backOf(call), isAgain)
  const kept = await call.keys.sealOutside(purpose, JSON.stringify(begun))
  sendText(response, 200, contentType[form], documentOf(form, departureDocument, { address }), {
    'Set-Cookie': writeCookie(channel, begunCookie, kept, { sameSite: 'Lax', maxAge: begunSeconds }),
  })
}

/** Undefined where this browser has begun none, or too long ago. */
function begunBy({ request, channel, keys, logins }: Call): BegunSignIn | undefined {
  const kept = readCookie(request.headers.cookie, channel, begunCookie) ?? ''
  const begun: BegunSignIn | undefined = JSON.parse(keys.openOutside(purpose, kept) ?? 'null') ?? undefined
  return begun && Math.abs(logins.now() - begun.begunTime) <= begunSeconds * 1000 ? begun : undefined
}

export const finishOpenId =
  (table: OperationTable): Handler =>
  async (call) => {
    const { logins, caller, channel, config } = call
    const provider = providerFor(call)
    const { query } = readDraft(returnDocument, await readDocument(call, returnDocument.name), 'create')
    const begun = begunBy(call)
    const attempt = logins.beginAt(caller.address)
    if (typeof attempt === 'number') {
      const wait = Math.ceil(attempt / 1000)
      const message = `too many failures: wait ${wait} seconds`
      throw new RefusedCall('too-many-requests', message, { 'Retry-After': wait })
    }
    try {
      const person = await provider.finish(begun, backOf(call), String(query), placeOf(caller.address))
      const plain = ActorDatabase.withoutActor(call.database)
      // Somebody who has read the cookie and the address of the page must not use them again, here or at another node.
      if (!begun || !(await plain.transaction((tx) => useSignIn(tx, markOf(begun), usedKept))))
        throw new Fault('unauthorized', 'this sign-in was used before: begin again')
      attempt.takeBack()
      const rules = {
        roles: config['openid-roles'],
        address: caller.address,
        tokenLife: logins.providerTokenLife,
      }
      const id = await admitPerson(plain, await logins.directory.entries(), person, rules)
      const { refreshToken, presentTime } = person
      if (refreshToken !== undefined)
        await plain.transaction((tx) => call.keys.put(tx, refreshSecret(id), refreshToken))
      const operator = (await logins.directory.entries()).byId.get(id)
      if (!operator) throw new Fault('forbidden', 'this operator was removed just now')
      const login = { operator, role: operator.role, by: 'session' } as const
      // Valid for this one return.
      const over = writeCookie(channel, begunCookie, '', { sameSite: 'Lax', maxAge: 0 })
      await beginSession(call, login, { way: 'openid', presentTime }, table(), [over])
    } catch (error) {
      // Failures that are not the caller's do not count.
      if (!(error instanceof Fault) || error.code !== 'unauthorized') attempt.takeBack()
      if (!(error instanceof Fault)) throw error
      if (['unauthorized', 'forbidden'].includes(error.code))
        logins.reportRefused(caller.address, error.message)
      throw error.code === 'unauthorized' ? unauthorized(logins, error.message) : error
    }
  }
