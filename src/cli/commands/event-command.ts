// belfry event: searches the catalogue of vendors' events, makes definitions from traps and tries them, and shows what the
// catalogue of this version would change.

import { VendorCatalogue } from '../../events/vendor-catalogue.ts'
import { Fault } from '../../fault.ts'
import { trapEvent } from '../../resources/alarms/trap-event.ts'
import { jsonWriter } from '../../schema/json.ts'
import { type Command, countedNoun, type Option, verbOf } from '../command.ts'
import { exportEvents, importEvents } from '../event-exchange.ts'
import { fromTrap, relabel, testEvents } from '../event-trials.ts'
import { askJson, runningService, withService } from '../service-connection.ts'

const options: Record<string, Option> = {
  vendor: { form: 'NAME', help: "With search: a part of the vendor's name, or its enterprise number." },
  accept: { help: 'With from-trap: saves the definitions, for traps from now on.' },
  traps: { form: 'FILE', help: 'With test: traps as GET /fault/trap lists them in JSON.' },
  trap: { form: 'ID,ID', help: 'With test: stored traps by their ids.' },
  newest: {
    form: 'NUMBER',
    help: 'With test: that many of the newest stored traps; 100 if no others are named.',
  },
  'dry-run': { help: 'With import: says what would be done, and saves nothing.' },
  replace: { help: 'With import: replaces definitions of the same events, instead of keeping them.' },
  oid: { form: 'OID', help: 'With search: the OID of the event; * stands for any text.' },
}

const text = `What the traps of vendors mean. Definitions come with the program, and are used without any modules.

  belfry event search [NAME] [--vendor NAME] [--oid OID]   finds definitions; * stands for any text
  belfry event diff                                        what the catalogue of this version would change
  belfry event from-trap ID [--accept]                     proposes a definition for a stored trap
  belfry event test [FILE …] [--trap ID,ID] [--newest N] [--traps FILE]
                                                           says which alarm each trap would make
  belfry event relabel NAME|OID                            relabels open alarms that were raised before the definition
  belfry event import FILE|FOLDER… [--dry-run] [--replace] makes definitions of files, also of other programs
  belfry event export [NAME|OID …]                         prints definitions, as import reads them

from-trap prints the definition as JSON, together with those that it ends or that end it: correct it, test it, and save
it with belfry load. test plays traps, the oldest first, against the definitions of the store and those of the files,
which count first; nothing is saved. relabel ends such alarms and raises them anew as the definition says.

import reads event definitions of OpenNMS (.xml), the configuration of SNMPTT (.conf), rules and classes of NOC (.json),
trap profiles of Netdata (.yaml), and what export printed. It reports what could not be taken over, and why. All of its
definitions are made, or none. export prints the definitions that are named, or all that somebody has made or changed.

diff compares the definitions that the running service has taken from its catalogue with that of this program: run it
with a new version, before the service is restarted with it. For each that differs it shows what becomes of the stored
traps. Definitions that somebody has made or changed are never touched.

  belfry event search '*battery*' --vendor apc
  belfry event from-trap 4711 > trapEvent.json
  belfry event test trapEvent.json --trap 4711
  belfry load trapEvent.json
  belfry event import snmptt.conf --dry-run
  belfry event export > ours.json

Exit codes: 0 done; 1 nothing was found, or not all was imported, or no service is running; 2 wrong arguments.`

const verbs = {
  ...{ search, diff, 'from-trap': fromTrap, test: testEvents, relabel },
  ...{ import: importEvents, export: exportEvents },
} as const

export const event: Command = {
  name: 'event',
  summary: "finds what vendors' traps mean, and what an upgrade changes",
  usage: 'belfry event search|diff|from-trap|test|relabel|import|export … [options] [settings]',
  text,
  options,
  takesFiles: true,
  verbs: Object.keys(verbs),
  async run({ files, options, config }) {
    const [verb, ...names] = files
    const chosen = verbOf(verbs, verb, 'event')
    if (chosen === testEvents) return withService(config, (url) => testEvents(url, names, options))
    if (chosen === importEvents) return withService(config, (url) => importEvents(url, names, options))
    if (chosen === exportEvents) return withService(config, (url) => exportEvents(url, names))
    if (names.length > (chosen === diff ? 0 : 1))
      throw new Fault('invalid', `too many words: ${names.join(' ')}. Try belfry event --help`)
    if (chosen === search) return withService(config, (url) => search(url, names[0], options))
    if (chosen === fromTrap)
      return withService(config, (url) => fromTrap(url, names[0], options.accept !== undefined))
    if (chosen === relabel) return withService(config, (url) => relabel(url, names[0]))
    const url = await runningService(config.data)
    if (url === undefined)
      throw new Fault(
        'unavailable',
        `no service runs on ${config.data}: what an upgrade changes is compared with the running service`,
      )
    return diff(url)
  },
}

