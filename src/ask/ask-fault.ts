// Why a device could not be asked. The reason is for programs, the sentence for people; neither contains a secret.

import { isIPv6 } from 'node:net'
import { Fault } from '../fault.ts'

export interface DeviceAddress {
  /** An IP address in its canonical form. */
  readonly address: string
  readonly port: number
}

export const addressText = ({ address, port }: DeviceAddress) =>
  isIPv6(address) ? `[${address}]:${port}` : `${address}:${port}`

/**
 * - `silent`: no answer, which is also what a wrong community causes where the agent does not speak version 3;
 * - `closed`: the machine says that nothing listens on the port;
 * - `credentials`: the agent refuses user, password or security level, or is there and ignores the community;
 * - `clock`: the agent's time window cannot be met;
 * - `error`: the agent answers with an error;
 * - `limit`: an answer exceeds a limit, or a walk makes no progress;
 * - `unsent`: this machine cannot send the question.
 */
export type AskReason = 'silent' | 'closed' | 'credentials' | 'clock' | 'error' | 'limit' | 'unsent'

export class AskFault extends Fault {
  readonly reason: AskReason

  constructor(reason: AskReason, message: string, cause?: unknown) {
    super('unavailable', message, cause === undefined ? {} : { cause })
    this.reason = reason
  }
}

/** RFC 3416 section 3; the first five are those of version 1. */
export const ErrorStatus = { tooBig: 1, noSuchName: 2 } as const

const errorNames = [
  'noError',
  'tooBig',
  'noSuchName',
  'badValue',
  'readOnly',
  'genErr',
  'noAccess',
  'wrongType',
  'wrongLength',
  'wrongEncoding',
  'wrongValue',
  'noCreation',
  'inconsistentValue',
  'resourceUnavailable',
  'commitFailed',
  'undoFailed',
  'authorizationError',
  'notWritable',
  'inconsistentName',
]

export const errorName = (status: number) => errorNames[status] ?? `error ${status}`
