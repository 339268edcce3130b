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

/** An object that can be put into the tree. */
interface Placed extends MibObject {
  readonly parent: string
  readonly arc: number
}

/** A place in the tree. What is in it is sorted by number, when all of it is there. */
class Place {
  readonly arc: number
  places: readonly Place[] = nothing
  objects: readonly Placed[] = nothing

  constructor(arc: number) {
    this.arc = arc
  }
}

/** Most places have either places or objects in them. */
const nothing: readonly never[] = []

/** The longest known beginning of an OID is found in as many steps as it has numbers. */
export class OidTree {
  readonly #root: Place

  private constructor(root: Place) {
    this.#root = root
  }

  /** Each time it yields, a step is done. */
  static *of(objects: Iterable<Placed>, stepSize: number): Generator<undefined, OidTree> {
    const root = new Place(0)
    const places = new Map([['', root]])
    const within = new Map<Place, { places: Place[]; objects: Placed[] }>()
    const inside = (place: Place) => {
      const known = within.get(place) ?? { places: [], objects: [] }
      within.set(place, known)
      return known
    }
    const placeOf = (oid: string): Place => {
      const known = places.get(oid)
      if (known) return known
      const dot = oid.lastIndexOf('.')
      const place = new Place(Number(oid.slice(dot + 1)))
      places.set(oid, place)
      inside(placeOf(oid.slice(0, Math.max(dot, 0)))).places.push(place)
      return place
    }
    let count = 0
    for (const object of objects) {
      inside(placeOf(object.parent)).objects.push(object)
      count += 1
      if (count % stepSize === 0) yield
    }
    for (const [place, members] of within) {
      if (members.places.length > 0) place.places = members.places.sort(byArc).slice()
      if (members.objects.length > 0) place.objects = members.objects.sort(byArc).slice()
      count += members.places.length + members.objects.length
      if (count >= stepSize) {
        count = 0
        yield
      }
    }
    return new OidTree(root)
  }

  find(oid: string): Found | undefined {
    let place: Place | undefined = this.#root
    let found: MibObject | undefined
    let rest = 0
    for (let at = 0; at < oid.length && place; at += 1) {
      let arc = 0
      for (; at < oid.length; at += 1) {
        const digit = oid.charCodeAt(at) - 48
        if (digit < 0) break
        arc = arc * 10 + digit
      }
      const object: MibObject | undefined = member(place.objects, arc)
      place = member(place.places, arc)
      if (!object) continue
      found = object
      rest = at + 1
    }
    if (!found) return undefined
    const index = oid.slice(rest)
    return { object: found, index: index === '0' && found.kind === 'scalar' ? '' : index }
  }
}

const byArc = (a: { readonly arc: number }, b: { readonly arc: number }) => a.arc - b.arc

function member<T extends { readonly arc: number }>(sorted: readonly T[], arc: number): T | undefined {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] as T).arc < arc) low = middle + 1
    else high = middle
  }
  return sorted[low]?.arc === arc ? sorted[low] : undefined
}
