// A service and real programs that it sends messages to.

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { openKeys } from '../../src/assembly/open-store.ts'
import { outboundSettings } from '../../src/assembly/part-settings.ts'
import { MessageTemplates } from '../../src/notify/channels/message-template.ts'
import { Senders } from '../../src/notify/channels/senders.ts'
import type { Message } from '../../src/notify/message.ts'
import { idOf } from '../http/reading.ts'
import { startService } from '../support.ts'

export const service = await startService({ 'notify-loopback': 'yes' })
const { database, config } = service
const keys = await openKeys(config, database, pino({ level: 'silent' }))
const parts = {
  database,
  keys,
  templates: new MessageTemplates(),
  clock: () => database.now(),
  listeners: { ports: () => [], ofNodes: async () => new Set<string>() },
}
const senders = new Senders(parts, outboundSettings(config))
const { signal } = new AbortController()

export const sendTo = (gatewayId: bigint, address: string, sent: Message) =>
  senders.sendTo(gatewayId, address, sent, signal)

export const makeGateway = async (gateway: object) =>
  BigInt(idOf(await service.sendJson('POST', '/notify/gateway', gateway)))

export const message: Message = {
  id: 'msg-1',
  incident: 'incident-1',
  change: 'raised',
  title: 'Link Gi0/1 ist ausgefallen\r\nBcc: eve@example.net',
  text: 'Größe\n.\nQUIT\nfile:///etc/passwd',
  alarm: undefined,
  children: 0,
  links: [{ label: 'Open', url: 'https://nms.example.net/' }],
  earlier: undefined,
}

const started: ChildProcess[] = []
after(() => {
  for (const child of started) child.kill()
})

export async function until<T>(find: () => T | undefined): Promise<T> {
  for (;;) {
    const found = find()
    if (found !== undefined) return found
    await sleep(50)
  }
}

/** A program that says something when it is ready. */
export async function run(program: string, args: readonly string[], ready: RegExp): Promise<() => string> {
  const child = spawn(program, args)
  started.push(child)
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text))
  await until(() => (ready.test(said) ? true : child.exitCode === null ? undefined : assert.fail(said)))
  return () => said
}

/** The server says that it starts before it listens. */
export async function settled<T extends { outcome: string; reason?: string }>(send: () => Promise<T>) {
  let result = await send()
  for (; result.reason === 'nothing listens there'; result = await send()) await sleep(100)
  return () => result
}
