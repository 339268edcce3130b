// Slack, by a bot token or an incoming webhook, and Microsoft Teams, by a workflow.

import { type Message, type MessageLink, type SendResult, shortened } from '../message.ts'
import type { Delivery, Kind, KindParts } from './gateway-kind.ts'
import type { HttpAnswer } from './http-client.ts'
import { tracesOf } from './secret-traces.ts'
import { excerpt, failed, outcomeOf, outcomeOfError } from './send-outcome.ts'

const slackUrl = 'https://slack.com/api'
/** Characters that Slack accepts in a block, and that a card of Teams holds within its 28 KB. */
const limits = { title: 150, text: 2900, links: 5, card: 6000 }

/** The three signs that have a meaning in texts of Slack. */
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const slackLink = ({ label, url }: MessageLink) =>
  `<${escaped(url).replaceAll('|', '%7C')}|${escaped(label).replaceAll('|', '/')}>`

const plainText = (text: string) => ({ type: 'plain_text', text, emoji: false })

/** Plain blocks, in which nothing that a device sent is markup; `text` is for notifications and screen readers. */
export function slackMessage({ title, text, links }: Message) {
  const lines = shortened(text, limits.text)
  return {
    text: escaped(shortened(title, limits.title)),
    unfurl_links: false,
    blocks: [
      { type: 'header', text: plainText(shortened(title, limits.title) || ' ') },
      ...(lines === '' ? [] : [{ type: 'section', text: plainText(lines) }]),
      ...(links.length === 0
        ? []
        : [
            {
              type: 'section',
              text: { type: 'mrkdwn', text: links.slice(0, limits.links).map(slackLink).join('   ') },
            },
          ]),
    ],
  }
}

/** Text runs are shown as they are, unlike text blocks, which are Markdown. */
const run = (text: string, more: object = {}) => ({
  type: 'RichTextBlock',
  inlines: [{ type: 'TextRun', text, ...more }],
})

export const teamsMessage = ({ title, text, links }: Message) => ({
  type: 'message',
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      contentUrl: null,
      content: {
        $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
        type: 'AdaptiveCard',
        version: '1.4',
        body: [
          run(shortened(title, limits.title) || ' ', { weight: 'Bolder', size: 'Medium' }),
          ...(text === '' ? [] : [run(shortened(text, limits.card))]),
        ],
        actions: links
          .slice(0, limits.links)
          .map(({ label, url }) => ({ type: 'Action.OpenUrl', title: label, url })),
      },
    },
  ],
})

type Post = (
  delivery: Delivery,
  url: string,
  body: object,
  headers?: Record<string, string>,
) => Promise<HttpAnswer>

const postWith =
  ({ http }: KindParts): Post =>
  ({ message, signal }, url, body, headers = {}) =>
    http.request(
      {
        method: 'POST',
        url: new URL(url),
        headers: {
          'User-Agent': 'Belfry',
          'Content-Type': 'application/json; charset=utf-8',
          'Idempotency-Key': message.id.replaceAll(/[^\x21-\x7e]/g, '-'),
          ...headers,
        },
        body: JSON.stringify(body),
      },
      signal,
    )

/** Chat services that take a document at a secret address: new messages only. */
function addressKind(parts: KindParts, documentOf: (message: Message) => object): Kind {
  const post = postWith(parts)
  return {
    async send(delivery): Promise<SendResult> {
      const { secrets, message } = delivery
      try {
        const answer = await post(delivery, secrets.url ?? '', documentOf(message))
        return outcomeOf(answer, tracesOf(secrets), parts.clock())
      } catch (error) {
        return outcomeOfError(error)
      }
    },
  }
}

export const slackWebhookKind = (parts: KindParts) => addressKind(parts, slackMessage)
export const teamsKind = (parts: KindParts) => addressKind(parts, teamsMessage)

/** What Slack calls temporary. */
const temporary = new Set([
  ...['ratelimited', 'rate_limited', 'internal_error', 'fatal_error', 'service_unavailable'],
  ...['request_timeout', 'team_added_to_org'],
])

interface SlackAnswer {
  readonly ok?: boolean
  readonly error?: string
  readonly channel?: string
  readonly ts?: string
}

function readSlack(text: string): SlackAnswer {
  try {
    const answer: unknown = JSON.parse(text)
    return typeof answer === 'object' && answer !== null ? answer : {}
  } catch {
    return {}
  }
}

/** Changes that the first message of an incident should show, for those who do not open the thread. */
const shownInFirst = new Set<Message['change']>(['worse', 'acknowledged', 'recovered'])

/** Later messages of an incident are answers in its thread, and the first one is updated. */
export function slackKind(parts: KindParts): Kind {
  const post = postWith(parts)
  return {
    async send(delivery): Promise<SendResult> {
      const { secrets, address, message } = delivery
      const base = secrets.url ?? slackUrl
      const headers = { Authorization: `Bearer ${secrets.token ?? ''}` }
      const hidden = tracesOf(secrets)
      // `channel:ts`, as it was returned for the first message.
      const [channel = '', thread = ''] = message.earlier?.split(':') ?? []
      const document = slackMessage(message)
      try {
        const body = { channel: channel || address, ...document, ...(thread !== '' && { thread_ts: thread }) }
        const answer = await post(delivery, `${base}/chat.postMessage`, body, headers)
        const outcome = outcomeOf(answer, hidden, parts.clock())
        if (outcome.outcome === 'failed') return outcome
        const said = readSlack(answer.text)
        if (said.ok !== true) {
          const error = excerpt(said.error ?? 'no answer that could be read', hidden)
          return failed(`Slack refuses: ${error}`, { retry: temporary.has(error), answer: outcome.answer })
        }
        if (thread !== '' && shownInFirst.has(message.change)) {
          // The message has arrived: that the first one is not updated must not send it again.
          await post(delivery, `${base}/chat.update`, { channel, ts: thread, ...document }, headers).catch(
            () => undefined,
          )
        }
        return { ...outcome, reference: message.earlier ?? `${said.channel ?? address}:${said.ts ?? ''}` }
      } catch (error) {
        return outcomeOfError(error)
      }
    },
  }
}
