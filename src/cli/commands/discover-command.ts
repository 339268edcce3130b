// belfry discover: searches ranges of addresses for devices, and adds them to the inventory.

import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../../fault.ts'
import { discoveredList } from '../../resources/inventory/discovered.ts'
import { discoveries } from '../../resources/inventory/discovery.ts'
import { type Command, countedNoun, type Option, ProgressBar } from '../command.ts'
import { printTable } from '../device-printer.ts'
import { askJson, withService } from '../service-connection.ts'

const options: Record<string, Option> = {
  neighbours: {
    form: 'RANGES',
    several: true,
    help: 'Where neighbours are followed: addresses in these ranges are asked if a device names them.',
  },
  zone: { form: 'ID', help: 'The zone of devices that are added. Default 1.' },
  name: { form: 'NAME', help: 'Under which the search and its result are kept. Default: the ranges.' },
  add: { help: 'Adds all devices that answer to the inventory.' },
}

const text = `Asks all addresses in the ranges by SNMP, and prints what is there. Credentials are those of profiles (belfry profile),
and are sent into the ranges of these alone. Devices of the inventory are not asked. Ctrl-C stops it; what was found until
then is kept. Without --add, the inventory stays as it is.

  belfry discover 192.0.2.0/24
  belfry discover 192.0.2.0/24 2001:db8::/120 --name site-1 --add
  belfry discover 192.0.2.1 --neighbours 192.0.2.0/24,198.51.100.0/24

Exit codes: 0 done, also where nothing answers; 1 stopped, or the service or its store failed; 2 wrong arguments, or refused.`

type Options = Readonly<Record<string, string>>

export const discover: Command = {
  name: 'discover',
  summary: 'searches ranges of addresses for devices',
  usage: 'belfry discover RANGE [RANGE …] [options] [settings]',
  text,
  options,
  takesFiles: true,
  run({ files: ranges, options, config }) {
    if (ranges.length === 0)
      throw new Fault('invalid', 'say where to search, as in belfry discover 192.0.2.0/24')
    return withService(config, (url) => search(url, ranges, options))
  },
}

interface Shown {
  readonly id: string
  readonly name: string
  readonly state: string
  readonly problem?: string
  readonly total: string
  readonly asked: string
  readonly answering: string
  readonly refusing: string
  readonly known: string
}

async function search(url: string, ranges: readonly string[], options: Options): Promise<number> {
  const id = await prepare(url, ranges, options)
  const where = `${url}${discoveries.path}/${id}`
  await askJson(`${where}/start`, 'POST')
  const ended = await untilOver(where)
  const found = await readFound(url, id)
  print(ended, found)
  if (ended.state !== 'complete') return 1
  if (options.add !== undefined) await add(where, found)
  return 0
}

/** A search of the same name is repeated, with the ranges of now. */
async function prepare(url: string, ranges: readonly string[], options: Options): Promise<string> {
  const { neighbours = '', zone, name = ranges.join(', ').slice(0, 100) } = options
  const followed = neighbours.split(',').map((one) => one.trim())
  const record = {
    name,
    addressRange: ranges,
    neighbourRange: followed.filter((one) => one !== ''),
    ...(zone !== undefined && { zoneId: zone }),
  }
  const find = async () => {
    const all = await askJson<{ discovery: readonly Shown[] }>(`${url}${discoveries.path}?size=1000`)
    return all.discovery.find((one) => one.name.toLowerCase() === name.toLowerCase())
  }
  const before = await find()
  if (before) {
    await askJson(`${url}${discoveries.path}/${before.id}`, 'PUT', record)
    return before.id
  }
  await askJson(`${url}${discoveries.path}`, 'POST', record)
  return (await find())?.id ?? ''
}

const pollEvery = 300

/** Follows the run to its end; a signal stops it. */
async function untilOver(where: string): Promise<Shown> {
  const bar = new ProgressBar('asking')
  let stops = false
  const stop = () => {
    stops = true
  }
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  try {
    for (;;) {
      const shown = await askJson<Shown>(where)
      const { state, asked, total, answering } = shown
      if (state !== 'running' && state !== 'stopping') return shown
      bar.show(Number(asked), Number(total), `${asked} of ${total}, ${answering} answer`)
      if (stops && state === 'running') await askJson(`${where}/stop`, 'POST').catch(() => undefined)
      await sleep(pollEvery)
    }
  } finally {
    bar.clear()
    process.off('SIGINT', stop)
    process.off('SIGTERM', stop)
  }
}

interface Found {
  readonly id: string
  readonly ip: string
  readonly state: string
  readonly sysName?: string
  readonly model?: string
  readonly sysDescription?: string
  readonly problem?: string
  readonly namedBy?: string
  readonly deviceId?: string
}

const pageSize = 1000

async function readFound(url: string, id: string): Promise<readonly Found[]> {
  const all: Found[] = []
  for (;;) {
    const query = `discoveryId=${id}&orderBy=ip&start=${all.length}&size=${pageSize}`
    const { discovered } = await askJson<{ discovered: readonly Found[] }>(
      `${url}${discoveredList.path}?${query}`,
    )
    all.push(...discovered)
    if (discovered.length < pageSize) return all
  }
}

function print({ state, problem = '', asked, known }: Shown, found: readonly Found[]): void {
  const of = (wanted: string) => found.filter((one) => one.state === wanted)
  const [answering, refusing, named] = [of('answering'), of('refusing'), of('named')]
  const over = state === 'complete' ? '' : `, then it was ${state}`
  console.log(`${countedNoun(asked, 'address')} asked${over}; known already: ${known}`)
  if (problem !== '') console.log(`Some could not be asked: ${problem}`)
  section(
    'device answers',
    'devices answer',
    answering,
    ['address', 'name', 'model', 'description'],
    (one) => [one.sysName, one.model, one.sysDescription],
  )
  section('address refuses', 'addresses refuse', refusing, ['address', 'why'], (one) => [one.problem])
  section('neighbour was not asked', 'neighbours were not asked', named, ['address', 'name', 'at'], (one) => [
    one.sysName,
    one.namedBy,
  ])
}

function section(
  one: string,
  several: string,
  found: readonly Found[],
  heads: readonly string[],
  cells: (found: Found) => readonly (string | undefined)[],
): void {
  if (found.length === 0) return
  console.log(`\n${found.length} ${found.length === 1 ? one : several}`)
  printTable(
    heads,
    found.map((row) => [row.ip, ...cells(row).map((cell) => cell ?? '')]),
  )
}

/** So many at a time, as the service takes them. */
const maxAdded = 500

async function add(where: string, found: readonly Found[]): Promise<void> {
  const chosen = found.filter(({ state, deviceId }) => state === 'answering' && deviceId === undefined)
  let added = 0
  for (let from = 0; from < chosen.length; from += maxAdded) {
    const ids = chosen.slice(from, from + maxAdded).map(({ id }) => id)
    const answer = await askJson<{ added: string }>(`${where}/accept`, 'POST', { found: ids })
    added += Number(answer.added)
  }
  console.log(`\n${countedNoun(added, 'device')} added to the inventory`)
}
