// The guarantees of the event stream under faults: at least once, in order, nothing missing without a notice.
// ROUNDS=20 kills the service twenty times in a row; SEED repeats a run.

import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { entriesAhead } from '../../src/alarms/log/epochs.ts'
import { type Service, serve, stop } from '../cli/running.ts'
import { record, rounds } from '../outcome.ts'
import { EventReader } from '../push/reader.ts'
import { eventually } from '../push/station.ts'
import { startService, temporaryFolder } from '../support.ts'
import { check, outcomeOf, summaryOf } from './checker.ts'
import { allHave, Durable, evidenceOf, Load, type Place, readLog, received } from './crowd.ts'

const seed = Number(process.env.SEED ?? 1)
const clientCount = 50

/** The same random numbers for the same seed. */
function chances(from: number): () => number {
  let state = from
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

const start = async (data: string, place: Place): Promise<Service> => {
  const service = await serve(['--data', data, '--log-level', 'error'])
  place.url = service.url
  return service
}

const holds = (evidence: Parameters<typeof check>[0]) => {
  const broken = check(evidence)
  record(outcomeOf(broken))
  assert.equal(broken.length, 0, summaryOf(broken.slice(0, 20)))
}

async function crowd(place: Place, count: number): Promise<Durable[]> {
  const clients = Array.from({ length: count }, (_, index) => new Durable(`client${index}`, place))
  after(() => Promise.all(clients.map((client) => client.stop())))
  await Promise.all(clients.map((client) => client.start()))
  return clients
}

test(`the service is killed under load, ${rounds} times: fifty clients miss nothing`, async (context) => {
  const chance = chances(seed)
  const data = temporaryFolder()
  const place = { url: '' }
  let service = await start(data, place)
  const clients = await crowd(place, clientCount)
  const load = new Load(place)
  load.start()
  for (let round = 0; round < rounds; round += 1) {
    await load.more(20 + Math.floor(chance() * 120))
    await new Promise((resolve) => setTimeout(resolve, chance() * 50))
    service.signal('SIGKILL')
    await service.ended
    service = await start(data, place)
    // Most rounds wait until all are back; in the others some are killed once more before they got anything.
    const back = () => clients.every(({ place: at }) => at === service.url)
    if (chance() < 0.8) await eventually(back, 'all are back')
    record({ rounds: 1 })
  }
  await load.more(50)
  await load.stop()
  await allHave(clients, data)
  for (const client of clients) {
    assert(client.connections.length > 1, `${client.name} came back`)
    await client.stop()
  }
  await stop(service)
  const evidence = evidenceOf(readLog(data), clients, load.acknowledged)
  context.diagnostic(
    `${evidence.stored.length} entries, ${evidence.epochs.length} starts, ${clientCount} clients`,
  )
  assert.equal(evidence.epochs.length, rounds + 1)
  holds(evidence)
})

test('clients are cut off in mid-stream, again and again: they miss nothing', async () => {
  const chance = chances(seed + 1)
  const data = temporaryFolder()
  const place = { url: '' }
  const service = await start(data, place)
  const clients = await crowd(place, 10)
  const load = new Load(place)
  load.start()
  for (let round = 0; round < 40; round += 1) {
    await load.more(5)
    const client = clients[Math.floor(chance() * clients.length)]
    // Half of them with bytes that they have not read.
    if (chance() < 0.5) {
      client?.reader?.stopReading()
      await load.more(5)
    }
    client?.reader?.reset()
  }
  await load.stop()
  await allHave(clients, data)
  for (const client of clients) await client.stop()
  await stop(service)
  holds(evidenceOf(readLog(data), clients, load.acknowledged))
})

const hasCurl = spawnSync('curl', ['--version']).status === 0
const noCurl = hasCurl || process.env.CI === 'true' ? false : 'curl is not installed'

test('client processes are killed in mid-stream: the next with their uuid misses nothing', {
  skip: noCurl,
}, async () => {
  const data = temporaryFolder()
  const place = { url: '' }
  const service = await start(data, place)
  const outputs: string[] = []
  const run = () => {
    const index = outputs.push('') - 1
    const child = spawn('curl', ['-sN', `${place.url}/events?type=11&cursor=true&uuid=killed`])
    child.stdout.on('data', (piece) => {
      outputs[index] += piece
    })
    after(() => child.kill('SIGKILL'))
    return child
  }
  let child = run()
  await eventually(
    async () =>
      (await (await fetch(`${place.url}/events/registrations`)).text()).includes('<uuid>killed</uuid>'),
    'curl is registered',
  )
  const load = new Load(place)
  load.start()
  for (let round = 0; round < 5; round += 1) {
    await load.more(30)
    child.kill('SIGKILL')
    await once(child, 'close')
    await load.more(10)
    child = run()
  }
  await load.stop()
  const log = readLog(data)
  const last = `:${log.stored.at(-1)?.number}</cursor></alarm>\n\n`
  await eventually(() => outputs.at(-1)?.includes(last) === true, 'the last client is done')
  child.kill('SIGKILL')
  await stop(service)
  // What a killed client had of its last document it cannot have read.
  const connections = outputs.map((text) => ({
    received: text
      .slice(0, text.lastIndexOf('\n\n') + 2)
      .split('\n\n')
      .flatMap((document) => received(document) ?? []),
  }))
  holds(evidenceOf(log, [{ name: 'killed', connections }], load.acknowledged))
})

/** A proxy between client and service that can stop passing data, without closing connections. */
class Network {
  readonly #pairs = new Set<readonly [Socket, Socket]>()
  #server = createServer()
  url = ''

  static async open(place: Place): Promise<Network> {
    const network = new Network()
    network.#server.on('connection', (near) => {
      const far = connect(Number(new URL(place.url).port), '127.0.0.1')
      network.#pairs.add([near, far])
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        from.on('error', () => to.destroy())
        from.on('data', (piece) => to.write(piece))
      }
    })
    network.#server.listen(0, '127.0.0.1')
    await once(network.#server, 'listening')
    network.url = `http://127.0.0.1:${(network.#server.address() as AddressInfo).port}`
    after(() => {
      for (const [near, far] of network.#pairs) {
        near.destroy()
        far.destroy()
      }
      network.#server.close()
    })
    return network
  }

  /** All connections there are stay open and dead. New ones work. */
  fallSilent(): void {
    for (const pair of this.#pairs) {
      for (const socket of pair) {
        socket.removeAllListeners('data')
        // What comes is taken and lost, as by a network.
        socket.on('data', () => undefined)
      }
    }
  }
}

