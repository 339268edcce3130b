// Resolves the names of modules: OIDs of objects, types with their labels and display hints, indexes of tables,
// objects of notifications.

import { primitives } from './base-module.ts'
import { type IndexedModule, ModuleIndex } from './module-index.ts'
import { ModuleObject, TraitsPool } from './module-object.ts'
import {
  arcLimit,
  type ModuleRemark,
  type ModuleText,
  moduleKey,
  type NodeText,
  type NotificationText,
  type Path,
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
  /** Name, enterprise and revision. */
  readonly key: string
  readonly name: string
  readonly objects: readonly MibObject[]
  readonly notifications: readonly MibNotification[]
  /** Names that could not be resolved. */
  readonly unknown: readonly ModuleRemark[]
}

const genericTraps = '1.3.6.1.6.3.1.1.5'

const snmpEnterprise = '1.3.6.1.2.1.11'

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
  readonly #index: ModuleIndex
  readonly #oids = new Map<object, string>()
  readonly #byOid = new Map<string, ModuleObject>()
  /** Values by their content: the same few enumerations are repeated in every module. */
  readonly #values = new Map<string, ReadonlyMap<number, string>>()

  readonly #traits = new TraitsPool()
  /** One text for all that are in a place. */
  readonly #parents = new Map<string, string>()

  constructor(texts: readonly ModuleText[]) {
    this.#index = new ModuleIndex(texts)
  }

  /** Modules, and nothing where only a step was done. */
  *build(): Generator<LibraryModule | undefined> {
    yield* this.#index.read()
    const { modules } = this.#index
    const all = [this.#index.base, ...modules]
    for (const one of all) yield* this.#readObjects(one)
    for (const one of all) yield* this.#readKinds(one)
    for (const one of modules) {
      const notifications = one.text.notifications.flatMap((text) => this.#notification(one, text))
      const unknown = [...one.unknown.values()].sort((a, b) => a.line - b.line)
      yield {
        key: moduleKey(one.text),
        name: one.text.name,
        objects: one.objects,
        notifications: eachOnce(notifications),
        unknown,
      }
    }
  }

  /** Objects that can have values, and so can be in a trap. */
  leaves(): ModuleObject[] {
    return [...this.#byOid.values()].filter(({ kind }) => kind === 'scalar' || kind === 'column')
  }

  *#readObjects(one: IndexedModule): Generator<undefined> {
    let count = 0
    for (const node of one.text.nodes) {
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
      const isTable = node.syntax?.type === 'SEQUENCE OF'
      const described = node.syntax ? 'scalar' : 'node'
      const kind = isTable ? 'table' : isRow ? 'row' : described
      const { units, access } = node
      const object = new ModuleObject(
        { module: one.text.name, name: node.name, kind },
        this.#placeOf(oid),
        this.#traits.of({ base, values, hint, units, access }),
      )
      one.objects.push(object)
      if (!one.objectsByName.has(node.name)) one.objectsByName.set(node.name, object)
      // A mere place must not hide an object that another module describes there.
      if (object.kind !== 'node' || !this.#byOid.has(oid)) this.#byOid.set(oid, object)
    }
  }

  *#readKinds(one: IndexedModule): Generator<undefined> {
    let count = 0
    for (const object of one.objects) {
      count += 1
      if (count % stepSize === 0) yield
      const isRow = object.kind === 'row' || (object.kind === 'scalar' && this.#isIn(object, 'table'))
      if (isRow) object.becomeRow(this.#indexOf(one, object.name))
    }
    for (const object of one.objects) {
      const parent = this.#byOid.get(object.parent)
      if (object.kind === 'scalar' && parent?.kind === 'row') object.becomeColumn(parent)
    }
  }

  #isIn({ parent }: ModuleObject, kind: MibObject['kind']): boolean {
    return this.#byOid.get(parent)?.kind === kind
  }

  #placeOf(oid: string): { readonly parent: string; readonly arc: number } {
    const dot = oid.lastIndexOf('.')
    const parent = oid.slice(0, Math.max(dot, 0))
    const known = this.#parents.get(parent) ?? parent
    this.#parents.set(known, known)
    return { parent: known, arc: Number(oid.slice(dot + 1)) }
  }

  /** A row that adds columns to another has the index of that one. */
  #indexOf(one: IndexedModule, name: string): MibObject[] {
    let place = one
    let node = one.nodes.get(name)
    for (let depth = 0; node?.augments !== undefined && depth < typeDepth; depth += 1) {
      const found = this.#index.lookUp(place, node.augments, node.line, 'nodes')
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

  #object(one: IndexedModule, reference: string, line: number): ModuleObject | undefined {
    const found = this.#index.lookUp(one, reference, line, 'nodes')
    return found?.module.objectsByName.get(found.name)
  }

  #notification(one: IndexedModule, text: NotificationText): MibNotification[] {
    const { name, line, path, specific, description, severity } = text
    const place = this.#pathOid(one, path, line, 0)
    if (place === undefined) return []
    const objects = text.objects.flatMap((reference) => this.#object(one, reference, line) ?? [])
    const oid = specific === undefined ? place : trapOid(place, specific)
    return [{ module: one.text.name, name, oid, objects, description, severity }]
  }

  #oidOf(one: IndexedModule, node: Pick<NodeText, 'path' | 'line'>, depth = 0): string | undefined {
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
        const found = this.#index.lookUp(one, part, line, 'nodes')
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
      const found = this.#index.lookUp(place, type, line, 'types')
      const definition = found?.module.types.get(found.name)
      if (!found || !definition) break
      if (definition.syntax.type === type && found.module === place) break
      hint ??= definition.hint
      values ??= definition.syntax.values
      place = found.module
      type = definition.syntax.type
    }
    return { base: type, values: values ? this.#valuesOf(values) : noValues, hint }
  }

  #valuesOf(values: NonNullable<Syntax['values']>): ReadonlyMap<number, string> {
    const said = values.join(';')
    let known = this.#values.get(said)
    if (!known) {
      known = new Map(values.map(([name, n]) => [n, name]))
      this.#values.set(said, known)
    }
    return known
  }
}

/** Some modules define a notification once for each version of SNMP. One OID is a spelling of the other. */
function eachOnce(notifications: readonly MibNotification[]): MibNotification[] {
  const seen = new Set<string>()
  return notifications.filter(({ oid }) => {
    const [, parent = '', last = ''] = /^(.*?)(?:\.0)?\.(\d+)$/.exec(oid) ?? []
    const spelled = `${parent}.${last}`
    if (seen.has(spelled)) return false
    seen.add(spelled)
    return true
  })
}

/** RFC 3584, section 3.1: the OID in version 2 of a trap of version 1. */
function trapOid(enterprise: string, specific: number): string {
  return enterprise === snmpEnterprise ? `${genericTraps}.${specific + 1}` : `${enterprise}.0.${specific}`
}
