// The only reader of flags, environment and settings file.

import { readFileSync, statSync } from 'node:fs'
import { Fault, shown } from '../fault.ts'
import { readJson } from '../schema/json-text.ts'
import { type Limits, limits } from './limits.ts'
import { didYouMean } from './nearest.ts'
import { removedSettings } from './removed-settings.ts'
import { settings } from './settings.ts'

type Settings = typeof settings
export type Config = { readonly [K in keyof Settings]: ReturnType<Settings[K]['read']> } & {
  /** All settings as people are shown them, with where each of them comes from. */
  readonly shown: readonly ShownSetting[]
  /** What must be the same at all nodes on one store, by name. It holds secrets, and is never shown. */
  readonly deciding: ReadonlyMap<string, string>
  /** Removed settings that were given all the same. */
  readonly ignored: readonly IgnoredSetting[]
  readonly limits: Limits
}

export interface IgnoredSetting {
  readonly name: string
  /** Says where it was given, and what applies instead. */
  readonly text: string
}

const names = Object.keys(settings)
const prefix = 'BELFRY_'
export const environmentName = (name: string) => `${prefix}${name.toUpperCase().replaceAll('-', '_')}`

/** Secrets are read where they are used, so that nothing that shows settings can show them. */
const notSettings = [
  'BELFRY_CONFIG',
  'BELFRY_ADMIN_PASSWORD',
  'BELFRY_TOKEN',
  'BELFRY_USER',
  'BELFRY_PASSWORD',
]

const isKnown = (name: string) => Object.hasOwn(settings, name) || Object.hasOwn(removedSettings, name)

/** Flags take precedence over the environment, and that over the file named by `--config` or BELFRY_CONFIG. */
export function readConfig(
  flags: Readonly<Record<string, string>>,
  environment: NodeJS.ProcessEnv,
  otherLimits: Partial<Limits> = {},
): Config {
  for (const name of Object.keys(flags)) {
    if (name !== 'config' && !isKnown(name)) throw unknown(name, { before: '--' })
  }
  const variables = [...notSettings, ...names.map(environmentName)]
  const removed = Object.keys(removedSettings).map(environmentName)
  for (const variable of Object.keys(environment)) {
    if (!variable.startsWith(prefix) || [...variables, ...removed].includes(variable)) continue
    const [given = '', ...known] = [variable, ...variables].map((name) => name.slice(prefix.length))
    throw unknown(given, { before: prefix, known })
  }
  const file = flags.config ?? environment.BELFRY_CONFIG
  const fromFile = file === undefined ? {} : readFile(file)
  const shownSettings: ShownSetting[] = []
  const deciding = new Map<string, string>()
  const values = Object.entries(settings).map(([name, { read, byDefault, help, compared }]) => {
    const given = find(name, { flags, environment, fromFile, file })
    const { text, place: where } = given ?? { text: byDefault, place: name }
    if (compared !== 'own') deciding.set(name, compared === 'text' ? text.trim() : contentOf(text.trim()))
    const value = hidden.has(name) && given ? '' : text
    shownSettings.push({
      name,
      value,
      source: given?.source ?? 'default',
      place: given?.place ?? '',
      byDefault,
      description: help,
    })
    try {
      return [name, read(text.trim())]
    } catch (cause) {
      throw new Fault('invalid', `${where}: ${shown(withoutPassword(text))}: ${(cause as Error).message}`, {
        field: name,
        cause,
      })
    }
  })
  const ignored = Object.entries(removedSettings).flatMap(([name, instead]) => {
    const given = find(name, { flags, environment, fromFile, file })
    return given ? { name, text: `${given.place} is ignored: it is no longer a setting; ${instead}` } : []
  })
  const config: Config = Object.freeze({
    ...Object.fromEntries(values),
    ...{ shown: shownSettings, deciding, ignored, limits: { ...limits, ...otherLimits } },
  })
  checkTogether(config)
  return config
}

/** Where it cannot be read, whoever uses the file says so. A pipe can be read only once, and is left to that one. */
function contentOf(file: string): string {
  try {
    return file !== '' && statSync(file).isFile() ? readFileSync(file, 'utf8').trim() : ''
  } catch {
    return ''
  }
}

/** A setting as it is shown to people. */
export interface ShownSetting {
  readonly name: string
  /** As it was given. */
  readonly value: string
  readonly source: 'flag' | 'environment' | 'file' | 'default'
  /** Its name there. */
  readonly place: string
  readonly byDefault: string
  readonly description: string
}

/** Community names, which devices use like passwords, are not shown to others. */
const hidden = new Set(['trap-communities'])

interface Places {
  readonly flags: Readonly<Record<string, string>>
  readonly environment: NodeJS.ProcessEnv
  readonly fromFile: Readonly<Record<string, string>>
  readonly file: string | undefined
}

function find(name: string, { flags, environment, fromFile, file }: Places) {
  const variable = environmentName(name)
  const places = [
    { text: flags[name], source: 'flag', place: `--${name}` },
    { text: environment[variable], source: 'environment', place: variable },
    { text: fromFile[name], source: 'file', place: `${name} in ${file}` },
  ] as const
  for (const { text, source, place } of places) if (text !== undefined) return { text, source, place }
  return undefined
}

/** An address with a password in it is refused, and the password is not repeated in the log. */
const withoutPassword = (text: string) => text.replace(/(:\/\/[^/@:]*):[^@/]*@/, '$1:…@')

/** Rules between settings. */
function checkTogether(config: Config): void {
  for (const [given, missing] of [
    ['tls-certificate', 'tls-key'],
    ['tls-key', 'tls-certificate'],
    ['syslog-certificate', 'syslog-key'],
    ['syslog-key', 'syslog-certificate'],
  ] as const) {
    if (config[given] === '' || config[missing] !== '') continue
    throw new Fault('invalid', `${given} is given without ${missing}: expected both or none`)
  }
  if (config['syslog-tls'].length > 0 && config['syslog-certificate'] === '') {
    const message = 'syslog-tls is given without syslog-certificate: expected a certificate and its key'
    throw new Fault('invalid', message, { field: 'syslog-certificate' })
  }
  if (config['openid-issuer'] !== '' && config['openid-client-id'] === '') {
    const message =
      'openid-issuer is given without openid-client-id: expected the id of this service at the provider'
    throw new Fault('invalid', message, { field: 'openid-client-id' })
  }
}

function readFile(file: string): Record<string, string> {
  let content: unknown
  try {
    content = readJson(readFileSync(file, 'utf8'))
  } catch (cause) {
    throw new Fault('invalid', `the settings file ${file} cannot be read: ${(cause as Error).message}`, {
      cause,
    })
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new Fault('invalid', `the settings file ${file} must hold a JSON object of settings`)
  }
  for (const [name, value] of Object.entries(content)) {
    if (!isKnown(name)) throw unknown(name, { after: ` in ${file}` })
    if (Object.hasOwn(settings, name) && typeof value !== 'string') {
      throw new Fault('invalid', `${name} in ${file}: expected a text or a number`, { field: name })
    }
  }
  return { ...content } as Record<string, string>
}

/** What stands before all names, `before`, would make all of them similar. */
function unknown(name: string, { before = '', after = '', known = names }): Fault {
  const advice = didYouMean(name, known, 'belfry serve --help lists all settings', before)
  return new Fault('invalid', `${before}${name}${after} is not a setting: ${advice}`)
}
