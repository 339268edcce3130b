// Handlers for tokens: operators create and revoke their own, administrators everyone's.

import { newToken, secretHash } from '../../../access/secrets.ts'
import { Fault } from '../../../fault.ts'
import { mayAct, type Role } from '../../../resources/access/role.ts'
import {
  countTokens,
  keepHash,
  Scopes,
  type TokenRecord,
  token,
  tokens,
} from '../../../resources/access/token.ts'
import { create, erase, read } from '../../../resources/collection.ts'
import { readDraft } from '../../../schema/read-document.ts'
import { type Call, type Handler, readDocument } from '../../call.ts'
import { contentType, documentOf, sendEmpty, sendText } from '../../responses.ts'
import { requireOwn, sees } from '../own-record-handlers.ts'
import { endRefusedStreams } from './operator-handlers.ts'
import { requireReauthentication } from './reauthentication.ts'

const day = 24 * 3600 * 1000
const lifetime = { default: 365 * day, longest: 3660 * day }
const perOperator = 100

export const createToken: Handler = async (call) => {
  const { caller, database, logins } = call
  const draft = readDraft(token, await readDocument(call, token.name), 'create')
  await requireReauthentication(call)
  const operatorId = draft.operatorId ?? caller.operatorId
  if (operatorId === undefined) {
    throw new Fault('invalid', 'operatorId is required: expected the id of an operator', {
      field: 'operatorId',
    })
  }
  if (!sees(call, operatorId)) throw new Fault('forbidden', 'only an administrator makes tokens for others')
  const owner = (await logins.directory.entries()).byId.get(operatorId)
  if (!owner) throw new Fault('not-found', `operator ${operatorId} does not exist`, { field: 'operatorId' })
  const scope = draft.scope ?? caller.token?.scopes.text ?? owner.role
  requireScope(call, new Scopes(scope), owner.role)
  const secret = newToken()
  const now = logins.now()
  const record = {
    ...draft,
    operatorId,
    scope,
    prefix: secret.slice(0, 12),
    createdTime: now,
    expiryTime: requireExpiry(
      draft.expiryTime,
      now,
      owner.password === undefined ? logins.providerTokenLife : undefined,
    ),
  }
  const id = await create(database, tokensWith(secretHash(secret)), record)
  const made = (await read(database, tokens, id)) as TokenRecord
  made.token = secret
  sendText(call.response, 201, contentType[call.form], documentOf(call.form, token, made), {
    Location: `${call.base}${tokens.path}/${id}`,
  })
}

export const deleteToken: Handler = async (call) => {
  const ownerId = await requireOwn(call, tokens)
  const { role, token: shown } = call.caller
  // A token with few rights must not be able to revoke those with more.
  if (shown && shown.id !== call.id && !mayAct(role, 'administrator'))
    throw new Fault('forbidden', 'a token revokes itself alone')
  // An own one that others may have found is revoked at once.
  if (ownerId !== call.caller.operatorId) await requireReauthentication(call)
  await erase(call.database, tokens, call.id)
  await endRefusedStreams(call)
  sendEmpty(call.response, 204)
}

/** The same collection, which also keeps the hash by which the token is found. */
const tokensWith = (hash: string): typeof tokens => ({
  ...tokens,
  rules: {
    ...tokens.rules,
    async saved(tx, record) {
      const { operatorId, id } = record as TokenRecord
      if ((await countTokens(tx, operatorId)) > perOperator) {
        throw new Fault('conflict', `an operator has at most ${perOperator} tokens: delete some first`)
      }
      await keepHash(tx, id, hash)
    },
  },
})

/** Not more rights than its operator has, and not more than the token by which it is made. */
function requireScope({ caller }: Call, scopes: Scopes, role: Role): void {
  const tooMuch = scopes.notFor(role)
  if (tooMuch.length > 0) {
    const message = `scope ${tooMuch.join(', ')} is more than the operator may, who has the role ${role}`
    throw new Fault('invalid', message, { field: 'scope' })
  }
  const beyondMaker = caller.token ? scopes.notIn(caller.token.scopes) : []
  if (beyondMaker.length === 0) return
  const message = `scope ${beyondMaker.join(', ')} is more than the token may by which it would be made`
  throw new Fault('forbidden', message, { field: 'scope' })
}

/** `maxLifetime` is for operators who sign in through a provider: their tokens must not outlive their access. */
function requireExpiry(
  requested: number | null | undefined,
  now: number,
  maxLifetime: number | undefined,
): number {
  const longest = Math.min(maxLifetime ?? lifetime.longest, lifetime.longest)
  const time = requested ?? now + Math.min(lifetime.default, longest)
  if (time > now && time <= now + longest) return time
  const accepted =
    maxLifetime === undefined
      ? 'a time within the next ten years'
      : `a time within the next ${Math.floor(longest / day)} days: this operator signs in through OpenID Connect; use a local operator for programs`
  throw new Fault('invalid', `expiryTime: expected ${accepted}`, { field: 'expiryTime' })
}
