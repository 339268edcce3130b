// Files in the data folder belong to the service. A symbolic link there could make the service write where somebody
// else wants: nothing is opened or created through one.

import {
  chmodSync,
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { Fault } from '../fault.ts'

const statOf = (path: string) => lstatSync(path, { throwIfNoEntry: false })

/** Refuses what exists and is no file of its own. Returns its size; undefined where there is nothing. */
export function requireFile(path: string): number | undefined {
  const found = statOf(path)
  if (found === undefined || found.isFile()) return found?.size
  const what = found.isSymbolicLink() ? 'a link, which is not followed' : 'not a file'
  throw new Fault('unavailable', `${path} is ${what}`)
}

/** Makes a folder for its owner alone; an existing one must be a folder, and no link to one. */
export function requireFolder(path: string): void {
  makeFolder(path)
  if (statOf(path)?.isDirectory()) return
  throw new Fault('unavailable', `${path} is not a folder of its own`)
}

/** The text of a file; undefined where there is none. Reading a pipe that nobody writes to would never end. */
export function readPrivate(path: string): string | undefined {
  requireFile(path)
  let file: number
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
  try {
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}

/** Replaces a file, as a whole or not at all. */
export function writePrivate(path: string, text: string): void {
  const part = `${path}.part`
  rmSync(part, { force: true })
  const file = openSync(part, 'wx', 0o600)
  try {
    writeSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(part, path)
}

/** Makes an empty file that its owner alone may open; of an existing one the rights of others are taken away. */
export function makePrivate(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    // Not opened: to close it would give up a lock that this process holds on it.
    const { mode = 0, uid } = statOf(path) ?? {}
    if ((mode & 0o077) !== 0 && uid === process.geteuid?.()) chmodSync(path, 0o600)
  }
}

/** Level by level: Node's own recursive form never ends where a level cannot be made though the one above exists. */
export function makeFolder(path: string): void {
  if (tryToMake(path)) return
  makeFolder(dirname(path))
  if (!tryToMake(path)) mkdirSync(path, { mode: 0o700 })
}

/** False where the folder above is missing. */
function tryToMake(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 })
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return true
    if (codeOf(error) === 'ENOENT' && dirname(path) !== path) return false
    throw error
  }
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code
