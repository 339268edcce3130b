// belfry export: writes the records of a collection to a file.

import {
  closeSync,
  constants,
  createWriteStream,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
} from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join, parse, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Fault, shown } from '../../fault.ts'
import { auditLog } from '../../resources/access/audit-log.ts'
import { catalog } from '../../resources/catalog.ts'
import type { Command, Option } from '../command.ts'
import { ask, withService } from '../service-connection.ts'

const names = catalog.map((collection) => collection.resource.name)
/** Collections that can be exported but not loaded are exported only when they are named. */
const named = [...names, auditLog.resource.name]
const formats = ['csv', 'json', 'xml']

const options: Record<string, Option> = {
  format: { form: 'FORMAT', words: formats, help: `One of ${formats.join(', ')}. Default csv.` },
  to: {
    form: 'FOLDER',
    help: 'Writes a file RESOURCE.FORMAT per resource there, instead of to standard output.',
  },
}

const text = `Writes all records of the named resources, ids included, in a form that belfry load reads.
Resources: ${names.join(', ')}.
The audit log can be written as well, by its name: ${auditLog.resource.name}.

  belfry export zone --format json
  belfry export --to backup        (all of them)

Exit codes: 0 done, 1 failed, or not all of it was written, 2 wrong arguments.`

export const exportCommand: Command = {
  name: 'export',
  summary: 'writes records to CSV, JSON or XML',
  usage: 'belfry export [RESOURCE…] [--format FORMAT] [--to FOLDER] [settings]',
  text,
  options,
  takesFiles: true,
  verbs: named,
  async run({ files, options, config }) {
    const format = options.format ?? 'csv'
    if (!formats.includes(format)) {
      throw new Fault('invalid', `--format ${shown(format)}: expected one of ${formats.join(', ')}`)
    }
    const wanted = files.length > 0 ? files.map(resourceName) : names
    if (options.to === undefined && wanted.length !== 1) {
      throw new Fault(
        'invalid',
        'name one resource, or a folder for several with --to. Try belfry export --help',
      )
    }
    await withService(config, async (url) => {
      for (const name of wanted) await exportOne(url, name, format, options.to)
    })
    return 0
  },
}

function resourceName(word: string): string {
  const name = named.find((candidate) => candidate.toLowerCase() === word.toLowerCase())
  if (!name) throw new Fault('invalid', `${shown(word)} is no resource: expected one of ${named.join(', ')}`)
  return name
}

async function exportOne(
  url: string,
  name: string,
  format: string,
  folder: string | undefined,
): Promise<void> {
  const answer = await ask(`${url}/plat/data/${name}?format=${format}`, {
    headers: { Accept: 'application/json' },
  })
  const body = Readable.fromWeb(answer as Parameters<typeof Readable.fromWeb>[0])
  if (folder === undefined) return pipeline(body, process.stdout, { end: false })
  await writeInto(folder, `${name}.${format}`, body)
  console.error(`${join(folder, `${name}.${format}`)} written`)
}

// Writes files into a folder that another user may own, also as root: links of that user must not redirect the write.

/** As in the kernel. */
const linkLimit = 40

/** Writes a file beside the one that has its name, and puts it in its place: nothing is written through that one. */
export async function writeInto(folder: string, name: string, body: Readable): Promise<void> {
  await withFolder(folder, async (place) => {
    const [file, part] = [join(place, name), join(place, `${name}.part`)]
    await rm(part, { force: true })
    try {
      await pipeline(body, createWriteStream(part, { flags: 'wx' }))
      await rename(part, file)
    } catch (error) {
      await rm(part, { force: true })
      throw error
    }
  })
}

/** Gives the path under which the folder is reached while it is open, whatever is renamed or linked meanwhile. */
async function withFolder<T>(folder: string, work: (place: string) => Promise<T>): Promise<T> {
  // Only Linux has paths for open files. Elsewhere the files themselves are safe, but not the path to them.
  if (process.platform !== 'linux') {
    mkdirSync(folder, { recursive: true })
    return work(folder)
  }
  const opened = openWay(resolve(folder))
  try {
    return await work(placeOf(opened))
  } finally {
    closeSync(opened)
  }
}

const placeOf = (opened: number) => `/proc/self/fd/${opened}`

const asFolder = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

/** Opens a folder step by step, and creates missing ones. Links are followed if root or the user owns them. */
function openWay(path: string): number {
  const { root } = parse(path)
  const steps = path.split('/')
  let at = openSync(root, asFolder)
  let links = 0
  try {
    while (steps.length > 0) {
      const step = steps.shift() ?? ''
      if (step === '' || step === '.') continue
      // Not joined: `..` of a link is the folder above the one that is open.
      const next = `${placeOf(at)}/${step}`
      const found = lstatSync(next, { throwIfNoEntry: false }) ?? makeStep(next)
      if (found.isSymbolicLink()) {
        links += 1
        if (links > linkLimit) throw new Fault('invalid', `--to ${path}: there are too many links on the way`)
        requireTrusted(path, step, found.uid)
        const target = readlinkSync(next)
        steps.unshift(...target.split('/'))
        if (!target.startsWith('/')) continue
        closeSync(at)
        at = openSync(root, asFolder)
        continue
      }
      const opened = openSync(next, asFolder)
      closeSync(at)
      at = opened
    }
    return at
  } catch (error) {
    closeSync(at)
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOTDIR' || code === 'ELOOP') throw new Fault('invalid', `--to ${path} is not a folder`)
    throw error
  }
}

function makeStep(path: string) {
  mkdirSync(path)
  return lstatSync(path)
}

function requireTrusted(path: string, step: string, owner: number): void {
  if (owner === 0 || owner === process.geteuid?.()) return
  const message = `--to ${path}: ${step} is a link of another user's, which is not followed. Name the folder that it leads to`
  throw new Fault('invalid', message)
}