const path = '/fault/trapEvent'
const pageSize = 1000
const levelNames = ['', 'critical', 'major', 'minor', 'warning', 'info']

/** As the service sends it. */
interface SentEvent {
  readonly id?: string
  readonly eventOid: string
  readonly name: string
  readonly alarmLevel: string
  readonly alarmDesc?: string
  readonly source?: string
}

async function search(
  url: string,
  name: string | undefined,
  { vendor, oid }: Readonly<Record<string, string>>,
): Promise<number> {
  const asked = {
    ...(name !== undefined && { name }),
    ...(oid !== undefined && { eventOid: oid }),
  }
  if (name === undefined && oid === undefined && vendor === undefined)
    throw new Fault('invalid', 'say what to look for: a name, --oid or --vendor. Try belfry event --help')
  const size = String(pageSize)
  const list = (query: Record<string, string>) =>
    askJson<{ trapEvent: SentEvent[] }>(`${url}${path}?${new URLSearchParams({ ...asked, ...query, size })}`)
  const known = vendor === undefined ? (await list({})).trapEvent : []
  const others = await list({ catalogue: 'true', ...(vendor !== undefined && { vendor }) })
  const found = [...known, ...others.trapEvent]
  for (const one of found) {
    const whose = one.id === undefined ? one.source : `definition ${one.id}`
    console.log(`${one.name}  ${levelNames[Number(one.alarmLevel)]}  ${one.eventOid}  (${whose})`)
    if (one.alarmDesc !== undefined) console.log(`    ${one.alarmDesc}`)
  }
  const more = others.trapEvent.length === pageSize ? ', and perhaps more: say more precisely what' : ''
  console.log(found.length === 0 ? 'nothing found' : `${countedNoun(found.length, 'event')}${more}`)
  return found.length === 0 ? 1 : 0
}

/** What becomes of stored traps. */
interface Trial {
  readonly examined: string
  readonly alarms: string
  readonly recoveries: string
  readonly stored: string
}

async function diff(url: string): Promise<number> {
  const { trapEvent: all } = await askJson<{ trapEvent: SentEvent[] }>(`${url}${path}?size=1000000`)
  const used = all.filter(({ source }) => source !== undefined)
  const catalogue = new VendorCatalogue()
  await catalogue.open()
  const write = jsonWriter(trapEvent)
  let changed = 0
  for (const { id: _id, ...before } of used) {
    const found = catalogue.find(before.eventOid)
    if (!found) continue
    const after = write({ ...found }) as Record<string, unknown>
    const fields = differing(before as unknown as Record<string, unknown>, after)
    if (fields.length === 0) continue
    changed += 1
    console.log(`${before.name}  ${before.eventOid}`)
    for (const { name, was, is } of fields) console.log(`    ${name}: ${was} → ${is}`)
    const trial = (definition: unknown) => askJson<Trial>(`${url}${path}/dryRun`, 'POST', definition)
    const [old, now] = [await trial(before), await trial(after)]
    console.log(`    of ${countedNoun(old.examined, 'stored trap')}: ${outcome(old)} → ${outcome(now)}`)
  }
  console.log(
    `${countedNoun(used.length, 'definition')} of the catalogue in use; ${changed} would change with this version`,
  )
  return 0
}

const outcome = ({ alarms, recoveries, stored }: Trial) =>
  `${countedNoun(alarms, 'alarm')}, ${recoveries} ended, ${stored} stored`

const shownLength = 200

/** The fields in which two documents differ, as text. */
function differing(before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>) {
  const written = (value: unknown) =>
    value === undefined ? 'none' : typeof value === 'string' ? value : JSON.stringify(value)
  return Object.keys({ ...before, ...after }).flatMap((name) => {
    const [was, is] = [written(before[name]), written(after[name])]
    return was === is ? [] : [{ name, was: was.slice(0, shownLength), is: is.slice(0, shownLength) }]
  })
}
