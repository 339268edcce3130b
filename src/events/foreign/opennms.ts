// Reads event definitions of OpenNMS: `<events>` with a mask, a severity, texts, and the data of an alarm.

import { Fault, shown } from '../../fault.ts'
import type { Element } from '../../schema/read-document.ts'
import { atLine } from '../../schema/rows.ts'
import { XmlReader } from '../../schema/xml.ts'
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
  requireFew,
  type SourceFile,
  tidied,
  withoutBraces,
  wordOf,
} from './foreign-event.ts'

const levels: Readonly<Record<string, Level>> = {
  ...{ critical: 1, major: 2, minor: 3, warning: 4 },
  ...{ normal: 5, cleared: 5, indeterminate: 5 },
}
const accepted = 'Critical, Major, Minor, Warning, Normal, Cleared or Indeterminate'
const standardTraps = '1.3.6.1.6.3.1.1.5'

export function readOpenNms({ name: file, text }: SourceFile, names: Names): ReadFile {
  const read: ReadFile = { events: [], remarks: [] }
  let root = ''
  const reader = new XmlReader(
    2,
    (element, line) => {
      root ||= 'events'
      if (element.name === 'event') new OneEvent(file, line, element, names, read).read()
      else if (element.name === 'event-file')
        read.remarks.push({
          ...{ file, line, name: element.text.trim(), kind: 'lost' },
          reason: 'another file is named: import it together with this one',
        })
      else if (!['global', '@xmlns'].includes(element.name))
        throw new Fault('invalid', `line ${line}: expected <event>, found <${element.name}>`)
    },
    { isForeign: true, rowLimit: 2 ** 20 },
  )
  try {
    reader.write(text)
    reader.close()
  } catch (error) {
    if (!(error instanceof Fault) || /^(malformed|line )/.test(error.message)) throw error
    throw atLine(error, reader.line)
  }
  if (root === '') throw new Fault('invalid', 'line 1: expected <events> with an <event> in it')
  return read
}

const child = (element: Element | undefined, name: string) => element?.items.find((one) => one.name === name)
const children = (element: Element | undefined, name: string) =>
  element?.items.filter((one) => one.name === name) ?? []
const textOf = (element: Element | undefined, name: string) => child(element, name)?.text.trim() ?? ''

/** A line that is not taken over. */
class NotTaken extends Error {}

class OneEvent {
  readonly #file: string
  readonly #line: number
  readonly #element: Element
  readonly #names: Names
  readonly #read: ReadFile
  readonly #uei: string
  readonly #variables = new Map<string, ForeignVariable>()

