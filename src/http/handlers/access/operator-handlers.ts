// Handlers for operators: administrators manage all of them, everyone their own name and password.

import type { Named } from '../../../access/weak-passwords.ts'
import { Fault } from '../../../fault.ts'
import { routesTo, silenceText } from '../../../notify/routes/contact-watch.ts'
import { operator, operators, operatorsBy, password, seal } from '../../../resources/access/operator.ts'
import { operatorGroup, roleOfGroup } from '../../../resources/access/role.ts'
import { create, erase, modify, read } from '../../../resources/collection.ts'
import { contactOfOperator } from '../../../resources/notify/contact.ts'
import { scheduleMembers } from '../../../resources/notify/schedule-override.ts'
import { oneScalar } from '../../../schema/list.ts'
import { type Element, readDraft } from '../../../schema/read-document.ts'
import { type DraftOf, empty, optional, required, resource, secret } from '../../../schema/resource.ts'
import { bool, text } from '../../../schema/scalar.ts'
import { type Call, type Handler, readDocument } from '../../call.ts'
import { shapeFor } from '../../imc/imc-records.ts'
import { isImcRoot } from '../../imc/imc-root.ts'
import { sendEmpty, sendRecord, warningHeaders } from '../../responses.ts'
import { answerRows } from '../list-handlers.ts'
import { requireSameId } from '../record-handlers.ts'
import { requireReauthentication } from './reauthentication.ts'

/** The caller's own record. */
export const ownPath = `${operators.path}/self`
/** Operators to whom work can be assigned. */
export const namesPath = `${operators.path}/name`

/** The part of an operator that callers other than administrators may see. */
export const operatorNameDocument = {
  name: 'operatorName',
  fields: { name: required(text()), fullName: required(text(), empty) },
}

export const listNames: Handler = async (call) => {
  const { byName } = await call.logins.directory.entries()
  const active = [...byName.values()].filter(({ enabled }) => enabled)
  const names = active.map(({ name, fullName }) => ({ name, fullName }))
  answerRows(
    call,
    operatorNameDocument,
    names.sort((a, b) => (a.name < b.name ? -1 : 1)),
  )
}

/** Operators, of whom at least one can always log in here. */
const kept = ({ logins, config }: Call) =>
  operatorsBy({
    realm: logins.realm,
    encrypted: config['tls-certificate'] !== '' || config['trusted-proxies'].length > 0,
  })

/** White space around values is dropped elsewhere; a password would silently become another one. */
function requireExactPassword(root: Element): void {
  const text = root.items.find((item) => item.name === 'password')?.text ?? ''
  if (text !== text.trim()) {
    throw new Fault('invalid', 'a password cannot begin or end with white space', { field: 'password' })
  }
}

/** The hashes that are stored instead of a password. Tokens end with the old password, unless they are to be kept. */
async function sealed({ logins, parameters }: Call, of: Named, newPassword: string): Promise<string> {
  const keepTokens = oneScalar(parameters, 'keepTokens', bool) ?? false
  const objection = await logins.weakPasswords.objectionTo(newPassword, of)
  if (objection !== undefined) throw new Fault('invalid', objection, { field: 'password' })
  return seal(await logins.passwords.credential(of.name, logins.realm, newPassword), keepTokens)
}

/** Streams of operators whose access has ended are closed at once. */
export async function endRefusedStreams({ logins, push }: Call): Promise<void> {
  await logins.directory.entries()
  push.endRefused()
}

const textOf = ({ items }: Element, name: string): string | undefined =>
  items.find((item) => item.name === name)?.text.trim() || undefined

/** Programs of the iMC interface name a group instead of a role, and call the description `desc`. */
async function readOperator(call: Call): Promise<Element> {
  const root = await readDocument(call, operator.name)
  const group = textOf(root, 'role') === undefined ? textOf(root, 'operatorGroupId') : undefined
  const items = [...root.items]
  if (group !== undefined) items.push(item('role', roleOfGroup(readGroup(group))))
  const description = textOf(root, 'desc')
  if (description !== undefined && textOf(root, 'description') === undefined) {
    items.push(item('description', description))
  }
  return { ...root, items }
}

