// Processing in the main thread against processing in a thread of its own: what each costs, and what others notice of it.

import { join } from 'node:path'
import type { Child } from './children.ts'
import { benchmark, type Stage } from './frame.ts'
import { processorSeconds } from './processes.ts'
import type { Processed, Spell } from './processing-blocks.ts'
import { askHealth, subscribe, until } from './requests.ts'
import { at, type Line, median, whole } from './table.ts'

const full = { seconds: 6, rounds: 5 }
const quick = { seconds: 3, rounds: 3 }
const places = ['main', 'thread'] as const
type Place = (typeof places)[number]

const meaning = [
  'Blocks of 500 traps, made beforehand, are read, decided and written in the main thread of the service, giving way, or in',
  'a thread of its own with its own writing connection. One subscriber; /health is asked every 30 ms. Medians of rounds',
  'that alternate. It is a trial: what people change meanwhile is not part of it.',
]

interface Round extends Processed {
  /** Microseconds of the main thread, and of the whole process, for each alarm. */
  readonly main: number
  readonly whole: number
  readonly health: readonly number[]
  readonly stretches: readonly number[]
  /** Seconds until the subscriber had all of it. */
  readonly behind: number
}

async function processing({ plan, folder, processes }: Stage<typeof full>): Promise<Line[]> {
  const { seconds, rounds } = plan
  const services = new Map(
    places.map((place) => [place, processes.child('./processing-service.ts', join(folder, place), place)]),
  )
  const lines: Line[] = []
  for (const rate of [0, 5000]) {
    const seen: Record<Place, Round[]> = { main: [], thread: [] }
    for (let round = 0; round <= rounds; round += 1) {
      for (const [place, child] of services) {
        console.log(`${rate === 0 ? 'As fast as it goes' : `${whole(rate)}/s`}, ${place}…`)
        const measured = await measure(child, { first: next(), seconds, rate })
        // The first round is to warm up.
        if (round > 0) seen[place].push(measured)
      }
    }
    lines.push(...linesOf(rate, seen))
  }
  return lines
}

let taken = 0
function next(): number {
  taken += 1
  return taken * 1_000_000
}

async function measure(child: Child, spell: Spell): Promise<Round> {
  const { port, pid } = await child.ask<{ port: number; pid: number }>('start')
  await child.ask('prepare', spell)
  const subscriber = await subscribe(port)
  const before = { head: await child.ask<number>('head'), used: processorSeconds(pid) }
  await child.ask('stretches')
  let under = true
  const health = askHealth(port, () => under)
  const processed = await child.ask<Processed & { main: number }>('run', spell)
  under = false
  const began = performance.now()
  await until(async () => subscriber.documents >= (await child.ask<number>('head')) - before.head, 5)
  const behind = (performance.now() - began) / 1000
  subscriber.end()
  const used = (processorSeconds(pid) - before.used) * 1e6
  const stretches = await child.ask<number[]>('stretches')
  return {
    ...processed,
    ...{ health: await health, stretches, behind },
    used: processed.used / processed.count,
    main: processed.main / processed.count,
    whole: used / processed.count,
  }
}

function linesOf(rate: number, seen: Record<Place, Round[]>): Line[] {
  const of = (place: Place, read: (round: Round) => number) => median(seen[place].map(read))
  const about = rate === 0 ? 'as fast as it goes' : `${whole(rate)}/s`
  const line = (work: string, unit: string, digits: number, read: (round: Round) => number): Line => ({
    work: `${work}, ${about}`,
    here: `main thread ${of('main', read).toFixed(digits)}${unit}`,
    yardstick: `own thread ${of('thread', read).toFixed(digits)}${unit}`,
    ratio: of('thread', read) / of('main', read),
  })
  return [
    line('alarms a second', '', 0, ({ count, seconds }) => count / seconds),
    line('processor time of an alarm, processing', ' µs', 1, ({ used }) => used),
    line('the same, main thread', ' µs', 1, ({ main }) => main),
    line('the same, whole process', ' µs', 1, (round) => round.whole),
    line('/health, p50', ' ms', 1, ({ health }) => at(health, 0.5)),
    line('/health, p99', ' ms', 1, ({ health }) => at(health, 0.99)),
    line('/health, longest', ' ms', 1, ({ health }) => at(health, 1)),
    line('stretch of the main thread, p99', ' ms', 1, ({ stretches }) => at(stretches, 0.99)),
    line('stretch of the main thread, longest', ' ms', 1, ({ stretches }) => at(stretches, 1)),
    line('subscriber behind at the end', ' ms', 0, ({ behind }) => behind * 1000),
  ]
}

export default benchmark({
  summary: 'traps processed in the main thread against a thread of their own, as a trial',
  title: 'Processing',
  meaning,
  full,
  quick,
  parts: { processing },
})
