// Finds the operation of a path: a tree over the path segments in the table of operations.

import type { Method, Operation } from './operation.ts'

export interface Route {
  readonly template: string
  readonly operations: ReadonlyMap<Method, Operation>
}

interface Match {
  readonly route: Route
  /** What stands in the place of `{id}` and `{name}`. */
  readonly parts: Readonly<Record<string, string>>
}

interface Node {
  readonly steps: Map<string, Node>
  /** The step that may be anything. */
  any?: { readonly name: string; readonly node: Node }
  route?: { readonly template: string; readonly operations: Map<Method, Operation> }
}

export class Routes {
  readonly #root: Node = { steps: new Map() }

  constructor(operations: readonly Operation[]) {
    for (const operation of operations) this.#add(operation)
  }

  #add(operation: Operation): void {
    const { path, method } = operation
    let node = this.#root
    for (const step of stepsOf(path))
      node = /^\{.*\}$/.test(step) ? anyStep(node, step) : nextStep(node, step)
    node.route ??= { template: path, operations: new Map() }
    if (node.route.template !== path || node.route.operations.has(method)) {
      throw new Error(`${method} ${path} is in the table twice`)
    }
    node.route.operations.set(method, operation)
  }

  find(steps: readonly string[]): Match | undefined {
    return this.#find(steps, 0, this.#root)
  }

  /** From a step on. One with a name takes precedence over one that may be anything. */
  #find(steps: readonly string[], from: number, { steps: named, any, route }: Node): Match | undefined {
    const step = steps[from]
    if (step === undefined) return route && { route, parts: {} }
    const next = named.get(step)
    const found = next && this.#find(steps, from + 1, next)
    if (found || !any) return found
    const behind = this.#find(steps, from + 1, any.node)
    return behind && { ...behind, parts: { ...behind.parts, [any.name]: step } }
  }
}

const stepsOf = (path: string) => path.split('/').filter((step) => step !== '')

function nextStep({ steps }: Node, step: string): Node {
  const known = steps.get(step)
  if (known) return known
  const next: Node = { steps: new Map() }
  steps.set(step, next)
  return next
}

function anyStep(node: Node, step: string): Node {
  const name = step.slice(1, -1)
  node.any ??= { name, node: { steps: new Map() } }
  if (node.any.name !== name) throw new Error(`${step} stands where another path has {${node.any.name}}`)
  return node.any.node
}

/** The value of `Allow`: HEAD goes with GET, OPTIONS with everything. */
export function allowedMethods({ operations }: Route): string {
  const methods = [...operations].flatMap(([method, { endless }]) =>
    method === 'GET' && !endless ? ['GET', 'HEAD'] : [method],
  )
  return [...methods, 'OPTIONS'].join(', ')
}
