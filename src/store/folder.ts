// The data folder: one service at a time holds it, and says in it where it can be reached.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Fault } from '../fault.ts'
import { lockFile } from './sqlite.ts'

export interface ServiceNote {
  readonly pid: number
  readonly url: string
  /** The local door: a socket's path. */
  readonly door?: string | undefined
}

const noteFile = (folder: string) => join(folder, 'service.json')

/** Where the service that holds the folder can be reached, as it said itself. */
export function readNote(folder: string): ServiceNote | undefined {
  try {
    return JSON.parse(readFileSync(noteFile(folder), 'utf8'))
  } catch {
    return undefined
  }
}

/** Whether a service holds the folder now; a note may be left over from one that was killed. */
export function isHeld(folder: string): boolean {
  const release = hold(folder)
  release?.()
  return release === undefined
}

export class DataFolder {
  readonly path: string
  readonly storeFile: string
  /** The last service did not stop in order: its note is still there. */
  readonly uncleanStop: boolean
  readonly #release: () => void
  #announced = false

  constructor(path: string) {
    this.path = path
    this.storeFile = join(path, 'belfry.db')
    const release = hold(path)
    if (!release) {
      const holder = readNote(path)
      const who = holder ? ` by process ${holder.pid}, which serves ${holder.url}` : ''
      throw new Fault('unavailable', `the data folder ${path} is in use${who}: one service at a time`)
    }
    this.#release = release
    this.uncleanStop = readNote(path) !== undefined
  }

  announce(note: ServiceNote): void {
    // Readable by the service's own user only: who can read it can find the service.
    writeFileSync(noteFile(this.path), `${JSON.stringify(note)}\n`, { mode: 0o600 })
    this.#announced = true
  }

  release(): void {
    // A note of an earlier service stays until a start has found the store in order: the next one checks again.
    if (this.#announced) rmSync(noteFile(this.path), { force: true })
    this.#release()
  }
}

function hold(path: string): (() => void) | undefined {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    return lockFile(join(path, 'lock'))
  } catch (cause) {
    throw new Fault('unavailable', `the data folder ${path} cannot be used: ${(cause as Error).message}`, {
      cause,
    })
  }
}
