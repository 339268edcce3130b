// Handlers on the way from a message to a definition: a proposal for a message, and a dry run on the messages that were received
// lately and on those that are stored.

import type { messageEffects } from '../../../intake/message-ring.ts'
import { triedOf } from '../../../intake/message-trial.ts'
import { messageDefinition, messageDefinitions } from '../../../resources/alarms/message-definition.ts'
import { unsaved } from '../../../resources/collection.ts'
import { readDraft } from '../../../schema/read-document.ts'
import { empty, groups, optional, required, resource, type Shape, set } from '../../../schema/resource.ts'
import { instant, ip, long, text } from '../../../schema/scalar.ts'
import { addressOf } from '../../../schema/space.ts'
import { proposeDefinition } from '../../../syslog/definition-proposal.ts'
import { type Handler, readDocument } from '../../call.ts'
import { sendRecord } from '../../responses.ts'
import { incompleteRemark, messagePages, silentRemarks } from './message-handlers.ts'

const word = text({ maxLength: 4000 })
const maxExamples = 100

export const messageTrialDocument = {
  name: 'messageTrial',
  fields: {
    /** Messages that would raise or end an alarm, and those that it knows as neither. */
    raises: required(long),
    clears: required(long),
    others: required(long),
    /** How many things they are about, of all devices. */
    resources: required(long),
    /** The newest first. */
    example: groups({
      receivedTime: required(instant),
      deviceIp: required(ip),
      does: required(text({ maxLength: 100 })),
      /** What the definitions of now make of it. */
      doesNow: required(text({ maxLength: 100 })),
      resource: required(word, { absent: 'empty' }),
      text: required(word, { absent: 'empty' }),
    }),
    /** What was not looked through. */
    remark: set(text({ maxLength: 1000 })),
  },
}

export const dryRunDefinition: Handler = async (call) => {
  const { messages, memory, response, database } = call
  const draft = readDraft(messageDefinition, await readDocument(call, messageDefinition.name), 'create')
  const { id: _, ...definition } = unsaved(messageDefinitions, draft)
  const tried = await triedOf(database, definition)
  const isGone = () => response.destroyed
  const found = await memory.messageReads.run(() => messages.try(database, tried, messagePages.max, isGone))
  const remark = silentRemarks(found.silent)
  if (!found.isComplete) remark.push(incompleteRemark(found.messages.length))
  const numberOf = (effect: (typeof messageEffects)[number]) =>
    found.messages.filter(({ does }) => does === effect).length
  const [raises, clears] = [numberOf('raise'), numberOf('clear')]
  const resources = new Set(
    found.messages
      .filter(({ does }) => does === 'raise' || does === 'clear')
      .map(({ deviceIp, resource = '' }) => `${deviceIp} ${resource}`),
  )
  sendRecord(response, call.form, messageTrialDocument, {
    raises: BigInt(raises),
    clears: BigInt(clears),
    others: BigInt(found.messages.length - raises - clears),
    resources: BigInt(resources.size),
    example: found.messages.slice(0, maxExamples).map((message) => ({
      ...message,
      deviceIp: addressOf(message.deviceIp),
      doesNow: message.doesNow ?? message.does,
      resource: message.resource ?? '',
    })),
    remark,
  })
}

const { name, code, word: words, message, key, eventOid } = messageDefinition.fields

/** A message that was received, or a shape of messages. */
export const sampleMessage = resource(
  'sampleMessage',
  {
    /** Its code, or its program. */
    origin: optional(text({ maxLength: 200 }), empty),
    /** The text of a message, or the words of a shape, with `*` for those that differ. */
    text: required(word),
  },
  // Never stored.
  { table: '', key: 'origin' },
)

export const definitionProposalDocument: Shape = {
  name: 'definitionProposal',
  fields: { name, code, word: words, message, key, eventOid },
}

export const proposeForMessage: Handler = async (call) => {
  const { messages, response } = call
  const { origin, text: said } = readDraft(
    sampleMessage,
    await readDocument(call, sampleMessage.name),
    'create',
  )
  const proposal = proposeDefinition({ origin: origin ?? '', text: said ?? '' }, await messages.matcher())
  sendRecord(response, call.form, definitionProposalDocument, proposal)
}
