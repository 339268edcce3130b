// The parts that all commands share: help, options, settings.

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
  /** What the first of these words can be, where that can be listed. */
  readonly verbs?: readonly string[]
  /** Whether it runs the service, whose log and alarms then tell of ignored settings. */
  readonly runsService?: true
  /** Defaults for environment variables. */
  readonly usual?: NodeJS.ProcessEnv
  /** Returns the exit code. */
  run(given: Given, environment: NodeJS.ProcessEnv): Promise<number>
}

export interface Option {
  readonly form?: string
  readonly help: string
  /** The values that it takes, where they can be listed. */
  readonly words?: readonly string[]
  /** May be repeated; the values are then put together with commas. */
  readonly several?: boolean
}

/** What a command was given. */
export interface Given {
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
  const given = parse(command, args, environment)
  if (!given) {
    console.log(helpText(command))
    return 0
  }
  if (!command.runsService) for (const { text } of given.config.ignored) console.error(`belfry: ${text}`)
  return command.run(given, environment)
}

/** Undefined where help is asked for, which is also shown where settings are wrong. */
function parse(
  { options: own = {}, takesFiles, usual }: Command,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Given | undefined {
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
  const given = Object.entries(values).map(([name, value]): [string, string] => [name, String(value)])
  const isOwn = ([name]: [string, string]) => Object.hasOwn(own, name)
  const flags = Object.fromEntries(given.filter((entry) => !isOwn(entry)))
  return {
    files: parsed.positionals,
    options: Object.fromEntries(given.filter(isOwn)),
    config: readConfig(flags, { ...usual, ...environment }),
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

function helpText({ usage, text, options: own = {}, listed = ['data'], usual = {} }: Command): string {
  const rows: [string, string][] = Object.entries(own).map(([name, { form, help }]) => [
    form ? `--${name} ${form}` : `--${name}`,
    help,
  ])
  const settingRows = Object.entries(settings)
    .filter(([name]) => listed.includes(name))
    .map(([name, { form, byDefault, help }]): [string, string] => {
      const variable = environmentName(name)
      const absent = usual[variable] ?? byDefault
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
