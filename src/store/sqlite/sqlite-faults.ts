// Translates errors of SQLite to faults.

import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'
import { Fault } from '../../fault.ts'

interface SqliteError extends Error {
  readonly errcode: number
}

/** Primary result codes: the lowest byte of the extended ones. */
const codes = {
  busy: 5,
  locked: 6,
  readOnly: 8,
  diskFailed: 10,
  damaged: 11,
  full: 13,
  cannotOpen: 14,
  noStore: 26,
} as const
/** Extended codes of a primary key and of a unique index. */
const uniqueViolations = [1555, 2067]

const isSqliteError = (error: unknown): error is SqliteError =>
  error instanceof Error && typeof (error as Partial<SqliteError>).errcode === 'number'

/** Extended code: no space for the index of the journal (belfry.db-shm), which SQLite reports as a disk failure. */
const noRoomForIndex = 4874

const codeOf = ({ errcode }: SqliteError) => (errcode === noRoomForIndex ? codes.full : errcode & 0xff)

/** Extended codes of failures that change nothing: failed read, short read, failed fstat. */
const readFailures = [266, 522, 1802]

/** The store could not be read, or is damaged; nothing was changed. */
export function isUnreadable(error: unknown): boolean {
  if (!isSqliteError(error)) return false
  const code = codeOf(error)
  return readFailures.includes(error.errcode) || code === codes.damaged || code === codes.noStore
}

/** Extended code: fsync failed. Data written before may be lost, and a second fsync would not report it. */
const flushFailed = 1034

export const isFlushFailure = (error: unknown) => isSqliteError(error) && error.errcode === flushFailed

export const isSqliteCode = (error: unknown, ...any: readonly (keyof typeof codes)[]) =>
  isSqliteError(error) && any.some((code) => codeOf(error) === codes[code])

const noDescriptors = 'no file descriptors are left: raise the limit of open files (ulimit -n)'

export const isOutOfDescriptors = (error: unknown) =>
  error instanceof Fault && error.message === noDescriptors

/** Recognises a thread that could not be started for lack of file descriptors. Passes on other errors. */
export function translateThreadError(error: unknown): unknown {
  if (!/\bE[MN]FILE\b|too many open files/.test(String((error as Error).message))) return error
  return new Fault('unavailable', noDescriptors, { cause: error })
}

/** SQLite does not report why it could not open a file: test whether any can be opened. */
function hasDescriptors(): boolean {
  try {
    closeSync(openSync(devNull, 'r'))
    return true
  } catch (error) {
    return !['EMFILE', 'ENFILE'].includes((error as NodeJS.ErrnoException).code ?? '')
  }
}

/** Passes on errors that are not SQLite's. */
export function translate(error: unknown): unknown {
  if (!isSqliteError(error)) return error
  const cause = { cause: error }
  if (uniqueViolations.includes(error.errcode)) return new Fault('conflict', 'it exists already', cause)
  switch (codeOf(error)) {
    case codes.busy:
    case codes.locked:
      return new Fault('unavailable', 'the store is busy', cause)
    case codes.readOnly:
    case codes.cannotOpen:
      if (!hasDescriptors()) return new Fault('unavailable', noDescriptors, cause)
      return new Fault(
        'unavailable',
        'the store cannot be opened: look at the folder and its permissions',
        cause,
      )
    case codes.diskFailed:
      return new Fault('unavailable', `the disk failed: ${error.message}`, cause)
    case codes.damaged:
    case codes.noStore:
      return new Fault('unavailable', `the store is damaged: ${error.message}. Restore a backup`, cause)
    case codes.full:
      return new Fault('unavailable', 'the disk is full: nothing was saved', cause)
    default:
      return error
  }
}
