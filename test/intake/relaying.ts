// What tests of programs that relay messages have in common.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type TestService, texts } from '../support.ts'
import { ledger, sum, until } from './sending.ts'

/** The programs of this machine are believed the names of others. */
export const relays = { 'syslog-relays': '127.0.0.1' }

const run = promisify(execFile)

/** Tells a relay at a port of a fault until the service has heard of it, and requires the alarm. */
export async function requireRelayed(
  service: TestService,
  port: number,
  form: '--rfc3164' | '--rfc5424=notq',
): Promise<void> {
  const to = ['--udp', '--server', '127.0.0.1', '--port', String(port), form]
  const fault = '%FAN-3-FAN_FAILED: Fan 1 had a rotation error reported.'
  await until('it is relayed', async () => {
    await run('logger', [...to, '--priority', 'local7.err', '--tag', 'fand', fault])
    return sum(await ledger(service)) > 0
  })
  const { text } = await service.get('/fault/alarm')
  assert.deepEqual(texts(text, 'alarmDesc'), ['Fan Fan 1 has failed'])
  assert.deepEqual(texts(text, 'originalType'), ['2'])
}
