// Resolves the names of modules: OIDs of objects, types with their labels and display hints, indexes of tables,
// objects of notifications.

import { baseModule, primitives } from './base-module.ts'
import {
  arcLimit,
  type ModuleRemark,
  type ModuleText,
  type NodeText,
  type NotificationText,
  type Path,
  remarkLimit,
  type Syntax,
} from './module-text.ts'
import type { MibObject } from './oid-tree.ts'

export interface MibNotification {
  readonly module: string
  readonly name: string
  /** As it comes in a trap of version 2. */
  readonly oid: string
  readonly objects: readonly MibObject[]
  readonly description: string
  readonly severity: string | undefined
}

export interface LibraryModule {
  readonly name: string
  readonly objects: readonly MibObject[]
  readonly notifications: readonly MibNotification[]
  /** Names that could not be resolved. */
  readonly unknown: readonly ModuleRemark[]
}

const genericTraps = '1.3.6.1.6.3.1.1.5'

const snmpEnterprise = '1.3.6.1.2.1.11'

interface Writable extends Omit<MibObject, 'kind' | 'index' | 'row'> {
  kind: MibObject['kind']
  index: MibObject[]
  row: MibObject | undefined
}

/** A module, with what it defines by name. */
interface IndexedModule {
  readonly text: ModuleText
  readonly imports: ReadonlyMap<string, string>
  readonly nodes: ReadonlyMap<string, NodeText>
  readonly types: ReadonlyMap<string, ModuleText['types'][number]>
  readonly unknown: Map<string, ModuleRemark>
  readonly objects: Map<string, Writable>
}

interface Resolved {
  readonly base: string
  readonly values: ReadonlyMap<number, string>
  readonly hint: string | undefined
}

const noValues: ReadonlyMap<number, string> = new Map()

const typeDepth = 32

/** Definitions that are resolved in one step: few milliseconds. */
export const stepSize = 200

export class Builder {
  readonly #texts: readonly ModuleText[]
  readonly #modules = new Map<string, IndexedModule>()
  readonly #base: IndexedModule
  /** Name → the modules that define it, for names that nobody imported. */
  readonly #nodesByName = new Map<string, IndexedModule[]>()
  readonly #typesByName = new Map<string, IndexedModule[]>()
  readonly #oids = new Map<NodeText, string>()
  readonly #byOid = new Map<string, Writable>()

  constructor(texts: readonly ModuleText[]) {
    this.#base = indexed(baseModule)
    // Where two describe the same object, the younger standard is used.
    const age = ({ name }: ModuleText) => (/^RFC-?\d/.test(name) ? 0 : 1)
    this.#texts = [...texts].sort((a, b) => age(a) - age(b) || (a.name < b.name ? -1 : 1))
  }

