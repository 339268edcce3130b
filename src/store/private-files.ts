// Reads and writes files of the data folder. A symbolic link there could redirect the service to another file, so links
// are never followed.

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

/** Refuses anything but a regular file. Returns its size; undefined if there is nothing. */
export function requireFile(path: string): number | undefined {
  const found = statOf(path)
  if (found === undefined || found.isFile()) return found?.size
  const what = found.isSymbolicLink() ? 'a link, which is not followed' : 'not a file'
  throw new Fault('unavailable', `${path} is ${what}`)
}

/** Creates a folder accessible to its owner only; an existing one must not be a link. */
export function requireFolder(path: string): void {
  makeFolder(path)
  if (statOf(path)?.isDirectory()) return
  throw new Fault('unavailable', `${path} is not a folder of its own`)
}

/** The text of a file; undefined if it does not exist. Pipes are refused: reading one could block forever. */
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

/** Replaces a file atomically. */
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

/** Creates an empty file that only its owner may open; removes the permissions of others from an existing one. */
export function makePrivate(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    // Do not open it: closing it would release a lock that this process holds on it.
    const { mode = 0, uid } = statOf(path) ?? {}
    if ((mode & 0o077) !== 0 && uid === process.geteuid?.()) chmodSync(path, 0o600)
  }
}

/** Level by level: Node's recursive mkdir never ends if a level cannot be created although its parent exists. */
export function makeFolder(path: string): void {
  if (tryToMake(path)) return
  makeFolder(dirname(path))
  if (!tryToMake(path)) mkdirSync(path, { mode: 0o700 })
}

/** False if the parent folder is missing. */
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
