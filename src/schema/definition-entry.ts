// An object in a file of definitions, in JSON, whose fields are checked as they are read: a mistake is reported with the
// file, the entry and the field.

import { Fault, shown } from '../fault.ts'

const anything = /./s

export class DefinitionEntry {
  readonly #place: string
  readonly fields: Readonly<Record<string, unknown>>

  constructor(place: string, content: unknown, known: readonly string[]) {
    this.#place = place
    if (typeof content !== 'object' || content === null || Array.isArray(content))
      throw new Fault('invalid', `${place}: an object is expected`)
    this.fields = content as Record<string, unknown>
    for (const name of Object.keys(content))
      if (!known.includes(name)) this.refuse(name, 'is not a known field')
  }

  /** The whole content of a file. */
  static ofFile(text: string, file: string, known: readonly string[]): DefinitionEntry {
    let content: unknown
    try {
      content = JSON.parse(text)
    } catch (cause) {
      throw new Fault('invalid', `${file}: ${(cause as Error).message}`, { cause })
    }
    return new DefinitionEntry(file, content, known)
  }

  refuse(field: string, reason: string): never {
    throw new Fault('invalid', `${this.#place}: ${field} ${reason}`)
  }

  text(field: string, pattern = anything, expected = 'text'): string {
    return this.#checked(field, this.fields[field], pattern, expected)
  }

  textAt(field: string, index: number, pattern = anything, expected = 'text'): string {
    return this.#checked(`${field}[${index + 1}]`, this.list(field)[index], pattern, expected)
  }

  #checked(field: string, value: unknown, pattern: RegExp, expected: string): string {
    if (typeof value === 'string' && pattern.test(value)) return value
    return this.refuse(field, `is ${shown(String(value))}: ${expected} is expected`)
  }

  number(field: string, least: number, most: number): number {
    const value = this.fields[field]
    if (Number.isInteger(value) && Number(value) >= least && Number(value) <= most) return Number(value)
    return this.refuse(field, `is ${shown(String(value))}: a number from ${least} to ${most} is expected`)
  }

  oneOf<T>(field: string, values: readonly T[]): T {
    const value = this.fields[field]
    const found = values.find((known) => known === value)
    return found ?? this.refuse(field, `is ${shown(String(value))}: one of ${values.join(', ')} is expected`)
  }

  list(field: string): readonly unknown[] {
    const value = this.fields[field]
    return Array.isArray(value) ? value : this.refuse(field, 'is missing: a list is expected')
  }

  /** The objects of a list; errors call each by `noun`, its number and its name, if it has one. */
  entries(field: string, noun: string, known: readonly string[]): DefinitionEntry[] {
    return this.list(field).map((content, index) => {
      const { name } = (content ?? {}) as { name?: unknown }
      const called = `${noun} ${index + 1}${name === undefined ? '' : ` (${shown(String(name))})`}`
      return new DefinitionEntry(`${this.#place}: ${called}`, content, known)
    })
  }
}
