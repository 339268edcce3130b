// Mail: one message per connection, in a thread per incident.

import { once } from 'node:events'
import { connect, isIP, type Socket } from 'node:net'
import { hostname } from 'node:os'
import type { Message, SendResult } from '../message.ts'
import type { Delivery, Kind, KindParts } from './gateway-kind.ts'
import { NoAnswer } from './http-client.ts'
import { tracesOf } from './secret-traces.ts'
import { excerpt, failed, outcomeOfError } from './send-outcome.ts'

export interface MailLimits {
  /** Milliseconds for the connection, between two signs of life, and for everything. */
  readonly connect: number
  readonly silence: number
  readonly total: number
  /** Characters of a reply that are read. */
  readonly reply: number
}

/** Servers that check senders are slow on purpose. */
const defaultLimits: MailLimits = { connect: 10_000, silence: 30_000, total: 60_000, reply: 16 * 1024 }

const critical = 1

export function mailKind(
  { guard, clock }: Pick<KindParts, 'guard' | 'clock'>,
  limits: MailLimits = defaultLimits,
): Kind {
  return {
    async send({ gateway, secrets, address, message, signal }: Delivery): Promise<SendResult> {
      const { host, port, security, userName, sender } = gateway
      if (host === null || port === null || sender === null) return failed('the gateway is not complete')
      const deadline = AbortSignal.any([signal, AbortSignal.timeout(limits.total)])
      const hidden = tracesOf(secrets, onTheWire(userName, secrets.password))
      let socket: Socket | undefined
      // From then on the server may have accepted it, unless it says that it has not.
      let isHandedOver = false
      const giveUp = () => socket?.destroy(new NoAnswer('no answer in time'))
      try {
        socket = await openSocket(await guard.resolve(host, port), port, {
          deadline,
          connect: limits.connect,
        })
        deadline.addEventListener('abort', giveUp)
        const { createTransport } = await import('nodemailer')
        const transport = createTransport({
          connection: socket,
          host,
          port,
          name: ownName(),
          secure: security === 'tls',
          requireTLS: security !== 'none' && security !== 'tls',
          ignoreTLS: security === 'none',
          tls: { servername: isIP(host) === 0 ? host : '', host },
          ...(userName !== null && { auth: { user: userName, pass: secrets.password ?? '' } }),
          greetingTimeout: limits.silence,
          socketTimeout: limits.silence,
          maxResponseSize: limits.reply,
          // What a device sent may look like the name of a file or an address.
          disableFileAccess: true,
          disableUrlAccess: true,
        })
        transport.use('stream', ({ message: mime }, done) => {
          mime.processFunc((input) => input.once('end', () => (isHandedOver = true)))
          done()
        })
        const domain = sender.slice(sender.lastIndexOf('@') + 1)
        const messageId = idIn(message.id, domain)
        const { response } = await transport.sendMail({
          from: { name: 'Belfry', address: sender },
          to: { name: '', address },
          subject: oneLine(message.title),
          text: textOf(message),
          messageId,
          references: [
            idIn(message.incident, domain),
            ...(message.earlier === undefined ? [] : [message.earlier]),
          ],
          ...(message.earlier !== undefined && { inReplyTo: message.earlier }),
          date: new Date(clock()),
          priority:
            message.alarm?.alarmLevel === critical && message.change !== 'recovered' ? 'high' : 'normal',
          // RFC 3834: nobody's holiday answers this.
          headers: { 'Auto-Submitted': 'auto-generated' },
        })
        return {
          outcome: 'delivered',
          reference: messageId,
          answer: excerpt(String(response), hidden),
        }
      } catch (error) {
        return deadline.aborted
          ? failed('no answer in time', arrival(isHandedOver))
          : outcomeOfMail(error, hidden, isHandedOver)
      } finally {
        deadline.removeEventListener('abort', giveUp)
        socket?.destroy()
      }
    },
  }
}

const arrival = (mayHaveArrived: boolean) => (mayHaveArrived ? { mayHaveArrived } : {})

async function openSocket(
  address: string,
  port: number,
  { deadline, connect: limit }: { readonly deadline: AbortSignal; readonly connect: number },
): Promise<Socket> {
  const socket = connect({ host: address, port })
  // An error that comes while nobody waits for one must not end the process.
  socket.on('error', () => undefined)
  const giveUp = () => socket.destroy(new NoAnswer('no connection', false))
  const timer = setTimeout(giveUp, limit)
  deadline.addEventListener('abort', giveUp)
  try {
    await once(socket, 'connect')
    return socket
  } finally {
    clearTimeout(timer)
    deadline.removeEventListener('abort', giveUp)
  }
}

/** A server may repeat the command that it refuses: RFC 4616, and each part by itself. */
function onTheWire(user: string | null, password = ''): string[] {
  const coded = (text: string) => Buffer.from(text).toString('base64')
  return user === null ? [] : [coded(`\0${user}\0${password}`), coded(password)]
}

/** As servers want it: a full name, or an address in brackets. */
function ownName(): string {
  const name = hostname()
  return /^[\w.-]+\.[a-z]+$/i.test(name) ? name : '[127.0.0.1]'
}

/** RFC 5322 section 3.6.4: of few signs. */
const idIn = (id: string, domain: string) => `<${id.replaceAll(/[^\w.-]/g, '-')}@${domain}>`

const oneLine = (text: string) => text.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim()

export const textOf = ({ text, links }: Message): string =>
  [text, ...links.map(({ label, url }) => `${label}: ${url}`)].join('\n\n')

interface MailError extends Error {
  readonly code?: string
  /** That of Node, where the library has put its own in its place. */
  readonly originalCode?: string
  readonly responseCode?: number
  readonly response?: string
}

/** What the library says of a connection, in words. */
const troubles: Readonly<Record<string, string>> = {
  ECONNECTION: 'the connection was closed without an answer',
  ETIMEDOUT: 'the server does not answer',
  EPROTOCOL: 'the answer of the server is not that of a mail server',
  ETLS: 'the connection could not be encrypted',
}

function outcomeOfMail(error: unknown, traces: readonly string[], isHandedOver: boolean): SendResult {
  const { code = '', originalCode, responseCode, response } = error as MailError
  if (code === 'ETLS' && responseCode !== undefined)
    return failed('the server offers no encryption', { answer: excerpt(response ?? '', traces) })
  if (responseCode !== undefined) {
    const reason = code === 'EAUTH' ? 'the server does not accept user and password' : 'the server refuses'
    return failed(`${reason}: ${responseCode}`, {
      // RFC 5321 section 4.2.1: 4 is for now, 5 for good.
      retry: responseCode < 500,
      answer: excerpt(response ?? '', traces),
    })
  }
  const known = originalCode === undefined ? troubles[code] : undefined
  if (known !== undefined) return failed(known, arrival(isHandedOver))
  const outcome = outcomeOfError(originalCode === undefined ? error : { code: originalCode })
  return { ...outcome, ...arrival(isHandedOver) }
}
