// Reads the parts of a message that are fields: structured data of RFC 5424, key=value pairs, comma-separated values. All
// of them in one pass, and up to a limit: what a device sends must not fill memory.

const maxFields = 200
const maxNameLength = 64
const maxValueLength = 2000

/** Structured data at the beginning of a text; undefined if it is malformed. Parameters are named `id.name`. */
export function readStructuredData(
  text: string,
): { readonly data: ReadonlyMap<string, string>; readonly length: number } | undefined {
  const data = new Map<string, string>()
  if (text.startsWith('-')) return { data, length: 1 }
  let at = 0
  while (text[at] === '[') {
    const idEnd = endOf(text, at + 1, ' ]')
    if (idEnd === at + 1 || idEnd >= text.length) return undefined
    // The number of the enterprise does not help anybody to recognise a parameter.
    const id = text.slice(at + 1, idEnd).replace(/@.*/, '')
    at = idEnd
    while (text[at] === ' ') {
      const equals = endOf(text, at + 1, '= ]"')
      if (text[equals] !== '=' || text[equals + 1] !== '"') return undefined
      const value = readQuoted(text, equals + 1)
      if (!value) return undefined
      put(data, `${id}.${text.slice(at + 1, equals)}`, value.text)
      at = value.end
    }
    if (text[at] !== ']') return undefined
    at += 1
  }
  return at === 0 ? undefined : { data, length: at }
}

/** `name=value` pairs, with quotes around values that contain spaces; other words between them are passed over. */
export function readPairs(text: string): ReadonlyMap<string, string> {
  const data = new Map<string, string>()
  let at = 0
  while (at < text.length && data.size < maxFields) {
    const end = endOf(text, at, '= ;,')
    if (text[end] !== '=') {
      at = end + 1
      continue
    }
    const name = text.slice(at, end)
    const quoted = text[end + 1] === '"' ? readQuoted(text, end + 1) : undefined
    const valueEnd = quoted?.end ?? endOf(text, end + 1, ' ;,')
    if (/^[A-Za-z][\w.-]{0,63}$/.test(name)) put(data, name, quoted?.text ?? text.slice(end + 1, valueEnd))
    at = valueEnd + 1
  }
  return data
}

/** The fields of one line of comma-separated values, the first `count` of them. */
export function readCommaSeparated(text: string, count: number): string[] {
  const fields: string[] = []
  let at = 0
  while (fields.length < count && at <= text.length) {
    const quoted = text[at] === '"' ? readQuoted(text, at, '"') : undefined
    const end = quoted ? endOf(text, quoted.end, ',') : endOf(text, at, ',')
    fields.push(quoted?.text ?? text.slice(at, end))
    at = end + 1
  }
  return fields
}

function put(data: Map<string, string>, name: string, value: string): void {
  if (data.size < maxFields) data.set(name.slice(0, maxNameLength), value.slice(0, maxValueLength))
}

/** The index of the first of the characters, or the end of the text. */
function endOf(text: string, from: number, stops: string): number {
  let at = from
  while (at < text.length && !stops.includes(text.charAt(at))) at += 1
  return at
}

/** Text in quotes, in which `mark` stands before a quote that does not end it. */
function readQuoted(text: string, start: number, mark = '\\'): { text: string; end: number } | undefined {
  const pieces: string[] = []
  let from = start + 1
  for (let at = from; at < text.length; at += 1) {
    const isEscape = text[at] === mark && at + 1 < text.length
    if (isEscape && (mark === '"' ? text[at + 1] === '"' : '"\\]'.includes(text.charAt(at + 1)))) {
      pieces.push(text.slice(from, at))
      from = at + 1
      at += 1
    } else if (text[at] === '"') return { text: pieces.join('') + text.slice(from, at), end: at + 1 }
  }
  return undefined
}