test('the network stops delivering with data in flight: clients that reconnect miss nothing', async () => {
  const data = temporaryFolder()
  const place = { url: '' }
  const service = await start(data, place)
  const network = await Network.open(place)
  const clients = await crowd(network, 10)
  const load = new Load(place)
  load.start()
  for (let round = 0; round < 4; round += 1) {
    await load.more(40)
    network.fallSilent()
    await load.more(40)
    // They give up on the dead connections; the service does not know yet.
    for (const client of clients) client.reader?.reset()
  }
  await load.stop()
  await allHave(clients, data)
  for (const client of clients) await client.stop()
  await stop(service)
  holds(evidenceOf(readLog(data), clients, load.acknowledged))
})

test('an older copy of the store is noticed by a client that comes with a newer position', async () => {
  const data = temporaryFolder()
  const copy = temporaryFolder()
  const place = { url: '' }
  const load = new Load(place)
  let service = await start(data, place)
  const first = new Durable('first', place)
  await first.start()
  load.start()
  await load.more(30)
  await load.stop()
  await allHave([first], data)
  await first.stop()
  await stop(service)
  cpSync(data, copy, { recursive: true })
  const shared = readLog(copy)

  service = await start(data, place)
  const reader = await EventReader.open(place.url, 'type=11&cursor=true')
  const later = new Load(place)
  later.start()
  await later.more(30)
  await later.stop()
  await eventually(() => reader.documents.length >= 30, 'the alarms of the lost history')
  const document = reader.documents.at(-1) ?? ''
  const since = received(document)
  assert(since?.kind === 'alarm')
  reader.close()
  await stop(service)

  rmSync(data, { recursive: true })
  cpSync(copy, data, { recursive: true })
  service = await start(data, place)
  const again = new Load(place)
  again.start()
  await again.more(20)
  const back = await EventReader.open(place.url, `type=11&cursor=true&since=${since.position}`)
  await again.more(20)
  await again.stop()
  const log = readLog(data)
  await back.until(
    () => back.documents.some((one) => one.includes(`:${log.stored.at(-1)?.number}</cursor>`)),
    'the end',
  )
  const got = back.documents.flatMap((one) => received(one) ?? [])
  assert.deepEqual(
    got[0],
    { kind: 'gap', to: shared.head + Number(entriesAhead) },
    'it is reported first, up to where the histories agree and over the numbers that are left out',
  )
  back.close()
  await stop(service)
  const client = {
    name: 'restored',
    from: shared.head,
    until: log.head,
    connections: [{ since: since.position, received: got }],
  }
  holds({ ...log, acknowledged: again.acknowledged, clients: [client] })
})

test('jumps of the wall clock harm neither order nor resume', async () => {
  const chance = chances(seed + 2)
  const offset = { by: 0 }
  const service = await startService({}, { clock: () => Date.now() + offset.by })
  const place = { url: service.url }
  const clients = await crowd(place, 10)
  const load = new Load(place)
  load.start()
  for (let round = 0; round < 20; round += 1) {
    offset.by = Math.round((chance() - 0.5) * 48 * 3600 * 1000)
    await load.more(5)
    clients[Math.floor(chance() * clients.length)]?.reader?.reset()
    // An orderly close while entries are being sent does not count as one, whatever the clock shows.
    clients[Math.floor(chance() * clients.length)]?.reader?.close()
  }
  await load.stop()
  await allHave(clients, service.config.data)
  for (const client of clients) await client.stop()
  holds(evidenceOf(readLog(service.config.data), clients, load.acknowledged))
})
