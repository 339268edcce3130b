// What every command has in common: its help, its options, its settings.

import { parseArgs } from 'node:util'
import { type Config, environmentName, readConfig, settings } from '../config.ts'
import { Fault, shown } from '../fault.ts'

export interface Command {
  readonly name: string
  readonly summary: string
  /** Answers the exit code. */
  run(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number>
}

export interface Option {
  readonly form?: string
  readonly help: string
  /** May be repeated; the values are then put together with commas. */
  readonly several?: boolean
}

interface Parsed {
  readonly help: boolean
  readonly files: string[]
  readonly options: Readonly<Record<string, string>>
  readonly config: Config
}

/** Options of the command itself beside the settings, which every command takes. */
export function parse(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  own: Readonly<Record<string, Option>> = {},
  takes: 'files' | 'nothing else' = 'nothing else',
): Parsed {
  const names = [...Object.keys(own), ...Object.keys(settings), 'config']
  // An option without a word for its value has none: it is there or not.
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
        ...Object.fromEntries(names.map((name) => [name, typeOf(name)])),
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (cause) {
    throw new Fault('invalid', `${(cause as Error).message.split('. To specify')[0]}. Try --help`, { cause })
  }
  const { help = false, ...values } = parsed.values
  const [unexpected] = takes === 'files' ? [] : parsed.positionals
  if (unexpected !== undefined) {
    throw new Fault('invalid', `${shown(unexpected)} is not expected here. Try --help`)
  }
  const given = Object.entries(values).map(([name, value]): [string, string] => [name, String(value)])
  const isOwn = ([name]: [string, string]) => Object.hasOwn(own, name)
  const flags = Object.fromEntries(given.filter((entry) => !isOwn(entry)))
  return {
    help: help === true,
    files: parsed.positionals,
    options: Object.fromEntries(given.filter(isOwn)),
    // Help is given also to those whose settings are wrong.
    config: help ? readConfig({}, {}) : readConfig(flags, environment),
  }
}

export const allSettings = Object.keys(settings)

/** Every command takes all settings, for it may have to start a service; those `listed` are the ones to know. */
export function helpText(
  usage: string,
  text: string,
  own: Readonly<Record<string, Option>> = {},
  listed: readonly string[] = ['data'],
): string {
  const rows: [string, string][] = Object.entries(own).map(([name, { form, help }]) => [
    form ? `--${name} ${form}` : `--${name}`,
    help,
  ])
  const settingRows = Object.entries(settings)
    .filter(([name]) => listed.includes(name))
    .map(([name, { form, byDefault, help }]): [string, string] => [
      `--${name} ${form}`,
      `${help} ${byDefault === '' ? '' : `Default ${byDefault}. `}[${environmentName(name)}]`,
    ])
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
