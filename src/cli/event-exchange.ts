// belfry event import and export: definitions from files, also those of other programs, and to files.

import { readFile } from 'node:fs/promises'
import { shippedOf, standardEvents, terminalEvents } from '../events/event-file.ts'
import { serviceEvents } from '../events/service-events.ts'
import { Fault } from '../fault.ts'
import { trapEvent as definition } from '../resources/alarms/trap-event.ts'
import { jsonWriter } from '../schema/json.ts'
import { complete } from '../schema/read-document.ts'
import { countedNoun, statReadable } from './command.ts'
import { filesOf } from './module-files.ts'
import { askJson } from './service-connection.ts'

const path = '/fault/trapEvent'
/** As the service takes them. */
const sizeLimit = 16 * 2 ** 20
const endings = /\.(xml|conf|json|ya?ml)$/i

interface Definition {
  readonly id?: string
  readonly eventOid: string
  readonly name: string
  readonly source?: string
}

interface Translation {
  readonly trapEvent?: readonly Definition[]
  readonly remark?: readonly {
    readonly file: string
    readonly line: string
    readonly name?: string
    readonly kind: 'lost' | 'changed'
    readonly reason: string
  }[]
}

interface Tried {
  readonly imported: string
  readonly replaced: string
  readonly unchanged?: string
  readonly refused?: string
  readonly record?: readonly { readonly line: string; readonly outcome: string; readonly message?: string }[]
}

export async function importEvents(
  url: string,
  names: readonly string[],
  options: Readonly<Record<string, string>>,
): Promise<number> {
  const { 'dry-run': dryRun, replace } = options
  if (names.length === 0)
    throw new Fault('invalid', 'name files or folders to import. Try belfry event --help')
  const file = await readFiles(names)
  const { trapEvent = [], remark = [] } = await askJson<Translation>(`${url}${path}/translate`, 'POST', {
    file,
  })
  for (const one of remark) {
    const what = one.kind === 'lost' ? 'left out' : 'differs'
    console.error(
      `${one.file}:${one.line}: ${one.name === undefined ? '' : `${one.name} `}${what}: ${one.reason}`,
    )
  }
  const chosen = replace === undefined ? trapEvent.filter(({ id }) => id === undefined) : trapEvent
  for (const one of trapEvent)
    if (!chosen.includes(one))
      console.error(
        `${one.name} ${one.eventOid}: it has a definition, ${one.id}, which stays: --replace replaces it`,
      )
  const kept = trapEvent.length - chosen.length
  const done = await send(url, chosen, dryRun !== undefined)
  console.log(summary(done, kept, remark.filter(({ kind }) => kind === 'lost').length, dryRun !== undefined))
  return remark.some(({ kind }) => kind === 'lost') || kept > 0 ? 1 : 0
}

const summary = (done: { made: number; replaced: number }, kept: number, lost: number, isTrial: boolean) =>
  [
    `${countedNoun(done.made, 'definition')} ${isTrial ? 'would be ' : ''}made`,
    `${done.replaced} ${isTrial ? 'would be ' : ''}replaced`,
    `${kept} kept as they are`,
    `${countedNoun(lost, 'event')} of the files left out`,
  ].join(', ')

/** All of them or none. */
async function send(url: string, trapEvent: readonly Definition[], isTrial: boolean) {
  if (trapEvent.length === 0) return { made: 0, replaced: 0 }
  const query = `replace=true&dryRun=${isTrial}`
  const { imported, replaced } = await askJson<Tried>(`${url}/plat/data/trapEvent?${query}`, 'POST', {
    trapEvent,
  })
  return { made: Number(imported) - Number(replaced), replaced: Number(replaced) }
}

async function readFiles(names: readonly string[]): Promise<{ name: string; text: string }[]> {
  const found = (await Promise.all(names.map(filesOf))).flat()
  const read: { name: string; text: string }[] = []
  let size = 0
  for (const { file, shownAs, isNamed } of found) {
    if (!isNamed && !endings.test(file)) continue
    size += (await statReadable(file)).size
    if (size > sizeLimit)
      throw new Fault(
        'invalid',
        `${file}: the files are larger than ${sizeLimit / 2 ** 20} MiB together: import fewer at once`,
      )
    const text = await readFile(file)
    read.push({ name: shownAs, text: decoded(text, file) })
  }
  if (read.length === 0)
    throw new Fault('invalid', `${names.join(' ')}: no file that ends in .xml, .conf, .json, .yaml or .yml`)
  return read
}

function decoded(bytes: Buffer, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new Fault('invalid', `${file}: the file is not valid UTF-8`, { cause })
  }
}

/** Those that are named, or all that somebody has made or changed. */
export async function exportEvents(url: string, names: readonly string[]): Promise<number> {
  const { trapEvent: all } = await askJson<{ trapEvent: Definition[] }>(`${url}${path}?size=1000000`)
  const shipped = names.length === 0 ? shippedTexts() : undefined
  const chosen = shipped
    ? all.filter((one) => one.source === undefined && !shipped.has(textOf(one)))
    : names.flatMap((name) => named(all, name))
  const rows = [...new Set(chosen)].map(textOf)
  if (rows.length === 0)
    throw new Fault('invalid', 'there is no definition that somebody has made or changed: name some')
  console.log(`{"trapEvent":[\n${rows.join(',\n')}\n]}`)
  return 0
}

/** What every new store has is at the other service as well. */
function shippedTexts(): Set<string> {
  const write = jsonWriter(definition)
  const service = Object.entries(serviceEvents).map(([name, event]) => ({ name, ...event }))
  const shipped = [...standardEvents, ...terminalEvents].map((event) => shippedOf(event, ''))
  return new Set(
    [...service, ...shipped].map((event) =>
      textOf(write(complete(definition.fields, { ...event, source: null })) as unknown as Definition),
    ),
  )
}

/** Without what is of this service alone. */
const textOf = ({ id: _id, source: _source, ...one }: Definition) => JSON.stringify(one)

function named(all: readonly Definition[], name: string): readonly Definition[] {
  const found = all.filter(
    (one) => one.name.toLowerCase() === name.toLowerCase() || one.eventOid === name.replace(/^\./, ''),
  )
  if (found.length === 0) throw new Fault('invalid', `no definition is called ${name}`)
  return found
}
