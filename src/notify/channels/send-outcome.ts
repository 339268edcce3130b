// What came of sending, from answers and errors: whether trying again can help, and words without secrets.

import type { NotDelivered, SendResult } from '../message.ts'
import { type HttpAnswer, NoAnswer } from './http-client.ts'
import { RefusedTarget } from './outbound-guard.ts'
import { blotOut } from './secret-traces.ts'

const answerLength = 200

/** The beginning of what the other side said, on one line, without the traces of secrets. */
export function excerpt(text: string, traces: readonly string[]): string {
  return blotOut(text.slice(0, 4096), traces)
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, answerLength)
}

export const failed = (reason: string, more: Partial<NotDelivered> = {}): NotDelivered => ({
  outcome: 'failed',
  retry: true,
  reason,
  ...more,
})

/** The server may accept it later: it is overloaded, or did not get to it. */
const later = new Set([408, 409, 421, 423, 425, 429])
const longestWait = 3600

/** RFC 9110 section 10.2.3: seconds, or a date. */
export function retryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  const seconds = /^\d{1,9}$/.test(header) ? Number(header) : (Date.parse(header) - now) / 1000
  return Number.isFinite(seconds) ? Math.min(longestWait, Math.max(0, Math.ceil(seconds))) : undefined
}

export function outcomeOf(answer: HttpAnswer, traces: readonly string[], now: number): SendResult {
  const { status, text, headers } = answer
  const said = `${status} ${excerpt(text, traces)}`.trim()
  if (status >= 200 && status < 300) return { outcome: 'delivered', answer: said }
  if (status >= 300 && status < 400)
    return failed(`the server answers ${status}: redirects are not followed`, { retry: false, answer: said })
  const wait = retryAfter(headers['retry-after'], now)
  return failed(`the server answers ${status}`, {
    retry: status >= 500 || later.has(status),
    answer: said,
    ...(wait !== undefined && { retryAfter: wait }),
  })
}

/** Codes of Node, in words; its own messages contain names and addresses. */
const codes: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was closed without an answer',
  EPIPE: 'the connection was closed without an answer',
  ENOTFOUND: 'the name of the server is not known',
  ENODATA: 'the name of the server is not known',
  EAI_AGAIN: 'no name server answers',
  ETIMEOUT: 'no name server answers',
  ETIMEDOUT: 'the server does not answer',
  EHOSTUNREACH: 'the server cannot be reached',
  ENETUNREACH: 'the server cannot be reached',
}

const certificate = /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH)/

export function outcomeOfError(error: unknown): NotDelivered {
  if (error instanceof RefusedTarget) return failed(error.message, { retry: false })
  if (error instanceof NoAnswer) return failed(error.message, { mayHaveArrived: error.wasConnected })
  const { code = '' } = error as { code?: string }
  if (certificate.test(code)) return failed(`the certificate of the server is not accepted: ${code}`)
  if (code.startsWith('ERR_SSL') || code === 'EPROTO') return failed('the connection could not be encrypted')
  const known = codes[code]
  if (known !== undefined) return failed(known)
  const message = String((error as Error).message ?? '')
  if (message.startsWith('the proxy answers')) return failed(message)
  return failed(code === '' ? 'it could not be sent' : `it could not be sent: ${code}`)
}
