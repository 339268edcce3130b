// The only reader of flags, environment and settings file.

import { readFileSync } from 'node:fs'
import { settings } from './config/settings.ts'
import { Fault, shown } from './fault.ts'

type Settings = typeof settings
export type Config = { readonly [K in keyof Settings]: ReturnType<Settings[K]['read']> }

export const environmentName = (name: string) => `BELFRY_${name.toUpperCase().replaceAll('-', '_')}`

/** Secrets are read where they are used, so that nothing that shows settings can show them. */
const notSettings = [
  'BELFRY_CONFIG',
  'BELFRY_ADMIN_PASSWORD',
  'BELFRY_TOKEN',
  'BELFRY_USER',
  'BELFRY_PASSWORD',
]

/** Flags weigh more than the environment, and that more than the file named by `--config` or BELFRY_CONFIG. */
export function readConfig(flags: Readonly<Record<string, string>>, environment: NodeJS.ProcessEnv): Config {
  for (const name of Object.keys(flags)) {
    if (name !== 'config' && !Object.hasOwn(settings, name)) throw unknown(`--${name}`)
  }
  for (const name of Object.keys(environment)) {
    const known =
      notSettings.includes(name) || Object.keys(settings).some((key) => environmentName(key) === name)
    if (name.startsWith('BELFRY_') && !known) throw unknown(name)
  }
  const file = flags.config ?? environment.BELFRY_CONFIG
  const fromFile = file === undefined ? {} : readFile(file)
  const values = Object.entries(settings).map(([name, { read, byDefault }]) => {
    const variable = environmentName(name)
    const [text, where] =
      flags[name] !== undefined
        ? [flags[name], `--${name}`]
        : environment[variable] !== undefined
          ? [environment[variable], variable]
          : [fromFile[name] ?? byDefault, `${name} in ${file}`]
    try {
      return [name, read(text.trim())]
    } catch (cause) {
      throw new Fault('invalid', `${where}: ${shown(withoutPassword(text))}: ${(cause as Error).message}`, {
        field: name,
        cause,
      })
    }
  })
  const config: Config = Object.freeze(Object.fromEntries(values))
  checkTogether(config)
  return config
}

/** An address with a password in it is refused, and the password is not repeated in the log. */
const withoutPassword = (text: string) => text.replace(/(:\/\/[^/@:]*):[^@/]*@/, '$1:…@')

/** What holds between settings. */
function checkTogether(config: Config): void {
  for (const [given, missing] of [
    ['tls-certificate', 'tls-key'],
    ['tls-key', 'tls-certificate'],
  ] as const) {
    if (config[given] === '' || config[missing] !== '') continue
    throw new Fault('invalid', `${given} is given without ${missing}: expected both or none`)
  }
  // A level at which something is over must not lie above the one at which it begins.
  for (const name of ['storm-source', 'storm-overall'] as const) {
    const [upper, lower] = [config[name], config[`${name}-rearm`]]
    if (upper === 0 || lower <= upper) continue
    const message = `${name}-rearm: ${lower}: expected at most ${name}, which is ${upper}`
    throw new Fault('invalid', message, { field: `${name}-rearm` })
  }
}

function readFile(file: string): Record<string, string> {
  let content: unknown
  try {
    content = JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    throw new Fault('invalid', `the settings file ${file} cannot be read: ${(cause as Error).message}`, {
      cause,
    })
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new Fault('invalid', `the settings file ${file} must hold a JSON object of settings`)
  }
  for (const [name, value] of Object.entries(content)) {
    if (!Object.hasOwn(settings, name)) throw unknown(`${name} in ${file}`)
    if (typeof value !== 'string' && typeof value !== 'number') {
      throw new Fault('invalid', `${name} in ${file}: expected a text or a number`, { field: name })
    }
  }
  return Object.fromEntries(Object.entries(content).map(([name, value]) => [name, String(value)]))
}

function unknown(name: string): Fault {
  return new Fault('invalid', `${name} is not a setting: expected one of ${Object.keys(settings).join(', ')}`)
}
