// A message to people about an incident, before it is written for a kind of channel, and what came of sending it.

export type Change =
  | 'raised'
  | 'worse'
  | 'acknowledged'
  | 'note'
  | 'recovered'
  | 'repeat'
  | 'escalated'
  | 'summary'
  | 'test'
  | 'confirmation'
  | 'heartbeat'

/**
 * The alarm that a message is about, for templates and for programs that receive messages. Fields have the names and
 * meanings that they have in documents of `/events`; times are Unix seconds, 0 where there is none.
 */
export interface MessageAlarm {
  /** A text, because ids have 64 bits and numbers of JSON have fewer. */
  readonly id: string
  readonly OID: string
  readonly eventName: string
  readonly alarmLevel: number
  readonly alarmLevelDesc: string
  readonly alarmCategoryDesc: string
  readonly deviceId: string
  readonly deviceName: string
  readonly deviceIp: string
  readonly resource: string
  readonly ifDesc: string
  readonly alarmDesc: string
  readonly faultTime: number
  readonly faultTimeDesc: string
  readonly recTime: number
  readonly recTimeDesc: string
  readonly ackUserName: string
  readonly owner: string
  readonly note: string
}

export interface MessageLink {
  readonly label: string
  readonly url: string
}

export interface Message {
  /** The same for every attempt: the Message-ID of a mail, the idempotency key of a webhook. */
  readonly id: string
  /** The same for all messages of one incident: the thread. */
  readonly incident: string
  readonly change: Change
  /** Plain text, as the text below: each kind of channel escapes it. */
  readonly title: string
  readonly text: string
  readonly alarm: MessageAlarm | undefined
  /** How many alarms are counted into this one. */
  readonly children: number
  readonly links: readonly MessageLink[]
  /** The reference that this channel returned for the first message of the incident. */
  readonly earlier: string | undefined
}

export interface Delivered {
  readonly outcome: 'delivered'
  /** By which a later message of the incident can answer or update this one. */
  readonly reference?: string
  /** The status and the first 200 characters of what the other side said, for administrators alone. */
  readonly answer: string
}

export interface NotDelivered {
  readonly outcome: 'failed'
  /** Whether the same message may be accepted later. */
  readonly retry: boolean
  /** It was sent, and no answer came: the other side may have received it. */
  readonly mayHaveArrived?: boolean
  /** For how many seconds the other side wants to be left alone. */
  readonly retryAfter?: number
  /** Without addresses, secrets or text of the message: it is logged, counted and shown. */
  readonly reason: string
  readonly answer?: string
}

export type SendResult = Delivered | NotDelivered

/** A text of at most `length` characters, cut between them: each receiver reads it. */
export function shortened(text: string, length: number): string {
  const whole = [...text.toWellFormed()]
  return whole.length <= length ? whole.join('') : `${whole.slice(0, length - 1).join('')}…`
}

const lineEnds = /\r\n|[\r\n\v\f\u0085\u2028\u2029]/gu
/** They turn the direction of what comes after them, or are obeyed where they are shown. */
const unseen = /(?![\t\n])[\p{Cc}\p{Bidi_Control}]/gu

/** A text of devices or people that reads as it is written: what cannot be seen is shown as U+FFFD. */
export const readable = (text: string): string => text.replace(lineEnds, '\n').replace(unseen, '\ufffd')

export const readableLine = (text: string): string =>
  readable(text)
    .replace(/[\t\n]+/g, ' ')
    .trim()
