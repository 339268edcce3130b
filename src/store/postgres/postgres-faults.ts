// Translates errors of PostgreSQL, and of connections to it, to faults.

import { Fault } from '../../fault.ts'

const uniqueViolation = '23505'
const insufficientPrivilege = '42501'
/** Set by an administrator, or by a managed service whose disk is nearly full; and on every standby. */
const readOnly = '25006'
/** A statement in a transaction in which an earlier one has failed. */
const refusedAfterFailure = '25P02'
/** Classes of SQLSTATE that the content of a statement can cause: limits and internal errors. */
const contentClasses = /^(54|XX)/
/** Classes of SQLSTATE: connection, resources, intervention by an operator, system error. */
const unreachableClasses = /^(08|53|57|58)/
/** Also a session that was ended because it was idle inside a transaction. */
const lostCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  '25P03',
])
/** What the driver says of a statement on a connection that was lost before. */
const lostBefore = 'Client has encountered a connection error'
const lostMessages = ['Connection terminated', lostBefore, 'Client was closed']
/** A prepared statement unexpectedly exists or is missing: a pooler shares the session with others. */
const sharedSessionCodes = new Set(['42P05', '26000'])
/** Serialisation failure, deadlock, lock timeout: a retry may succeed. */
const transientCodes = new Set(['40001', '40P01', '55P03'])

export const codeOf = (error: unknown): string => (error as { code?: string } | undefined)?.code ?? ''

const sqlStateOf = (error: unknown) => codeOf(error instanceof Fault ? error.cause : error)

/** Whether the same work may succeed later. */
export const isTransient = (error: unknown) => transientCodes.has(sqlStateOf(error))

/** Whether it only reports that an earlier statement failed. */
export const isFollowUpError = (error: unknown) => sqlStateOf(error) === refusedAfterFailure

/** Whether the written data may be the cause, so that a retry would fail too. */
export const mayBeCausedByContent = (error: unknown) => contentClasses.test(sqlStateOf(error))

/** Whether the store itself fails: neither a transient error nor one that a caller can cause. */
export const isStoreFailure = (error: unknown): error is Fault =>
  error instanceof Fault &&
  error.code === 'unavailable' &&
  !isTransient(error) &&
  !mayBeCausedByContent(error)

export function translate(error: unknown): unknown {
  if (error instanceof Fault) return error
  const { message } = error as Error
  const code = codeOf(error)
  if (code === uniqueViolation) return new Fault('conflict', 'it exists already', { cause: error })
  if (code === insufficientPrivilege)
    return new Fault('unavailable', `PostgreSQL does not allow it: ${message}`, { cause: error })
  if (code === readOnly)
    return new Fault('unavailable', `PostgreSQL is read-only: ${message}`, { cause: error })
  if (sharedSessionCodes.has(code)) return new Fault('unavailable', `${pooled}: ${message}`, { cause: error })
  if (contentClasses.test(code))
    return new Fault('unavailable', `PostgreSQL failed: ${message}`, { cause: error })
  if (transientCodes.has(code)) {
    const text = `others were writing at the same time, and did not come to an end: ${message}`
    return new Fault('unavailable', text, { cause: error })
  }
  const isLost =
    unreachableClasses.test(code) ||
    lostCodes.has(code) ||
    lostMessages.some((start) => message.startsWith(start))
  if (!isLost) return error
  const why = message.startsWith(lostBefore) ? 'the connection was lost' : message
  return new Fault('unavailable', `PostgreSQL does not answer: ${why}`, { cause: error })
}

const pooled =
  'something between this service and PostgreSQL, such as a pooler, assigns a session per transaction: connect to the server itself, or let it keep sessions (pool_mode = session)'

/** The same for errors on connecting: a wrong password, a missing database, an untrusted certificate. */
export function translateRefusal(error: unknown): unknown {
  const known = translate(error)
  if (known instanceof Fault) return known
  const { message } = error as Error
  // The driver's message if the server asks for a password and none is set.
  const why = message.endsWith('client password must be a string') ? noPassword : message
  return new Fault('unavailable', `PostgreSQL refuses the connection: ${why}`, { cause: error })
}

const noPassword =
  'it asks for a password, and neither store-password-file nor PGPASSWORD nor PGPASSFILE gives one'
