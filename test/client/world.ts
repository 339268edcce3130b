// What tests of clients share: alarms to be raised, a service that restarts at its address, a network that stops
// delivering.

import { once } from 'node:events'
import { createServer, connect as dial, type Socket } from 'node:net'
import { after } from 'node:test'
import type { Alarm, AlarmStream } from '../../src/client/connect.ts'
import { waitUntil } from '../patience.ts'
import { startService, type TestService, temporaryFolder } from '../support.ts'

/** Raises an alarm with this text: each text is an alarm of its own. */
export async function raise(
  service: { readonly url: string },
  text: string,
  more: object = {},
): Promise<string> {
  const oid = `1.3.6.1.4.1.32473.9.${[...text].map((char) => char.charCodeAt(0)).join('.')}`
  const answer = await fetch(`${service.url}/fault/alarm`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify({ OID: oid, alarmLevel: 2, alarmDesc: text, ...more }),
  })
  if (!answer.ok) throw new Error(await answer.text())
  await answer.body?.cancel()
  return answer.headers.get('location')?.split('/').at(-1) ?? ''
}

/** A service that can be stopped and started again with the same data at the same address. */
export async function returning(
  flags: Record<string, string> = {},
): Promise<{ first: TestService; again(): Promise<TestService> }> {
  const data = temporaryFolder()
  const first = await startService({ data, ...flags })
  const listen = new URL(first.url).host
  return { first, again: () => startService({ data, ...flags, listen }) }
}

/** The texts of the next alarms. */
export async function take(stream: AlarmStream, count: number): Promise<string[]> {
  return (await takeWhole(stream, count)).map(({ alarmDesc }) => alarmDesc)
}

export async function takeWhole(stream: AlarmStream, count: number): Promise<Alarm[]> {
  const taken: Alarm[] = []
  for await (const alarm of stream) if (taken.push(alarm) === count) break
  return taken
}

/** Resolves when it holds. */
export const until = (holds: () => boolean | Promise<boolean>): Promise<void> =>
  waitUntil(String(holds), holds)

interface Listed {
  readonly connected: string
  readonly filter: string
}

export async function clients({ url }: { readonly url: string }): Promise<Listed[]> {
  const answer = await fetch(`${url}/events/registrations`, { headers: { Accept: 'application/json' } })
  return ((await answer.json()) as { registration: Listed[] }).registration
}

export const connectedClients = async (service: { readonly url: string }) =>
  (await clients(service)).filter(({ connected }) => connected === 'true').length

export interface Network {
  readonly url: string
  /** From now on nothing passes on open connections, and they are not closed. */
  fallSilent(): void
}

/** A proxy in front of the service that can stop passing data. */
export async function networkTo(service: { readonly url: string }): Promise<Network> {
  const { hostname, port } = new URL(service.url)
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = dial(Number(port), hostname)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.pipe(to)
      from.on('error', () => to.destroy())
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    fallSilent() {
      for (const socket of sockets) {
        socket.unpipe()
        socket.pause()
      }
    },
  }
}
