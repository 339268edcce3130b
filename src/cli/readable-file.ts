// Checks that a file named on the command line can be read, before any work begins.

import type { Stats } from 'node:fs'
import { access, constants, stat } from 'node:fs/promises'
import { Fault } from '../fault.ts'

export async function statReadable(path: string): Promise<Stats> {
  try {
    const found = await stat(path)
    await access(path, constants.R_OK)
    return found
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    const reason = code === 'EACCES' ? 'permission denied' : message
    throw new Fault('invalid', `${path} cannot be read: ${reason}`, { cause })
  }
}
