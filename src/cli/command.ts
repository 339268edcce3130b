// The parts that all commands share: help, options, settings.

import type { Stats } from 'node:fs'
import { access, constants, stat } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { type Config, environmentName, readConfig } from '../config/config.ts'
import { didYouMean } from '../config/nearest.ts'
import { removedSettings } from '../config/removed-settings.ts'
import { settings } from '../config/settings.ts'
import { Fault, shown } from '../fault.ts'

export interface Command {
  readonly name: string
  readonly summary: string
  readonly usage: string
  readonly text: string
  /** Its own options, beside the settings, which every command takes: it may have to start a service. */
  readonly options?: Readonly<Record<string, Option>>
  /** The settings that its help lists, which are the ones to know. */
  readonly listed?: readonly string[]
  /** Whether words may follow that are no options. */
  readonly takesFiles?: true
  /** The possible values of the first word, if they can be listed. */
  readonly verbs?: readonly string[]
  /** Whether it runs the service, whose log and alarms then tell of ignored settings. */
  readonly runsService?: true
  /** Defaults for environment variables. */
  readonly defaults?: NodeJS.ProcessEnv
  /** Returns the exit code. */
  run(parsed: ParsedArguments, environment: NodeJS.ProcessEnv): Promise<number>
}

export interface Option {
  readonly form?: string
  readonly help: string
  /** The values that it takes, where they can be listed. */
  readonly words?: readonly string[]
  /** May be repeated; the values are then put together with commas. */
  readonly several?: boolean
}

/** The arguments of a command. */
interface ParsedArguments {
  readonly files: readonly string[]
  readonly options: Readonly<Record<string, string>>
  readonly config: Config
}

/** What is to be done, of a table by its words. */
export function verbOf<T>(verbs: Readonly<Record<string, T>>, word: string | undefined, command: string): T {
  const known = Object.keys(verbs)
  const expected = `expected ${known.join(', ')}. Try belfry ${command} --help`
  if (word === undefined) throw new Fault('invalid', `say what is to be done: ${expected}`)
  const found = Object.hasOwn(verbs, word) ? verbs[word] : undefined
  if (found) return found
  throw new Fault('invalid', `${shown(word)} is not known: ${didYouMean(word, known, expected)}`)
}

/** Runs it, or prints how it is used; returns the exit code. */
export async function runCommand(
  command: Command,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  const parsed = parse(command, args, environment)
  if (!parsed) {
    console.log(helpText(command))
    return 0
  }
  if (!command.runsService) for (const { text } of parsed.config.ignored) console.error(`belfry: ${text}`)
  return command.run(parsed, environment)
}

/** Undefined where help is asked for, which is also shown where settings are wrong. */
function parse(
  { options: own = {}, takesFiles, defaults }: Command,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): ParsedArguments | undefined {
  const names = [...Object.keys(own), ...Object.keys(settings), 'config']
  // An option without a name for its value has none: it is present or not.
  const typeOf = (name: string) =>
    ({
      type: own[name] && !own[name].form ? 'boolean' : 'string',
      multiple: own[name]?.several ?? false,
    }) as const
  let parsed: ReturnType<typeof parseArgs>
  try {
    parsed = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        ...Object.fromEntries(
          [...names, ...Object.keys(removedSettings)].map((name) => [name, typeOf(name)]),
        ),
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (cause) {
    throw new Fault('invalid', parseMessage(cause as Error, names), { cause })
  }
  const { help = false, ...values } = parsed.values
  const [unexpected] = takesFiles ? [] : parsed.positionals
  if (unexpected !== undefined) {
    throw new Fault('invalid', `${shown(unexpected)} is not expected here. Try --help`)
  }
  if (help) return undefined
  const entries = Object.entries(values).map(([name, value]): [string, string] => [name, String(value)])
  const isOwn = ([name]: [string, string]) => Object.hasOwn(own, name)
  const flags = Object.fromEntries(entries.filter((entry) => !isOwn(entry)))
  return {
    files: parsed.positionals,
    options: Object.fromEntries(entries.filter(isOwn)),
    config: readConfig(flags, { ...defaults, ...environment }),
  }
}

/** Node's own sentence, without its advice; where it does not help, a plainer one. */
function parseMessage({ message }: Error, names: readonly string[]): string {
  const [option = ''] = /--?[\w-]+/.exec(message) ?? []
  if (message.startsWith('Unknown option')) {
    return `${option} is not an option: ${didYouMean(option.replace(/^-+/, ''), names, 'try --help', '--')}`
  }
  if (!message.includes('argument is ambiguous')) return `${message.split('. To specify')[0]}. Try --help`
  return `${option} has no value; one that begins with a dash is written behind an equals sign, as in ${option}=-1. Try --help`
}

export const allSettings = Object.keys(settings)

function helpText({ usage, text, options: own = {}, listed = ['data'], defaults = {} }: Command): string {
  const rows: [string, string][] = Object.entries(own).map(([name, { form, help }]) => [
    form ? `--${name} ${form}` : `--${name}`,
    help,
  ])
  const settingRows = Object.entries(settings)
    .filter(([name]) => listed.includes(name))
    .map(([name, { form, byDefault, help }]): [string, string] => {
      const variable = environmentName(name)
      const absent = defaults[variable] ?? byDefault
      return [`--${name} ${form}`, `${help} ${absent === '' ? '' : `Default ${absent}. `}[${variable}]`]
    })
  const table = (lines: [string, string][]) =>
    lines.map(([left, right]) => `  ${left}\n      ${right}`).join('\n')
  const options = rows.length > 0 ? `Options:\n${table(rows)}\n\n` : ''
  const order = 'a flag weighs more than its environment variable, and that more than the file'
  const remark = listed === allSettings ? order : 'all others of belfry serve are taken, too'
  return `Usage: ${usage}

${text}

${options}Settings (${remark}):
${table(settingRows)}
  --config FILE
      A JSON file of settings, such as {"listen": "127.0.0.1:9000"}. [BELFRY_CONFIG]
  --help
      This text.`
}

// Formats a count with its noun: "1 row", "2 rows".

/** `1 zone`, `12 zones`, `3 addresses`, `2 categories`. */
export function countedNoun(number: string | number, noun: string): string {
  if (Number(number) === 1) return `${number} ${noun}`
  return `${number} ${noun.replace(/(?<![aeiou])y$/, 'ie').replace(/s$/, 'se')}s`
}

// Shows the progress of long work as a bar on a terminal.

/** A bar on a terminal; silent where standard error is not one. */
export class ProgressBar {
  readonly #label: string
  readonly #out = process.stderr
  #lastShown = 0

  constructor(label: string) {
    this.#label = label
  }

  show(done: number, whole: number, note: string): void {
    const now = Date.now()
    if (!this.#out.isTTY || now - this.#lastShown < 100) return
    this.#lastShown = now
    const share = whole === 0 ? 1 : Math.min(1, done / whole)
    const width = 30
    const filled = Math.round(share * width)
    const bar = '#'.repeat(filled) + '-'.repeat(width - filled)
    this.#out.write(`\r\u001b[K${this.#label} [${bar}] ${Math.round(share * 100)}% ${note}`)
  }

  clear(): void {
    if (this.#out.isTTY) this.#out.write('\r\u001b[K')
  }
}

// Checks that a file named on the command line can be read, before any work begins.

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
