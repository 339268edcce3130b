// Finds the object that a variable is an instance of.

/** An object of a module, its names resolved. */
export interface MibObject {
  readonly module: string
  readonly name: string
  readonly oid: string
  readonly kind: 'scalar' | 'column' | 'row' | 'table' | 'node'
  /** The type under all conventions: `INTEGER`, `OCTET STRING`. */
  readonly base: string
  readonly values: ReadonlyMap<number, string>
  readonly hint: string | undefined
  readonly units: string | undefined
  readonly access: string | undefined
  /** Of a row: the objects that index it, in order. */
  readonly index: readonly MibObject[]
  /** Of a column: its row. */
  readonly row: MibObject | undefined
}

export interface Found {
  readonly object: MibObject
  /** The rest of the OID: which row it is. Empty for the one instance of a scalar. */
  readonly index: string
}

/** The longest known beginning of an OID is found in as many steps as it has numbers. */
export class OidTree {
  readonly #root: Branch = { object: undefined, below: undefined }

  add(object: MibObject): void {
    let branch = this.#root
    for (const arc of object.oid.split('.').map(Number)) {
      branch.below ??= new Map()
      let next = branch.below.get(arc)
      if (!next) {
        next = { object: undefined, below: undefined }
        branch.below.set(arc, next)
      }
      branch = next
    }
    branch.object = object
  }

  find(oid: string): Found | undefined {
    let branch: Branch | undefined = this.#root
    let found: MibObject | undefined
    let rest = 0
    for (let at = 0; at < oid.length; at += 1) {
      let arc = 0
      for (; at < oid.length; at += 1) {
        const digit = oid.charCodeAt(at) - 48
        if (digit < 0) break
        arc = arc * 10 + digit
      }
      branch = branch.below?.get(arc)
      if (!branch) break
      if (branch.object) {
        found = branch.object
        rest = at + 1
      }
    }
    if (!found) return undefined
    const index = oid.slice(rest)
    return { object: found, index: index === '0' && found.kind === 'scalar' ? '' : index }
  }
}

interface Branch {
  object: MibObject | undefined
  below: Map<number, Branch> | undefined
}
