// Secrets in what a receiver answers: many repeat the path, a header or the whole request, written in another way.

import { type GatewaySecrets, headerLines } from '../../resources/notify/gateway.ts'

/** Shorter pieces are found in answers anyway. */
const shortest = 6

/** Words of addresses and headers that are no secret by themselves, and help to understand an answer. */
const common = new Set([
  ...[
    'services',
    'service',
    'webhook',
    'webhooks',
    'incoming',
    'workflow',
    'workflows',
    'triggers',
    'trigger',
  ],
  ...[
    'manual',
    'invoke',
    'message',
    'messages',
    'messages.json',
    'sendmessage',
    'events',
    'enqueue',
    'alerts',
  ],
  ...['notify', 'notification', 'notifications', 'channel', 'channels', 'public', 'plugins', 'default'],
  ...['bearer', 'digest', 'apikey', 'authorization', 'application/json', 'text/plain'],
])

const isTelling = (piece: string) => piece.length >= shortest && !common.has(piece.toLowerCase())

/** Without placeholders: what stands for them is no secret, or a secret with traces of its own. */
const literals = (template: string) => template.split(/\{\{[^{}]*\}\}|\{%[^{}%]*%\}/)

function piecesOfUrl(url: string): string[] {
  const rest = url.replace(/^https?:\/\/[^/?#]*/i, '')
  const [path = ''] = rest.split('?', 1)
  const isSecret = rest.split(/[/?]/).some((part) => part !== '' && !common.has(part.toLowerCase()))
  // A path of which every part is short may be secret as a whole.
  const whole = isSecret ? [rest, path] : []
  return [...whole, ...literals(rest).flatMap((text) => text.split(/[/?&=;]/))]
}

function piecesOfHeader(header: string): string[] {
  const values = headerLines(header).map((line) => line.slice(line.indexOf(':') + 1).trim())
  return values.flatMap((value) => [
    value,
    ...literals(value).flatMap((text) => [text.trim(), ...text.split(/\s/), ...text.split(/[\s,;="]/)]),
  ])
}

const orNone = (read: () => string): string[] => {
  try {
    return [read()]
  } catch {
    return []
  }
}

/** What a server may have made of a piece before it repeats it: credentials in base64 are a name and a password. */
function decoded(piece: string): string[] {
  const text = /^[\w+/-]{8,}={0,2}$/.test(piece) ? Buffer.from(piece, 'base64').toString('utf8') : ''
  const credentials = /^[^\p{Cc}\ufffd]+$/u.test(text) ? [text, text.slice(text.indexOf(':') + 1)] : []
  const unescaped = piece.includes('\\') ? orNone(() => JSON.parse(`"${piece}"`)) : []
  return [piece, ...orNone(() => decodeURIComponent(piece)), ...unescaped, ...credentials]
}

/** Base64 of a piece also inside that of a longer text, where it begins at any of three places of a group. */
function base64Of(piece: string): string[] {
  const bytes = Buffer.from(piece)
  const inside = [0, 1, 2].map((before) => {
    const digits = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    return digits.slice(before === 0 ? 0 : before + 1, Math.floor(((before + bytes.length) * 4) / 3))
  })
  return inside.flatMap((digits) => [digits, digits.replaceAll('+', '-').replaceAll('/', '_')])
}

const lowerEscapes = (text: string) => text.replaceAll(/%[0-9A-F]{2}/g, (byte) => byte.toLowerCase())
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function encoded(piece: string): string[] {
  const percent = [encodeURIComponent(piece), encodeURI(piece)]
  const json = JSON.stringify(piece).slice(1, -1)
  const ascii = json.replaceAll(
    /[^\x20-\x7e]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  const html = piece.replaceAll(/[&<>"]/g, (sign) => entities[sign] ?? sign)
  return [
    ...[piece, ...percent, ...percent.map(lowerEscapes), encodeURIComponent(piece).replaceAll('%20', '+')],
    ...[json, ascii, json.replaceAll('/', '\\/'), ascii.replaceAll('/', '\\/')],
    ...[html, html.replaceAll("'", '&#39;'), ...base64Of(piece)],
  ]
}

/**
 * Everything that would tell a secret of the gateway, or a part of it, longest first. `sent` are texts that were made
 * from the secrets.
 */
export function tracesOf(secrets: GatewaySecrets, sent: readonly string[] = []): readonly string[] {
  const { url = '', header = '' } = secrets
  const values = [...Object.values(secrets), ...sent, ...piecesOfUrl(url), ...piecesOfHeader(header)]
  const plain = new Set(values.filter(isTelling).flatMap(decoded).filter(isTelling))
  const traces = new Set([...plain].flatMap((piece) => encoded(piece.toWellFormed())).filter(isTelling))
  return [...traces].sort((a, b) => b.length - a.length)
}

/**
 * Replaces every trace, also those that overlap, and the beginning of one where the text ends within it. Only traces
 * that begin as the text does are compared, so that the time grows with the text.
 */
export function blotOut(text: string, traces: readonly string[]): string {
  const byStart = Map.groupBy(
    traces.filter(({ length }) => length >= shortest),
    (trace) => trace.slice(0, shortest),
  )
  let shown = ''
  let hiddenUntil = 0
  for (let at = 0; at < text.length; at += 1) {
    const found = byStart
      .get(text.slice(at, at + shortest))
      ?.find((trace) => trace.startsWith(text.slice(at, at + trace.length)))
    const before = hiddenUntil
    if (found !== undefined) hiddenUntil = Math.max(hiddenUntil, at + found.length)
    if (at >= hiddenUntil) shown += text[at]
    else if (at >= before) shown += '…'
  }
  return shown
}
