// Makes events of NOC's classification rules for traps. Whether one raises an alarm or ends it is said by its event class,
// how severe it is and what names the resource by the alarm class: they have to be among the files.

import { shown } from '../../fault.ts'
import { exactValue, valuesOfExpression } from './condition-values.ts'
import {
  type Condition,
  type ForeignEvent,
  type ForeignVariable,
  type Level,
  maxCharacters,
  maxPartsOfEvent,
  type Names,
  type ReadFile,
  type SourceFile,
  tidied,
  withoutBraces,
  wordOf,
} from './foreign-event.ts'
import { type NocCollections, type NocRule, readNocFiles } from './noc-files.ts'

const levels: Readonly<Record<string, Level>> = {
  ...{ CRITICAL: 1, MAJOR: 2, MINOR: 3, WARNING: 4 },
  ...{ NORMAL: 5, INDETERMINATE: 5, CLEARED: 5, IGNORE: 5 },
}
const trapOids = ['1.3.6.1.6.3.1.1.4.1.0', 'SNMPv2-MIB::snmpTrapOID.0']

class NotTaken extends Error {}

export function readNoc(files: readonly SourceFile[], names: Names): ReadFile {
  const all = readNocFiles(files)
  const read: ReadFile = { events: [], remarks: [] }
  const rules = all.rules.toSorted((a, b) => a.preference - b.preference)
  for (const rule of rules) {
    const { file, name } = rule
    const remark = (kind: 'lost' | 'changed', reason: string) =>
      read.remarks.push({ file, line: 1, name, kind, reason: `${rule.place}: ${reason}` })
    try {
      const { event, changes } = new OneRule(rule, all, names).read()
      read.events.push(event)
      for (const reason of changes) remark('changed', reason)
    } catch (error) {
      if (!(error instanceof NotTaken)) throw error
      remark('lost', error.message)
    }
  }
  return read
}

class OneRule {
  readonly #rule: NocRule
  readonly #all: NocCollections
  readonly #names: Names
  readonly #variables: ForeignVariable[] = []
  readonly #conditions: Condition[] = []
  readonly #changes: string[] = []
  #eventOid = ''

  constructor(rule: NocRule, all: NocCollections, names: Names) {
    this.#rule = rule
    this.#all = all
    this.#names = names
  }

