// Webhooks: a JSON document or a template, with headers and a signature as Standard Webhooks describes it.

import { createHmac } from 'node:crypto'
import { Fault } from '../../fault.ts'
import { type GatewaySecrets, headerLines } from '../../resources/notify/gateway.ts'
import type { Message, SendResult } from '../message.ts'
import type { Delivery, Kind, KindParts } from './gateway-kind.ts'
import { encodingOf, valuesOf } from './message-template.ts'
import { tracesOf } from './secret-traces.ts'
import { failed, outcomeOf, outcomeOfError } from './send-outcome.ts'

/** Headers that are ours to set: a template must not take their place. */
const own = new Set(['host', 'content-length', 'content-type', 'transfer-encoding', 'connection'])

/** A program that gets the same id again has got the message already. */
const idOf = ({ id }: Message) => id.replaceAll(/[^\x21-\x7e]/g, '-')

/** The headers of a signed request: `whsec_` and the key in base64. */
export function signatureHeaders(
  secret: string,
  id: string,
  seconds: number,
  body: string,
): Record<string, string> {
  const key = Buffer.from(secret.slice(secret.indexOf('_') + 1), 'base64')
  const mac = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${mac}` }
}

/** What templates with placeholders made of secrets: a filter may have added to them. */
const madeOf = ({ url = '', header = '' }: GatewaySecrets, sentTo: URL, headers: Record<string, string>) => [
  ...(url.includes('{') ? [`${sentTo.pathname}${sentTo.search}`] : []),
  ...(header.includes('{') ? Object.values(headers) : []),
]

export function webhookKind({ http, templates, clock }: KindParts): Kind {
  const render = async ({ gateway, secrets, address, message }: Delivery) => {
    const { token: _, ...values } = valuesOf(message, address, '')
    const named = { ...values, token: secrets.token ?? '' }
    const url = new URL(await templates.render(secrets.url ?? '', named, 'url'))
    const headers: Record<string, string> = {}
    for (const line of headerLines(secrets.header ?? '')) {
      const cut = line.indexOf(':')
      const name = line.slice(0, cut)
      if (!own.has(name.toLowerCase()))
        headers[name] = (await templates.render(line.slice(cut + 1), named, 'header')).trim()
    }
    const type = gateway.contentType ?? 'application/json'
    // The token is for servers that want it in the body; a document of all values is for any.
    const body =
      gateway.body === null
        ? JSON.stringify(values)
        : await templates.render(gateway.body, named, encodingOf(type))
    return { url, headers, type: `${type}; charset=utf-8`, body }
  }

  return {
    async send(delivery): Promise<SendResult> {
      const { gateway, secrets, message, signal } = delivery
      const id = idOf(message)
      try {
        const { url, headers, type, body } = await render(delivery)
        const signed =
          secrets.signingSecret === undefined
            ? {}
            : signatureHeaders(secrets.signingSecret, id, Math.floor(clock() / 1000), body)
        const wanted = {
          method: gateway.method ?? 'POST',
          url,
          headers: {
            'User-Agent': 'Belfry',
            ...headers,
            'Content-Type': type,
            'Idempotency-Key': id,
            ...signed,
          },
          body,
        }
        const traces = tracesOf(secrets, madeOf(secrets, url, headers))
        return outcomeOf(await http.request(wanted, signal), traces, clock())
      } catch (error) {
        if (error instanceof Fault) return failed(error.message, { retry: false })
        return outcomeOfError(error)
      }
    },
  }
}
