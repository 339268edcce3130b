// Templates of webhooks: Liquid, without everything that could read files, skip the escaping, or grow without end.

import type { Liquid } from 'liquidjs'
import { Fault } from '../../fault.ts'
import type { Message } from '../message.ts'

/** What a value is escaped for. */
export type Encoding = 'json' | 'form' | 'url' | 'header' | 'text'

/** Addresses and headers are secrets: errors do not repeat their text. */
const secretParts: ReadonlySet<Encoding> = new Set(['url', 'header'])

/** Loops over what there is, conditions and names for values: nothing that loads, captures or counts. */
const tags = new Set(['if', 'unless', 'case', 'for', 'break', 'continue', 'assign', 'comment', '#'])

/** No `raw`, which would skip the escaping; none whose result can be much longer than what it is given. */
const filters = new Set([
  ...['append', 'prepend', 'capitalize', 'upcase', 'downcase', 'strip', 'truncate', 'slice', 'remove'],
  ...['default', 'size', 'first', 'last', 'join', 'plus', 'minus', 'times', 'divided_by', 'modulo'],
])

/** Separates a sign from what follows, and is not seen. */
const gap = '\u200b'

/** Chat services look for mentions, tags and addresses in plain text, too, and Mattermost for the signs of Slack. */
const unlinked = (text: string) => text.replaceAll(/[@#~<&]|:(?=\/\/)|\bwww(?=\.)/gi, `$&${gap}`)

/** Signs of Markdown are escaped, and no line begins with what makes a list, a heading or code of it. */
const unmarked = (text: string) =>
  unlinked(text.replaceAll(/[\\`*_{}[\]()!|>]/g, '\\$&').replaceAll(/^(?=[ \t\-+=\d])/gm, gap))

/** Filters for receivers that read more than plain text. */
const ownFilters = { markdown: unmarked, unlinked }

export const templateLimits = {
  /** Characters of a template, of a single value, and of the result. */
  source: 20_000,
  value: 20_000,
  result: 64 * 1024,
  /** Milliseconds, parts that are written, and what the library counts as memory. */
  time: 1000,
  parts: 2000,
  memory: 200_000,
} as const

const escapes: Readonly<Record<Encoding, (text: string) => string>> = {
  json: (text) => JSON.stringify(text).slice(1, -1),
  form: (text) => encodeURIComponent(text).replaceAll('%20', '+'),
  url: encodeURIComponent,
  // RFC 9110: what is no visible ASCII character would end the header, or be read differently by each server.
  header: (text) => text.replaceAll(/[^\x20-\x7e]/g, ' '),
  text: (text) => text,
}

export type TemplateValues = Readonly<Record<string, unknown>>

/** What a template can name. */
export const valuesOf = (message: Message, address: string, token: string): TemplateValues => ({
  id: message.id,
  incident: message.incident,
  change: message.change,
  title: message.title,
  text: message.text,
  alarm: message.alarm,
  children: message.children,
  links: message.links,
  earlier: message.earlier,
  address,
  token,
})

/** Half of a pair of surrogates cannot be encoded. */
const wellFormed = (value: unknown): string => {
  const text = String(value ?? '').toWellFormed()
  if (text.length > templateLimits.value)
    throw new Error(`a value is longer than ${templateLimits.value} characters`)
  return text
}

export interface GatewayTemplates {
  readonly url: string | null
  readonly header: string | null
  readonly body: string | null
  readonly contentType: string | null
}

export class MessageTemplates {
  /** One per way of escaping; the library is loaded when a template is first used. */
  readonly #engines = new Map<Encoding, Promise<Liquid>>()

  #engine(encoding: Encoding): Promise<Liquid> {
    let engine = this.#engines.get(encoding)
    if (!engine) {
      engine = openEngine(encoding)
      this.#engines.set(encoding, engine)
    }
    return engine
  }

  /** Throws a Fault where the template does not work, or not within the limits. */
  async render(
    template: string,
    values: TemplateValues,
    encoding: Encoding,
    isStrict = false,
  ): Promise<string> {
    const engine = await this.#engine(encoding)
    try {
      const result: string = engine.parseAndRenderSync(template, values, {
        strictVariables: isStrict,
        templateLimit: templateLimits.parts,
      })
      if (result.length > templateLimits.result)
        throw new Error(`the result is longer than ${templateLimits.result} characters`)
      return result
    } catch (cause) {
      // The cause, too, contains the template.
      if (secretParts.has(encoding)) throw new Fault('invalid', `the template does not work${placeOf(cause)}`)
      throw new Fault('invalid', `the template does not work: ${firstLine(cause)}`, { cause })
    }
  }

  /** Tries the templates of a gateway, as far as they are given. */
  async checkGateway(given: GatewayTemplates): Promise<void> {
    const parts = [
      ['url', given.url, 'url'],
      ['header', given.header, 'header'],
      ['body', given.body, encodingOf(given.contentType)],
    ] as const
    for (const [field, template, encoding] of parts) {
      if (template === null || template === '') continue
      await this.#check(template, encoding).catch((error: Fault) => {
        throw error.inside(field)
      })
    }
  }

  /** On a message whose texts hold whatever must be escaped. */
  async #check(template: string, encoding: Encoding): Promise<void> {
    const result = await this.render(template, valuesOf(awkward, 'ann "x" <y>', 'token'), encoding, true)
    if (encoding !== 'json') return
    try {
      JSON.parse(result)
    } catch (cause) {
      throw new Fault('invalid', `the template does not make JSON: ${firstLine(cause)}`, { cause })
    }
  }
}

async function openEngine(encoding: Encoding): Promise<Liquid> {
  const { Liquid } = await import('liquidjs')
  const engine = new Liquid({
    // No file is ever looked for.
    templates: {},
    ownPropertyOnly: true,
    strictFilters: true,
    lenientIf: true,
    outputEscape: (value: unknown) => escapes[encoding](wellFormed(value)),
    parseLimit: templateLimits.source,
    renderLimit: templateLimits.time,
    memoryLimit: templateLimits.memory,
  })
  for (const name of Object.keys(engine.tags)) if (!tags.has(name)) delete engine.tags[name]
  for (const [name, filter] of Object.entries(engine.filters)) {
    if (!filters.has(name)) delete engine.filters[name]
    else if (typeof filter === 'function') engine.filters[name] = bounded(filter)
  }
  for (const [name, filter] of Object.entries(ownFilters))
    engine.registerFilter(name, (value: unknown) => wellFormed(filter(wellFormed(value))))
  return engine
}

type FilterFunction = Extract<Liquid['filters'][string], (...given: never[]) => unknown>

/** A loop that appends a text to itself doubles it each time. */
const bounded = (filter: FilterFunction): FilterFunction =>
  function (value, ...given) {
    const result = filter.call(this, value, ...given)
    return typeof result === 'string' ? wellFormed(result) : result
  }

/** The library adds an excerpt of the template in further lines. */
const firstLine = (error: unknown) => String((error as Error).message).split('\n', 1)[0] ?? ''

const placeOf = (error: unknown) => {
  const [, line, column] = /, line:(\d+), col:(\d+)$/.exec(firstLine(error)) ?? []
  return line === undefined ? '' : `: see line ${line}, column ${column}`
}

/** How a body is escaped, by its type. */
export const encodingOf = (contentType: string | null): Encoding =>
  contentType === 'text/plain'
    ? 'text'
    : contentType === 'application/x-www-form-urlencoded'
      ? 'form'
      : 'json'

const awkward: Message = {
  id: 'msg-1',
  incident: 'incident-1',
  change: 'raised',
  title: 'Link "Gi0/1" is down \\ <b>&amp;\u2028',
  text: 'First line\nsecond\tline\u0007 {{ title }}',
  alarm: {
    id: '1',
    OID: '1.3.6.1.6.3.1.1.5.3',
    eventName: 'linkDown',
    alarmLevel: 2,
    alarmLevelDesc: 'Major',
    alarmCategoryDesc: 'Link',
    deviceId: '1',
    deviceName: 'core "1"',
    deviceIp: '192.0.2.1',
    resource: 'ifIndex=1',
    ifDesc: 'Gi0/1',
    alarmDesc: 'Link "Gi0/1" is down\r\n',
    faultTime: 1_700_000_000,
    faultTimeDesc: '2023-11-14 22:13:20',
    recTime: 0,
    recTimeDesc: '',
    ackUserName: '',
    owner: '',
    note: '',
  },
  children: 2,
  links: [{ label: 'Open', url: 'https://nms.example.net/#/a?b="c"' }],
  earlier: 'earlier-1',
}
