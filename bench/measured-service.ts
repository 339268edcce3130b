// The service as a process of its own that says for how long its main thread works without a pause, and raises alarms on
// request: many in one transaction, so that raising is not what is measured.

import { type AlarmDraft, Identity } from '../src/alarms/engine/alarm-draft.ts'
import { startApp } from '../src/app.ts'
import { readConfig } from '../src/config/config.ts'
import { fromTrap } from '../src/resources/alarms/alarm.ts'
import { answer, memory, processorTime, sharedNow } from './children.ts'
import { watchStretches } from './stretches.ts'
import { linkDown } from './trap-datagram.ts'

export interface Started {
  readonly port: number
  readonly trapPort: number
  readonly pid: number
}

export interface Raised {
  /** When the last statement before the commit was done. */
  readonly at: number
  /** Of one document, on average. */
  readonly bytes: number
}

const perTransaction = 1000

const [data = '', flags = '{}'] = process.argv.slice(2)
const app = await startApp(
  readConfig({ data, listen: '127.0.0.1:0', traps: '127.0.0.1:0', ...JSON.parse(flags) }, {}),
)
let raised = 0

const fault = (words: string): AlarmDraft => {
  raised += 1
  const ip = `10.0.${(raised >> 8) & 255}.${raised & 255}`
  return {
    identity: new Identity(BigInt(raised % 1000), ip, `ifIndex=${raised}`, linkDown),
    OID: linkDown,
    eventName: 'linkDown',
    originalType: fromTrap,
    deviceIp: ip,
    deviceName: `switch-${raised % 1000}`,
    alarmLevel: 1 + (raised % 5),
    alarmCategory: 3,
    alarmDesc: `Interface ${raised} of switch-${raised % 1000} is down; ${words}`,
    paras: `*ifIndex=${raised};ifAdminStatus=up;ifOperStatus=down`,
    at: Date.now(),
  }
}

/** The last alarm says that it is the last. */
async function raise({ count, padding, mark }: { count: number; padding: number; mark: string }) {
  let at = 0
  for (let done = 0; done < count; done += perTransaction) {
    await app.engine.change(async (changes, tx) => {
      for (let index = done; index < Math.min(count, done + perTransaction); index += 1) {
        const draft = fault('.'.repeat(padding) + (index === count - 1 ? mark : ''))
        await changes.gather([draft])
        changes.raise(draft)
      }
      tx.beforeCommit(async () => {
        at = sharedNow()
      })
    })
  }
  const [row] = await app.database.all(
    'select avg(length(alarm)) as bytes from (select alarm from alarm_log order by number desc limit 100)',
  )
  // Behind the element come its action and two line ends, before it the declaration.
  return { at, bytes: Math.round(Number(row?.bytes)) + 80 } satisfies Raised
}

async function beginning(): Promise<string> {
  const [row] = await app.database.all('select number, first_entry from epoch order by number limit 1')
  return `${row?.number}:${(row?.first_entry as bigint) - 1n}`
}

answer(
  {
    start: (): Started => ({ port: Number(new URL(app.url).port), trapPort: app.trapPort, pid: process.pid }),
    head: async () => Number((await app.database.all('select max(number) as n from alarm_log'))[0]?.n ?? 0n),
    stretches: watchStretches(),
    raise,
    memory,
    processorTime,
    beginning,
  },
  () => app.stop(),
)
