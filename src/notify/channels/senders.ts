// Sends messages through channels: finds the gateway and its secrets, and hands over to its kind. Each gateway has
// connections of its own, so that one that hangs delays no other.

import type { Keys } from '../../keys/key-ring.ts'
import { type Channel, channels } from '../../resources/notify/channel.ts'
import { type Gateway, gateways, secretsOf } from '../../resources/notify/gateway.ts'
import type { GatewayKind } from '../../resources/notify/gateway-kinds.ts'
import type { Database } from '../../store/database.ts'
import { find } from '../../store/table.ts'
import type { Message, SendResult } from '../message.ts'
import { slackKind, slackWebhookKind, teamsKind } from './chat-kinds.ts'
import { EngineClock } from './engine-clock.ts'
import type { Kind, KindParts } from './gateway-kind.ts'
import { HttpClient, type HttpLimits } from './http-client.ts'
import { mailKind } from './mail-kind.ts'
import type { MessageTemplates } from './message-template.ts'
import { OutboundGuard, type OutboundSettings, type OwnListeners } from './outbound-guard.ts'
import { tracesOf } from './secret-traces.ts'
import { failed, outcomeOf, outcomeOfError } from './send-outcome.ts'
import { snmpKind } from './snmp-kind.ts'
import { webhookKind } from './webhook-kind.ts'

export interface SendersParts {
  readonly database: Database
  readonly keys: Keys
  readonly templates: MessageTemplates
  readonly clock: () => number
  /** Where this service listens: nothing is sent there. */
  readonly listeners: OwnListeners
}

const kindsWith = (parts: KindParts): Readonly<Record<GatewayKind, Kind>> => ({
  mail: mailKind(parts),
  webhook: webhookKind(parts),
  slack: slackKind(parts),
  slackWebhook: slackWebhookKind(parts),
  teams: teamsKind(parts),
  snmp: snmpKind(parts),
})

/** How many messages a gateway sends at once, and how many wait. */
const perGateway = { atOnce: 4, waiting: 1000 }

/** The messages of one gateway take turns; those of another do not wait for them. */
class GatewayTurns {
  readonly #onIdle: () => void
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(onIdle: () => void) {
    this.#onIdle = onIdle
  }

  async run(signal: AbortSignal, onTurn: () => void, send: () => Promise<SendResult>): Promise<SendResult> {
    if (this.#waiting.length >= perGateway.waiting) return failed('too many messages wait for this gateway')
    if (this.#running < perGateway.atOnce) this.#running += 1
    // Whoever ends hands its turn to the first that waits.
    else await new Promise<void>((begin) => this.#waiting.push(begin))
    try {
      if (!signal.aborted) onTurn()
      return signal.aborted ? failed('it was given up') : await send()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else {
        this.#running -= 1
        if (this.#running === 0) this.#onIdle()
      }
    }
  }
}

export class Senders {
  readonly #database: Database
  readonly #keys: Keys
  readonly #kinds: Readonly<Record<GatewayKind, Kind>>
  readonly #http: HttpClient
  readonly #clock: () => number
  readonly #turns = new Map<bigint, GatewayTurns>()

  constructor(parts: SendersParts, settings: OutboundSettings, limits?: HttpLimits) {
    this.#database = parts.database
    this.#keys = parts.keys
    const guard = new OutboundGuard(settings, parts.listeners)
    const { templates, clock } = parts
    this.#http = new HttpClient(guard, limits)
    this.#clock = clock
    const engine = new EngineClock(parts.database, clock)
    this.#kinds = kindsWith({ guard, http: this.#http, templates, clock, engine })
  }

  /**
   * Through a channel that is confirmed; a message that confirms it goes through any. `onTurn` is called when no other
   * message of the gateway has to leave before it; who ends the signal then does not have it sent.
   */
  async send(
    channelId: bigint,
    message: Message,
    signal: AbortSignal,
    onTurn?: () => void,
  ): Promise<SendResult> {
    const channel = (await find(this.#database, channels.table, channelId)) as Channel | undefined
    if (!channel) return failed('the channel does not exist', { retry: false })
    if (!channel.confirmed && message.change !== 'confirmation')
      return failed('the address is not confirmed', { retry: false })
    return this.sendTo(channel.gatewayId, channel.address ?? '', message, signal, onTurn)
  }

  /** To any address, such as one that an administrator tries. */
  async sendTo(
    gatewayId: bigint,
    address: string,
    message: Message,
    signal: AbortSignal,
    onTurn = () => {},
  ): Promise<SendResult> {
    const gateway = (await find(this.#database, gateways.table, gatewayId)) as Gateway | undefined
    if (!gateway) return failed('the gateway does not exist', { retry: false })
    if (!gateway.enabled) return failed('the gateway is disabled', { retry: false })
    const secrets = await secretsOf(this.#keys, gatewayId)
    if (gateway.secretSet.some((name) => !(name in secrets)))
      return failed('the secrets of the gateway cannot be read: they must be entered again', { retry: false })
    const delivery = { gateway, secrets, address, message, signal }
    return this.#turnsOf(gatewayId).run(signal, onTurn, () => this.#kinds[gateway.kind].send(delivery))
  }

  /** Calls an address that wants to be called and nothing else: a heartbeat. */
  async call(url: string, signal: AbortSignal): Promise<SendResult> {
    try {
      const wanted = { method: 'GET', url: new URL(url), headers: { 'User-Agent': 'Belfry' }, body: '' }
      return outcomeOf(await this.#http.request(wanted, signal), tracesOf({ url }), this.#clock())
    } catch (error) {
      return outcomeOfError(error)
    }
  }

  #turnsOf(gatewayId: bigint): GatewayTurns {
    let turns = this.#turns.get(gatewayId)
    if (!turns) {
      turns = new GatewayTurns(() => this.#turns.delete(gatewayId))
      this.#turns.set(gatewayId, turns)
    }
    return turns
  }
}
