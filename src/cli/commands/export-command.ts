// belfry export: writes the records of a collection to a file.

import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Fault, shown } from '../../fault.ts'
import { auditLog } from '../../resources/access/audit-log.ts'
import { catalog } from '../../resources/catalog.ts'
import type { Command, Option } from '../command.ts'
import { ask, withService } from '../service-connection.ts'
import { writeInto } from '../target-folder.ts'

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
  async run({ files, options: given, config }) {
    const format = given.format ?? 'csv'
    if (!formats.includes(format)) {
      throw new Fault('invalid', `--format ${shown(format)}: expected one of ${formats.join(', ')}`)
    }
    const wanted = files.length > 0 ? files.map(resourceName) : names
    if (given.to === undefined && wanted.length !== 1) {
      throw new Fault(
        'invalid',
        'name one resource, or a folder for several with --to. Try belfry export --help',
      )
    }
    await withService(config, async (url) => {
      for (const name of wanted) await exportOne(url, name, format, given.to)
    })
    return 0
  },
}

function resourceName(given: string): string {
  const name = named.find((candidate) => candidate.toLowerCase() === given.toLowerCase())
  if (!name) throw new Fault('invalid', `${shown(given)} is no resource: expected one of ${named.join(', ')}`)
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
