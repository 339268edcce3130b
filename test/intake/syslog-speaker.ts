// Sends syslog messages over UDP from any address of this machine.

import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { after } from 'node:test'

/** Sends them one after the other. */
export async function speaker(port: number | undefined, from = '127.0.0.1') {
  const socket = createSocket('udp4')
  socket.bind(0, from)
  await once(socket, 'listening')
  after(() => socket.close())
  return async (...messages: readonly (string | Buffer)[]) => {
    for (const message of messages) {
      await new Promise<void>((resolve, reject) =>
        socket.send(message, port ?? 0, '127.0.0.1', (error) => (error ? reject(error) : resolve())),
      )
    }
  }
}