const named = ({ name, fullName }: { name?: unknown; fullName?: string | null }): Named => ({
  name: String(name),
  fullName,
})

const item = (name: string, text: string): Element => ({ name, text, items: [] })

function readGroup(group: string): number {
  try {
    return operatorGroup.read(group)
  } catch (error) {
    throw error instanceof Fault ? error.inside('operatorGroupId') : error
  }
}

/**
 * They change a password without giving the other fields, which keep the values they have when the password is changed.
 */
async function readModification(call: Call, root: Element): Promise<DraftOf<typeof operator.fields>> {
  const record = await read(call.database, operators, call.id)
  const unsaid = (['name', 'role'] as const).filter((name) => !root.items.some((one) => one.name === name))
  const items = [...root.items, ...unsaid.map((name) => item(name, record[name]))]
  const draft = readDraft(operator, { ...root, items }, 'modify')
  if (draft.password) draft.password = await sealed(call, { ...record, ...named(draft) }, draft.password)
  // Hashing the password took its time: somebody may have changed the role meanwhile.
  for (const name of unsaid) delete draft[name]
  return draft
}

export const createOperator: Handler = async (call) => {
  const root = await readOperator(call)
  requireExactPassword(root)
  const draft = readDraft(operator, root, 'create')
  await requireReauthentication(call)
  // What Digest needs is as good as the password: people in a browser do without, iMC-compatible clients cannot.
  if (call.caller.by === 'session' && !isImcRoot(call)) draft.digest ??= false
  if (draft.password) draft.password = await sealed(call, named(draft), draft.password)
  const id = await create(call.database, kept(call), draft)
  await endRefusedStreams(call)
  sendEmpty(call.response, operators.created, { Location: `${call.base}${operators.path}/${id}` })
}

export const modifyOperator: Handler = async (call) => {
  const root = await readOperator(call)
  requireExactPassword(root)
  requireSameId(root, operator.key, call.id)
  await requireReauthentication(call)
  await modify(call.database, kept(call), call.id, await readModification(call, root))
  await endRefusedStreams(call)
  sendEmpty(call.response, 204)
}

export const deleteOperator: Handler = async (call) => {
  await requireReauthentication(call)
  const contactId = await contactOfOperator(call.database, call.id)
  await erase(call.database, kept(call), call.id)
  await endRefusedStreams(call)
  sendEmpty(
    call.response,
    204,
    warningHeaders(contactId === undefined ? [] : await silenceOf(call, contactId)),
  )
}

/** Whoever removes an operator learns who is not told of alarms any more. */
async function silenceOf(call: Call, contactId: bigint): Promise<string[]> {
  const { routeCache, directory } = call.routing
  const people = await directory.people()
  const contact = people.contacts.get(contactId)
  if (!contact) return []
  const { routes } = await routeCache.read(call.database)
  const members = await scheduleMembers(call.database, call.clock())
  return [silenceText(contact, routesTo(contactId, routes, people, members))]
}

function ownId({ caller }: Call): bigint {
  if (caller.operatorId !== undefined) return caller.operatorId
  throw new Fault('not-found', `${caller.name} is not an operator`)
}

export const readSelf: Handler = async (call) => {
  const record = await read(call.database, operators, ownId(call))
  sendRecord(call.response, call.form, shapeFor(call, operator, [record]), record)
}

/** Operators may change their own password and full name; other fields, as a GET returns them, are ignored. */
const own = resource(
  operator.name,
  { fullName: optional(text({ maxLength: 200 })), password: secret(password) },
  { table: operator.table, key: 'fullName', ignored: Object.keys(operator.fields) },
)

export const modifySelf: Handler = async (call) => {
  const id = ownId(call)
  const root = await readDocument(call, operator.name)
  requireExactPassword(root)
  const draft = readDraft(own, root, 'modify')
  if (draft.password) {
    await requireReauthentication(call)
    const { name, fullName } = await read(call.database, operators, id)
    draft.password = await sealed(call, { name, fullName: draft.fullName ?? fullName }, draft.password)
  }
  await modify(call.database, kept(call), id, draft)
  await endRefusedStreams(call)
  sendEmpty(call.response, 204)
}
