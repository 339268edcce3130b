// kill -9 in the middle of a storm: every inform that was answered and every alarm that was seen is there afterwards.

import assert from 'node:assert/strict'
import { device, inform, until } from '../intake/sending.ts'
import { record } from '../outcome.ts'
import { temporaryFolder } from '../support.ts'
import { chance } from './chance.ts'
import { type ServiceProcess, startProcess } from './process.ts'

const seed = 20_260_715
const underWay = 300
/** One device has more open alarms here than any in a network. */
const noLimits = { 'open-alarms-device': '1000000', 'open-alarms': '1000000' }

interface Seen {
  readonly id: string
  readonly paras: string
}

async function alarmsOf(service: ServiceProcess, query: string): Promise<Seen[]> {
  const answer = await service.get(`/fault/alarm?${query}`, { Accept: 'application/json' })
  return answer.json().alarm as Seen[]
}

/** Kills a service in mid-storm, again and again, and compares what it kept with what it promised. */
export async function killInMidStorm(rounds: number): Promise<void> {
  const random = chance(seed)
  const data = temporaryFolder()
  const answered = new Set<number>()
  const seen = new Map<string, string>()
  let next = 1
  let service = await startProcess(data, noLimits)
  for (let round = 1; round <= rounds; round += 1) {
    const router = await device(service.trapPort)
    const enough = Math.floor(500 + random() * 3000)
    const answers = () => router.heard.length
    const looking = setInterval(async () => {
      const found = await alarmsOf(service, 'desc=true&size=50').catch(() => [])
      for (const { id, paras } of found) seen.set(id, paras)
    }, 20)
    for (let sent = 0; answers() < enough; ) {
      const room = underWay - (sent - answers())
      for (let index = 0; index < Math.max(room, 1); index += 1) {
        await router.send(inform(next))
        next += 1
        sent += 1
      }
      await until('answers come', () => sent - answers() < underWay || answers() >= enough)
    }
    await service.kill()
    clearInterval(looking)
    for (const { requestId } of router.answers()) answered.add(requestId)
    service = await startProcess(data, noLimits)
    const kept = new Map((await alarmsOf(service, 'size=1000000')).map(({ id, paras }) => [id, paras]))
    const indexes = new Set([...kept.values()].map((paras) => Number(paras.split('=')[1])))
    const lost = [...answered].filter((index) => !indexes.has(index))
    record({ rounds: 1, lost: lost.length, doubled: kept.size - indexes.size })
    assert.deepEqual(lost, [], `round ${round}, seed ${seed}: answered informs are gone`)
    for (const [id, paras] of seen) assert.equal(kept.get(id), paras, `round ${round}: alarm ${id} is gone`)
    assert.equal(kept.size, indexes.size, 'none is there twice')
  }
  assert.ok(answered.size >= rounds * 500 && seen.size > 0)
  await service.kill()
}
