// The parsed content of a module: plain data with unresolved names, so that it can be stored, and resolved again
// whenever another module is added or removed.

/** `lost`: could not be read. `accepted`: wrong, but clear. `unknown`: a name that no module at hand defines. */
type RemarkKind = 'lost' | 'accepted' | 'unknown'

export interface ModuleRemark {
  readonly kind: RemarkKind
  readonly line: number
  readonly reason: string
}

/** A place in the tree: numbers, and names that are to be resolved; `MODULE.name` says in which module. */
export type Path = readonly (string | number)[]

export interface Syntax {
  /** A type of SMI itself in capitals or by its name (`INTEGER`, `OCTET STRING`, `Counter32`), or a type to resolve. */
  readonly type: string
  /** Names of numbers, or of bits. */
  readonly values?: readonly (readonly [string, number])[]
  /** What a table has rows of. */
  readonly rowsOf?: string
}

export interface NodeText {
  readonly name: string
  readonly line: number
  readonly path: Path
  /** Absent where the node is only a place in the tree. */
  readonly syntax?: Syntax
  readonly access?: string
  readonly units?: string
  /** The objects that index the rows of a table. */
  readonly index?: readonly string[]
  /** The row that this one adds columns to. */
  readonly augments?: string
}

export interface TypeText {
  readonly name: string
  readonly line: number
  readonly syntax: Syntax
  readonly hint?: string
}

export interface NotificationText {
  readonly name: string
  readonly line: number
  readonly path: Path
  /** From SMIv1: the path is that of the enterprise, and this the specific trap. */
  readonly specific?: number
  readonly objects: readonly string[]
  readonly description: string
  /** The severity from a comment, as some vendors write it (`--#SEVERITY MAJOR`). */
  readonly severity?: string
}

export interface ModuleText {
  readonly name: string
  readonly line: number
  /**
   * Where it hangs in the tree, as far as the module itself says: `enterprises.318`, or the name of an imported place.
   */
  readonly enterprise?: string
  /** When it was last updated (`202604120000Z`), where it says so. */
  readonly revision?: string
  /** The folder of its file: a module that it imports from is first looked for there. */
  readonly folder?: string
  /** Symbol and the module that it comes from. */
  readonly imports: readonly (readonly [string, string])[]
  readonly nodes: readonly NodeText[]
  readonly types: readonly TypeText[]
  readonly notifications: readonly NotificationText[]
}

export interface ReadModule extends ModuleText {
  readonly remarks: readonly ModuleRemark[]
}

/** A module as it is stored: its definitions as JSON, which is parsed when it is needed. */
export interface StoredModule {
  readonly name: string
  readonly enterprise: string
  readonly revision: string
  readonly line: number
  readonly objects: number
  readonly notifications: number
  readonly isEmpty: boolean
  readonly remarks: readonly ModuleRemark[]
  readonly content: string
}

export interface StoredFile {
  readonly modules: readonly StoredModule[]
  readonly remarks: readonly ModuleRemark[]
}

export interface ReadFile {
  readonly modules: readonly ReadModule[]
  /** What concerns no module: text around them, or no module at all. */
  readonly remarks: readonly ModuleRemark[]
}

/** Vendors give different modules the same name: these three together tell them apart. */
export const moduleKey = ({ name, enterprise = '', revision = '' }: ModuleIdentity): string =>
  [name, enterprise, revision].join(' ')

type ModuleIdentity = Pick<ModuleText, 'name' | 'enterprise' | 'revision'>

/** Until 1999 the year had two digits. */
export const momentOf = (revision = '') => (/^9\d{9}Z?$/i.test(revision) ? `19${revision}` : revision)

// The limits of a file. The largest modules that vendors ship stay far below them.
export const moduleFileLimit = 4 * 1024 * 1024
export const definitionLimit = 50_000
export const modulesPerFile = 500
/** Remarks beyond this are counted, not kept. */
export const remarkLimit = 100
const reasonLimit = 500
export const nameLimit = 128
export const textLimit = 4000
/** RFC 2578, section 3.5. */
export const arcLimit = 128

/** Remarks of one module, in order; of what is accepted, the first of each sort stands for all. */
export class Remarks {
  readonly #kept: ModuleRemark[] = []
  readonly #sorts = new Map<string, { at: number; times: number }>()
  #beyond = 0

  lost(line: number, reason: string): void {
    this.#add({ kind: 'lost', line, reason })
  }

  /** `sort` is the kind of remark; `reason` the details of this one. */
  accepted(line: number, sort: string, reason: string): void {
    const known = this.#sorts.get(sort)
    if (known) known.times += 1
    else {
      this.#sorts.set(sort, { at: this.#kept.length, times: 1 })
      this.#add({ kind: 'accepted', line, reason })
    }
  }

  #add(remark: ModuleRemark): void {
    // A file may contain anything; a remark about it is plain text.
    const reason = remark.reason.replace(/[^\x20-\x7e\xa1-\ud7ff]/g, '?').slice(0, reasonLimit)
    if (this.#kept.length < remarkLimit) this.#kept.push({ ...remark, reason })
    else this.#beyond += 1
  }

  all(): ModuleRemark[] {
    const all = [...this.#kept]
    for (const { at, times } of this.#sorts.values()) {
      const first = all[at]
      if (first && times > 1) all[at] = { ...first, reason: `${first.reason} (${times} times)` }
    }
    if (this.#beyond > 0) {
      const line = all.at(-1)?.line ?? 1
      all.push({ kind: 'lost', line, reason: `and ${this.#beyond} more like these` })
    }
    return all
  }
}
