// Handlers for contacts and their channels: administrators manage all of them, everyone their own. Addresses are seen by
// their contact and by administrators alone.

import { Fault } from '../../../fault.ts'
import { mayAct } from '../../../resources/access/role.ts'
import { type Collection, create, modify } from '../../../resources/collection.ts'
import { type Channel, channel, channels } from '../../../resources/notify/channel.ts'
import { type Contact, contact, contactOfOperator, contacts } from '../../../resources/notify/contact.ts'
import { readDraft } from '../../../schema/read-document.ts'
import type { DraftOf, Fields, Resource } from '../../../schema/resource.ts'
import { find } from '../../../store/table.ts'
import { type Call, type Handler, readDocument } from '../../call.ts'
import { withParameters } from '../../calls.ts'
import { sendEmpty, sendRecord, warningHeaders } from '../../responses.ts'
import { answerList } from '../list-handlers.ts'
import { deleteOne, requireSameId } from '../record-handlers.ts'
import { observeRoutes } from './route-observer.ts'

const isAdministrator = ({ caller }: Call) => mayAct(caller.role, 'administrator')

/** The contact that the caller is; undefined where there is none. */
const ownContact = async ({ caller, database }: Call): Promise<bigint | undefined> =>
  caller.operatorId === undefined ? undefined : contactOfOperator(database, caller.operatorId)

async function readBodyOf<F extends Fields>(
  call: Call,
  resource: Resource<F>,
  purpose: 'create' | 'modify',
): Promise<DraftOf<F>> {
  const root = await readDocument(call, resource.name)
  if (purpose === 'modify') requireSameId(root, resource.key, call.id)
  return readDraft(resource, root, purpose)
}

async function answerCreated<F extends Fields>(
  call: Call,
  collection: Collection<F>,
  draft: DraftOf<F>,
): Promise<void> {
  const id = await create(call.database, collection, draft)
  sendEmpty(call.response, collection.created, { Location: `${call.base}${collection.path}/${id}` })
}

export const createContact: Handler = async (call) => {
  const draft = await readBodyOf(call, contact, 'create')
  requireOwnOperator(call, draft.operatorId ?? undefined)
  if (!isAdministrator(call)) draft.operatorId = call.caller.operatorId ?? null
  await answerCreated(call, contacts, draft)
}

/** Others than administrators have a contact for themselves, and for nobody else. */
function requireOwnOperator(call: Call, operatorId: bigint | null | undefined): void {
  if (isAdministrator(call) || operatorId === undefined || operatorId === call.caller.operatorId) return
  throw new Fault('forbidden', 'only an administrator enters contacts for others', { field: 'operatorId' })
}

async function requireOwnContact(call: Call): Promise<void> {
  const found = (await find(call.database, contacts.table, call.id)) as Contact | undefined
  if (!found) throw new Fault('not-found', `contact ${call.id} does not exist`)
  if (isAdministrator(call)) return
  if (found.operatorId === null || found.operatorId !== call.caller.operatorId)
    throw new Fault('forbidden', `contact ${call.id} is somebody else: only an administrator changes it`)
}

export const modifyContact: Handler = async (call) => {
  await requireOwnContact(call)
  const draft = await readBodyOf(call, contact, 'modify')
  if (draft.operatorId !== undefined) requireOwnOperator(call, draft.operatorId)
  const elsewhere = await observeRoutes(call, () => modify(call.database, contacts, call.id, draft))
  sendEmpty(call.response, 204, warningHeaders(elsewhere))
}

export const listChannels: Handler = async (call) => {
  if (isAdministrator(call)) return answerList(call, channels)
  const own = await ownContact(call)
  // Whatever was asked for, only their own.
  const parameters = new Map(call.parameters).set('contactId', [String(own ?? 0n)])
  return answerList(withParameters(call, parameters), channels)
}

/** A channel that the caller does not see is answered like one that does not exist. */
export async function seenChannel(call: Call, code: 'not-found' | 'gone' = 'not-found'): Promise<Channel> {
  const found = (await find(call.database, channels.table, call.id)) as Channel | undefined
  const sees = found && (isAdministrator(call) || (await isOwn(call, found.contactId)))
  if (!sees) throw new Fault(code, `channel ${call.id} does not exist`)
  return found
}

const isOwn = async (call: Call, contactId: bigint | null): Promise<boolean> =>
  contactId !== null && contactId === (await ownContact(call))

export const readChannel: Handler = async (call) =>
  sendRecord(call.response, call.form, channel, await seenChannel(call))

export const createChannel: Handler = async (call) => {
  const draft = await readBodyOf(call, channel, 'create')
  await requireOwnChannel(call, draft)
  await answerCreated(call, channels, draft)
}

/** Others than administrators enter their own addresses. */
async function requireOwnChannel(call: Call, draft: DraftOf<typeof channel.fields>): Promise<void> {
  if (isAdministrator(call)) return
  const own = await ownContact(call)
  if (own === undefined) {
    const message = 'you are not a contact yet: enter yourself first, with POST /notify/contact'
    throw new Fault('conflict', message, { field: 'contactId' })
  }
  draft.contactId ??= own
  if (draft.contactId !== own)
    throw new Fault('forbidden', 'only an administrator enters addresses for others', { field: 'contactId' })
}

export const modifyChannel: Handler = async (call) => {
  const before = await seenChannel(call)
  const draft = await readBodyOf(call, channel, 'modify')
  await requireOwnChannel(call, draft.contactId === undefined ? { contactId: before.contactId } : draft)
  const elsewhere = await observeRoutes(call, () => modify(call.database, channels, call.id, draft))
  sendEmpty(call.response, 204, warningHeaders(elsewhere))
}

export const deleteChannel: Handler = async (call) => {
  await seenChannel(call, 'gone')
  return deleteOne(channels, { observer: observeRoutes })(call)
}
