// Collects the definitions of a module while it is read, within limits.

import type { Said } from './clauses.ts'
import { shownName } from './cursor.ts'
import {
  definitionLimit,
  type ModuleText,
  type NodeText,
  type NotificationText,
  nameLimit,
  type Path,
  type Remarks,
  type TypeText,
} from './module-text.ts'

export function carried({ objects = [], description = '' }: Said, severity: string | undefined) {
  return severity === undefined ? { objects, description } : { objects, description, severity }
}

/** Only the fields that are set, because it is stored as it is. */
export function described({ syntax, access, units, index, augments }: Said): Partial<NodeText> {
  return {
    ...(syntax && { syntax }),
    ...(access && { access }),
    ...(units && { units }),
    ...(index && { index }),
    ...(augments && { augments }),
  }
}

/** The content of a module so far. */
export class Parts {
  readonly #name: string
  readonly #line: number
  readonly #imports: (readonly [string, string])[] = []
  readonly #nodes: NodeText[] = []
  readonly #types: TypeText[] = []
  readonly #notifications: NotificationText[] = []
  readonly #lines = new Map<string, number>()
  readonly #remarks: Remarks
  #identity: { readonly path: Path; readonly revision: string } | undefined

  constructor(name: string, line: number, remarks: Remarks) {
    this.#name = name
    this.#line = line
    this.#remarks = remarks
  }

  get full(): boolean {
    return this.#nodes.length + this.#types.length + this.#notifications.length > definitionLimit
  }

  imported(symbol: string, module: string): void {
    if (this.#imports.length < definitionLimit)
      this.#imports.push([symbol.slice(0, nameLimit), module.slice(0, nameLimit)])
  }

  node(node: NodeText): void {
    this.#noteName(node)
    this.#nodes.push(node)
  }

  /** The definition that says which module it is; of several, the first. */
  identity(path: Path, revision = ''): void {
    this.#identity ??= { path, revision }
  }

  type(type: TypeText): void {
    this.#types.push(type)
  }

  notification(notification: NotificationText): void {
    this.#noteName(notification)
    this.#notifications.push(notification)
  }

  /** Both are kept, because both have a place; where the name is used, the first is meant. */
  #noteName({ name, line }: NodeText | NotificationText): void {
    const first = this.#lines.get(name)
    if (first === undefined) this.#lines.set(name, line)
    else
      this.#remarks.accepted(
        line,
        'defined twice',
        `${shownName(name)} was defined in line ${first} already: where the name is used, that definition counts`,
      )
  }

  #enterprise(): string {
    const nodes = new Map(this.#nodes.toReversed().map((node) => [node.name, node.path]))
    const path = this.#identity?.path ?? this.#nodes[0]?.path ?? this.#notifications[0]?.path ?? []
    return enterpriseOf(path, nodes)
  }

  module(): ModuleText {
    const enterprise = this.#enterprise()
    const revision = this.#identity?.revision.replace(/[^\dZz]/g, '').slice(0, 20) ?? ''
    return {
      name: this.#name,
      line: this.#line,
      ...(enterprise !== '' && { enterprise }),
      ...(revision !== '' && { revision }),
      imports: this.#imports,
      nodes: this.#nodes,
      types: this.#types,
      notifications: this.#notifications,
    }
  }
}

const enterpriseNumbers = [1, 3, 6, 1, 4, 1]

/** Follows the names that the module defines itself, up to one that it imports. */
function enterpriseOf(place: Path, nodes: ReadonlyMap<string, Path>): string {
  let path = place
  const seen = new Set<string>()
  for (let [first] = path; typeof first === 'string' && !seen.has(first); [first] = path) {
    seen.add(first)
    const above = nodes.get(first)
    if (above) path = [...above, ...path.slice(1)].slice(0, enterpriseNumbers.length + 1)
  }
  if (enterpriseNumbers.every((number, at) => path[at] === number))
    path = ['enterprises', ...path.slice(enterpriseNumbers.length)]
  return path.slice(0, path[0] === 'enterprises' ? 2 : 1).join('.')
}
