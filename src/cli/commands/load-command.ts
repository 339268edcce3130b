// belfry load: imports files of records.

import { createReadStream } from 'node:fs'
import { basename, extname } from 'node:path'
import { Readable } from 'node:stream'
import { Fault, shown } from '../../fault.ts'
import { catalog } from '../../resources/catalog.ts'
import { type Command, countedNoun, type Option, ProgressBar, statReadable } from '../command.ts'
import { ask, withService } from '../service-connection.ts'

const names = catalog.map((collection) => collection.resource.name)
const types: Readonly<Record<string, string>> = {
  '.csv': 'text/csv',
  '.json': 'application/json',
  '.xml': 'application/xml',
}

const options: Record<string, Option> = {
  as: {
    form: 'RESOURCE',
    words: names,
    help: `Which records the files hold, where their names do not say it: ${names.join(', ')}.`,
  },
  replace: {
    help: 'Records replace those that have the same id, which otherwise are refused.',
  },
}

const text = `Imports files of records: CSV, JSON or XML by their ending. The name of a file says which records
it holds (zone.csv, zone-lab.json), unless --as does. A file is loaded whole or not at all; errors are reported with
line and field. Several files are loaded in the order in which they depend on each other. Works while the service
runs, and without one.

  belfry load examples/network/zone.csv examples/network/device.csv
  belfry load --replace backup/*.csv        (what belfry export --to backup wrote)

Exit codes: 0 all loaded, 1 the service or its store failed, 2 wrong arguments, or something is wrong in a file.`

export const load: Command = {
  name: 'load',
  summary: 'imports records from CSV, JSON or XML files',
  usage: 'belfry load FILE… [--as RESOURCE] [settings]',
  text,
  options,
  takesFiles: true,
  async run({ files, options, config }) {
    if (files.length === 0)
      throw new Fault('invalid', 'name at least one file to load. Try belfry load --help')
    const plan = files.map((file) => ({ file, resource: resourceOf(file, options.as), type: typeOf(file) }))
    plan.sort((a, b) => names.indexOf(a.resource) - names.indexOf(b.resource))
    for (const { file } of plan) await requireFile(file)
    const replace = options.replace !== undefined
    const work = async (url: string) => {
      // Again: root may have become another user, who cannot read what root can.
      for (const { file } of plan) await requireFile(file)
      for (const { file, resource, type } of plan) {
        const { imported, remark } = await loadFile(url, file, resource, type, replace)
        for (const one of remark) console.error(`${file}: ${one}`)
        const { noun = resource } = catalog.find((one) => one.resource.name === resource) ?? {}
        console.log(`${file}: ${countedNoun(imported, noun)} loaded`)
      }
    }
    await withService(config, work, { fills: true })
    return 0
  },
}

function resourceOf(file: string, as: string | undefined): string {
  const [stem = ''] = basename(file).split(/[-_.]/, 1)
  const wanted = as ?? stem
  const name = names.find((candidate) => candidate.toLowerCase() === wanted.toLowerCase())
  if (name) return name
  const accepted = names.join(', ')
  throw new Fault(
    'invalid',
    `${file}: ${shown(wanted)} is no resource: say with --as which it is: ${accepted}`,
  )
}

function typeOf(file: string): string {
  const type = types[extname(file).toLowerCase()]
  if (!type) throw new Fault('invalid', `${file}: expected a file that ends in .csv, .json or .xml`)
  return type
}

async function requireFile(file: string): Promise<void> {
  const found = await statReadable(file)
  if (!found.isFile()) throw new Fault('invalid', `${file} is not a file`)
}

/** The last line, when all is well. */
interface Loaded {
  readonly imported: number
  readonly remark: readonly string[]
}

interface Line extends Partial<Loaded> {
  readonly rows?: number
  readonly bytes?: number
  readonly size?: number
  readonly error?: { readonly message: string }
}

/** Loads one file through the service; returns the number of records and the service's warnings. */
export async function loadFile(
  url: string,
  file: string,
  resource: string,
  type: string,
  replace = false,
): Promise<Loaded> {
  const answer = await ask(`${url}/plat/data/${resource}?progress=true&replace=${replace}`, {
    method: 'POST',
    headers: { 'Content-Type': type, Accept: 'application/json' },
    body: Readable.toWeb(createReadStream(file)) as ReadableStream,
    duplex: 'half',
  } as RequestInit).catch((cause) => {
    throw cause instanceof Fault ? new Fault(cause.code, `${file}: ${cause.message}`, { cause }) : cause
  })
  const bar = new ProgressBar(basename(file))
  try {
    for await (const line of lines(answer)) {
      const progress: Line = JSON.parse(line)
      if (progress.error)
        throw new Fault('invalid', `${file}: ${progress.error.message}. Nothing of this file was loaded`)
      const { imported, remark = [] } = progress
      if (imported !== undefined) return { imported, remark }
      bar.show(progress.bytes ?? 0, progress.size ?? 0, `${progress.rows} records`)
    }
  } catch (cause) {
    if (cause instanceof Fault) throw cause
    throw brokeOff(file, cause)
  } finally {
    bar.clear()
  }
  throw brokeOff(file)
}

const brokeOff = (file: string, cause?: unknown) =>
  new Fault('unavailable', `${file}: the service broke off; nothing of this file was loaded`, { cause })

async function* lines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + chunk).split('\n')
    rest = parts.pop() ?? ''
    yield* parts
  }
}
