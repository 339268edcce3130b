// An answer as text: status, the headers that matter, the body in readable lines. What differs from run to run is
// replaced, by the list below and nothing else.

import type { Answer } from '../support.ts'

/** What is made by chance, or by the machine: pattern → what stands for it. */
const changing: readonly (readonly [RegExp, string])[] = [
  [/http:\/\/127\.0\.0\.1:\d+/g, 'http://HOST'],
  [/bfy_[\w-]{43}/g, 'TOKEN'],
  [/(?<=\/notify\/calendar\/)[\w-]{43}/g, 'SECRET'],
  [/bfy_[\w-]{4,12}(?=[<"…])/g, 'TOKEN-PREFIX'],
  [/belfry-session=[\w-]{43}/g, 'belfry-session=SECRET'],
  [/nonce="[^"]*"/g, 'nonce="NONCE"'],
  [/opaque="[^"]*"/g, 'opaque="OPAQUE"'],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UUID'],
  [/\/tmp\/belfry-test-\w+/g, 'FOLDER'],
  [/postgres(?:ql)?:\/\/[^\s<"]+/g, 'STORE'],
  [/filename="belfry-[\dTZ-]+\.db"/g, 'filename="belfry-TIME.db"'],
]

export const normalised = (text: string): string =>
  changing.reduce((so, [pattern, instead]) => so.replace(pattern, instead), text)

/** On almost every answer: named only where it is otherwise. */
const usual: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

/** Of the connection, or of the moment. */
const unshown = new Set([
  'date',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'content-type',
  ...Object.keys(usual),
])

function headersOf({ headers }: Pick<Answer, 'headers'>): string[] {
  const own = Object.entries(headers).filter(([name]) => !unshown.has(name))
  const other = Object.entries(usual).flatMap(([name, value]) =>
    headers[name] === value ? [] : [`${name}: ${headers[name] ?? '(none)'}`],
  )
  return [...own.sort().map(([name, value]) => `${name}: ${[value].flat().join(' | ')}`), ...other]
}

/** One element, or member, a line; a line that was there before has a sign at its end. */
function inLines(text: string, type: string): string {
  const marked = text.replaceAll('\n', '⏎\n')
  if (marked.length < 150) return marked
  if (type.includes('xml')) return marked.replaceAll('><', '>\n<')
  return type.includes('json')
    ? marked.replaceAll(/([}\]"]),(?=["{[])/g, '$1,\n').replaceAll('[{', '[\n{')
    : marked
}

export function transcript(answer: Pick<Answer, 'status' | 'headers' | 'text'>, shown = answer.text): string {
  const type = answer.headers['content-type'] ?? ''
  const head = [`${answer.status} ${type}`.trim(), ...headersOf(answer)]
  return normalised([...head, ...(shown === '' ? [] : [inLines(shown, type)])].join('\n')).trimEnd()
}
