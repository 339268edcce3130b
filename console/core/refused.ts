// A refusal, in the form that every part of the console uses.

/** The service refused, or could not be reached. The message is for people. */
export class Refused extends Error {
  /** 0 where the service could not be reached at all. */
  readonly status: number
  readonly code: string
  /** The parameter or element at fault. */
  readonly field: string

  constructor(status: number, code: string, message: string, field = '') {
    super(message)
    this.status = status
    this.code = code
    this.field = field
  }
}

/** Without a session the form to sign in is shown, and says so. */
export const isSignedOut = (error: unknown) => error instanceof Refused && error.status === 401