  constructor(file: string, line: number, element: Element, names: Names, read: ReadFile) {
    this.#file = file
    this.#line = line
    this.#element = element
    this.#names = names
    this.#read = read
    this.#uei = textOf(element, 'uei')
    if (this.#uei === '') throw new Fault('invalid', `line ${line}: <event> has no <uei>: expected one`)
  }

  read(): void {
    try {
      for (const oid of this.#oids()) this.#read.events.push(this.#eventOf(oid))
      requireFew(this.#read.events.length, this.#read.remarks.length)
    } catch (error) {
      if (!(error instanceof NotTaken)) throw error
      this.#remark('lost', error.message)
    }
  }

  get #name(): string {
    return this.#uei.slice(this.#uei.lastIndexOf('/') + 1)
  }

  #remark(kind: 'lost' | 'changed', reason: string): void {
    this.#read.remarks.push({ file: this.#file, line: this.#line, name: this.#name, kind, reason })
  }

  #values(name: string): string[] {
    const found = children(child(this.#element, 'mask'), 'maskelement').filter(
      (one) => textOf(one, 'mename') === name,
    )
    return found.flatMap((one) => children(one, 'mevalue').map(({ text }) => text.trim().replace(/^\./, '')))
  }

  #oids(): string[] {
    const known = ['id', 'generic', 'specific', 'trapoid', 'snmptrap']
    for (const one of children(child(this.#element, 'mask'), 'maskelement'))
      if (!known.includes(textOf(one, 'mename')))
        throw new NotTaken(`its mask asks for ${shown(textOf(one, 'mename'))}, which a definition cannot`)
    const oids = [...this.#values('trapoid'), ...this.#fromEnterprise()]
    if (oids.length > maxPartsOfEvent)
      throw new NotTaken(`its mask stands for more than ${maxPartsOfEvent} OIDs`)
    if (oids.length === 0) throw new NotTaken('it is no trap: its mask has neither id nor trapoid')
    for (const oid of oids)
      if (!/^\d+(\.\d+)+$/.test(oid))
        throw new NotTaken(`${shown(oid)} stands for several OIDs: a definition is of one`)
    return oids
  }

  #fromEnterprise(): string[] {
    const [ids, generics, specifics] = [this.#values('id'), this.#values('generic'), this.#values('specific')]
    if (Math.max(ids.length, 1) * Math.max(generics.length, specifics.length) > maxPartsOfEvent)
      throw new NotTaken(`its mask stands for more than ${maxPartsOfEvent} OIDs`)
    const standard = generics.filter((one) => one !== '6')
    for (const one of standard) {
      if (!/^[0-5]$/.test(one)) throw new NotTaken(`generic ${shown(one)}: expected a number from 0 to 6`)
      if (ids.some((id) => id !== standardTraps && id !== '1.3.6.1.2.1.11'))
        throw new NotTaken('it holds for the standard trap of one enterprise, which a definition cannot')
    }
    const own = generics.length === 0 || generics.includes('6') ? ids : []
    if (own.length > 0 && specifics.length === 0 && generics.length > 0)
      throw new NotTaken('its mask has no specific: it stands for all traps of an enterprise')
    return [
      ...standard.map((one) => `${standardTraps}.${Number(one) + 1}`),
      ...own.flatMap((id) => (specifics.length === 0 ? [id] : specifics.map((one) => `${id}.0.${one}`))),
    ]
  }

  #eventOf(eventOid: string): ForeignEvent {
    this.#variables.clear()
    const { alarm, keys, does } = this.#alarmData(eventOid)
    const severity = textOf(this.#element, 'severity').toLowerCase()
    const level = Object.hasOwn(levels, severity) ? levels[severity] : undefined
    if (level === undefined)
      throw new Fault(
        'invalid',
        `line ${this.#line}: severity ${shown(severity)} of ${this.#name}: expected ${accepted}`,
      )
    const conditions = this.#conditions(eventOid)
    const text = this.#text(eventOid)
    this.#labels(eventOid)
    return {
      ...{ file: this.#file, line: this.#line, eventOid, name: this.#name, does, level, text, alarm, keys },
      conditions,
      variables: [...this.#variables.values()],
    }
  }

  /** The variable that `%parm[…]%` names: by its place, or by its OID. */
  #variable(eventOid: string, inside: string): string | undefined {
    const place = /^#(\d{1,3})$/.exec(inside)
    const oid = /^\.?(\d+(?:\.\d+)+)$/.exec(inside)
    const found = place
      ? this.#names.variable(eventOid, Number(place[1]))
      : oid
        ? { place: oid[1] ?? '', name: wordOf(`value_${oid[1]}`) }
        : undefined
    if (!found) return undefined
    if (!this.#variables.has(found.name)) this.#variables.set(found.name, found)
    return found.name
  }

  #alarmData(eventOid: string): Pick<ForeignEvent, 'alarm' | 'keys' | 'does'> {
    const data = child(this.#element, 'alarm-data')
    const type = textOf(data, '@alarm-type')
    if (!data) return { alarm: '', keys: [], does: 'store' }
    if (!['1', '2', '3'].includes(type))
      throw new Fault(
        'invalid',
        `line ${this.#line}: alarm-type ${shown(type)} of ${this.#name}: expected 1, 2 or 3`,
      )
    const template = textOf(data, type === '2' ? '@clear-key' : '@reduction-key')
    if (template === '')
      throw new NotTaken(`its alarm-data has no ${type === '2' ? 'clear-key' : 'reduction-key'}`)
    const parts = template.split('%', 2 * maxPartsOfEvent + 1)
    if (parts.length > 2 * maxPartsOfEvent)
      throw new NotTaken(`its key has more than ${maxPartsOfEvent} parts`)
    let alarm = ''
    const keys: string[] = []
    for (const [at, part] of parts.entries()) {
      const inside = /^parm\[(.*)\]$/.exec(part)?.[1]
      if (at % 2 === 0) alarm += part
      else if (inside !== undefined) {
        const name = this.#variable(eventOid, inside)
        if (name === undefined) throw new NotTaken(`its key has %${part}%, which a definition cannot name`)
        if (!keys.includes(name)) keys.push(name)
      } else if (part === 'uei') alarm += this.#uei
      else if (!ofTheDevice.has(part))
        throw new NotTaken(`its key has %${part}%, which a definition cannot name`)
    }
    return {
      alarm: alarm.replaceAll(/:+/g, ':').replace(/:$/, ''),
      keys,
      does: type === '2' ? 'end' : 'raise',
    }
  }

  #conditions(eventOid: string): Condition[] {
    return children(child(this.#element, 'mask'), 'varbind').map((one) => {
      const number = textOf(one, 'vbnumber')
      const oid = textOf(one, 'vboid')
      const variable = this.#variable(eventOid, number === '' ? oid : `#${number}`)
      if (variable === undefined) throw new NotTaken('its mask has a varbind without vbnumber or vboid')
      const values = children(one, 'vbvalue').flatMap(({ text }) => valuesOf(text.trim()))
      return { variable, values }
    })
  }

  #text(eventOid: string): string {
    const message = textOf(this.#element, 'logmsg') || textOf(this.#element, 'event-label') || this.#name
    const left = new Set<string>()
    const written = withoutBraces(withoutTags(message.slice(0, maxCharacters))).replaceAll(
      /%([^%\s]{1,100})%/g,
      (whole, inside: string) => {
        const parameter = /^parm\[(.*)\]$/.exec(inside)?.[1]
        const name = parameter === undefined ? deviceWords[inside] : this.#variable(eventOid, parameter)
        if (name !== undefined) return `{${name}}`
        left.add(whole)
        return ''
      },
    )
    if (left.size > 0) this.#remark('changed', `its text is without ${[...left].join(', ')}`)
    return tidied(written)
  }

  /** Words for values. */
  #labels(eventOid: string): void {
    for (const one of children(this.#element, 'varbindsdecode')) {
      const inside = /^parm\[(.*)\]$/.exec(textOf(one, 'parmid'))?.[1]
      const name = inside === undefined ? undefined : this.#variable(eventOid, inside)
      const variable = name === undefined ? undefined : this.#variables.get(name)
      const pairs = children(one, 'decode').map(
        (pair) =>
          `${textOf(pair, '@varbindvalue')}=${textOf(pair, '@varbinddecodedstring').replaceAll(';', ',')}`,
      )
      if (variable && pairs.length > 0)
        this.#variables.set(variable.name, { ...variable, labels: pairs.join(';') })
    }
  }
}

const ofTheDevice = new Set([
  '',
  'dpname',
  'nodeid',
  'nodelabel',
  'interface',
  'host',
  'snmphost',
  'source',
  'service',
  'ifalias',
])

const deviceWords: Readonly<Record<string, string>> = {
  ...{ nodelabel: 'deviceName', nodeid: 'deviceName', host: 'deviceName' },
  ...{ interface: 'deviceIp', snmphost: 'deviceIp' },
}

function valuesOf(value: string): string[] {
  const found = value.startsWith('~')
    ? valuesOfExpression(value.slice(1), true)
    : value.endsWith('%')
      ? [`${exactValue(value.slice(0, -1)) ?? ''}*`]
      : [exactValue(value)]
  if (!found || found.some((one) => one === undefined || one === '*'))
    throw new NotTaken(`its mask has the value ${shown(value)}, which is no list of values`)
  return found as string[]
}

/** The texts are written for a page. */
function withoutTags(text: string): string {
  let rest = ''
  for (let at = 0; at < text.length; ) {
    const open = text.indexOf('<', at)
    const close = open < 0 ? -1 : text.indexOf('>', open)
    if (close < 0) return rest + text.slice(at)
    rest += `${text.slice(at, open)} `
    at = close + 1
  }
  return rest
}
