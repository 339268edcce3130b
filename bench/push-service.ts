// The service as a process of its own that raises alarms on request: many in one transaction, so that raising is
// not what is measured.

import { dirname } from 'node:path'
import { type AlarmDraft, Identity } from '../src/alarms/engine/alarm-draft.ts'
import { startApp } from '../src/app.ts'
import { readConfig } from '../src/config/config.ts'
import { fromTrap } from '../src/resources/alarms/alarm.ts'
import { answer, memory, processorTime, sharedNow } from './children.ts'

export interface Started {
  readonly port: number
  readonly trapPort: number
}

export interface Raised {
  /** When the last statement before the commit was done. */
  readonly at: number
  /** Of one document, on average. */
  readonly bytes: number
}

export const linkDown = '1.3.6.1.6.3.1.1.5.3'
const perTransaction = 1000

const app = await startApp(
  readConfig(
    {
      data: process.argv[2] ?? dirname(import.meta.url),
      listen: '127.0.0.1:0',
      traps: '127.0.0.1:0',
      'connections-per-address': '100000',
      'stall-seconds': '600',
      'storm-source': '0',
      'storm-overall': '0',
      'duplicate-seconds': '0',
      'open-alarms-device': '2000000',
      'open-alarms': '2000000',
    },
    {},
  ),
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
    start: (): Started => ({ port: Number(new URL(app.url).port), trapPort: app.trapPort }),
    raise,
    memory,
    processorTime,
    beginning,
  },
  () => app.stop(),
)
