// The data folder: locked by one service at a time, which leaves a note in it with the address where it can be reached.

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
import { isSqliteCode } from './sqlite/sqlite-faults.ts'

interface ServiceNote {
  readonly pid: number
  readonly url: string
  /** The path of the admin socket. Programs of earlier versions know it by this name. */
  readonly door?: string | undefined
}

const noteFile = (folder: string) => join(folder, 'service.json')

/** The note of the service that uses the folder; `unreadable` if it cannot be read. */
export function readNote(folder: string): ServiceNote | 'unreadable' | undefined {
  // Do not create a missing folder.
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

/** Whether the folder contains a store, or a restore that is to be finished. */
export const hasStoreFile = (folder: string): boolean =>
  existsSync(folder) &&
  readdirSync(folder).some((name) => storeFiles.includes(name) || restoredName.test(name))

/** Whether a service uses the folder now; a note may be left over from one that was killed. */
export function isLocked(folder: string): boolean {
  const release = acquireLock(folder)
  release?.()
  return release === undefined
}

/** The admin socket that a note names, if it is inside the folder: a note with another one was copied here. */
export const ownAdminSocket = (folder: string, { door }: ServiceNote): string | undefined =>
  door?.startsWith(join(resolve(folder), sep)) ? door : undefined

export class DataFolder {
  readonly path: string
  readonly storeFile: string
  /** Not replaced with the store. */
  readonly highWaterMarkFile: string
  /** The last known timeline of a store in PostgreSQL. */
  readonly timelineFile: string
  /** The high-water marks of stores in PostgreSQL. */
  readonly markFile: string
  /** The last service did not stop cleanly: its note is still there. */
  readonly uncleanStop: boolean
  readonly #release: () => void
  #announced = false

  /** First checks whether a service answers: the lock file may have been removed while it runs. */
  static async open(path: string): Promise<DataFolder> {
    becomeOwner(path)
    // At its fixed path: the note may have been removed as well.
    if (await isListening(join(resolve(path), 'door', 'socket'))) throw inUse(path)
    return new DataFolder(path)
  }

  private constructor(path: string) {
    this.path = path
    this.storeFile = join(path, 'belfry.db')
    this.highWaterMarkFile = join(path, 'witness')
    this.timelineFile = join(path, 'store-timeline')
    this.markFile = join(path, 'store-marks')
    const release = acquireLock(path)
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

  /** Whether the folder contains a store, or part of one. */
  get hasStore(): boolean {
    return readdirSync(this.path).some((name) => storeFiles.includes(name))
  }

  /**
   * The name for a complete store that is to replace the existing one. Once a file has this name, the restore will be
   * done: now or, after a crash, at the next start.
   */
  restoredFile(at: Date): string {
    // Two restores within a second must not share the folder for the replaced store.
    const isTaken = existsSync(join(this.path, `replaced-${timestamp(at)}`))
    return isTaken
      ? this.restoredFile(new Date(at.getTime() + 1000))
      : join(this.path, `restored-${timestamp(at)}.db`)
  }

  /**
   * Moves a restored store into place and the old one to another folder, with its journal, which would corrupt the new
   * one.
   */
  finishRestore(): void {
    for (const name of readdirSync(this.path)) {
      const when = restoredName.exec(name)?.[1]
      if (when === undefined) continue
      requireFile(join(this.path, name))
      const oldFolder = join(this.path, `replaced-${when}`)
      if (this.hasStore) requireFolder(oldFolder)
      const present = readdirSync(this.path).filter((file) => storeFiles.includes(file))
      for (const file of present) renameSync(join(this.path, file), join(oldFolder, file))
      if (present.length > 0) syncFolder(oldFolder)
      syncFolder(this.path)
      renameSync(join(this.path, name), this.storeFile)
      syncFolder(this.path)
    }
  }

  announce(note: ServiceNote): void {
    // Readable by the service's user only.
    try {
      writePrivate(noteFile(this.path), `${JSON.stringify(note)}\n`)
    } catch (cause) {
      throw unusable(this.path, cause)
    }
    this.#announced = true
  }

  release(): void {
    // The note of an earlier service stays until a start has found the store intact.
    if (this.#announced) rmSync(noteFile(this.path), { force: true })
    this.#release()
  }
}

const restoredName = /^restored-(\d{8}T\d{6}Z)\.db$/
const storeFiles = ['belfry.db', 'belfry.db-wal', 'belfry.db-shm']
/** Their paths, whether or not they exist. */
export const storeFilesIn = (folder: string) => storeFiles.map((name) => join(folder, name))
const ownFiles = [...storeFiles, 'witness', 'store-marks', 'service.json', 'key']

/** A time in file names: 20261115T053000Z. */
export const timestamp = (at: Date) => at.toISOString().replace(/[-:]|\.\d+/g, '')

/** A new name survives a power cut only if its folder is flushed too. */
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

/** Runs work with a temporary folder, which is removed afterwards or, if the process was killed, at the next start. */
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

/** Whether a process listens at a socket; one left over from a killed process refuses. */
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

function acquireLock(path: string): (() => void) | undefined {
  try {
    becomeOwner(path)
    makeFolder(path)
    const lock = join(path, 'lock')
    requireFile(lock)
    // SQLite would create it with default permissions.
    makePrivate(lock)
    return lockFile(lock)
  } catch (cause) {
    if (isSqliteCode((cause as Error).cause, 'noStore')) throw notALock(path)
    throw unusable(path, cause)
  }
}
