// Handlers for the syslog messages that were received lately, and for the shapes of those that no definition knows.

import { Fault, shown } from '../../../fault.ts'
import { anySpace, messageEffects } from '../../../intake/message-ring.ts'
import { namesOfMuted } from '../../../intake/sieve-feed.ts'
import { addressesOfDevice, deviceIdsAt } from '../../../resources/inventory/device.ts'
import { oneScalar, oneText, oneValue, readPage } from '../../../schema/list.ts'
import { optional, required, set } from '../../../schema/resource.ts'
import { bool, instant, int, ip, long, text } from '../../../schema/scalar.ts'
import { addressOf, spaceNumber, spaceOf } from '../../../schema/space.ts'
import { MessageShapes } from '../../../syslog/message-shapes.ts'
import type { Call, Handler } from '../../call.ts'
import { warningHeaders } from '../../responses.ts'
import { answerRows, sendPage } from '../list-handlers.ts'

const word = text({ maxLength: 4000 })

export const messageDocument = {
  name: 'syslogMessage',
  fields: {
    /** Counts the messages of a node since its start. */
    number: required(long),
    node: required(word),
    receivedTime: required(instant),
    deviceIp: required(ip),
    /** The address space of the device; missing for the default one. */
    space: optional(spaceNumber),
    /** Missing where no device has the address. */
    deviceId: optional(long),
    facility: required(int()),
    severity: required(int()),
    host: optional(word),
    /** As the device wrote it. */
    deviceTime: optional(word),
    program: optional(word),
    code: optional(word),
    does: required(text({ maxLength: 100 })),
    definition: optional(word),
    eventName: optional(word),
    resource: optional(word),
    text: required(word, { absent: 'empty' }),
  },
}

/** So many are found at most. */
export const messagePages = { default: 100, negative: 'default', max: 1000 } as const

const severityScalar = int({ min: 0, max: 7 })

export const messageParameters = {
  deviceIp: { meaning: 'About the device with this address', scalar: ip },
  deviceId: { meaning: 'About this device, with any of its addresses', scalar: long },
  text: 'With this text, in small or capital letters',
  severity: {
    meaning: 'Of this severity or a worse one: 0 (emergency) to 7 (debug)',
    scalar: severityScalar,
  },
  does: `Of which the definitions made this: ${messageEffects.join(', ')}`,
  startTime: { meaning: 'Received at this time or later', scalar: instant },
  endTime: { meaning: 'Received before the end of this second', scalar: instant },
}

export const listMessages: Handler = async (call) => {
  const { parameters, messages, memory, response, database } = call
  const page = readPage(messagePages, parameters)
  const untilSecond = oneScalar(parameters, 'endTime', instant)
  const query = {
    deviceIps: await readAddresses(call),
    text: oneText(parameters, 'text'),
    severity: oneScalar(parameters, 'severity', severityScalar),
    does: readEffect(parameters),
    from: oneScalar(parameters, 'startTime', instant),
    until: untilSecond === undefined ? undefined : untilSecond + 999,
    count: messagePages.max,
  }
  if ((query.text?.length ?? 0) > 1000)
    throw new Fault('invalid', 'text: expected at most 1000 characters', { field: 'text' })
  const found = await memory.messageReads.run(() => messages.find(query, () => response.destroyed))
  const remarks = silentRemarks(found.silent)
  if (!found.isComplete) remarks.push(incompleteRemark(found.messages.length))
  for (const [name, value] of Object.entries(warningHeaders(remarks))) response.setHeader(name, value)
  const shownMessages = found.messages.slice(page.start, page.start + page.size)
  const ids = await deviceIdsAt(database, [...new Set(shownMessages.map(({ deviceIp }) => deviceIp))])
  const rows = shownMessages.map((message) => ({
    ...{ ...message, number: BigInt(message.number), deviceId: ids.get(message.deviceIp) },
    ...{ deviceIp: addressOf(message.deviceIp), space: spaceOf(message.deviceIp) || undefined },
  }))
  sendPage(call, messageDocument, page, rows, found.messages.length)
}

/** Undefined: of all. */
async function readAddresses({ parameters, database }: Call): Promise<readonly string[] | undefined> {
  const deviceIp = oneScalar(parameters, 'deviceIp', ip)
  const deviceId = oneScalar(parameters, 'deviceId', long)
  const ofDevice = deviceId === undefined ? undefined : await addressesOfDevice(database, deviceId)
  if (deviceIp === undefined) return ofDevice
  if (ofDevice === undefined) return [deviceIp + anySpace]
  return ofDevice.filter((spaced) => addressOf(spaced) === deviceIp)
}

function readEffect(parameters: Call['parameters']) {
  const value = oneValue(parameters, 'does')
  const effect = messageEffects.find((known) => known === value)
  if (value === undefined || effect) return effect
  const accepted = messageEffects.join(', ')
  throw new Fault('invalid', `does: ${shown(value)} is not accepted: expected one of ${accepted}`, {
    field: 'does',
  })
}

export const incompleteRemark = (found: number) =>
  `there may be more: the newest ${found} that were found are listed`

export const silentRemarks = (silent: readonly string[]): string[] =>
  silent.map((name) => `node ${name} has not answered: what it has received is missing`)

export const shapeDocument = {
  name: 'syslogShape',
  fields: {
    /** The code or program of its messages. */
    origin: required(word, { absent: 'empty' }),
    /** Its words, with `*` for those that differ. */
    shape: required(word, { absent: 'empty' }),
    count: required(long),
    /** The worst. */
    severity: required(int()),
    soundsBad: required(bool),
    firstTime: required(instant),
    lastTime: required(instant),
    /** At most 100. */
    device: set(ip),
    /** The text of one of its messages. */
    example: required(word, { absent: 'empty' }),
  },
}

export const listShapes: Handler = async (call) => {
  const { messages, database, memory, response } = call
  const { shapes, uncounted, silent } = await memory.messageReads.run(() => messages.shapes())
  // A shape that somebody has just muted is still in the memory of the nodes.
  const listed = new MessageShapes(shapes.length)
  for (const shape of shapes) listed.include(shape)
  listed.mute(await namesOfMuted(database))
  const remarks = silentRemarks(silent)
  if (uncounted > 0) remarks.push(`${uncounted} messages of further shapes are not listed`)
  for (const [name, value] of Object.entries(warningHeaders(remarks))) response.setHeader(name, value)
  const rows = listed.list().map(({ words, count, firstAt, lastAt, devices, ...shape }) => ({
    ...{
      ...shape,
      shape: words.join(' '),
      count: BigInt(count),
      device: [...new Set(devices.map(addressOf))],
    },
    ...{ firstTime: firstAt, lastTime: lastAt },
  }))
  answerRows(call, shapeDocument, rows)
}
