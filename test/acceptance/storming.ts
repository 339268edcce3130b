// A process of its own that sends traps as fast as the machine lets it: links that go down and up, on many devices.
//   node test/acceptance/storming.ts PORT COUNT

import { createSocket } from 'node:dgram'
import { encodeNotification } from '../../src/traps/send.ts'
import { ifIndex, linkDown, linkUp } from '../traps/sending.ts'

const [port = '0', count = '0'] = process.argv.slice(2)
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
let next = 0
let sent = 0

function send(): void {
  if (next === Number(count)) return
  const bytes = datagrams[next % datagrams.length] as Buffer
  next += 1
  socket.send(bytes, Number(port), '127.0.0.1', (error) => {
    if (error) throw error
    sent += 1
    if (sent < Number(count)) return send()
    console.log(sent)
    socket.close()
  })
}

for (let index = 0; index < underWay; index += 1) send()
