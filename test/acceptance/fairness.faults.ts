// One source storms as fast as it can while fifty others send now and then: nothing of the others is lost or late, and
// the storm is one alarm that recovers.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { readAnswer } from '../../src/snmp/send.ts'
import { counted, inform, until } from '../intake/sending.ts'
import { record } from '../outcome.ts'
import { temporaryFolder } from '../support.ts'
import { type ServiceProcess, startProcess } from './process.ts'

const storming = fileURLToPath(new URL('./storming.ts', import.meta.url))
const loud = '127.0.0.2'
const rounds = 20
const settings = {
  'storm-source': '500',
  'flap-count': '0',
}

interface Line {
  readonly bin: string
  readonly reason: string
  readonly count: string
}

interface Alarm {
  readonly resource: string
  readonly recStatus: string
  readonly repeats: string
  readonly isReceoverFault: string
}

/** A device that sends informs, and sends again what is not answered: the kernel may have dropped it. */
async function speaker(ip: string, port: number) {
  const socket = createSocket('udp4')
  socket.bind(0, ip)
  await once(socket, 'listening')
  after(() => socket.close())
  const unanswered = new Map<number, Buffer>()
  socket.on('message', (bytes) => unanswered.delete(readAnswer(bytes)?.requestId ?? 0))
  const speak = (bytes: Buffer) => {
    total += 1
    return new Promise<void>((resolve) => socket.send(bytes, port, '127.0.0.1', () => resolve()))
  }
  let total = 0
  return {
    ip,
    unanswered,
    total: () => total,
    say(index: number) {
      const bytes = inform(index)
      unanswered.set(index, bytes)
      return speak(bytes)
    },
    sayAgain: () => Promise.all([...unanswered.values()].map(speak)),
  }
}

async function linesOf(service: ServiceProcess, ip?: string): Promise<Record<string, number>> {
  const path = `/fault/trapLedger${ip ? `?sourceIp=${ip}` : ''}`
  const { trapBin } = (await service.get(path, { Accept: 'application/json' })).json()
  return Object.fromEntries(
    ((trapBin ?? []) as Line[]).map(({ bin, reason, count }) => [`${bin} ${reason}`, Number(count)]),
  )
}

const sum = (lines: Record<string, number>) => Object.values(lines).reduce((a, b) => a + b, 0)

test('a storm from one source neither loses nor delays what others send, and is one alarm that recovers', {
  timeout: 360_000,
}, async () => {
  const service = await startProcess(temporaryFolder(), settings)
  const storm = spawn(process.execPath, [storming, String(service.trapPort), '5000000', loud], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  after(() => storm.kill('SIGKILL'))
  const ended = once(storm.stdout, 'data')
  const collapsed = async () => (await linesOf(service, loud))['collapsed storm'] ?? 0
  await until('the storm is seen as one', async () => (await collapsed()) > 0)
  const others = await Promise.all(
    Array.from({ length: 50 }, (_, index) => speaker(`127.0.0.${10 + index}`, service.trapPort)),
  )
  for (let round = 1; round <= rounds; round += 1) {
    for (const other of others) await other.say(round)
    await sleep(100)
  }
  // During the storm: a sender that is queued behind it would wait until its end.
  await until('all that the others sent is answered, in mid-storm', async () => {
    for (const other of others) await other.sayAgain()
    await sleep(200)
    return others.every(({ unanswered }) => unanswered.size === 0)
  })
  storm.kill('SIGTERM')
  const [said] = await ended
  const sent = Number(said) + others.reduce((all, { total }) => all + total(), 0)
  await until('every datagram is accounted for', async () => {
    const { binned, drops } = await counted(service)
    return binned + drops >= sent
  })
  const { received, binned, drops } = await counted(service)
  record({ rounds: 1, lost: Math.max(0, received - binned), doubled: Math.max(0, binned - received) })
  assert.deepEqual([binned, received + drops], [received, sent])
  for (const { ip } of others) {
    const {
      'raised no such alarm was open': raised,
      'collapsed duplicate': again = 0,
      ...rest
    } = await linesOf(service, ip)
    assert.deepEqual([raised, rest], [rounds, {}], `${ip}, of which ${again} were sent again`)
  }
  const storms = async () => {
    const path = '/fault/alarm?faultOid=1.3.6.1.4.1.32473.1.5'
    const { alarm } = (await service.get(path, { Accept: 'application/json' })).json()
    return (alarm as Alarm[]).filter(({ isReceoverFault }) => Number(isReceoverFault) === 0)
  }
  await until('the alarm recovers by itself', async () => Number((await storms())[0]?.recStatus) === 1)
  const [alarm, ...more] = await storms()
  assert.ok(alarm)
  assert.deepEqual([alarm.resource, more.length], [`source=${loud}`, 0])
  assert.equal(Number(alarm.repeats), await collapsed(), 'and has counted all of it')
  assert.equal(sum(await linesOf(service)), received)
  assert.match((await service.get('/metrics')).text, /^belfry_trap_storms 0$/m)
  await service.kill()
})