  read(): { event: ForeignEvent; changes: readonly string[] } {
    for (const { key, value } of this.#rule.patterns) {
      if (key.length > maxCharacters || value.length > maxCharacters)
        throw new NotTaken(`it has a pattern of more than ${maxCharacters} characters`)
      this.#pattern(key, value)
      if (this.#variables.length > maxPartsOfEvent)
        throw new NotTaken(`it has more than ${maxPartsOfEvent} variables`)
    }
    if (this.#eventOid === '') throw new NotTaken('it is not about a trap: no pattern has its OID')
    const { alarm, keys, does, level, text } = this.#disposition()
    const event = {
      ...{ file: this.#rule.file, line: 1, eventOid: this.#eventOid, name: this.#rule.eventClass },
      ...{ alarm, keys, does, level, text, variables: this.#variables, conditions: this.#conditions },
    }
    return { event, changes: this.#changes }
  }

  #pattern(key: string, value: string): void {
    const plain = plainText(key)
    if (plain === 'source') {
      if (!/snmp/i.test(value)) throw new NotTaken(`it is about ${shown(value)}, not about traps`)
    } else if (plain === 'profile') {
      if (!/^\^?\.[*+]\$?$/.test(value))
        this.#changes.push(`it was for devices of ${shown(value)} only: a definition holds for all`)
    } else if (plain !== undefined && trapOids.includes(plain)) this.#eventOid = this.#oidOf(value)
    else this.#variable(key, value)
  }

  #oidOf(value: string): string {
    const plain = plainText(value)
    if (plain === undefined) throw new NotTaken(`${shown(value)} stands for several traps`)
    if (/^\d+(\.\d+)+$/.test(plain)) return plain
    const found = this.#names.event(plain)
    if (found === undefined)
      throw new NotTaken(`the OID of ${shown(plain)} is not known: load its module first`)
    return found
  }

  /** A variable that has to have a value, or whose value has a name. */
  #variable(key: string, value: string): void {
    const { oid, indexName } = this.#place(key)
    if (indexName !== undefined)
      this.#variables.push({ place: oid, name: wordOf(indexName), fromIndex: true })
    const groups = [...value.matchAll(/\(\?P<(\w+)>/g)].map(([, name = '']) => name)
    for (const name of groups) {
      const pattern = patternOf(value, name)
      this.#variables.push({ place: oid, name: wordOf(name), ...(pattern !== undefined && { pattern }) })
    }
    if (groups.length > 0 || /^\^?\.[*+]\$?$/.test(value)) return
    const values = valuesOfExpression(value, false)
    if (!values) throw new NotTaken(`${shown(value)} is no list of values`)
    const name = wordOf(
      this.#names.known(this.#eventOid)?.parameter.find((one) => one.oid === oid)?.name ?? `value_${oid}`,
    )
    this.#variables.push({ place: oid, name })
    this.#conditions.push({ variable: name, values })
  }

  /** The OID of the variable, without the instance, which the pattern leaves open. */
  #place(key: string): { readonly oid: string; readonly indexName: string | undefined } {
    const [, head = '', indexName] =
      /^\^?(.*?)(?:\\?\.(?:\(\?P<(\w+)>[^()]*\)|\(?(?:\\d|\[0-9\]|\.)[+*]\)?|\d+))?\$?$/.exec(key) ?? []
    const plain = plainText(head)
    if (plain === undefined) throw new NotTaken(`${shown(key)} stands for several variables`)
    if (/^\d+(\.\d+)+$/.test(plain))
      return { oid: /\\?\.\d+\$?$/.test(key) && !indexName ? wholeOid(key, plain) : plain, indexName }
    const found = this.#names.object(plain)
    if (found === undefined)
      throw new NotTaken(`the OID of ${shown(plain)} is not known: load its module first`)
    return { oid: found, indexName }
  }

  #disposition(): Pick<ForeignEvent, 'alarm' | 'keys' | 'does' | 'level' | 'text'> {
    const { eventClass } = this.#rule
    const dispositions = this.#all.eventClasses.get(eventClass)
    if (!dispositions)
      throw new NotTaken(
        `its event class ${shown(eventClass)}, which says what it does, is not among the files`,
      )
    const found = dispositions.find(({ action }) => action === 'raise' || action === 'clear')
    if (!found) return { alarm: '', keys: [], does: 'store', level: 5, text: eventClass }
    if (dispositions.length > 1 || found.condition !== 'True')
      throw new NotTaken(
        `what its event class ${shown(eventClass)} does depends on a program: ${found.condition}`,
      )
    const alarmClass = this.#all.alarmClasses.get(found.alarmClass)
    if (!alarmClass)
      throw new NotTaken(
        `the alarm class ${shown(found.alarmClass)} of its event class is not among the files`,
      )
    if (alarmClass.keys.length > maxPartsOfEvent)
      throw new NotTaken(`its alarm class tells alarms apart by more than ${maxPartsOfEvent} variables`)
    const keys = alarmClass.keys.map(wordOf)
    const missing = keys.filter((key) => !this.#variables.some(({ name }) => name === key))
    if (missing.length > 0)
      throw new NotTaken(
        `no variable is called ${missing.join(', ')}, by which its alarm class tells alarms apart`,
      )
    const level = levels[alarmClass.severity.toUpperCase()]
    if (level === undefined)
      this.#changes.push(`the severity ${shown(alarmClass.severity)} is taken for a warning`)
    return {
      ...{
        alarm: found.alarmClass,
        keys,
        does: found.action === 'clear' ? 'end' : 'raise',
        level: level ?? 4,
      },
      text: this.#text(alarmClass.subject.slice(0, maxCharacters)),
    }
  }

  /** What depends on programs and unknown names is left out of the text. */
  #text(template: string): string {
    const known = new Set(this.#variables.map(({ name }) => name))
    const parts = template.replaceAll(/\{%[^%]*%\}/g, '').split(/\{\{\s*(\w+)\s*\}\}/)
    const text = parts
      .map((part, at) => (at % 2 === 0 ? withoutBraces(part) : known.has(part) ? `{${part}}` : ''))
      .join('')
    return tidied(text.replaceAll('()', '')) || this.#rule.eventClass
  }
}

/** An expression that stands for one text; a dot that nobody escaped is a dot. */
function plainText(expression: string): string | undefined {
  const body = expression.replace(/^\^/, '').replace(/\$$/, '').replaceAll('\\.', '.').replaceAll('\\-', '-')
  return /[\\[\](){}?+*|^$]/.test(body) || exactValue(body) === undefined ? undefined : body
}

/** All numbers of an OID, where the last of them is no open instance. */
const wholeOid = (key: string, plain: string) => plainText(key) ?? plain

/** The pattern that cuts one part; none where the part is the whole value. The names of other parts are dropped. */
function patternOf(value: string, name: string): string | undefined {
  if (/^\^?\(\?P<\w+>(?:\.[+*]|\\[dS]\+|[^()]*\\d\+)\)\$?$/.test(value)) return undefined
  let first = true
  return value.replaceAll(/\((?:\?P<(\w+)>|\?:)?|\\\(/g, (whole, group?: string) => {
    if (whole === '\\(') return whole
    if (group === name && first) {
      first = false
      return '('
    }
    return '(?:'
  })
}
