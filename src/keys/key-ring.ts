// The keys of the installation, and the secrets in the store that are encrypted with them. The store determines which
// key is in use: one of its rows is encrypted with it, and a service that cannot decrypt that row has the wrong key.

import type { Logger } from 'pino'
import { Fault } from '../fault.ts'
import { bulk, type Database, type Reader, type Row, type Transaction } from '../store/database.ts'
import type { Key, KeyFile } from './key-file.ts'

interface Opening {
  /** A service that has the store for itself makes a key where there is none, and goes on with another. */
  readonly isAlone: boolean
  /** The key that the store knows is lost: this one takes its place. */
  readonly replaces?: boolean | undefined
}

interface Rotation {
  /** The key that is in use now. */
  readonly keyId: string
  /** Whether another was before. */
  readonly isNew: boolean
  /** Secrets that are sealed with it, and those that no key in the file can open. */
  readonly secrets: number
  readonly unreadable: number
}

/** The row by which a key is checked; names of others have a space in them. */
const check = 'check'
const rowsSql = 'select name, key_id, sealed from secret order by name'
const write =
  'insert into secret (name, key_id, sealed) values (?, ?, ?) on conflict (name) do update set key_id = excluded.key_id, sealed = excluded.sealed'
const writeEach = bulk(write, ['text', 'text', 'text'])

export class Keys {
  readonly #file: KeyFile
  readonly #database: Database
  readonly #isAlone: boolean
  /** By id, in the order of the file. What was once there stays: the file may vanish while the service runs. */
  readonly #known = new Map<string, Key>()
  #newest: Key
  #idsInFile: readonly string[]

  private constructor(file: KeyFile, database: Database, isAlone: boolean, keys: readonly [Key, ...Key[]]) {
    this.#file = file
    this.#database = database
    this.#isAlone = isAlone
    this.#newest = keys.at(-1) ?? keys[0]
    this.#idsInFile = []
    this.#take(keys)
  }

