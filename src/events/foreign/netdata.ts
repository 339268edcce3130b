// Reads trap profiles of Netdata: the names, severities and texts of traps, and the rules of metrics that say which trap
// sets a state and which clears it.

import { Fault, shown } from '../../fault.ts'
import { readYaml, type Yaml } from '../../schema/yaml.ts'
import { exactValue } from './condition-values.ts'
import {
  type Condition,
  type ForeignEvent,
  type ForeignVariable,
  type Level,
  type ReadFile,
  type SourceFile,
  tidied,
  withoutBraces,
  wordOf,
} from './foreign-event.ts'

const levels: Readonly<Record<string, Level>> = {
  ...{ emerg: 1, alert: 1, crit: 1, err: 2, warning: 4, notice: 5, info: 5, debug: 5 },
}

class NotTaken extends Error {}

/** A value of the file, whose errors name its line. */
class Part {
  readonly value: Yaml

  constructor(value: Yaml) {
    this.value = value
  }

  refuse(expected: string): never {
    throw new Fault('invalid', `line ${this.value.line}: expected ${expected}`)
  }

  get(name: string): Part | undefined {
    if (this.value.kind !== 'map') this.refuse('a map')
    const found = this.value.entries.get(name)
    return found && new Part(found)
  }

  names(): string[] {
    return this.value.kind === 'map' ? [...this.value.entries.keys()] : this.refuse('a map')
  }

  items(): Part[] {
    if (this.value.kind === 'text' && this.value.text === '') return []
    return this.value.kind === 'list' ? this.value.items.map((one) => new Part(one)) : this.refuse('a list')
  }

  text(what: string): string {
    return this.value.kind === 'text' && this.value.text !== '' ? this.value.text : this.refuse(what)
  }

  required(name: string): string {
    return (this.get(name) ?? this).text(`${name}, which is text`)
  }
}

export function readNetdata({ name: file, text }: SourceFile): ReadFile {
  const whole = new Part(readYaml(text))
  const read: ReadFile = { events: [], remarks: [] }
  const traps = whole.get('traps') ?? whole.refuse('traps, which is a list')
  const table = whole.get('varbinds')
  const shared = new Map((table?.names() ?? []).map((name) => [name, table?.get(name) as Part]))
  const found = new Map<string, Trap>()
  for (const one of traps.items()) {
    const trap = trapOf(one, shared)
    found.set(trap.name, trap)
    found.set(trap.oid, trap)
  }
  const states = new Map<Trap, ForeignEvent[]>()
  for (const rule of whole.get('metrics')?.items() ?? []) {
    if (rule.required('type') !== 'state') continue
    const [name, line] = [rule.required('name'), rule.value.line]
    try {
      for (const [trap, event] of eventsOf(file, rule, found)) {
        const before = states.get(trap)
        if (before) before.push(event)
        else states.set(trap, [event])
      }
    } catch (error) {
      if (!(error instanceof NotTaken)) throw error
      read.remarks.push({ file, line, name, kind: 'lost', reason: `the rule is left out: ${error.message}` })
    }
  }
  for (const trap of new Set(found.values())) {
    read.events.push(...(states.get(trap) ?? [plainEvent(file, trap)]))
    for (const reason of trap.changes)
      read.remarks.push({ file, line: trap.line, name: trap.name, kind: 'changed', reason })
  }
  return read
}

interface Trap {
  readonly line: number
  readonly oid: string
  readonly name: string
  readonly severity: string
  readonly variables: readonly ForeignVariable[]
  readonly text: string
  readonly changes: readonly string[]
}

function trapOf(one: Part, shared: ReadonlyMap<string, Part>): Trap {
  const name = one.required('name')
  const oid = one.required('oid').replace(/^\./, '')
  if (!/^\d+(\.\d+)+$/.test(oid))
    (one.get('oid') as Part).refuse(`an OID such as 1.3.6.1.4.1.9.0.1, found ${shown(oid)}`)
  const severity = one.required('severity')
  if (levels[severity] === undefined)
    (one.get('severity') as Part).refuse(`one of ${Object.keys(levels).join(', ')}, found ${shown(severity)}`)
  const variables = (one.get('varbinds')?.items() ?? []).map((part) => {
    if (part.value.kind === 'map') return variableOf(part.required('name'), part)
    const word = part.text('the name of a varbind')
    const described = shared.get(word) ?? part.refuse(`a name of the table varbinds, found ${shown(word)}`)
    return variableOf(word, described)
  })
  const template = one.get('description')?.text('a text') ?? ''
  const known = new Set(variables.map((variable) => variable.name))
  const { text, isChanged } = textOf(template, name, known)
  const changes = isChanged ? ['its text has alternatives, of which the first is taken'] : []
  return { line: one.value.line, oid, name, severity, variables, text, changes }
}

