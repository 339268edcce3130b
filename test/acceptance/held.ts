// Alarms that are held back or worked on by the hundred, and a client that sees what is pushed of them.

import { device, inform, linkDown, until } from '../intake/sending.ts'
import { EventReader, field } from '../push/reader.ts'
import { type Answer, sendRequest } from '../support.ts'
import type { ServiceProcess } from './process.ts'

/** Not what the service says of itself. */
export const meant = `recStatus=0&faultOid=${linkDown}`

export const send = (service: ServiceProcess, method: string, path: string, body?: object): Promise<Answer> =>
  sendRequest(service.url, method, path, {
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })

/** Raises so many alarms, each of a resource of its own; returns when all of them are on disk. */
export async function raise(service: ServiceProcess, first: number, count: number): Promise<void> {
  const router = await device(service.trapPort)
  for (let sent = 0; sent < count; sent += 100) {
    for (let n = 0; n < 100; n += 1) await router.send(inform(first + sent + n))
    await until('they are answered', () => router.heard.length >= sent + 100)
  }
}

/** Collects what a registered client is sent: by alarm, the positions of the documents. */
export async function follow(service: ServiceProcess, seen: Map<string, Set<string>>): Promise<EventReader> {
  const reader = await EventReader.open(service.url, 'type=11&uuid=noc&cursor=true')
  reader.onDocument = (one) => {
    const id = field(one, 'id') ?? ''
    const positions = seen.get(id) ?? new Set<string>()
    // The epoch names the start of the service; the number is the entry.
    positions.add((field(one, 'cursor') ?? '').split(':')[1] ?? '')
    seen.set(id, positions)
  }
  return reader
}
