// Handlers that send something at once: tests of gateways and channels, and the codes that confirm addresses.

import { Fault } from '../../../fault.ts'
import { testMessage } from '../../../notify/channels/confirmation.ts'
import type { SendResult } from '../../../notify/message.ts'
import { audit } from '../../../resources/access/audit-entry.ts'
import { mayAct } from '../../../resources/access/role.ts'
import { read } from '../../../resources/collection.ts'
import { channel, checkAddress } from '../../../resources/notify/channel.ts'
import { gateway, gateways } from '../../../resources/notify/gateway.ts'
import type { GatewayKind } from '../../../resources/notify/gateway-kinds.ts'
import { readDraft } from '../../../schema/read-document.ts'
import { optional, required, resource } from '../../../schema/resource.ts'
import { bool, text } from '../../../schema/scalar.ts'
import { type Call, type Handler, readDocument } from '../../call.ts'
import { sendEmpty, sendRecord } from '../../responses.ts'
import { seenChannel } from './contact-handlers.ts'

export const sendingDocument = {
  name: 'sending',
  fields: {
    outcome: required(text()),
    reason: optional(text()),
    retry: optional(bool),
    /** To administrators alone. */
    answer: optional(text()),
  },
}

const testDocument = { address: optional(text({ maxLength: 500 })) }
export const gatewayTest = resource('gatewayTest', testDocument, { table: '', key: 'address' })
const codeDocument = { code: optional(text({ maxLength: 20 })) }
export const confirmation = resource('confirmation', codeDocument, { table: '', key: 'code' })

const isAdministrator = ({ caller }: Call) => mayAct(caller.role, 'administrator')

/** A caller who leaves no longer waits for the answer of the other side. */
function untilGone({ response }: Call): AbortSignal {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  return gone.signal
}

function answerSending(call: Call, result: SendResult): void {
  const { outcome, answer } = result
  const failure = result.outcome === 'failed' ? { reason: result.reason, retry: result.retry } : {}
  sendRecord(call.response, call.form, sendingDocument, {
    outcome,
    ...failure,
    ...(isAdministrator(call) && { answer }),
  })
}

const noteTest = (call: Call, name: string) =>
  call.database.transaction((tx) => audit(tx, { action: 'test', resource: name, id: call.id }))

export const testGateway: Handler = async (call) => {
  const { address } = readDraft(gatewayTest, await readDocument(call, gatewayTest.name), 'create')
  const { kind } = await read(call.database, gateways, call.id)
  checkAddress(kind as GatewayKind, address ?? null)
  await noteTest(call, gateway.name)
  const message = testMessage(call.caller.name, call.clock())
  answerSending(call, await call.senders.sendTo(call.id, address ?? '', message, untilGone(call)))
}

export const testChannel: Handler = async (call) => {
  const { confirmed, gatewayId, address } = await seenChannel(call)
  // Somebody else's address must not be sent tests.
  if (!confirmed && !isAdministrator(call))
    throw new Fault('conflict', `channel ${call.id} is not confirmed yet`)
  await noteTest(call, channel.name)
  const message = testMessage(call.caller.name, call.clock())
  answerSending(call, await call.senders.sendTo(gatewayId, address ?? '', message, untilGone(call)))
}

export const sendCode: Handler = async (call) => {
  const seen = await seenChannel(call)
  if (seen.confirmed) throw new Fault('conflict', `channel ${call.id} is confirmed already`)
  answerSending(call, await call.confirmations.sendCode(call.database, seen, untilGone(call)))
}

export const confirmChannel: Handler = async (call) => {
  const { code } = readDraft(confirmation, await readDocument(call, confirmation.name), 'create')
  await call.confirmations.confirm(call.database, await seenChannel(call), code ?? '')
  sendEmpty(call.response, 204)
}
