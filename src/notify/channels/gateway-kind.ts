// What every kind of gateway does: send one message, and say what came of it.

import type { Gateway, GatewaySecrets } from '../../resources/notify/gateway.ts'
import type { Message, SendResult } from '../message.ts'
import type { EngineClock } from './engine-clock.ts'
import type { HttpClient } from './http-client.ts'
import type { MessageTemplates } from './message-template.ts'
import type { OutboundGuard } from './outbound-guard.ts'

/** One attempt. */
export interface Delivery {
  readonly gateway: Gateway
  readonly secrets: GatewaySecrets
  /** Empty where the gateway leads to one place. */
  readonly address: string
  readonly message: Message
  readonly signal: AbortSignal
}

/** Answers every failure that the other side or the network can cause with a result; throws nothing else than bugs. */
export interface Kind {
  send(delivery: Delivery): Promise<SendResult>
}

export interface KindParts {
  readonly guard: OutboundGuard
  readonly http: HttpClient
  readonly templates: MessageTemplates
  /** The store's clock. */
  readonly clock: () => number
  readonly engine: EngineClock
}
