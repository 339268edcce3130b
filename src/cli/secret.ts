// Reads passwords: from a file, from standard input, or typed without being shown.

import { readFileSync } from 'node:fs'
import { Fault } from '../fault.ts'

const firstLine = (text: string) => text.split(/\r?\n/, 1)[0] ?? ''

/** The first line of a file that an option names; undefined where it names none. */
export function secretFrom(option: string, file: string | undefined): string | undefined {
  return file === undefined ? undefined : firstLine(readSecrets(option, file))
}

function readSecrets(option: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new Fault('invalid', `--${option}: ${file} cannot be read: ${(cause as Error).message}`, { cause })
  }
}

/** Secrets of a file, one a line; empty lines are skipped. */
export function secretsFrom(option: string, file: string, limit: number): readonly string[] {
  const secrets = readSecrets(option, file)
    .split(/\r?\n/)
    .filter((line) => line !== '')
  if (secrets.length > 0 && secrets.length <= limit) return secrets
  throw new Fault('invalid', `--${option}: expected 1 to ${limit} lines with a secret each in ${file}`)
}

/** A secret that the command needs once: typed on a terminal, or the first line of standard input. */
export const askedSecret = async (name: string) =>
  process.stdin.isTTY ? await typed(`${name}: `) : await pipedSecret()

/** A new password: typed twice on a terminal, or the first line of what is sent to standard input. */
export async function newPassword(file: string | undefined): Promise<string> {
  const fromFile = secretFrom('password-file', file)
  if (fromFile !== undefined) return fromFile
  if (!process.stdin.isTTY) {
    const line = await pipedSecret()
    if (line !== '') return line
    throw new Fault('invalid', 'there is no password on standard input: send one, or use --password-file')
  }
  const first = await typed('Password: ')
  if ((await typed('Again: ')) === first) return first
  throw new Fault('invalid', 'the two passwords differ')
}

/** Empty if there is none. */
async function pipedSecret(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk)
  return firstLine(Buffer.concat(chunks).toString('utf8'))
}

const [enter, lineFeed, interrupt, endOfInput, back, rubout] = [
  '\r',
  '\n',
  '\u0003',
  '\u0004',
  '\b',
  '\u007f',
]

/** Reads a line from the terminal without echo. */
function typed(question: string): Promise<string> {
  const { stdin, stderr } = process
  // Before the question, so that nothing typed early is shown either.
  stdin.setRawMode(true)
  stdin.setEncoding('utf8')
  stderr.write(question)
  return new Promise((resolve, reject) => {
    let line: string[] = []
    const end = (act: () => void) => {
      stdin.off('data', take)
      stdin.setRawMode(false)
      stdin.pause()
      stderr.write('\n')
      act()
    }
    const take = (text: string) => {
      for (const char of text) {
        if (char === enter || char === lineFeed) return end(() => resolve(line.join('')))
        if (char === interrupt || char === endOfInput) {
          return end(() => reject(new Fault('unavailable', 'given up: nothing was changed')))
        }
        if (char === back || char === rubout) line = line.slice(0, -1)
        else line.push(char)
      }
    }
    stdin.on('data', take)
    stdin.resume()
  })
}
