// belfry notify: who is on call, whether a channel works, and why somebody was told of an alarm or nobody was.

import type { Config } from '../../config/config.ts'
import { Fault, shown } from '../../fault.ts'
import { LocalTime } from '../../resources/alarms/local-time.ts'
import { harmless } from '../alarm-printer.ts'
import { type Command, verbOf } from '../command.ts'
import { askJson, withService } from '../service-connection.ts'

const text = `Shows who is told of alarms, and why.

  belfry notify oncall [NAME]   who is on call now, until when, who is next, and when nobody is in the coming four
                                weeks; of all schedules, or of those whose name matches (* and ? may be used)
  belfry notify test CHANNEL    sends a test through a channel, by its id, and shows what the other side said
  belfry notify explain ALARM   who was told of an alarm, by its id, or why nobody was: what each route says about it,
                                and what became of each change

Times are local times of each schedule, or of the service.

Exit codes: 0 done, 1 the test was not delivered, or the service or its store failed, 2 wrong arguments, or refused.`

/** Returns the exit code. */
type Verb = (config: Config, words: readonly string[]) => Promise<number>

const verbs: Readonly<Record<string, Verb>> = { oncall, test, explain }

export const notify: Command = {
  name: 'notify',
  summary: 'shows who is on call, tests a channel, explains who was told of an alarm',
  usage: 'belfry notify oncall|test|explain [settings]',
  text,
  listed: ['data'],
  takesFiles: true,
  verbs: Object.keys(verbs),
  async run({ files: [word, ...more], config }) {
    return verbOf(verbs, word, 'notify')(config, more)
  },
}

interface ListedSchedule {
  readonly name: string
  readonly timeZone: string
  readonly onCallName?: string
  readonly onCallUntil: string
  readonly nextName?: string
  readonly gapFrom: string
  readonly gapUntil: string
}

/** More than there can be. */
const all = 10_000

async function oncall(config: Config, [name, ...more]: readonly string[]): Promise<number> {
  if (more.length > 0)
    throw new Fault('invalid', `${shown(more.join(' '))} is not expected here: quote a name that has spaces`)
  const query = new URLSearchParams({ size: String(all), orderBy: 'name', ...(name && { name }) })
  const { schedule: found } = await withService(config, (url) =>
    askJson<{ schedule: readonly ListedSchedule[] }>(`${url}/notify/schedule?${query}`),
  )
  if (found.length === 0)
    console.log(name ? `no schedule is called ${shown(name)}` : 'there are no schedules')
  for (const schedule of found) for (const line of linesOf(schedule)) console.log(harmless(line))
  return 0
}

/** What people and files call themselves is shown without control characters: it goes to a terminal. */
function* linesOf(schedule: ListedSchedule): Generator<string> {
  const local = new LocalTime(schedule.timeZone)
  const at = (seconds: string) => local.text(Number(seconds) * 1000).slice(0, -3)
  const { name, onCallName = 'nobody', nextName = 'nobody', onCallUntil, gapFrom, gapUntil } = schedule
  const next = onCallUntil === '0' ? '' : ` until ${at(onCallUntil)}, then ${nextName}`
  yield `${name}: ${onCallName}${next} (${schedule.timeZone})`
  if (gapFrom !== '0') yield `  nobody is on call from ${at(gapFrom)} to ${at(gapUntil)}`
}

/** The one word that a verb takes. */
function idIn(words: readonly string[], noun: string): string {
  const [id = '', ...more] = words
  if (/^\d{1,19}$/.test(id) && more.length === 0) return id
  const received = words.length === 0 ? '' : `, not ${shown(words.join(' '))}`
  throw new Fault('invalid', `expected the id of one ${noun}${received}. Try belfry notify --help`)
}

interface Sending {
  readonly outcome: string
  readonly reason?: string
  readonly answer?: string
}

async function test(config: Config, words: readonly string[]): Promise<number> {
  const id = idIn(words, 'channel')
  const { outcome, reason, answer } = await withService(config, (url) =>
    askJson<Sending>(`${url}/notify/channel/${id}/test`, 'POST'),
  )
  console.log(harmless(reason === undefined ? outcome : `${outcome}: ${reason}`))
  if (answer !== undefined) console.log(harmless(`  the other side said: ${answer}`))
  return outcome === 'delivered' ? 0 : 1
}

interface Explanation {
  readonly summary: string
  readonly route?: readonly { routeId: string; routeName: string; taken: string; reason: string }[]
  readonly notification?: readonly ExplainedRow[]
}

interface ExplainedRow {
  readonly time: string
  readonly routeId: string
  readonly routeName?: string
  readonly change: string
  readonly step: string
  readonly contactId: string
  readonly contactName?: string
  readonly channelId: string
  readonly channelName?: string
  readonly outcome: string
  readonly reason: string
  readonly attempts: string
}

async function explain(config: Config, words: readonly string[]): Promise<number> {
  const id = idIn(words, 'alarm')
  const [explained, { timeZone }] = await withService(config, (url) =>
    Promise.all([
      askJson<Explanation>(`${url}/fault/alarm/${id}/notification`),
      askJson<{ timeZone: string }>(`${url}/`),
    ]),
  )
  const local = new LocalTime(timeZone)
  console.log(harmless(explained.summary))
  for (const { routeId, routeName, taken, reason } of explained.route ?? [])
    console.log(
      harmless(`route ${routeId} (${routeName}) ${taken === 'true' ? 'takes it' : `does not: ${reason}`}`),
    )
  for (const row of explained.notification ?? []) console.log(harmless(lineOf(row, local)))
  return 0
}

/** Changes that a step tells; all others are told to those who know of the fault. */
const stepChanges = ['raised', 'escalated']

const named = (noun: string, id: string, name: string | undefined) =>
  `${noun} ${id}${name === undefined ? '' : ` (${name})`}`

function lineOf(row: ExplainedRow, local: LocalTime): string {
  const { time, change, step, contactId, channelId, outcome, reason, attempts } = row
  const route = row.routeId === '0' ? 'last resort' : named('route', row.routeId, row.routeName)
  const at = stepChanges.includes(change) ? `, step ${Number(step) + 1}` : ''
  const contact = contactId === '0' ? '' : ` to ${named('contact', contactId, row.contactName)}`
  const through =
    channelId === '0' ? '' : `${contact} through ${named('channel', channelId, row.channelName)}`
  const tries = Number(attempts) > 1 ? `, ${attempts} attempts` : ''
  const why = reason === '' ? '' : `: ${reason}`
  return `${local.text(Number(time) * 1000)} ${route}${at}: ${change}${through}: ${outcome}${tries}${why}`
}
