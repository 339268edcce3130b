// A hundred devices with random histories: ports flap, agents restart and number their ports anew, half of the reports are
// lost. After the next checks the open alarms are the ports that are down.

import assert from 'node:assert/strict'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../free-port.ts'
import { ifIndex, linkDown, linkUp, until, v2c } from '../intake/sending.ts'
import { startService } from '../support.ts'
import { TestAgent } from './agent.ts'
import { switchValues } from './know-world.ts'
import { addDevice, addProfile, community } from './reach-world.ts'

const histories = 100
const epochs = 2
const names = ['Gi0/1', 'Gi0/2', 'Gi0/3', 'Gi0/4']

/** The same sequence each time. */
function dice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

class Model {
  readonly host: string
  readonly #roll: (sides: number) => number
  readonly #sender: Socket
  readonly #agent: TestAgent
  readonly #values: ReturnType<typeof switchValues>
  readonly #trapPort: number
  #startedAt = performance.now() - 86_400_000
  /** The names at the indexes from 1 on. */
  #order = [...names]
  readonly #down = new Set<string>()
  id = ''

  private constructor(
    host: string,
    roll: (sides: number) => number,
    trapPort: number,
    { agent, sender, values }: { agent: TestAgent; sender: Socket; values: Model['values'] },
  ) {
    this.host = host
    this.#roll = roll
    this.#trapPort = trapPort
    this.#agent = agent
    this.#sender = sender
    this.#values = values
    this.#speak()
  }

  get values() {
    return this.#values
  }

  static async start(host: string, port: number, trapPort: number, seed: number): Promise<Model> {
    const sender = createSocket('udp4')
    sender.bind(0, host)
    await once(sender, 'listening')
    const values: Model['values'] = []
    const agent = await TestAgent.start({ values, host, port, community })
    return new Model(host, dice(seed), trapPort, { agent, sender, values })
  }

  /** The indexes of the ports that are down. */
  get broken(): string {
    return Array.from(this.#down, (name) => this.#order.indexOf(name) + 1)
      .sort()
      .join()
  }

  #speak(): void {
    const ports = this.#order.map((name, at) => ({
      ...{ index: at + 1, name },
      oper: this.#down.has(name) ? 2 : 1,
    }))
    const values = switchValues({ name: this.host, ports })
    const uptime = values.find(({ oid }) => oid === '1.3.6.1.2.1.1.3.0')
    assert(uptime)
    Object.defineProperty(uptime, 'value', {
      get: () => String(Math.floor((performance.now() - this.#startedAt) / 10)),
    })
    this.#values.splice(0, this.#values.length, ...values)
  }

  /** A report is lost as often as not. */
  #report(oid: string, name: string): void {
    if (this.#roll(2) === 0) return
    this.#sender.send(v2c(oid, [ifIndex(this.#order.indexOf(name) + 1)]), this.#trapPort, '127.0.0.1')
  }

  async live(): Promise<void> {
    for (let events = 1 + this.#roll(6); events > 0; events -= 1) {
      await sleep(this.#roll(500))
      if (this.#roll(6) === 0) {
        this.#startedAt = performance.now()
        for (let at = names.length - 1; at > 0; at -= 1) {
          const other = this.#roll(at + 1)
          const [one, two] = [this.#order[at] as string, this.#order[other] as string]
          this.#order[at] = two
          this.#order[other] = one
        }
        this.#speak()
        continue
      }
      const name = names[this.#roll(names.length)] as string
      const isUp = this.#down.has(name)
      if (isUp) this.#down.delete(name)
      else this.#down.add(name)
      this.#speak()
      this.#report(isUp ? linkUp : linkDown, name)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#sender.close()
    await this.#agent[Symbol.asyncDispose]()
  }
}

test('a hundred random histories: after the next checks, the open alarms are the true state', async () => {
  const port = await freePort()
  const service = await startService(
    {
      ...{ 'ask-seconds': '2', 'learn-seconds': '4', 'verify-seconds': '2', 'ask-rate': '10000' },
      'flap-count': '0',
    },
    { limits: { verifyQuietSeconds: 0, verifyAgainSeconds: 0 } },
  )
  const models: Model[] = []
  after(async () => {
    for (const model of models) await model[Symbol.asyncDispose]()
  })
  // On a busy machine, answers may be late.
  await addProfile(service, port, '127.0.52.0/24', { timeoutSeconds: 10, tries: 3 })
  for (let last = 1; last <= histories; last += 1) {
    const model = await Model.start(`127.0.52.${last}`, port, service.trapPort, last)
    models.push(model)
    await addDevice(service, model)
  }
  // Of a port whose name nobody knows yet, nothing is known after a restart.
  const known = async () => {
    const rows = await service.database.all(
      "select id from seen_state where parts like '%Gi0/4%' and id in (select device_id from port where name = 'Gi0/4')",
    )
    return rows.length
  }
  await until('all were looked at, and their ports are known', async () => (await known()) === histories)
  for (let epoch = 0; epoch < epochs; epoch += 1) {
    await Promise.all(models.map((model) => model.live()))
    const wrong = async () => {
      const rows = await service.database.all(
        "select device_id, resource from alarm where rec_status = 0 and event_name = 'linkDown'",
      )
      const open = Map.groupBy(rows, (row) => String(row.device_id))
      return models.flatMap(({ id, broken }) => {
        const found = (open.get(id) ?? [])
          .map((row) => String(row.resource).replace('ifIndex=', ''))
          .sort()
          .join()
        return found === broken ? [] : [`${id}: ${found || 'none'} instead of ${broken || 'none'}`]
      })
    }
    let last: string[] = []
    await until(`the alarms of epoch ${epoch} are right`, async () => {
      last = await wrong()
      return last.length === 0
    }).catch((error) => {
      throw new Error(last.join('\n'), { cause: error })
    })
  }
  const raised = await service.database.all(
    "select count(*) as n from alarm where reason = 'found by asking'",
  )
  const ended = await service.database.all(
    "select count(*) as n from alarm where reason = 'found recovered by asking'",
  )
  assert(Number(raised[0]?.n) > 50 && Number(ended[0]?.n) > 50)
})
