// Whatever became of the reports: after the next check, the open alarms of a device are the true state of its ports. A
// hundred random histories, with flaps, restarts and new indexes, of which any report may have been lost.

import assert from 'node:assert/strict'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Variable } from '../../src/snmp/variables.ts'
import { freePort } from '../free-port.ts'
import { ifIndex, linkDown, linkUp, until, v2c } from '../intake/sending.ts'
import { startService } from '../support.ts'
import { TestAgent } from './agent.ts'
import { switchValues } from './know-world.ts'
import { addDevice, addProfile, community } from './reach-world.ts'

const devices = 20
const rounds = 5
const names = ['Gi0/1', 'Gi0/2', 'Gi0/3', 'Gi0/4']
const coldStart = '1.3.6.1.6.3.1.1.5.1'
const uptimeOid = '1.3.6.1.2.1.1.3.0'

const port = await freePort()
const often = { 'ask-seconds': '1', 'learn-seconds': '1', 'verify-seconds': '1', 'ask-rate': '5000' }
const limits = { verifyQuietSeconds: 0, verifyAgainSeconds: 0 }
const service = await startService({ ...often, 'flap-count': '0' }, { limits })

/** The same numbers for the same seed: a history that fails can be repeated. */
function randomOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** A switch whose clock runs, whose ports go up and down, and whose reports arrive or not. */
class Box implements AsyncDisposable {
  readonly host: string
  readonly #random: (below: number) => number
  readonly #sender: Socket
  readonly #values: Variable[] = []
  #agent: TestAgent | undefined
  #startedAt = performance.now() - 3_600_000
  /** The index of each port, and which ports are down. */
  #indexes = new Map(names.map((name, at) => [name, at + 1]))
  readonly #down = new Set<string>()
  readonly told: string[] = []
  id = ''

  constructor(host: string, seed: number) {
    this.host = host
    this.#random = randomOf(seed)
    this.#sender = createSocket('udp4')
  }

  async start(): Promise<this> {
    this.#sender.bind(0, this.host)
    await once(this.#sender, 'listening')
    this.#renew()
    this.#agent = await TestAgent.start({
      ...{ values: this.#values, host: this.host, port, community },
      answer: (_asked, honest) => {
        const at = this.#values.findIndex(({ oid }) => oid === uptimeOid)
        const value = String(Math.floor((performance.now() - this.#startedAt) / 10))
        this.#values[at] = { oid: uptimeOid, type: 'TimeTicks', value, hex: false }
        return honest()
      },
    })
    return this
  }

  /** What should be alarmed. */
  get truth(): string {
    return [...this.#down]
      .map((name) => `ifIndex=${this.#indexes.get(name)}`)
      .sort()
      .join()
  }

  async live(): Promise<void> {
    for (let steps = 2 + this.#random(6); steps > 0; steps -= 1) {
      const what = this.#random(10)
      if (what < 7) this.#flap()
      else this.#restart(what === 9)
      await pause(this.#random(3) * 150)
    }
  }

  #flap(): void {
    const name = names[this.#random(names.length)] as string
    const isDown = !this.#down.delete(name)
    if (isDown) this.#down.add(name)
    this.#renew()
    this.#report(isDown ? linkDown : linkUp, [ifIndex(this.#indexes.get(name) ?? 0)], `${name}`)
  }

  /** Ports may have come up or gone down meanwhile, and have other indexes. */
  #restart(renumbers: boolean): void {
    this.#startedAt = performance.now()
    if (renumbers) {
      const numbers = names.map((_, at) => at + 1)
      for (const name of names)
        this.#indexes.set(name, numbers.splice(this.#random(numbers.length), 1)[0] as number)
    }
    for (const name of names) if (this.#random(4) === 0) this.#down.delete(name) || this.#down.add(name)
    this.#renew()
    this.#report(coldStart, [], renumbers ? 'renumbered' : 'restarted')
  }

  #report(oid: string, variables: readonly Variable[], about: string): void {
    const isLost = this.#random(2) === 0
    this.told.push(
      `${oid === linkDown ? 'down' : oid === linkUp ? 'up' : ''} ${about}${isLost ? ' (lost)' : ''}`,
    )
    if (!isLost) this.#sender.send(v2c(oid, variables), service.trapPort, '127.0.0.1')
  }

  #renew(): void {
    const ports = names
      .map((name) => ({ index: this.#indexes.get(name) ?? 0, name, oper: this.#down.has(name) ? 2 : 1 }))
      .toSorted((a, b) => a.index - b.index)
    this.#values.splice(0, this.#values.length, ...switchValues({ name: this.host, ports }))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#sender.close()
    await this.#agent?.[Symbol.asyncDispose]()
  }
}

test('after the next check, the open alarms are the true state, whatever reports were lost', async () => {
  const boxes = await Promise.all(
    Array.from({ length: devices }, (_, at) => new Box(`127.0.58.${at + 1}`, 4711 + at).start()),
  )
  after(async () => {
    for (const box of boxes) await box[Symbol.asyncDispose]()
  })
  for (const box of boxes) await addDevice(service, box)
  await addProfile(service, port, '127.0.58.0/24')
  await until('the good state of all was seen', async () => {
    const rows = await service.database.all("select id from seen_state where parts <> ''")
    return rows.length === devices
  })
  const openOf = async () => {
    const rows = await service.database.all(
      `select device_id, resource from alarm where rec_status = 0 and is_receover_fault = 0 and event_name = 'linkDown'`,
    )
    const found = Map.groupBy(rows, (row) => String(row.device_id))
    return (id: string) =>
      (found.get(id) ?? [])
        .map((row) => String(row.resource))
        .sort()
        .join()
  }
  for (let round = 1; round <= rounds; round += 1) {
    for (const box of boxes) box.told.length = 0
    await Promise.all(boxes.map((box) => box.live()))
    const wrong = async () => {
      const open = await openOf()
      return boxes.filter((box) => open(box.id) !== box.truth)
    }
    const isOver = until(`round ${round} is found out`, async () => (await wrong()).length === 0)
    await isOver.catch(async (cause) => {
      const open = await openOf()
      const told = (await wrong()).map(
        (box) =>
          `${box.host} (${box.id}): open ${open(box.id)}, true ${box.truth}, after ${box.told.join('; ')}`,
      )
      assert.fail(`${cause.message}\n${told.join('\n')}`)
    })
  }
})
