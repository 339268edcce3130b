// The objects of modules as they are kept: there are hundreds of thousands, so each takes little.

import type { MibObject } from './oid-tree.ts'

/** What describes the values of an object: many objects share one. */
export type Traits = Pick<MibObject, 'base' | 'values' | 'hint' | 'units' | 'access'>

const noIndex: readonly MibObject[] = []

export class ModuleObject implements MibObject {
  readonly module: string
  readonly name: string
  kind: MibObject['kind']
  /** The OID of the place that it is in; the same text for all that are in it. */
  readonly parent: string
  readonly arc: number
  readonly #traits: Traits
  /** Of a row its index, of a column its row. */
  #relation: readonly MibObject[] | MibObject | undefined

  constructor(
    { module, name, kind }: Pick<MibObject, 'module' | 'name' | 'kind'>,
    place: { readonly parent: string; readonly arc: number },
    traits: Traits,
  ) {
    this.module = module
    this.name = name
    this.kind = kind
    this.parent = place.parent
    this.arc = place.arc
    this.#traits = traits
    this.#relation = undefined
  }

  /** Put together when it is wanted: of most objects, nobody ever wants it. */
  get oid(): string {
    return this.parent === '' ? String(this.arc) : `${this.parent}.${this.arc}`
  }

  get base(): string {
    return this.#traits.base
  }

  get values(): ReadonlyMap<number, string> {
    return this.#traits.values
  }

  get hint(): string | undefined {
    return this.#traits.hint
  }

  get units(): string | undefined {
    return this.#traits.units
  }

  get access(): string | undefined {
    return this.#traits.access
  }

  get index(): readonly MibObject[] {
    return this.kind === 'row' && this.#relation ? (this.#relation as readonly MibObject[]) : noIndex
  }

  get row(): MibObject | undefined {
    return this.kind === 'column' ? (this.#relation as MibObject) : undefined
  }

  becomeRow(index: readonly MibObject[]): void {
    this.kind = 'row'
    this.#relation = index
  }

  becomeColumn(row: MibObject): void {
    this.kind = 'column'
    this.#relation = row
  }
}

/** One of each that is said: also `units` and `access` are repeated thousands of times. */
export class TraitsPool {
  readonly #known = new Map<Traits['values'], Map<string, Traits>>()

  of(traits: Traits): Traits {
    const { base, values, hint = '', units = '', access = '' } = traits
    const known = this.#known.get(values) ?? new Map<string, Traits>()
    this.#known.set(values, known)
    const key = [base, hint, units, access].join('\n')
    const same = known.get(key) ?? traits
    known.set(key, same)
    return same
  }
}
