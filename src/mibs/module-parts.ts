// Collects the definitions of a module while it is read, within limits.

import type { Said } from './clauses.ts'
import {
  definitionLimit,
  type ModuleText,
  type NodeText,
  type NotificationText,
  nameLimit,
  type TypeText,
} from './module-text.ts'

export function carried({ objects = [], description = '' }: Said, severity: string | undefined) {
  return severity === undefined ? { objects, description } : { objects, description, severity }
}

/** Only the fields that are given, since it is stored as it is. */
export function described({ syntax, access, units, index, augments }: Said): Partial<NodeText> {
  return {
    ...(syntax && { syntax }),
    ...(access && { access }),
    ...(units && { units }),
    ...(index && { index }),
    ...(augments && { augments }),
  }
}

/** What has been read of a module so far. */
export class Parts {
  readonly #name: string
  readonly #line: number
  readonly #imports: (readonly [string, string])[] = []
  readonly #nodes: NodeText[] = []
  readonly #types: TypeText[] = []
  readonly #notifications: NotificationText[] = []

  constructor(name: string, line: number) {
    this.#name = name
    this.#line = line
  }

  get full(): boolean {
    return this.#nodes.length + this.#types.length + this.#notifications.length > definitionLimit
  }

  imported(symbol: string, module: string): void {
    if (this.#imports.length < definitionLimit)
      this.#imports.push([symbol.slice(0, nameLimit), module.slice(0, nameLimit)])
  }

  node(node: NodeText): void {
    this.#nodes.push(node)
  }

  type(type: TypeText): void {
    this.#types.push(type)
  }

  notification(notification: NotificationText): void {
    this.#notifications.push(notification)
  }

  module(): ModuleText {
    return {
      name: this.#name,
      line: this.#line,
      imports: this.#imports,
      nodes: this.#nodes,
      types: this.#types,
      notifications: this.#notifications,
    }
  }
}
