// A thousand senders over TCP at once: every message has its outcome, memory does not grow with them, and traps and requests
// go on beside them.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { freePort } from '../free-port.ts'
import { device, ifIndex, ledger, linkDown, sum, until, v2c } from '../intake/sending.ts'
import { record } from '../outcome.ts'
import { temporaryFolder } from '../support.ts'
import { startProcess } from './process.ts'

const senders = 1000
/** As many as one address may have connections. */
const perAddress = 50
const rounds = 20
const perRound = senders * 2
const raised = 'raised no such alarm was open'
const unknown = 'filtered message without a definition'

const counted = (text: string) => `${Buffer.byteLength(text)} ${text}`
const ended = (text: string) => `${text}\n`

async function open(port: number, sender: number): Promise<Socket> {
  const localAddress = `127.0.1.${1 + Math.floor(sender / perAddress)}`
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  after(() => socket.destroy())
  await once(socket, 'connect')
  return socket
}

const written = (socket: Socket, bytes: Buffer) =>
  new Promise<void>((resolve, reject) => socket.write(bytes, (error) => (error ? reject(error) : resolve())))

/** Two messages in two pieces, so that of all senders one has begun and not ended at the same time. */
async function say(socket: Socket, sender: number, round: number): Promise<void> {
  const frame = sender % 2 === 0 ? counted : ended
  const fault = `<187>%FAN-3-FAN_FAILED: Fan ${sender} had a rotation error reported.`
  const noise = `<190>app[${sender}]: served request ${round} in 3 ms${' x'.repeat(200)}`
  const bytes = Buffer.from(frame(noise) + frame(round === 0 ? fault : noise))
  const half = bytes.length >> 1
  await written(socket, bytes.subarray(0, half))
  await written(socket, bytes.subarray(half))
}

test('a thousand senders over TCP lose nothing, and hurt neither traps nor requests', async () => {
  const port = await freePort()
  const service = await startProcess(temporaryFolder(), {
    ...{ 'syslog-tcp': `127.0.0.1:${port}`, 'duplicate-seconds': '0' },
    ...{ 'storm-source': '0', 'storm-overall': '0' },
  })
  const sockets = await Promise.all(Array.from({ length: senders }, (_, sender) => open(port, sender)))
  const shown = async () =>
    /^belfry_syslog_connections (\d+)$/m.exec((await service.get('/metrics')).text)?.[1]
  await until('all are connected', async () => (await shown()) === String(senders))

  let [traps, wrongHealth] = [0, 0]
  let isOver = false
  const beside = (async () => {
    const agent = await device(service.trapPort)
    for (; !isOver; traps += 1) {
      await agent.send(v2c(linkDown, [ifIndex(traps + 1)], { requestId: traps }))
      if ((await service.get('/health')).text !== 'ready\n') wrongHealth += 1
    }
  })()

  let memory = 0
  for (let round = 0; round < rounds; round += 1) {
    await Promise.all(sockets.map((socket, sender) => say(socket, sender, round)))
    // Messages that wait for longer than three seconds, on a machine that is too slow for them, would be dropped.
    await until('most are counted', async () => sum(await ledger(service)) >= round * perRound)
    if (round === rounds / 4) memory = service.memory()
  }
  const grown = service.memory() - memory
  for (const socket of sockets) socket.end()
  isOver = true
  await beside
  const total = rounds * perRound + traps
  await until('all are counted', async () => sum(await ledger(service)) >= total)
  const lines = await ledger(service)
  record({ rounds: 1, lost: total - sum(lines), wrongHealth })
  assert.deepEqual(lines, { [raised]: senders + traps, [unknown]: rounds * perRound - senders })
  assert.equal(wrongHealth, 0)
  assert(traps > rounds, `${traps} traps`)
  assert(grown < 150 * 2 ** 20, `${grown} more bytes of memory`)
  await until('none is connected', async () => (await shown()) === '0')
  await service.kill()
})
