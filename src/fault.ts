// Every failure that a caller can cause, or must be informed of, is a Fault. Anything else that is thrown is a bug.

export type FaultCode =
  | 'invalid'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'method-not-allowed'
  | 'not-acceptable'
  | 'conflict'
  | 'gone'
  | 'too-large'
  | 'unsupported-media-type'
  | 'too-many-requests'
  | 'internal'
  | 'unavailable'

interface FaultDetail {
  /** The query parameter, or the path of the element (`ifInfo[1]/deviceId`), that is at fault. */
  readonly field?: string
  readonly cause?: unknown
}

export class Fault extends Error {
  readonly code: FaultCode
  readonly field: string | undefined

  constructor(code: FaultCode, message: string, detail: FaultDetail = {}) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause })
    this.name = 'Fault'
    this.code = code
    this.field = detail.field
  }

  /** The same fault seen from further out: `deviceId` becomes `ifInfo[1]/deviceId`. */
  inside(place: string): Fault {
    const field = this.field === undefined ? place : `${place}/${this.field}`
    return new Fault(this.code, this.message, { field, cause: this.cause })
  }
}

/** What was received, short enough for a message and a log line. */
export function shown(value: string, limit = 60): string {
  const flat = value.slice(0, limit * 4).replace(/\s+/g, ' ')
  return flat.length > limit || value.length > limit * 4
    ? `"${flat.slice(0, limit)}…" (${value.length} characters)`
    : `"${flat}"`
}
