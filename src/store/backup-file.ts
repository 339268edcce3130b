// Backups: a backup is a complete store in one file that no service uses. This file checks and restores them.

import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { type FileHandle, open, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Fault } from '../fault.ts'
import { type DataFolder, syncFolder, withWorkFolder } from './data-folder.ts'
import { requireDiskSpace } from './large-copies.ts'
import { appliedSql, requireKnown } from './migrate.ts'
import { requireSchema } from './schema-check.ts'
import { backupMark, Connection } from './sqlite/sqlite-connection.ts'

export interface Backup {
  readonly bytes: number
  /** Milliseconds since 1970. Undefined for a store that was copied by other means. */
  readonly madeAt: number | undefined
  /** The last migration that was applied to it. */
  readonly schema: string
}

const magic = 'SQLite format 3\0'
const headerSize = 100

/** The size of a store in bytes, from its 100-byte header; undefined if the file is no store. */
export function storeSize(header: Uint8Array): number | undefined {
  const bytes = Buffer.from(header.buffer, header.byteOffset, header.byteLength)
  if (bytes.length < headerSize || bytes.toString('latin1', 0, 16) !== magic) return undefined
  const pageSize = bytes.readUInt16BE(16)
  return (pageSize === 1 ? 65536 : pageSize) * bytes.readUInt32BE(28)
}

/** Checks a file to its last page, and throws what is wrong with it. */
export async function checkBackup(file: string): Promise<Backup> {
  const bytes = await requireWhole(file)
  try {
    return { bytes, ...read(file) }
  } catch (cause) {
    if (cause instanceof Fault) throw new Fault(cause.code, `${file}: ${cause.message}`, { cause })
    throw new Fault('unavailable', `${file} is damaged: ${(cause as Error).message}`, { cause })
  }
}

/** A backup that is to be checked or copied. */
export class BackupFile {
  readonly path: string
  readonly #handle: FileHandle

  private constructor(path: string, handle: FileHandle) {
    this.path = path
    this.#handle = handle
  }

  static async open(path: string): Promise<BackupFile> {
    const found = await stat(path).catch((cause) => {
      throw new Fault('invalid', `${path} cannot be read: ${cause.message}`, { cause })
    })
    if (!found.isFile()) throw new Fault('invalid', `${path} is not a file`)
    if (existsSync(`${path}-wal`)) {
      throw new Fault(
        'invalid',
        `${path} is the store of a service that runs or was killed, and not all of it: make a copy with belfry backup`,
      )
    }
    return new BackupFile(path, await open(path, 'r'))
  }

  /** Its size in bytes; throws if it is incomplete. */
  async requireComplete(): Promise<number> {
    const { size } = await this.#handle.stat()
    const { buffer } = await this.#handle.read(Buffer.alloc(headerSize), 0, headerSize, 0)
    const wanted = storeSize(buffer)
    if (wanted === undefined) throw new Fault('invalid', `${this.path} is not a backup of Belfry`)
    if (size < wanted) {
      throw new Fault('unavailable', `${this.path} is cut off: it has ${size} of ${wanted} bytes`)
    }
    return size
  }

  bytes(): AsyncIterable<Uint8Array> {
    return this.#handle.createReadStream({ start: 0, autoClose: false })
  }

  close(): Promise<void> {
    return this.#handle.close()
  }
}

async function requireWhole(path: string): Promise<number> {
  const file = await BackupFile.open(path)
  try {
    return await file.requireComplete()
  } finally {
    await file.close()
  }
}

function read(file: string): Omit<Backup, 'bytes'> {
  const connection = new Connection(file, 'alone')
  try {
    const [check] = connection.all('pragma integrity_check(1)')
    if (check?.integrity_check !== 'ok') {
      const found = String(check?.integrity_check).replace(/\s+/g, ' ')
      throw new Fault('unavailable', `the backup is damaged: ${found}`)
    }
    const [table] = connection.all(
      "select name from sqlite_master where type = 'table' and name = 'migration'",
    )
    if (!table) throw new Fault('invalid', 'a database, but not a store of Belfry')
    const applied = connection.all(appliedSql)
    requireKnown(applied)
    requireSchema(connection)
    const [mark] = connection.all('select value from counter where name = ?', [backupMark])
    return {
      madeAt: mark === undefined ? undefined : Number(mark.value),
      schema: String(applied.at(-1)?.name ?? 'none').replace(/\.sql$/, ''),
    }
  } finally {
    connection.close()
  }
}

/** Writes and flushes a file. Returns its SHA-256. */
export async function writeDurably(
  file: string,
  chunks: AsyncIterable<Uint8Array>,
  progress: (chunk: Uint8Array, written: number) => void = () => undefined,
): Promise<string> {
  const hash = createHash('sha256')
  // Readable by its owner only: a store contains names, addresses, and credentials.
  const handle = await open(file, 'wx', 0o600)
  try {
    let written = 0
    for await (const chunk of chunks) {
      await handle.appendFile(chunk)
      hash.update(chunk)
      written += chunk.length
      progress(chunk, written)
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
  return hash.digest('hex')
}

/** Replaces the store by a backup, and keeps the old store beside it. Atomic, also across a crash. */
export function restore(
  folder: DataFolder,
  file: BackupFile,
  now: Date,
  progress: (written: number, bytes: number) => void = () => undefined,
): Promise<Backup & { readonly sha256: string }> {
  return withWorkFolder(folder.path, 'restore', async (work) => {
    const bytes = await file.requireComplete()
    await requireDiskSpace(folder.path, bytes)
    const copy = join(work, 'store')
    const sha256 = await writeDurably(copy, file.bytes(), (_chunk, written) => progress(written, bytes))
    // Check the copy, not the original: the copy is what will be opened.
    const backup = await checkBackup(copy).catch((cause) => {
      throw cause instanceof Fault
        ? new Fault(cause.code, cause.message.replace(copy, file.path), { cause })
        : cause
    })
    await rename(copy, folder.restoredFile(now))
    syncFolder(folder.path)
    folder.finishRestore()
    return { ...backup, sha256 }
  })
}
