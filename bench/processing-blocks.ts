// Reads and processes datagrams as the receiver does, block after block, wherever it is called: for as long as is asked for.

import { AlarmEngine } from '../src/alarms/engine/engine.ts'
import type { IncomingTrap } from '../src/alarms/engine/incoming-trap.ts'
import type { LogSignal } from '../src/alarms/log/log-signal.ts'
import { TimeSlice } from '../src/pacing/time-slice.ts'
import { AlarmTexts } from '../src/resources/alarms/alarm.ts'
import { Decoder } from '../src/snmp/decoder.ts'
import type { Database } from '../src/store/database.ts'
import { datagram } from './trap-datagram.ts'

export interface Spell {
  /** The number of the first trap: each is an alarm of its own. */
  readonly first: number
  readonly seconds: number
  /** Traps a second; 0: as fast as they are processed. */
  readonly rate: number
}

export interface Processed {
  readonly count: number
  readonly seconds: number
  /** Microseconds of the thread that processed. */
  readonly used: number
}

const perBlock = 500
/** Alarms a second that no machine of today reaches. */
const fastest = 20_000
const plenty = { perDevice: 1e9, overall: 1e9 }

export const newEngine = (database: Database, logSignal: LogSignal): AlarmEngine =>
  new AlarmEngine(database, logSignal, new AlarmTexts(database, 'UTC'), {
    timeZone: 'UTC',
    unknownTraps: 'alarm',
    unknownSenders: 'register',
    flapping: { count: 5, seconds: 300, rearmSeconds: 300 },
    deviceLimit: 100_000,
    unknownAlarms: plenty,
    openAlarms: plenty,
    causeWaitSeconds: 20,
  })

/** Datagrams for a whole spell, made beforehand: making them is not what is measured. */
export const datagramsFor = ({ first, seconds, rate }: Spell): Buffer[] =>
  Array.from({ length: Math.ceil(seconds * (rate || fastest)) }, (_, index) => datagram(first + index, 0))

/** `givesWay`: whether others have work in this thread. */
export async function processBlocks(
  engine: AlarmEngine,
  { seconds, rate }: Spell,
  datagrams: readonly Buffer[],
  givesWay: boolean,
): Promise<Processed> {
  const decoder = new Decoder({ communities: ['public'], usm: undefined })
  const most = datagrams.length
  const before = process.threadCpuUsage()
  const began = performance.now()
  let count = 0
  for (let passed = 0; passed < seconds && count < most; passed = (performance.now() - began) / 1000) {
    const due = rate === 0 ? most : Math.min(most, Math.floor(passed * rate))
    const size = Math.min(perBlock, due - count)
    const pace = new TimeSlice()
    const block: IncomingTrap[] = []
    for (const bytes of datagrams.slice(count, count + size)) {
      if (givesWay) await pace.step()
      const outcome = decoder.decode(bytes)
      if (outcome.kind !== 'trap') throw new Error(outcome.kind)
      const { version, oid, variables, agentAddress: agentIp } = outcome.trap
      block.push({
        kind: 'trap',
        receivedAt: Date.now(),
        sourceIp: '127.0.0.1',
        agentIp,
        version,
        oid,
        variables,
      })
    }
    if (size > 0) await engine.handle(block)
    count += size
    if (size < 50) await new Promise((resolve) => setTimeout(resolve, 2))
    else await pace.yieldNow()
  }
  const { user, system } = process.threadCpuUsage(before)
  return { count, seconds: (performance.now() - began) / 1000, used: user + system }
}
