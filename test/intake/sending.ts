// A device, as far as the service sees one: a socket that sends notifications and hears the answers.

import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'
import { after } from 'node:test'
import { type Answer, encodeNotification, readAnswer, type UsmSender } from '../../src/snmp/send.ts'
import type { Variable } from '../../src/snmp/variables.ts'
import { waitUntil } from '../patience.ts'
import type { TestService } from '../support.ts'

export const linkDown = '1.3.6.1.6.3.1.1.5.3'
export const linkUp = '1.3.6.1.6.3.1.1.5.4'

export const ifIndex = (index: number): Variable => ({
  oid: `1.3.6.1.2.1.2.2.1.1.${index}`,
  type: 'Integer32',
  value: String(index),
  hex: false,
})

const common = { uptime: 4711, requestId: 1 }

export const v2c = (oid: string, variables: readonly Variable[], more = {}) =>
  encodeNotification({ version: '2c', community: 'public', oid, variables, ...common, ...more })

export const inform = (index: number) => v2c(linkDown, [ifIndex(index)], { inform: true, requestId: index })

export const v3 = (sender: UsmSender, boots: number, time: number, index: number, more = {}) =>
  encodeNotification({
    version: '3',
    sender,
    boots,
    time,
    oid: linkDown,
    variables: [ifIndex(index)],
    ...common,
    ...more,
  })

export interface Device {
  readonly heard: Buffer[]
  send(...datagrams: readonly Buffer[]): Promise<void>
  /** The request ids of the answers so far. */
  answers(sender?: UsmSender): Answer[]
}

export async function device(port: number, address = '127.0.0.1'): Promise<Device> {
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4')
  const heard: Buffer[] = []
  socket.on('message', (bytes) => heard.push(bytes))
  socket.bind(0, isIPv6(address) ? '::1' : '127.0.0.1')
  await once(socket, 'listening')
  after(() => socket.close())
  return {
    heard,
    async send(...datagrams) {
      for (const bytes of datagrams) {
        await new Promise<void>((resolve, reject) =>
          socket.send(bytes, port, address, (error) => (error ? reject(error) : resolve())),
        )
      }
    },
    answers: (sender) => heard.flatMap((bytes) => readAnswer(bytes, sender) ?? []),
  }
}

/** Waits for a condition, not for a time; what never comes is a failure, also on a machine that is very busy. */
export const until = (
  what: string,
  holds: () => boolean | Promise<boolean>,
  seconds?: number,
): Promise<void> => waitUntil(what, holds, seconds === undefined ? undefined : seconds * 1000)

/** The ledger as `bin reason` → count. */
export async function ledger(service: Pick<TestService, 'get'>): Promise<Record<string, number>> {
  const { trapBin } = (await service.get('/fault/trapLedger', { Accept: 'application/json' })).json()
  const lines = trapBin as { bin: string; reason: string; count: string }[]
  return Object.fromEntries(lines.map(({ bin, reason, count }) => [`${bin} ${reason}`, Number(count)]))
}

export const sum = (counts: Record<string, number>) => Object.values(counts).reduce((a, b) => a + b, 0)

/** What /metrics says of traps: received, the sum of the bins, and what the kernel dropped. */
export async function counted(service: Pick<TestService, 'get'>) {
  const { text } = await service.get('/metrics')
  const number = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1])
  const bins = [...text.matchAll(/^belfry_traps_binned_total\{bin="([\w-]+)"\} (\d+)$/gm)]
  return {
    received: number('belfry_traps_received_total'),
    binned: bins.reduce((all, [, , n]) => all + Number(n), 0),
    bins: Object.fromEntries(bins.map(([, bin = '', n]) => [bin, Number(n)])),
    drops: number('belfry_trap_socket_drops_total'),
  }
}

/** A trap of the device itself: one of its ports is down. */
export const portDown = (ip: string, port: number) =>
  v2c(linkDown, [ifIndex(port), { oid: '1.3.6.1.6.3.18.1.3.0', type: 'IpAddress', value: ip, hex: false }])
