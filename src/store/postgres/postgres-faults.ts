// Errors of PostgreSQL and of the connection to it, as faults of the service.

import { Fault } from '../../fault.ts'

const uniqueViolation = '23505'
const insufficientPrivilege = '42501'
/** Set by an administrator, or by a managed service whose disk is nearly full; and on every standby. */
const readOnly = '25006'
/** A statement of a transaction in which one before it has failed. */
const refusedAfterFailure = '25P02'
/** Classes of SQLSTATE that the content of a statement can cause: a limit of PostgreSQL, an error inside it. */
const perhapsContent = /^(54|XX)/
/** Classes of SQLSTATE: connection, resources, intervention by an operator, system error. */
const outOfReach = /^(08|53|57|58)/
/** Also where a session was ended because it was idle inside a transaction. */
const lostCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  '25P03',
])
const lostMessages = [
  'Connection terminated',
  'Client has encountered a connection error',
  'Client was closed',
]
/** Prepared statements that are there already, or are not: somebody else uses the session between our transactions. */
const notOurSession = new Set(['42P05', '26000'])
/** A serialisation failure, a deadlock, a lock that was not available in time: a retry may succeed. */
const badMoments = new Set(['40001', '40P01', '55P03'])

export const codeOf = (error: unknown): string => (error as { code?: string } | undefined)?.code ?? ''

const sqlStateOf = (error: unknown) => codeOf(error instanceof Fault ? error.cause : error)

/** Whether the same work may succeed later. */
export const isBadMoment = (error: unknown) => badMoments.has(sqlStateOf(error))

/** Whether it says only that something failed before it. */
export const isAftermath = (error: unknown) => sqlStateOf(error) === refusedAfterFailure

/** Whether what was to be written may be the reason, so that it would fail each time. */
export const mayLieInContent = (error: unknown) => perhapsContent.test(sqlStateOf(error))

/** Whether the store fails, for others too: neither a bad moment, nor something that one caller can cause. */
export const isTrouble = (error: unknown): error is Fault =>
  error instanceof Fault && error.code === 'unavailable' && !isBadMoment(error) && !mayLieInContent(error)

export function translate(error: unknown): unknown {
  if (error instanceof Fault) return error
  const { message } = error as Error
  const code = codeOf(error)
  if (code === uniqueViolation) return new Fault('conflict', 'it exists already', { cause: error })
  if (code === insufficientPrivilege)
    return new Fault('unavailable', `PostgreSQL does not allow it: ${message}`, { cause: error })
  if (code === readOnly)
    return new Fault('unavailable', `PostgreSQL is read-only: ${message}`, { cause: error })
  if (notOurSession.has(code)) return new Fault('unavailable', `${pooled}: ${message}`, { cause: error })
  if (perhapsContent.test(code))
    return new Fault('unavailable', `PostgreSQL failed: ${message}`, { cause: error })
  if (badMoments.has(code)) {
    const text = `others were writing at the same time, and did not come to an end: ${message}`
    return new Fault('unavailable', text, { cause: error })
  }
  const isLost =
    outOfReach.test(code) || lostCodes.has(code) || lostMessages.some((start) => message.startsWith(start))
  return isLost ? new Fault('unavailable', `PostgreSQL does not answer: ${message}`, { cause: error }) : error
}

const pooled =
  'something between this service and PostgreSQL, such as a pooler, assigns a session per transaction: connect to the server itself, or let it keep sessions (pool_mode = session)'

/** The same where a connection is opened: a wrong password, a missing database, a certificate that is not accepted. */
export function translateRefusal(error: unknown): unknown {
  const known = translate(error)
  if (known instanceof Fault) return known
  const { message } = error as Error
  // The driver's message where a server asks for a password and there is none.
  const why = message.endsWith('client password must be a string') ? noPassword : message
  return new Fault('unavailable', `PostgreSQL refuses the connection: ${why}`, { cause: error })
}

const noPassword =
  'it asks for a password, and neither store-password-file nor PGPASSWORD nor PGPASSFILE gives one'