  *#readNames(): Generator<undefined> {
    for (const text of this.#texts) {
      this.#modules.set(text.name, indexed(text))
      yield
    }
    for (const one of this.#modules.values()) {
      for (const name of one.nodes.keys()) push(this.#nodesByName, name, one)
      for (const name of one.types.keys()) push(this.#typesByName, name, one)
      yield
    }
  }

  /** Modules, and nothing where only a step was done. */
  *build(): Generator<LibraryModule | undefined> {
    yield* this.#readNames()
    const all = [this.#base, ...this.#modules.values()]
    for (const one of all) yield* this.#readObjects(one)
    for (const one of all) yield* this.#readKinds(one)
    for (const [name, one] of this.#modules) {
      const notifications = one.text.notifications.flatMap((text) => this.#notification(one, text))
      const unknown = [...one.unknown.values()].sort((a, b) => a.line - b.line)
      yield { name, objects: [...one.objects.values()], notifications, unknown }
    }
  }

  /** Objects that can have values, and so can be in a trap. */
  leaves(): Writable[] {
    return [...this.#byOid.values()].filter(({ kind }) => kind === 'scalar' || kind === 'column')
  }

  *#readObjects(one: IndexedModule): Generator<undefined> {
    let count = 0
    for (const node of one.nodes.values()) {
      count += 1
      if (count % stepSize === 0) yield
      const oid = this.#oidOf(one, node)
      if (oid === undefined) continue
      // The type of a row lists its columns, which say themselves where they belong.
      const isRow = node.index !== undefined || node.augments !== undefined
      const { base, values, hint } =
        node.syntax && !isRow
          ? this.#typeOf(one, node.syntax, node.line)
          : { base: '', values: noValues, hint: undefined }
      const object: Writable = {
        module: one.text.name,
        name: node.name,
        oid,
        kind: node.syntax ? 'scalar' : 'node',
        base,
        values,
        hint,
        units: node.units,
        access: node.access,
        index: [],
        row: undefined,
      }
      if (node.syntax?.type === 'SEQUENCE OF') object.kind = 'table'
      else if (isRow) object.kind = 'row'
      one.objects.set(node.name, object)
      // A mere place must not hide an object that another module describes there.
      if (object.kind !== 'node' || !this.#byOid.has(oid)) this.#byOid.set(oid, object)
    }
  }

  *#readKinds(one: IndexedModule): Generator<undefined> {
    let count = 0
    for (const object of one.objects.values()) {
      count += 1
      if (count % stepSize === 0) yield
      const parent = this.#byOid.get(object.oid.slice(0, object.oid.lastIndexOf('.')))
      if (object.kind === 'scalar' && parent?.kind === 'table') object.kind = 'row'
      if (object.kind === 'row') object.index.push(...this.#indexOf(one, object.name))
    }
    for (const object of one.objects.values()) {
      const parent = this.#byOid.get(object.oid.slice(0, object.oid.lastIndexOf('.')))
      if (object.kind !== 'scalar' || parent?.kind !== 'row') continue
      object.kind = 'column'
      object.row = parent
    }
  }

  /** A row that adds columns to another has the index of that one. */
  #indexOf(one: IndexedModule, name: string): MibObject[] {
    let place = one
    let node = one.nodes.get(name)
    for (let depth = 0; node?.augments !== undefined && depth < typeDepth; depth += 1) {
      const found = this.#lookUp(place, node.augments, node.line, 'nodes')
      if (!found) return []
      place = found.module
      node = place.nodes.get(found.name)
    }
    if (!node) return []
    const { index = [], line } = node
    // SMIv1 also names types here, which are no objects.
    const objects = index.filter((reference) => !primitives.has(reference) && !/^[A-Z]/.test(reference))
    return objects.flatMap((reference) => this.#object(place, reference, line) ?? [])
  }

  #object(one: IndexedModule, reference: string, line: number): Writable | undefined {
    const found = this.#lookUp(one, reference, line, 'nodes')
    return found?.module.objects.get(found.name)
  }

  #notification(one: IndexedModule, text: NotificationText): MibNotification[] {
    const { name, line, path, specific, description, severity } = text
    const place = this.#pathOid(one, path, line, 0)
    if (place === undefined) return []
    const objects = text.objects.flatMap((reference) => this.#object(one, reference, line) ?? [])
    const oid = specific === undefined ? place : trapOid(place, specific)
    return [{ module: one.text.name, name, oid, objects, description, severity }]
  }

  #oidOf(one: IndexedModule, node: NodeText, depth = 0): string | undefined {
    const known = this.#oids.get(node)
    if (known !== undefined) return known
    const oid = this.#pathOid(one, node.path, node.line, depth)
    if (oid !== undefined) this.#oids.set(node, oid)
    return oid
  }

  /** A name inside a path stands for its place; numbers go on from there. Circular definitions resolve to nothing. */
  #pathOid(one: IndexedModule, path: Path, line: number, depth: number): string | undefined {
    if (depth > arcLimit) return undefined
    let oid = ''
    for (const [at, part] of path.entries()) {
      if (typeof part === 'number') oid = oid === '' ? String(part) : `${oid}.${part}`
      else {
        // An unknown name in the middle adds nothing: `{ iso org dod 1 }` is wrong, not ambiguous.
        const found = this.#lookUp(one, part, line, 'nodes')
        const node = found?.module.nodes.get(found.name)
        const place = found && node && this.#oidOf(found.module, node, depth + 1)
        if (place === undefined || (at > 0 && !place.startsWith(`${oid}.`))) return undefined
        oid = place
      }
    }
    return oid.split('.', arcLimit + 1).length > arcLimit ? undefined : oid
  }

  #typeOf(one: IndexedModule, syntax: Syntax, line: number): Resolved {
    let place = one
    let { type } = syntax
    let values = syntax.values
    let hint: string | undefined
    for (let depth = 0; depth < typeDepth; depth += 1) {
      if (primitives.has(type) && !place.types.has(type)) break
      const found = this.#lookUp(place, type, line, 'types')
      const definition = found?.module.types.get(found.name)
      if (!found || !definition) break
      if (definition.syntax.type === type && found.module === place) break
      hint ??= definition.hint
      values ??= definition.syntax.values
      place = found.module
      type = definition.syntax.type
    }
    return { base: type, values: values ? new Map(values.map(([name, n]) => [n, name])) : noValues, hint }
  }

  /**
   * Its own definition, then its imports, then what is always known, and last what exactly one other module defines.
   */
  #lookUp(one: IndexedModule, reference: string, line: number, kind: 'nodes' | 'types'): Place | undefined {
    const dot = reference.indexOf('.')
    const name = reference.slice(dot + 1)
    const from = dot > 0 ? reference.slice(0, dot) : one.imports.get(name)
    if (dot < 0 && one[kind].has(name)) return { module: one, name }
    const source = from === undefined ? undefined : this.#modules.get(from)
    if (source?.[kind].has(name)) return { module: source, name }
    if (this.#base[kind].has(name)) return { module: this.#base, name }
    const others = (kind === 'nodes' ? this.#nodesByName : this.#typesByName).get(name) ?? []
    if (others.length === 1 && others[0]) return { module: others[0], name }
    this.#noteUnknown(one, name, line, from, source !== undefined)
    return undefined
  }

  #noteUnknown(
    one: IndexedModule,
    name: string,
    line: number,
    from: string | undefined,
    loaded: boolean,
  ): void {
    if (one.unknown.has(name) || one.unknown.size >= remarkLimit) return
    const why =
      from === undefined
        ? 'it is neither defined nor imported here'
        : `its module ${from} ${loaded ? 'does not define it' : 'has not been loaded'}`
    one.unknown.set(name, { kind: 'unknown', line, reason: `${name} is not known: ${why}` })
  }
}

interface Place {
  readonly module: IndexedModule
  readonly name: string
}

function indexed(text: ModuleText): IndexedModule {
  return {
    text,
    imports: new Map(text.imports),
    nodes: new Map(text.nodes.map((node) => [node.name, node])),
    types: new Map(text.types.map((type) => [type.name, type])),
    unknown: new Map(),
    objects: new Map(),
  }
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const known = map.get(key)
  if (known) known.push(value)
  else map.set(key, [value])
}

/** RFC 3584, section 3.1: the OID in version 2 of a trap of version 1. */
function trapOid(enterprise: string, specific: number): string {
  return enterprise === snmpEnterprise ? `${genericTraps}.${specific + 1}` : `${enterprise}.0.${specific}`
}
