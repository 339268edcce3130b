// Receivers of messages that check what the documents of Slack, Teams and ntfy demand, and refuse what these would refuse.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

export interface Received {
  readonly path: string
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

type Answer = { readonly status?: number; readonly body?: unknown; readonly headers?: Record<string, string> }

/** A server that keeps what it was sent. */
export async function receiver(answer: (received: Received) => Answer = () => ({})) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const { url: path = '', method = '', headers } = request
    const one = { path, method, headers, body: Buffer.concat(parts).toString('utf8') }
    received.push(one)
    let given: Answer
    try {
      given = answer(one)
    } catch (error) {
      given = { status: 400, body: (error as Error).message }
    }
    const text = typeof given.body === 'string' ? given.body : JSON.stringify(given.body ?? {})
    response.writeHead(given.status ?? 200, given.headers).end(text)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received }
}

const isText = (value: unknown, most: number): void => {
  assert.ok(typeof value === 'string' && value.length > 0 && value.length <= most, `no text up to ${most}`)
}

/** The blocks that Slack accepts, with their limits. */
function requireBlocks(blocks: { type: string; text: { type: string; text: string } }[]): void {
  assert.ok(blocks.length > 0 && blocks.length <= 50, 'invalid_blocks')
  for (const { type, text } of blocks) {
    assert.ok(type === 'header' || type === 'section', 'invalid_blocks')
    assert.ok(text.type === 'plain_text' || (text.type === 'mrkdwn' && type === 'section'), 'invalid_blocks')
    isText(text.text, type === 'header' ? 150 : 3000)
  }
}

/** Its web interface: it answers 200 also where it refuses, with `ok: false`. */
export const slackLike = (token: string) => {
  let next = 1000
  const posted = new Set<string>()
  return receiver(({ path, headers, body }) => {
    const refuse = (error: string) => ({ body: { ok: false, error } })
    if (headers.authorization !== `Bearer ${token}`) return refuse('invalid_auth')
    if (!/^application\/json/.test(headers['content-type'] ?? '')) return refuse('invalid_post_type')
    const given = JSON.parse(body)
    if (!/^[CDGU]\w+$/.test(given.channel)) return refuse('channel_not_found')
    requireBlocks(given.blocks)
    isText(given.text, 4000)
    assert.doesNotMatch(given.text, /[<>]/)
    if (path === '/api/chat.update') {
      return posted.has(given.ts)
        ? { body: { ok: true, channel: given.channel, ts: given.ts } }
        : refuse('message_not_found')
    }
    if (path !== '/api/chat.postMessage') return refuse('unknown_method')
    if (given.thread_ts !== undefined && !posted.has(given.thread_ts)) return refuse('thread_not_found')
    next += 1
    posted.add(`${next}.000100`)
    const { channel, text, blocks } = given
    // The message is repeated, in ASCII.
    const answer = { ok: true, channel, ts: `${next}.000100`, message: { text, blocks } }
    const inAscii = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
    return { body: JSON.stringify(answer).replaceAll(/[^\x20-\x7e]/g, inAscii) }
  })
}

export const slackWebhookLike = () =>
  receiver(({ path, body }) => {
    if (path !== '/services/T0/B0/secret') return { status: 404, body: 'no_service' }
    const given = JSON.parse(body)
    isText(given.text, 4000)
    requireBlocks(given.blocks)
    return { body: 'ok' }
  })

interface Card {
  readonly type: string
  readonly version: string
  readonly body: {
    readonly type: string
    readonly inlines: { readonly type: string; readonly text: string }[]
  }[]
  readonly actions: { readonly type: string; readonly title: string; readonly url: string }[]
}

/** A workflow that posts to a channel: adaptive cards only, 28 KB at most. */
export const teamsLike = () =>
  receiver(({ body }) => {
    assert.ok(body.length <= 28 * 1024, 'too large')
    const given = JSON.parse(body)
    assert.equal(given.type, 'message')
    const [{ contentType, content }] = given.attachments as [{ contentType: string; content: Card }]
    assert.equal(contentType, 'application/vnd.microsoft.card.adaptive')
    assert.equal(content.type, 'AdaptiveCard')
    assert.match(content.version, /^1\.[0-5]$/)
    assert.ok(
      content.body.every(
        ({ type, inlines }) =>
          type === 'RichTextBlock' && inlines.every((one) => one.type === 'TextRun' && one.text.length > 0),
      ),
    )
    assert.ok(content.actions.every(({ type, url }) => type === 'Action.OpenUrl' && URL.canParse(url)))
    return { status: 202, body: '' }
  })

const ntfyFields = ['topic', 'sequence_id', 'title', 'message', 'priority', 'tags', 'actions', 'click']

/** Publishing as JSON, at the root. */
export const ntfyLike = () =>
  receiver(({ path, body }) => {
    assert.equal(path, '/')
    const given = JSON.parse(body)
    assert.deepEqual(
      Object.keys(given).filter((name) => !ntfyFields.includes(name)),
      [],
    )
    assert.match(given.topic, /^[-\w]{1,64}$/)
    assert.match(given.sequence_id, /^[-\w]{1,64}$/)
    assert.ok(Number.isInteger(given.priority) && given.priority >= 1 && given.priority <= 5)
    assert.ok(Buffer.byteLength(given.message) <= 4096)
    assert.ok(given.actions.length <= 3)
    return { body: { id: 'x', event: 'message', topic: given.topic } }
  })
