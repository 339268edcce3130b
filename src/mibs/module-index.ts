// The definitions of modules by name, and which definition a name in a module means.

import { baseModule } from './base-module.ts'
import type { ModuleObject } from './module-object.ts'
import {
  type ModuleRemark,
  type ModuleText,
  moduleKey,
  momentOf,
  type NodeText,
  remarkLimit,
} from './module-text.ts'

/** A module, with what it defines by name. */
export interface IndexedModule {
  readonly text: ModuleText
  readonly imports: ReadonlyMap<string, string>
  /** Also notifications, below which some vendors put objects. */
  readonly nodes: ReadonlyMap<string, Pick<NodeText, 'name' | 'line' | 'path' | 'index' | 'augments'>>
  readonly types: ReadonlyMap<string, ModuleText['types'][number]>
  readonly unknown: Map<string, ModuleRemark>
  readonly objects: ModuleObject[]
  readonly objectsByName: Map<string, ModuleObject>
}

/** Where a name leads. */
export interface Place {
  readonly module: IndexedModule
  readonly name: string
}

export class ModuleIndex {
  readonly base = indexed(baseModule)
  readonly #texts: readonly ModuleText[]
  /** By name; of several with one name, the latest revision is last. */
  readonly #modules = new Map<string, IndexedModule[]>()
  /** Name → the modules that define it, for names that nobody imported. */
  readonly #nodesByName = new Map<string, IndexedModule[]>()
  readonly #typesByName = new Map<string, IndexedModule[]>()

  constructor(texts: readonly ModuleText[]) {
    // Where two describe the same object, the younger standard is used.
    const age = ({ name }: ModuleText) => (/^RFC-?\d/.test(name) ? 0 : 1)
    const order = (a: string, b: string) => Number(a > b) - Number(a < b)
    this.#texts = [...texts].sort(
      (a, b) =>
        age(a) - age(b) ||
        order(a.name, b.name) ||
        order(momentOf(a.revision), momentOf(b.revision)) ||
        order(moduleKey(a), moduleKey(b)),
    )
  }

  /** In the order in which their descriptions of an object take precedence: the last one counts. */
  get modules(): IndexedModule[] {
    return [...this.#modules.values()].flat()
  }

  /** Each time it yields, a step is done. */
  *read(): Generator<undefined> {
    for (const text of this.#texts) {
      push(this.#modules, text.name, indexed(text))
      yield
    }
    for (const one of this.modules) {
      for (const name of one.nodes.keys()) push(this.#nodesByName, name, one)
      for (const name of one.types.keys()) push(this.#typesByName, name, one)
      yield
    }
  }

  /**
   * Its own definition, then its imports, then what is always known, and last what exactly one other module defines.
   */
  lookUp(one: IndexedModule, reference: string, line: number, kind: 'nodes' | 'types'): Place | undefined {
    const dot = reference.indexOf('.')
    const name = reference.slice(dot + 1)
    const from = dot > 0 ? reference.slice(0, dot) : one.imports.get(name)
    if (dot < 0 && one[kind].has(name)) return { module: one, name }
    const sources = (from === undefined ? undefined : this.#modules.get(from)) ?? []
    const source = nearest(
      sources.filter((other) => other[kind].has(name)),
      one,
    )
    if (source) return { module: source, name }
    if (this.base[kind].has(name)) return { module: this.base, name }
    const others = (kind === 'nodes' ? this.#nodesByName : this.#typesByName).get(name) ?? []
    // Revisions of one module are one.
    const other = nearest(others, one)
    if (other && others.every(({ text }) => text.name === other.text.name)) return { module: other, name }
    noteUnknown(one, name, line, whyUnknown(from, sources.length > 0, others.length))
    return undefined
  }
}

function whyUnknown(from: string | undefined, loaded: boolean, others: number): string {
  if (from !== undefined) return `its module ${from} ${loaded ? 'does not define it' : 'has not been loaded'}`
  if (others > 0) return `it is not imported here, and ${others} of the loaded modules define it`
  return 'it is neither defined nor imported here'
}

function noteUnknown(one: IndexedModule, name: string, line: number, why: string): void {
  if (one.unknown.has(name) || one.unknown.size >= remarkLimit) return
  one.unknown.set(name, { kind: 'unknown', line, reason: `${name} is not known: ${why}` })
}

/** Of modules with one name: that of the same folder, then of the same enterprise, else the latest. */
function nearest(modules: readonly IndexedModule[], { text }: IndexedModule): IndexedModule | undefined {
  if (modules.length < 2) return modules[0]
  const { folder, enterprise } = text
  return (
    modules.findLast((other) => folder !== undefined && other.text.folder === folder) ??
    modules.findLast((other) => enterprise !== undefined && other.text.enterprise === enterprise) ??
    modules.at(-1)
  )
}

function indexed(text: ModuleText): IndexedModule {
  const places = text.notifications.filter(({ specific }) => specific === undefined)
  return {
    text,
    imports: new Map(text.imports),
    // The first of two with one name counts.
    nodes: new Map([...text.nodes, ...places].toReversed().map((node) => [node.name, node])),
    types: new Map(text.types.toReversed().map((type) => [type.name, type])),
    unknown: new Map(),
    objects: [],
    objectsByName: new Map(),
  }
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const known = map.get(key)
  if (known) known.push(value)
  else map.set(key, [value])
}
