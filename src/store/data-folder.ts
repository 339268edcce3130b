// The data folder: one service at a time holds it, and leaves a note in it of where it can be reached.

import { closeSync, existsSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { join, resolve, sep } from 'node:path'
import { Fault } from '../fault.ts'
import { becomeOwner } from './file-owner.ts'
import {
  makeFolder,
  makePrivate,
  readPrivate,
  requireFile,
  requireFolder,
  writePrivate,
} from './private-files.ts'
import { lockFile } from './sqlite/sqlite-connection.ts'
import { saysSqlite } from './sqlite/sqlite-faults.ts'

interface ServiceNote {
  readonly pid: number
  readonly url: string
  /** The local door: a socket's path. */
  readonly adminSocket?: string | undefined
}

const noteFile = (folder: string) => join(folder, 'service.json')

/** Where the service that holds the folder can be reached, by its note; `unreadable` where the note cannot be read. */
export function readNote(folder: string): ServiceNote | 'unreadable' | undefined {
  // Asking creates nothing, and the owner of a folder that is not there has nothing to decide.
  if (!existsSync(folder)) return undefined
  becomeOwner(folder)
  try {
    const text = readPrivate(noteFile(folder))
    if (text === undefined) return undefined
    const note = JSON.parse(text)
    return typeof note?.pid === 'number' && typeof note.url === 'string' ? note : 'unreadable'
  } catch {
    return 'unreadable'
  }
}

/** Whether a start would find a store there, or a restore that is to be finished. */
export const hasStoreFile = (folder: string): boolean =>
  existsSync(folder) &&
  readdirSync(folder).some((name) => storeFiles.includes(name) || restoredName.test(name))

/** Whether a service holds the folder now; a note may be left over from one that was killed. */
export function isHeld(folder: string): boolean {
  const release = hold(folder)
  release?.()
  return release === undefined
}

/**
 * The door that a note names, where it lies in the folder: one elsewhere belongs to another service, or was copied
 * along.
 */
export const ownAdminSocket = (folder: string, { adminSocket }: ServiceNote): string | undefined =>
  adminSocket?.startsWith(join(resolve(folder), sep)) ? adminSocket : undefined

export class DataFolder {
  readonly path: string
  readonly storeFile: string
  /** It stays when the store is replaced. */
  readonly highWaterMarkFile: string
  /** Of a store in PostgreSQL: the timeline that was seen last. */
  readonly timelineFile: string
  /** Of stores in PostgreSQL: how far they have been seen. */
  readonly markFile: string
  /** The last service did not stop in order: its note is still there. */
  readonly uncleanStop: boolean
  readonly #release: () => void
  #announced = false

  /** First checks whether a service answers there: the lock may have been removed while it runs. */
  static async open(path: string): Promise<DataFolder> {
    becomeOwner(path)
    // Where it always is, whatever the note says: that may have been removed as well.
    if (await isListening(join(resolve(path), 'door', 'socket'))) throw inUse(path)
    return new DataFolder(path)
  }

  private constructor(path: string) {
    this.path = path
    this.storeFile = join(path, 'belfry.db')
    this.highWaterMarkFile = join(path, 'witness')
    this.timelineFile = join(path, 'store-timeline')
    this.markFile = join(path, 'store-marks')
    const release = hold(path)
    if (!release) throw inUse(path)
    this.#release = release
    this.uncleanStop = readNote(path) !== undefined
    try {
      for (const name of ownFiles) requireFile(join(path, name))
      removeLeftovers(path)
      this.finishRestore()
    } catch (cause) {
      release()
      throw cause instanceof Fault ? cause : unusable(path, cause)
    }
  }

  /** Whether there is a store, or a part of one. */
  get hasStore(): boolean {
    return readdirSync(this.path).some((name) => storeFiles.includes(name))
  }

  /**
   * The file under this name is a complete store that is to replace the existing one. From the moment it has the name
   * the restore will be done, now or, after a crash, at the next start.
   */
  restoredFile(at: Date): string {
    // Two within a second must not share the folder for what they replace.
    const isTaken = existsSync(join(this.path, `replaced-${stamp(at)}`))
    return isTaken
      ? this.restoredFile(new Date(at.getTime() + 1000))
      : join(this.path, `restored-${stamp(at)}.db`)
  }

  /**
   * Puts a restored store in its place and moves the old one aside. A journal left beside another store would ruin it.
   */
  finishRestore(): void {
    for (const name of readdirSync(this.path)) {
      const when = restoredName.exec(name)?.[1]
      if (when === undefined) continue
      requireFile(join(this.path, name))
      const aside = join(this.path, `replaced-${when}`)
      if (this.hasStore) requireFolder(aside)
      const present = readdirSync(this.path).filter((file) => storeFiles.includes(file))
      for (const file of present) renameSync(join(this.path, file), join(aside, file))
      if (present.length > 0) syncFolder(aside)
      syncFolder(this.path)
      renameSync(join(this.path, name), this.storeFile)
      syncFolder(this.path)
    }
  }

  announce(note: ServiceNote): void {
    // Readable by the service's own user only: who can read it can find the service.
    try {
      writePrivate(noteFile(this.path), `${JSON.stringify(note)}\n`)
    } catch (cause) {
      throw unusable(this.path, cause)
    }
    this.#announced = true
  }

  release(): void {
    // A note of an earlier service stays until a start has found the store in order: the next one checks again.
    if (this.#announced) rmSync(noteFile(this.path), { force: true })
    this.#release()
  }
}

const restoredName = /^restored-(\d{8}T\d{6}Z)\.db$/
const storeFiles = ['belfry.db', 'belfry.db-wal', 'belfry.db-shm']
/** Where they would be. */
export const storeFilesIn = (folder: string) => storeFiles.map((name) => join(folder, name))
const ownFiles = [...storeFiles, 'witness', 'store-marks', 'service.json', 'key']

/** A time as file names carry it: 20261115T053000Z. */
export const stamp = (at: Date) => at.toISOString().replace(/[-:]|\.\d+/g, '')

/** A new name in a folder is kept through a power cut only when the folder is flushed too. */
export function syncFolder(path: string): void {
  // Windows cannot flush a folder.
  if (process.platform === 'win32') return
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

/** Runs work that needs a folder for its files, which is removed with the work; after a kill, at the next start. */
export async function withWorkFolder<T>(
  data: string,
  purpose: 'import' | 'backup' | 'restore' | 'move',
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(data, `.${purpose}-`))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function removeLeftovers(path: string): void {
  const leftovers = readdirSync(path).filter((name) => /^\.(import|backup|restore|move)-\w{6}$/.test(name))
  for (const name of leftovers) rmSync(join(path, name), { recursive: true, force: true })
}

/** Whether somebody listens at a socket; one that was left behind by a process that was killed refuses. */
function isListening(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    const end = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
  })
}

function inUse(path: string): Fault {
  const holder = readNote(path)
  const who = typeof holder === 'object' ? ` by process ${holder.pid}, which serves ${holder.url}` : ''
  return new Fault('unavailable', `the data folder ${path} is in use${who}: one service at a time`)
}

const unusable = (path: string, cause: unknown) =>
  new Fault('unavailable', `the data folder ${path} cannot be used: ${(cause as Error).message}`, { cause })

const notALock = (path: string) =>
  new Fault(
    'unavailable',
    `${join(path, 'lock')} is not a lock of Belfry, but something else: if no service runs on the folder, remove it`,
  )

function hold(path: string): (() => void) | undefined {
  try {
    becomeOwner(path)
    makeFolder(path)
    const lock = join(path, 'lock')
    requireFile(lock)
    // SQLite would create it with the rights that files usually get.
    makePrivate(lock)
    return lockFile(lock)
  } catch (cause) {
    if (saysSqlite((cause as Error).cause, 'noStore')) throw notALock(path)
    throw unusable(path, cause)
  }
}
