// A storm from one source while fifty others speak now and then: what becomes of the others, and of the storm.

import { setTimeout as sleep } from 'node:timers/promises'
import { kernelDrops } from '../src/intake/receiver.ts'
import { benchmark, type Stage } from './frame.ts'
import { processorSeconds, type Served } from './processes.ts'
import { ask } from './requests.ts'
import type { Heard, Talk } from './storm-others.ts'
import { at, type Goal, type Line, whole } from './table.ts'
import { freePort } from './trap-datagram.ts'

const full = { seconds: 10 }
const quick = { seconds: 4 }

const stormRate = 50_000
const loud = '127.0.0.2'
const others = { first: 10, devices: 50, rate: 10 }
const bufferSize = 4 * 2 ** 20

const none: Goal = { sign: '≤', first: 0, later: 0 }
/** Milliseconds. */
const besideStorm: Goal = { sign: '≤', first: 323, later: 50 }

const meaning = [
  'One source sends traps at 50,000/s, fifty others 10 informs a second each, all to one socket on one machine.',
  'Taken from the socket: what the service read of all that was sent; the rest is what the kernel dropped, of anybody.',
  'Lost after the kernel: datagrams that the service took and that are in no bin, and informs of the others that it took',
  'and did not process as alarms. Answer: from sending an inform to its answer, which comes when its alarm is on disk.',
  'Settings as shipped.',
]

interface Ledger {
  readonly trapBin?: readonly { readonly bin: string; readonly reason: string; readonly count: string }[]
}

async function storm({ plan, folder, processes }: Stage<typeof full>): Promise<Line[]> {
  const { seconds } = plan
  const port = await freePort()
  const service = await processes.service(folder, {
    traps: `127.0.0.1:${port}`,
    'trap-buffer': String(bufferSize),
  })
  const talk = (from: number): Promise<Heard> =>
    processes.talk({ port, ...others, seconds, from } satisfies Talk)
  console.log('Fifty sources, without a storm…')
  await talk(1)
  const calm = await talk(1001)
  const dropsBefore = kernelDrops(port) ?? 0
  const usedBefore = processorSeconds(service.pid)
  console.log(`The same beside a storm of ${whole(stormRate)}/s for ${seconds} s…`)
  const load = { port, first: 0, different: 4000, count: stormRate * seconds, rate: stormRate, from: loud }
  const [sent, heard] = await Promise.all([processes.sendTraps(load), talk(2001)])
  const used = processorSeconds(service.pid) - usedBefore
  const all = calm.sent * 2 + heard.sent + sent.count
  const processed = await waitForAll(service, port, all, dropsBefore)
  const drops = (kernelDrops(port) ?? 0) - dropsBefore
  const ofOthers = await outcomesOfOthers(service)
  const alarm = await stormAlarm(service)
  const missing = Math.max(0, calm.sent * 2 + heard.sent - ofOthers.raised - drops)
  const taken = sent.count + heard.sent - drops
  return [
    {
      work: 'storm sent',
      here: `${whole(sent.count / sent.seconds)}/s for ${sent.seconds.toFixed(0)} s`,
      yardstick: `taken from the socket: ${((taken / (sent.count + heard.sent)) * 100).toFixed(2)} %`,
    },
    {
      work: 'lost after the kernel, of all',
      here: `${whole(processed)} processed`,
      yardstick: `${whole(drops)} dropped by the kernel`,
      ratio: all - drops - processed,
      unit: '',
      goal: none,
    },
    {
      work: 'lost after the kernel, of the others',
      here: `${whole(ofOthers.raised)} alarms`,
      yardstick: `sent: ${whole(calm.sent * 2 + heard.sent)}`,
      ratio: missing + ofOthers.elsewhere,
      unit: '',
      goal: none,
    },
    ...[0.5, 0.99].map((part) => ({
      work: `answer to the others, p${part * 100}`,
      yardstick: `without a storm: ${at(calm.answers, part).toFixed(1)} ms`,
      ratio: at(heard.answers, part),
      unit: ' ms',
      ...(part === 0.99 && { goal: besideStorm }),
    })),
    {
      work: 'informs of the others that were answered',
      here: `${whole(heard.answers.length)} of ${whole(heard.sent)}`,
      yardstick: 'the rest: dropped by the kernel',
    },
    {
      work: 'the storm as alarms',
      here: `${alarm.count}, counting ${whole(alarm.repeats)}`,
      yardstick: `recovered ${alarm.seconds.toFixed(0)} s after all was processed`,
    },
    {
      work: 'processor time of the service',
      here: `${((used / sent.seconds) * 100).toFixed(0)} % of a core`,
    },
  ]
}

/** Waits until all of it is in a bin. */
async function waitForAll(service: Served, port: number, all: number, dropsBefore: number): Promise<number> {
  for (let wait = 0; ; wait += 1) {
    const processed = count(await ledger(service))
    const drops = (kernelDrops(port) ?? 0) - dropsBefore
    if (processed + drops >= all || wait > 100) return processed
    await sleep(100)
  }
}

async function outcomesOfOthers(service: Served): Promise<{ raised: number; elsewhere: number }> {
  let raised = 0
  let elsewhere = 0
  for (let index = 0; index < others.devices; index += 1) {
    for (const { bin, count: n } of await ledger(service, `127.0.0.${others.first + index}`)) {
      if (bin === 'raised') raised += Number(n)
      else elsewhere += Number(n)
    }
  }
  return { raised, elsewhere }
}

async function stormAlarm(service: Served): Promise<{ count: number; repeats: number; seconds: number }> {
  const began = performance.now()
  for (;;) {
    const path = '/fault/alarm?faultOid=1.3.6.1.4.1.32473.1.5'
    const { alarm = [] } = (await json(service, path)) as { alarm?: Record<string, string>[] }
    const faults = alarm.filter(({ isReceoverFault }) => Number(isReceoverFault) === 0)
    const seconds = (performance.now() - began) / 1000
    if ((faults.length > 0 && faults.every(({ recStatus }) => Number(recStatus) === 1)) || seconds > 60) {
      return { count: faults.length, repeats: Number(faults[0]?.repeats ?? 0), seconds }
    }
    await sleep(200)
  }
}
type Lines = NonNullable<Ledger['trapBin']>

async function ledger(service: Served, sourceIp?: string): Promise<Lines> {
  const query = sourceIp === undefined ? '' : `?sourceIp=${sourceIp}`
  return ((await json(service, `/fault/trapLedger${query}`)) as Ledger).trapBin ?? []
}

const count = (lines: Lines) => lines.reduce((sum, { count: n }) => sum + Number(n), 0)

const json = async ({ port }: Served, path: string): Promise<unknown> =>
  JSON.parse((await ask(port, path)).text)

export default benchmark({
  summary: '50,000 traps a second from one source while fifty others speak now and then',
  title: 'Storm',
  meaning,
  full,
  quick,
  parts: { storm },
})
