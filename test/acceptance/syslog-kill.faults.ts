// A service that is killed while syslog messages arrive: what is in the store is counted once, with its effect, and later
// messages find alarms as the earlier ones left them.

import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../free-port.ts'
import { until } from '../intake/sending.ts'
import { record, rounds } from '../outcome.ts'
import { newDatabase } from '../postgres-database.ts'
import { temporaryFolder } from '../support.ts'
import { type ServiceProcess, startProcess } from './process.ts'

const fans = 40
const failed = (fan: number) => `<187>%FAN-3-FAN_FAILED: Fan ${fan} had a rotation error reported.`
const works = (fan: number) =>
  `<187>%FAN-3-FAN_OK: Fan ${fan} had earlier reported a rotation error. It is ok now`
const noise = (n: number) => `<190>app: served request ${n} in 3 ms`

/** The ledger by bin, without messages that change nothing. */
async function bins(service: ServiceProcess): Promise<Map<string, number>> {
  const { trapBin } = (await service.get('/fault/trapLedger', { Accept: 'application/json' })).json()
  const lines = trapBin as { bin: string; count: string }[]
  const counts = new Map<string, number>()
  for (const { bin, count } of lines) counts.set(bin, (counts.get(bin) ?? 0) + Number(count))
  counts.delete('filtered')
  return counts
}

/** The counts once nothing is processed any more. */
async function settled(service: ServiceProcess) {
  const read = async () => {
    const counts = await bins(service)
    return { counts, counted: counts.values().reduce((sum, n) => sum + n, 0) }
  }
  let last = await read()
  let same = 0
  await until('nothing is processed any more', async () => {
    await sleep(500)
    const now = await read()
    same = now.counted === last.counted ? same + 1 : 0
    last = now
    return same >= 4
  })
  return last
}

const total = async (service: ServiceProcess, path: string) =>
  Number((await service.get(`${path}${path.includes('?') ? '&' : '?'}size=1&total=true`)).headers.total)

for (const [store, place] of [
  ['SQLite', async () => ({})],
  ['PostgreSQL', async () => ({ store: await newDatabase() })],
] as const)
  test(
    `on ${store}: killed ${rounds} times while messages arrive`,
    {
      timeout: 180_000 + rounds * 90_000,
    },
    async () => killed(await place()),
  )

async function killed(where: Readonly<Record<string, string>>): Promise<void> {
  const data = temporaryFolder()
  const port = await freePort()
  const settings = { ...where, 'syslog-udp': `127.0.0.1:${port}`, 'flap-count': '0' }
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  after(() => socket.close())
  const say = (text: string) =>
    new Promise<void>((resolve) => {
      // Nobody listens while the service is down.
      socket.send(text, port, '127.0.0.1', () => resolve())
    })
  let sent = 0
  let service = await startProcess(data, settings)
  for (let round = 1; round <= rounds; round += 1) {
    const before = (await bins(service)).values().reduce((sum, n) => sum + n, 0)
    let isOver = false
    const storming = (async () => {
      for (let n = 0; !isOver; n += 1) {
        await say(n % 2 === 0 ? failed(n % fans) : works((n - 1) % fans))
        for (let more = 0; more < 5; more += 1) await say(noise(n))
        sent += 1
        if (n % 20 === 0) await sleep(2)
      }
    })()
    await until('some are processed', async () => {
      const now = (await bins(service)).values().reduce((sum, n) => sum + n, 0)
      return now > before + 100
    })
    await service.kill()
    isOver = true
    await storming
    service = await startProcess(data, settings)
    // Where a block was committed before it was processed, that is done now.
    const { counts, counted } = await settled(service)
    const stored = await total(service, '/fault/trap')
    record({ rounds: 1, doubled: Math.max(0, stored - counted) })
    assert.equal(stored, counted, 'each is stored with its outcome')
    assert(counted <= sent, `${counted} of ${sent}`)
    const faults = (counts.get('raised') ?? 0) + (counts.get('recovered') ?? 0)
    assert.equal(await total(service, '/fault/alarm?originalType=2'), faults, 'each outcome has its alarm')
  }
  for (let fan = 0; fan < fans; fan += 1) await say(works(fan))
  await until(
    'all have ended',
    async () => (await total(service, '/fault/alarm?recStatus=0&originalType=2')) === 0,
  )
  await service.kill()
}