  /** Reads the file and compares it with the store. Throws where this node cannot take part with it. */
  static async open(file: KeyFile, database: Database, { isAlone, replaces }: Opening): Promise<Keys> {
    if (isAlone && file.read() === undefined) file.add()
    const [first, ...more] = file.read() ?? []
    if (!first) throw missing(file)
    const keys = new Keys(file, database, isAlone, [first, ...more])
    await database.transaction((tx) => keys.#require(tx, isAlone || replaces === true))
    return keys
  }

  async #require(tx: Transaction, mayReplace: boolean): Promise<void> {
    const [row] = await tx.all('select name, key_id, sealed from secret where name = ?', [check])
    if (row && this.#open(row) !== undefined) return
    if (row && !mayReplace) throw another(this.#file)
    await this.#write(tx, [[check, '']], this.#newest)
  }

  /** Those in the file, as of the last look. */
  get idsInFile(): readonly string[] {
    return this.#idsInFile
  }

  /** A key that is or was in the file. */
  byId(id: string): Key | undefined {
    return this.#known.get(id)
  }

  idInUse(): Promise<string> {
    return keyInUse(this.#database)
  }

  /** The key in use; undefined where this node does not have it. */
  async current(reader: Reader = this.#database): Promise<Key | undefined> {
    const id = await keyInUse(reader)
    if (!this.#known.has(id)) this.refresh()
    return this.#known.get(id)
  }

  /** Reads the file again; throws where it cannot be used. */
  refresh(): void {
    const keys = this.#file.read()
    if (keys) this.#take(keys)
  }

  #take(keys: readonly Key[]): void {
    for (const key of keys) this.#known.set(key.id, key)
    this.#newest = keys.at(-1) ?? this.#newest
    this.#idsInFile = keys.map(({ id }) => id)
  }

  /** Keeps a secret, by a name that says what it is for: `channel 7`. */
  async put(tx: Transaction, name: string, text: string): Promise<void> {
    const key = await this.current(tx)
    if (!key) throw another(this.#file)
    await this.#write(tx, [[name, text]], key)
  }

  /** Undefined where there is none, and where its key is lost: it must be asked for again. */
  async get(name: string, reader: Reader = this.#database): Promise<string | undefined> {
    const [row] = await reader.all('select name, key_id, sealed from secret where name = ?', [name])
    if (!row) return undefined
    if (!this.#known.has(String(row.key_id))) this.refresh()
    return this.#open(row)
  }

  /** A text that somebody else keeps for the service, and can neither read nor change. */
  async sealOutside(purpose: string, text: string): Promise<string> {
    const key = await this.current()
    if (!key) throw another(this.#file)
    return `${key.id}.${key.seal(purpose, text)}`
  }

  /** Undefined where it was not sealed for this purpose, or its key is lost. */
  openOutside(purpose: string, sealed: string): string | undefined {
    const cut = sealed.indexOf('.')
    return this.#known.get(sealed.slice(0, Math.max(0, cut)))?.open(purpose, sealed.slice(cut + 1))
  }

  /** How many secrets cannot be read with the keys of this service. */
  async countUnreadable(): Promise<number> {
    const rows = await this.#database.all(rowsSql)
    return rows.filter((row) => this.#open(row) === undefined).length
  }

  /** Finds the key to rotate to. A service that has the store for itself makes it, where the file has none. */
  async prepareRotation(): Promise<Pick<Rotation, 'keyId' | 'isNew'>> {
    this.refresh()
    const inUse = await keyInUse(this.#database)
    if (inUse === this.#newest.id && this.#isAlone && this.#idsInFile.length === 1) {
      this.#file.add()
      this.refresh()
    }
    return { keyId: this.#newest.id, isNew: inUse !== this.#newest.id }
  }

  /** Seals everything with the newest key. What cannot be opened stays as it is: its key may be found again. */
  async rotate(tx: Transaction): Promise<Rotation> {
    const key = this.#newest
    const isNew = (await keyInUse(tx)) !== key.id
    const rows = (await tx.all(rowsSql)).filter(({ name }) => name !== check)
    const open = rows.map((row) => ({ name: String(row.name), text: this.#open(row) }))
    const readable = open.flatMap(({ name, text }) => (text === undefined ? [] : [[name, text] as const]))
    if (isNew) await this.#write(tx, [...readable, [check, '']], key)
    return { keyId: key.id, isNew, secrets: readable.length, unreadable: rows.length - readable.length }
  }

  /** Removes keys that are no longer in use from the file; returns what prevented it. */
  tidyFile(keyId: string): string | undefined {
    try {
      this.#file.keepOnly(keyId)
      this.refresh()
      return undefined
    } catch (error) {
      if (error instanceof Fault) return error.message
      throw error
    }
  }

  #open(row: Row): string | undefined {
    return this.#known.get(String(row.key_id))?.open(purposeOf(String(row.name)), String(row.sealed))
  }

  async #write(tx: Transaction, texts: readonly (readonly [string, string])[], key: Key): Promise<void> {
    await tx.runEach(
      writeEach,
      texts.map(([name, text]) => [name, key.id, key.seal(purposeOf(name), text)]),
    )
  }
}

/** Before the store is upgraded: that of others, whose key is another one, is not. */
export async function refuseOtherKey(file: KeyFile, database: Database): Promise<void> {
  if (database.kind === 'sqlite') return
  const [table] = await database.all("select to_regclass('secret') is not null as is_there")
  if (!table?.is_there) return
  const id = await keyInUse(database)
  if (id === '') return
  const keys = file.read()
  if (!keys) throw missing(file)
  if (keys.every((key) => key.id !== id)) throw another(file)
}

/** Also where no key can open it. */
export async function forgetSecret(tx: Transaction, name: string): Promise<void> {
  await tx.run('delete from secret where name = ?', [name])
}

const purposeOf = (name: string) => `secret ${name}`

async function keyInUse(reader: Reader): Promise<string> {
  const [row] = await reader.all('select key_id from secret where name = ?', [check])
  return String(row?.key_id ?? '')
}

const missing = ({ path }: KeyFile) =>
  new Fault(
    'conflict',
    `there is no key file ${path}: a node needs the one that all nodes of its store have (setting key-file). Copy it from another node; for the first one, belfry key new makes it`,
    { field: 'key-file' },
  )

const another = ({ path }: KeyFile) =>
  new Fault(
    'conflict',
    `the key file ${path} is not the one of this store: copy it from another node. Where it is lost at all of them, belfry key replace takes this one`,
    { field: 'key-file' },
  )

// Rereads the key file while the service runs, so that a new key can be used without a restart.

export class KeyFileWatch {
  readonly #keys: Keys
  readonly #log: Logger
  /** The last error that was logged. */
  #error: string | undefined

  constructor(keys: Keys, log: Logger) {
    this.#keys = keys
    this.#log = log
  }

  /** An unusable file is logged once; the keys read before stay in use. */
  async check(): Promise<void> {
    try {
      this.#keys.refresh()
      this.#error = undefined
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      if (error.message !== this.#error) this.#log.error(error.message)
      this.#error = error.message
    }
  }
}
