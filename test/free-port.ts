// Ports for programs that must be given theirs.

import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ports that the system assigns when any will do, so that no other program gets one by chance meanwhile. */
const [lowest, highest] = [10_000, 30_000]

/** The first of `count` ports of 127.0.0.1, one above the other, that nobody uses now, neither for TCP nor for UDP. */
export async function freePort(count = 1): Promise<number> {
  for (;;) {
    const first = lowest + Math.floor(Math.random() * (highest - lowest))
    const ports = Array.from({ length: count }, (_, index) => first + index)
    const free = await Promise.all(ports.flatMap((port) => [isFreeForTcp(port), isFreeForUdp(port)]))
    if (free.every(Boolean)) return first
  }
}

export async function isFreeForTcp(port: number): Promise<boolean> {
  const probe = createServer()
  const listening = once(probe, 'listening').then(
    () => true,
    () => false,
  )
  probe.listen(port, '127.0.0.1')
  if (!(await listening)) return false
  await new Promise((resolve) => probe.close(resolve))
  return true
}

export async function isFreeForUdp(port: number): Promise<boolean> {
  const probe = createSocket('udp4')
  const bound = once(probe, 'listening').then(
    () => true,
    () => false,
  )
  probe.bind(port, '127.0.0.1')
  const isFree = await bound
  await new Promise<void>((resolve) => probe.close(resolve))
  return isFree
}
