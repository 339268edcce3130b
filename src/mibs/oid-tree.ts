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
  readonly #root: Branch = new Map()

  add(object: MibObject): void {
    const arcs = object.oid.split('.').map(Number)
    const last = arcs.pop() as number
    let branch = this.#root
    for (const arc of arcs) {
      let next = branch.get(arc)
      if (!(next instanceof Map)) {
        next = next ? new Map([[here, next]]) : new Map()
        branch.set(arc, next)
      }
      branch = next
    }
    const known = branch.get(last)
    if (known instanceof Map) known.set(here, object)
    else branch.set(last, object)
  }

  find(oid: string): Found | undefined {
    let branch: Branch | MibObject | undefined = this.#root
    let found: MibObject | undefined
    let rest = 0
    for (let at = 0; at < oid.length && branch instanceof Map; at += 1) {
      let arc = 0
      for (; at < oid.length; at += 1) {
        const digit = oid.charCodeAt(at) - 48
        if (digit < 0) break
        arc = arc * 10 + digit
      }
      branch = branch.get(arc)
      const object: Branch | MibObject | undefined = branch instanceof Map ? branch.get(here) : branch
      if (!object || object instanceof Map) continue
      found = object
      rest = at + 1
    }
    if (!found) return undefined
    const index = oid.slice(rest)
    return { object: found, index: index === '0' && found.kind === 'scalar' ? '' : index }
  }
}

/** Nearly every object is a leaf, and needs no map: there are hundreds of thousands. */
type Branch = Map<number, Branch | MibObject>

/** No arc: the object that has others below it. */
const here = -1
