// Reads the configuration of SNMPTT: EVENT lines with their FORMAT, and MATCH lines that choose among those of one OID.

import { Fault, shown } from '../../fault.ts'
import { exactValue, valuesOfExpression, valuesOfRange } from './condition-values.ts'
import {
  type Condition,
  type ForeignVariable,
  type Level,
  maxCharacters,
  maxPartsOfEvent,
  type Names,
  type ReadFile,
  type SourceFile,
  tidied,
  withoutBraces,
} from './foreign-event.ts'

const levels: Readonly<Record<string, Level>> = {
  ...{ critical: 1, severe: 1, emergency: 1, fatal: 1, major: 2, error: 2, minor: 3, warning: 4, warn: 4 },
}
/** Words for what is well again, or was never wrong: such an event makes no alarm of its own. */
const harmless = ['normal', 'ok', 'cleared', 'clear', 'informational', 'information', 'info', 'debug']
const ending = ['normal', 'ok', 'cleared', 'clear']

const keywords = 'EVENT, FORMAT, MATCH, REGEX, EXEC, PREEXEC, NODES, SDESC or EDESC'

interface Block {
  readonly line: number
  readonly name: string
  readonly oid: string
  readonly category: string
  readonly severity: string
  format: string
  readonly match: string[]
  readonly other: Set<string>
}

class NotTaken extends Error {}

export function readSnmptt({ name: file, text }: SourceFile, names: Names): ReadFile {
  const read: ReadFile = { events: [], remarks: [] }
  for (const block of blocksOf(text)) {
    const remark = (kind: 'lost' | 'changed', reason: string) =>
      read.remarks.push({ file, line: block.line, name: block.name, kind, reason })
    try {
      const { event, changes } = eventOf(block, names)
      read.events.push({ file, ...event })
      for (const reason of changes) remark('changed', reason)
    } catch (error) {
      if (!(error instanceof NotTaken)) throw error
      remark('lost', error.message)
    }
  }
  return read
}

function blocksOf(text: string): Block[] {
  const blocks: Block[] = []
  let described = false
  for (const [at, raw] of text.split(/\r\n|\n|\r/).entries()) {
    const line = raw.trim()
    const [word = ''] = line.split(/\s/, 1)
    const rest = line.slice(word.length).trim()
    if (described || word === 'SDESC') described = word !== 'EDESC'
    else if (line !== '' && !line.startsWith('#') && word !== 'MIB:') readLine(blocks, word, rest, at + 1)
  }
  if (blocks.length === 0) throw new Fault('invalid', 'line 1: expected lines that begin with EVENT')
  return blocks
}

function readLine(blocks: Block[], word: string, rest: string, line: number): void {
  if (word === 'EVENT') {
    blocks.push(blockOf(rest, line))
    return
  }
  const block = blocks.at(-1)
  if (!['FORMAT', 'MATCH', 'REGEX', 'EXEC', 'PREEXEC', 'NODES', 'EDESC'].includes(word))
    throw new Fault('invalid', `line ${line}: expected ${keywords}, found ${shown(word)}`)
  if (!block) throw new Fault('invalid', `line ${line}: ${word} is before the first EVENT: expected EVENT`)
  if (word === 'FORMAT') block.format = rest
  else if (word === 'MATCH') block.match.push(rest)
  else block.other.add(word)
}

function blockOf(rest: string, line: number): Block {
  const [, name = '', oid = '', category = '', severity = ''] =
    /^(\S+)\s+(\S+)\s+"([^"]*)"\s+(\S.*)$/.exec(rest) ?? []
  if (name === '')
    throw new Fault(
      'invalid',
      `line ${line}: expected EVENT name OID "category" severity, found ${shown(rest)}`,
    )
  return { line, name, oid, category, severity, format: '', match: [], other: new Set() }
}

