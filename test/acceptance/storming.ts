// A process of its own that sends traps as fast as the machine lets it: links that go down and up, on many devices.
// It ends when so many are sent, or on SIGTERM, and says how many.
//   node test/acceptance/storming.ts PORT COUNT [FROM]

import { createSocket } from 'node:dgram'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { encodeNotification } from '../../src/snmp/send.ts'
import { ifIndex, linkDown, linkUp } from '../intake/sending.ts'

const [port = '0', count = '0', from = '127.0.0.1'] = process.argv.slice(2)
const devices = 200
const underWay = 256

const datagrams = Array.from({ length: 20 * devices }, (_, index) =>
  encodeNotification({
    version: '1',
    community: 'public',
    agentAddress: `10.9.${(index % devices) >> 4}.${index % 16}`,
    oid: index % 7 === 0 ? linkUp : linkDown,
    uptime: index,
    variables: [ifIndex(index % 10)],
  }),
)

const socket = createSocket('udp4')
let wanted = Number(count)
let sent = 0

/** Many at once, then the event loop runs: callbacks that follow each other would never let a signal be handled. */
async function storm(): Promise<void> {
  while (sent < wanted) {
    const together = Math.min(underWay, wanted - sent)
    await Promise.all(Array.from({ length: together }, (_, index) => send(sent + index)))
    sent += together
    await yieldToEventLoop()
  }
  console.log(sent)
  socket.close()
}

function send(number: number): Promise<void> {
  const bytes = datagrams[number % datagrams.length] as Buffer
  return new Promise((resolve, reject) =>
    socket.send(bytes, Number(port), '127.0.0.1', (error) => (error ? reject(error) : resolve())),
  )
}

process.on('SIGTERM', () => {
  wanted = sent
})
socket.bind(0, from, storm)
