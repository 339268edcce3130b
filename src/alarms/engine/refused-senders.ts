// Remembers whose traps were refused although they were well formed: devices that are known, one by one, and all other
// senders together, because anyone can invent addresses. What is remembered is bounded, and is lost at a stop; the
// alarms about it are in the store.

import { type KnownDevice, unknownSender } from './device-directory.ts'
import { type Incoming, senderOf } from './incoming-trap.ts'
import type { ProcessedTrap } from './trap-ledger.ts'

/** Why a sender is refused, and what to change. `who` is the user that the message names, or "its user". */
export const remedies: Readonly<Record<string, (who: string) => string>> = {
  community: () =>
    'the community is none of those in trap-communities. Correct it on the device, or add it to that setting',
  version: () =>
    'they are SNMP version 3, and there is no file of users. Name one in trap-users, or let the device send version 2c',
  'unknown-user': (who) =>
    `${who} is not in the file of trap-users. Add the user there, or correct the name on the device`,
  'unsupported-security-level': (who) =>
    `${who} sends at another security level than the file of trap-users says. Make auth and priv the same on both sides`,
  'wrong-digest': (who) =>
    `the auth password or algorithm of ${who} is not the one in the file of trap-users. Make them the same on both sides`,
  decryption: (who) =>
    `the priv password or algorithm of ${who} is not the one in the file of trap-users. Make them the same on both sides`,
  'not-in-time-window': (who) =>
    `the restart counter or the time of its SNMP engine went back. Correct it on the device, or set relaxedTime for ${who}`,
  'unknown-engine': () =>
    'its informs name another SNMP engine than this service. Remove the engine id of the receiver on the device, so that it asks for it',
  [unknownSender]: () =>
    'no device has the address, and unknown-senders is "refuse". Add the device, or its address to otherAddress',
}

export interface Refusal {
  readonly address: string
  readonly reason: string
  /** The user of SNMP version 3 that the message names; nothing proves that it is true. */
  readonly user: string | undefined
}

export interface RefusedDevice extends Refusal {
  readonly name: string
  /** Datagrams that were refused and not yet reported in an alarm. */
  times: number
  /** Whether a trap of it was accepted after the last one that was refused. */
  isAccepted: boolean
}

/** The first inform of a sender that does not know this service yet is refused for these reasons. */
const startsInforms: readonly string[] = ['unknown-engine', 'not-in-time-window']

/** More devices than these are counted together with unknown senders. */
const deviceLimit = 1000

export class RefusedSenders {
  readonly devices = new Map<bigint, RefusedDevice>()
  /** All others together: how many datagrams were not yet reported, and the last of them. */
  readonly others: { times: number; last: Refusal | undefined } = { times: 0, last: undefined }

  /** The addresses of a block whose devices `note` needs to know. */
  addressesOf(block: readonly Incoming[]): Set<string> {
    const addresses = new Set<string>()
    for (const incoming of block) {
      const matters = incoming.kind === 'rejected' ? isRefusal(incoming) : this.devices.size > 0
      if (matters) addresses.add(incoming.sourceIp)
    }
    return addresses
  }

  /** Notes the outcomes of a block that is on disk. */
  note(
    block: readonly Incoming[],
    processed: readonly ProcessedTrap[],
    known: ReadonlyMap<string, KnownDevice>,
  ): void {
    for (const [index, incoming] of block.entries()) {
      const { sourceIp: address } = incoming
      const device = known.get(address)
      if (incoming.kind === 'rejected') {
        if (isRefusal(incoming)) this.#refused(device, { address, ...incoming }, incoming.times)
      } else if (processed[index]?.reason === unknownSender) {
        this.#refused(undefined, { address: senderOf(incoming), reason: unknownSender }, 1)
      } else if (device && !incoming.message) {
        const refused = this.devices.get(device.id)
        if (refused) refused.isAccepted = true
      }
    }
  }

  #refused(
    device: KnownDevice | undefined,
    { address, reason, user }: { address: string; reason: string; user?: string | undefined },
    times: number,
  ): void {
    const before = device && this.devices.get(device.id)
    if (device && (before || this.devices.size < deviceLimit)) {
      const counted = { times: (before?.times ?? 0) + times, isAccepted: false }
      this.devices.set(device.id, { name: device.name, address, reason, user, ...counted })
    } else if (device || !startsInforms.includes(reason)) {
      this.others.times += times
      this.others.last = { address, reason, user }
    }
  }

  /** Forgets everything: another service has watched meanwhile, and has heard what this one has not. */
  forget(): void {
    this.devices.clear()
    this.others.times = 0
  }

  /** Expects news of a device whose alarm was raised before this service watched it. */
  expect(id: bigint): void {
    if (this.devices.has(id)) return
    const unknown = { name: '', address: '', reason: '', user: undefined }
    this.devices.set(id, { ...unknown, times: 0, isAccepted: false })
  }
}

/** Not a replay: an inform whose answer was lost is repeated. */
const isRefusal = ({ outcome, reason }: { outcome: string; reason: string }) =>
  outcome === 'refused' && reason in remedies

export const remedyOf = ({ reason, user }: Refusal) =>
  remedies[reason]?.(user === undefined ? 'its user' : `the user ${JSON.stringify(user)}`) ?? ''