function eventOf(block: Block, names: Names) {
  const { line, name, category } = block
  const severity = block.severity.toLowerCase()
  const eventOid = block.oid.replace(/^\./, '')
  if (!/^\d+(\.\d+)+$/.test(eventOid))
    throw new NotTaken(`${shown(block.oid)} is not one OID in numbers: a definition is of one`)
  if (block.other.has('NODES')) throw new NotTaken('it has NODES: a definition holds for all devices')
  const variables = new Map<string, ForeignVariable>()
  const nameOf = (place: number) => {
    const found = names.variable(eventOid, place)
    variables.set(found.name, found)
    return found.name
  }
  const conditions = conditionsOf(block.match, nameOf)
  const { text, left } = textOf(block, nameOf)
  const isQuiet = category === 'IGNORE' || category === 'LOGONLY'
  const does =
    !isQuiet && conditions.length > 0 && ending.includes(severity)
      ? ('end' as const)
      : isQuiet || harmless.includes(severity)
        ? ('store' as const)
        : ('raise' as const)
  const level = levels[severity] ?? (harmless.includes(severity) ? 5 : 4)
  const changes = [
    ...(levels[severity] === undefined && !harmless.includes(severity)
      ? [`its severity ${shown(block.severity)} is not known: it is taken for a warning`]
      : []),
    ...(left.length > 0 ? [`its text is without ${left.join(', ')}`] : []),
    ...[...block.other].filter((word) => word !== 'EDESC').map((word) => othersTexts[word] ?? word),
  ]
  const event = {
    ...{ line, eventOid, name, does, level, text, conditions, alarm: eventOid, keys: undefined },
    variables: [...variables.values()],
  } as const
  return { event, changes }
}

const othersTexts: Readonly<Record<string, string>> = {
  REGEX: 'REGEX changes its text, which stays as it is here',
  EXEC: 'EXEC runs a program, which is not taken over: see routes and channels',
  PREEXEC: 'PREEXEC runs a program, which is not taken over',
}

function conditionsOf(lines: readonly string[], nameOf: (place: number) => string): Condition[] {
  if (lines.length > maxPartsOfEvent) throw new NotTaken(`it has more than ${maxPartsOfEvent} MATCH lines`)
  const mode = lines.find((one) => /^MODE\s*=/i.test(one))
  const isAnd = mode !== undefined && /=\s*and$/i.test(mode.trim())
  const found = new Map<string, string[]>()
  for (const one of lines) {
    if (one === mode) continue
    const cut = one.indexOf(':')
    const [, place] = /^\$(\d{1,3})$/.exec(one.slice(0, Math.max(cut, 0)).trim()) ?? []
    const wanted = one.slice(cut + 1)
    if (place === undefined) throw new NotTaken(`MATCH ${shown(one)} is not about a variable`)
    const variable = nameOf(Number(place))
    const values = valuesOf(wanted.trim())
    if (!values) throw new NotTaken(`MATCH ${shown(one)} is no list of values`)
    if (isAnd && found.has(variable)) throw new NotTaken('several MATCH lines ask for one variable at a time')
    const before = found.get(variable) ?? []
    before.push(...values)
    found.set(variable, before)
  }
  if (!isAnd && found.size > 1)
    throw new NotTaken('its MATCH lines are about several variables, of which one is enough')
  return [...found].map(([variable, values]) => ({ variable, values }))
}

function valuesOf(wanted: string): string[] | undefined {
  const [, expression] = /^\((.*)\)i?$/.exec(wanted) ?? []
  if (expression !== undefined) return valuesOfExpression(expression, false)
  const [, first, last] = /^(\d{1,9})\s*-\s*(\d{1,9})$/.exec(wanted) ?? []
  if (first !== undefined && last !== undefined) return valuesOfRange(Number(first), Number(last))
  const value = /^[!<>&]/.test(wanted) ? undefined : exactValue(wanted)
  return value === undefined ? undefined : [value]
}

const deviceWords: Readonly<Record<string, string>> = {
  ...{ A: '{deviceName}', r: '{deviceName}', R: '{deviceName}' },
  ...{ aA: '{deviceIp}', ar: '{deviceIp}', aR: '{deviceIp}' },
}

function textOf({ format, name, severity, category }: Block, nameOf: (place: number) => string) {
  const left = new Set<string>()
  const own: Readonly<Record<string, string>> = { N: name, s: severity, c: category, $: '$' }
  const written = withoutBraces(format.slice(0, maxCharacters)).replaceAll(
    /\$(a[ArR]|F[aflmnrst]|[-+v]?\d{1,3}|[-+]?\*|[A-Za-z$#@])/g,
    (whole, word: string) => {
      const [, place] = /^[-+]?(\d{1,3})$/.exec(word) ?? []
      if (place !== undefined) return `{${nameOf(Number(place))}}`
      const found = deviceWords[word] ?? own[word]
      if (found === undefined) left.add(whole)
      return found ?? ''
    },
  )
  return { text: tidied(written) || name, left: [...left] }
}