function variableOf(name: string, part: Part): ForeignVariable {
  const place = part.required('oid').replace(/^\./, '')
  const words = part.get('enum')
  const labels = words
    ?.names()
    .map((value) => `${value}=${(words.get(value) as Part).text('a word').replaceAll(';', ',')}`)
  return { place, name: wordOf(name), ...(labels && labels.length > 0 && { labels: labels.join(';') }) }
}

const shortName = ({ name }: Trap) => name.slice(name.indexOf('::') < 0 ? 0 : name.indexOf('::') + 2)

/** A trap that no rule calls a state: what says that nothing is wrong, is only stored. */
function plainEvent(file: string, trap: Trap): ForeignEvent {
  const level = levels[trap.severity] ?? 5
  return {
    ...{ file, line: trap.line, eventOid: trap.oid, name: shortName(trap), level, text: trap.text },
    does: level === 5 ? 'store' : 'raise',
    ...{ variables: trap.variables, conditions: [], keys: undefined, alarm: trap.name },
  }
}

/** What a rule of the kind `state` says of its traps. */
function eventsOf(file: string, rule: Part, traps: ReadonlyMap<string, Trap>): [Trap, ForeignEvent][] {
  if (rule.get('where')) throw new NotTaken('it has conditions (where), which a definition cannot have')
  const trapAt = (field: string) => {
    const name = rule.get(field)?.text(`the name of a trap`)
    if (name === undefined) return undefined
    const found = traps.get(name)
    if (!found) throw new NotTaken(`the trap ${shown(name)} is not in this file`)
    return found
  }
  const key = rule.get('identity')?.get('resource')?.get('key_from_varbind')?.text('the name of a varbind')
  const keys = key === undefined ? [] : [wordOf(key)]
  const event = (
    trap: Trap,
    does: 'raise' | 'end',
    conditions: readonly Condition[],
  ): [Trap, ForeignEvent] => {
    const missing = [...keys, ...conditions.map(({ variable }) => variable)].find(
      (name) => !trap.variables.some((variable) => variable.name === name),
    )
    if (missing !== undefined) throw new NotTaken(`${trap.name} has no varbind ${shown(missing)}`)
    // Something is wrong, whatever severity the trap has: its end has the same.
    const level = Math.min(levels[trap.severity] ?? 4, 4) as Level
    const { line, oid: eventOid, text, variables } = trap
    const name = shortName(trap)
    return [
      trap,
      {
        file,
        line,
        eventOid,
        name,
        text,
        variables,
        does,
        level,
        conditions,
        keys,
        alarm: rule.required('name'),
      },
    ]
  }
  const [problem, clear, both] = [trapAt('problem_trap'), trapAt('clear_trap'), trapAt('on_trap')]
  if (problem && clear) return [event(problem, 'raise', []), event(clear, 'end', [])]
  const [set, cleared] = [rule.get('state')?.get('set_when'), rule.get('state')?.get('clear_when')]
  if (!both || !set || !cleared)
    rule.refuse('problem_trap and clear_trap, or on_trap with state.set_when and state.clear_when')
  return [event(both, 'raise', [conditionOf(set)]), event(both, 'end', [conditionOf(cleared)])]
}

function conditionOf(part: Part): Condition {
  const odd = part.names().find((name) => !['varbind', 'equals', 'in'].includes(name))
  const variable = part.get('varbind')?.text('the name of a varbind')
  if (odd !== undefined || variable === undefined)
    throw new NotTaken(`it asks for ${shown(odd ?? 'a field')}: a state has a varbind with equals or in`)
  const values = [
    ...(part.get('in')?.items() ?? []),
    ...[part.get('equals')].filter((one) => one !== undefined),
  ]
  const found = values.map((one) => exactValue(one.text('a value')))
  if (found.length === 0 || found.some((one) => one === undefined))
    throw new NotTaken('a value of its state is empty, or has a semicolon or a star')
  return { variable: wordOf(variable), values: found as string[] }
}

const words: Readonly<Record<string, string>> = { hostname: '{deviceName}', source_ip: '{deviceIp}' }

/** Of alternatives, the first. */
function textOf(
  template: string,
  name: string,
  known: ReadonlySet<string>,
): { text: string; isChanged: boolean } {
  let isChanged = false
  let isSkipped = false
  let current = ''
  const parts = template.split(/\{\{-?([^{}]*)-?\}\}/).map((part, at) => {
    if (at % 2 === 0) return isSkipped ? '' : withoutBraces(part)
    const action = part.trim()
    const [, variable = ''] = /(?:value|raw)\s+"([^"]*)"/.exec(action) ?? []
    const shownAs = known.has(wordOf(variable)) ? `{${wordOf(variable)}}` : (words[action] ?? '')
    if (/^(with|else|end|first)\b/.test(action)) isChanged = true
    if (action.startsWith('with')) current = shownAs
    else if (action === 'else') isSkipped = true
    else if (action === 'end') isSkipped = false
    else if (action === '.') return isSkipped ? '' : current
    else if (action === 'trap_name') return isSkipped ? '' : name
    else return isSkipped ? '' : shownAs
    return ''
  })
  return { text: tidied(parts.join('')) || name, isChanged }
}
