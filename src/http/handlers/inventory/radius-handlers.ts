// Handlers for RADIUS servers: whether a terminal may have access, and reports of where terminals are.

import { forgetTerminal } from '../../../resources/inventory/terminal.ts'
import { oneScalar } from '../../../schema/list.ts'
import { readDraft } from '../../../schema/read-document.ts'
import { type DraftOf, optional, required, resource } from '../../../schema/resource.ts'
import { int, ip, long, type Scalar, text } from '../../../schema/scalar.ts'
import type { AccessRequest, Decision } from '../../../terminals/terminals.ts'
import { type Call, type Handler, readDocument } from '../../call.ts'
import { contentType, sendEmpty, sendRecord, sendText } from '../../responses.ts'

const attributeLimit = 253

/**
 * An attribute of a packet, as far as it can be used: whatever a terminal sends about itself, it gets a decision. If it
 * were refused as malformed, a RADIUS server that admits those it cannot check would admit it.
 */
const attribute: Scalar<string> = {
  ...text({ maxLength: attributeLimit }),
  read: (value) => value.slice(0, attributeLimit).replaceAll(/[^\u{20}-\u{7e}\u{a0}-\u{d7ff}]/gu, '\ufffd'),
}

const word = text({ maxLength: 100 })

const asked = {
  /** Where the packet came from. */
  sourceIp: required(ip),
  userName: optional(attribute),
  callingStationId: optional(attribute),
  nasPort: optional(attribute),
  nasPortId: optional(attribute),
  framedIp: optional(attribute),
}
const unkept = { table: 'terminal', key: 'sourceIp' } as const

export const accessRequest = resource('accessRequest', asked, unkept)
export const accountingRequest = resource(
  'accountingRequest',
  { ...asked, acctStatusType: required(attribute) },
  unkept,
)

export const accessDecision = {
  name: 'accessDecision',
  fields: {
    decision: required(text({ pattern: { source: 'accept|reject', accepted: 'accept or reject' } })),
    reason: required(word),
    terminalMac: optional(word),
    terminalName: optional(text()),
    deviceId: optional(long),
    ifIndex: optional(long),
    port: optional(text()),
    vlan: optional(int()),
  },
}

/** The form of the answer, where it is not that of other answers. */
export const asForm = text({ pattern: { source: 'radius', accepted: 'radius' } })

const readRequest = async (call: Call): Promise<AccessRequest> =>
  requestOf(readDraft(accessRequest, await readDocument(call, accessRequest.name), 'create'))

function requestOf(draft: DraftOf<typeof asked>): AccessRequest {
  return {
    sourceIp: draft.sourceIp ?? '',
    userName: draft.userName ?? '',
    callingStationId: draft.callingStationId ?? '',
    nasPort: portNumber(draft.nasPort),
    nasPortId: draft.nasPortId ?? null,
    framedIp: addressOf(draft.framedIp),
  }
}

const portNumber = (value: string | null | undefined) =>
  value && /^\d{1,10}$/.test(value) && Number(value) < 2 ** 32 ? Number(value) : null

function addressOf(value: string | null | undefined): string | null {
  try {
    return value ? ip.read(value) : null
  } catch {
    return null
  }
}

export const authorize: Handler = async (call) => {
  const form = oneScalar(call.parameters, 'as', asForm)
  const decision = await call.terminals.authorize(await readRequest(call))
  if (form === 'radius') {
    sendText(call.response, 200, contentType.json, JSON.stringify(attributesOf(decision)))
    return
  }
  const { admits, reason, mac = null, terminalName, place, vlan } = decision
  sendRecord(call.response, call.form, accessDecision, {
    decision: admits ? 'accept' : 'reject',
    reason,
    terminalMac: mac,
    terminalName: terminalName === '' ? null : terminalName,
    deviceId: place?.deviceId ?? null,
    ifIndex: place?.ifIndex ?? null,
    port: place?.port || null,
    vlan,
  })
}

/**
 * As FreeRADIUS reads it: lists and attributes by their names. It expands what it finds in values, so that nothing may
 * be there but our own words and numbers.
 */
function attributesOf({ admits, reason, vlan }: Decision): Record<string, string> {
  return {
    'control:Auth-Type': admits ? 'Accept' : 'Reject',
    'reply:Reply-Message': reason,
    // RFC 3580, section 3.31.
    ...(admits &&
      vlan !== null && {
        'reply:Tunnel-Type': 'VLAN',
        'reply:Tunnel-Medium-Type': 'IEEE-802',
        'reply:Tunnel-Private-Group-Id': String(vlan),
      }),
  }
}

/** Accepts start, interim and stop as they come; accounting without a terminal is accepted too, and ignored. */
export const account: Handler = async (call) => {
  const draft = readDraft(accountingRequest, await readDocument(call, accountingRequest.name), 'create')
  await call.terminals.account(requestOf(draft), draft.acctStatusType ?? '')
  sendEmpty(call.response, 204)
}

/** Personal data is erased when a person asks for it. */
export const eraseTerminal: Handler = async (call) => {
  await call.database.transaction((tx) => forgetTerminal(tx, call.id))
  sendEmpty(call.response, 204)
}
