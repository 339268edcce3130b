// Templates of webhooks: Liquid, without everything that could read files, skip the escaping, or grow without end.

import type { Context, Liquid, Template } from 'liquidjs'
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
  /** Characters of tags that are evaluated, each time anew in a loop, and characters that filters and results take. */
  work: 250_000,
  memory: 200_000,
} as const
/** Templates that are kept as they were read, for each way of escaping. */
const keptTemplates = 100

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
  readonly #engines = new Map<Encoding, Promise<TemplateEngine>>()

  #engine(encoding: Encoding): Promise<TemplateEngine> {
    let engine = this.#engines.get(encoding)
    if (!engine) {
      engine = TemplateEngine.open(encoding)
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
      const result = engine.render(template, values, isStrict)
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

/** What a template is made of, and what evaluating one part of it may cost at most, in characters of its tags. */
interface ReadTemplate {
  readonly parts: Template[]
  readonly cost: number
}

/**
 * Work is counted and not timed: templates run in the thread that everything else runs in, and whether one is accepted
 * does not depend on what else the machine does.
 */
class TemplateEngine {
  readonly #library: typeof import('liquidjs')
  readonly #liquid: Liquid
  readonly #read = new Map<string, ReadTemplate>()

  static async open(encoding: Encoding): Promise<TemplateEngine> {
    return new TemplateEngine(await import('liquidjs'), encoding)
  }

  private constructor(library: typeof import('liquidjs'), encoding: Encoding) {
    this.#library = library
    this.#liquid = engineOf(library, encoding)
  }

  render(template: string, values: TemplateValues, isStrict: boolean): string {
    const { parts, cost } = this.#readTemplate(template)
    const { options } = this.#liquid
    const context = new this.#library.Context(values, options, { sync: true, strictVariables: isStrict })
    let left: number = templateLimits.work
    // Asked before each part.
    context.renderLimit.check = () => {
      left -= cost
      if (left < 0) throw new Error('it does more than the limit allows')
    }
    return String(this.#liquid.renderSync(parts, context))
  }

  #readTemplate(template: string): ReadTemplate {
    let read = this.#read.get(template)
    if (!read) {
      read = { parts: this.#liquid.parse(template), cost: costOf(this.#library, template) }
      const [oldest] = this.#read.keys()
      if (this.#read.size >= keptTemplates && oldest !== undefined) this.#read.delete(oldest)
      this.#read.set(template, read)
    }
    return read
  }
}

/** A part evaluates one tag; one with branches evaluates their conditions, too. */
function costOf({ Tokenizer, TagToken, TypeGuards }: typeof import('liquidjs'), template: string): number {
  let longest = 1
  let branches = 0
  for (const token of new Tokenizer(template).readTopLevelTokens()) {
    const length = token.end - token.begin
    if (token instanceof TagToken && (token.name === 'when' || token.name === 'elsif')) branches += length
    else if (!TypeGuards.isHTMLToken(token)) longest = Math.max(longest, length)
  }
  return longest + branches
}

function engineOf({ Liquid, defaultOperators }: typeof import('liquidjs'), encoding: Encoding): Liquid {
  const { contains } = defaultOperators
  if (!contains) throw new Error('the library of templates has no operator contains')
  const engine = new Liquid({
    // No file is ever looked for.
    templates: {},
    ownPropertyOnly: true,
    strictFilters: true,
    lenientIf: true,
    outputEscape(this: FilterPlace, value: unknown) {
      return escapes[encoding](counted(this, wellFormed(value)))
    },
    operators: {
      ...defaultOperators,
      contains(left: unknown, right: unknown, context: Context) {
        if (typeof left === 'string') context.memoryLimit.use(left.length)
        return contains(left, right, context)
      },
    },
    parseLimit: templateLimits.source,
    memoryLimit: templateLimits.memory,
  })
  for (const name of Object.keys(engine.tags)) if (!tags.has(name)) delete engine.tags[name]
  for (const [name, filter] of Object.entries(engine.filters)) {
    if (!filters.has(name)) delete engine.filters[name]
    else if (typeof filter === 'function') engine.filters[name] = bounded(filter)
  }
  for (const [name, filter] of Object.entries(ownFilters))
    engine.registerFilter(name, function (this: FilterPlace, value: unknown) {
      return wellFormed(filter(counted(this, wellFormed(value))))
    })
  return engine
}

interface FilterPlace {
  readonly context: Context
}

function counted({ context }: FilterPlace, text: string): string {
  context.memoryLimit.use(text.length)
  return text
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
