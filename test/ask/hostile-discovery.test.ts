// Agents that are broken or hostile, found by a discovery: what they do is told, and the other devices are found.

import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { after, test } from 'node:test'
import type { Variable } from '../../src/snmp/variables.ts'
import { freePort } from '../free-port.ts'
import { until } from '../intake/sending.ts'
import { startService } from '../support.ts'
import { type AgentOptions, type Asked, TestAgent } from './agent.ts'
import { Switch, switchValues } from './know-world.ts'
import { addProfile, community } from './reach-world.ts'

const port = await freePort()
const long = 'x'.repeat(1000)
const facts = (name: string) => ({ name, serial: `SN ${name}`, ports: [{ index: 1, name: 'Gi0/1' }] })

/** The system group is answered honestly: the device is there. */
const walksDiffer =
  (variables: (asked: Asked) => Variable[]): NonNullable<AgentOptions['answer']> =>
  (asked, honest) =>
    asked.kind === 'get' ? honest() : { errorStatus: 0, errorIndex: 0, variables: variables(asked) }

let last = 0
const text = (oid: string, value: string): Variable => ({ oid, type: 'OctetString', value, hex: false })
const hostile: Readonly<Record<string, Partial<AgentOptions>>> = {
  endless: {
    answer: walksDiffer(({ oids, repetitions }) =>
      Array.from({ length: repetitions }, () => {
        last += 1
        return text(`${oids[0]?.split('.').slice(0, 11).join('.')}.${last}`, long)
      }),
    ),
  },
  circles: { answer: walksDiffer(({ oids }) => [text(`${oids[0]}.1`, 'a'), text(`${oids[0]}.1`, 'b')]) },
  huge: { answer: walksDiffer(({ oids }) => [text(`${oids[0]}.1`, 'x'.repeat(64_000))]) },
  mute: { answer: (asked, honest) => (asked.kind === 'get' ? honest() : undefined) },
  // Its answers come from another port than the one that was asked.
  elsewhere: {
    send(bytes, to) {
      const other = createSocket('udp4')
      other.send(bytes, to.port, to.address, () => other.close())
    },
  },
  // Another id than that of the question: the last octet of the message is that of a value, so nearly any is changed.
  wrongIds: {
    send(bytes, to, socket) {
      const changed = Buffer.from(bytes)
      const at = 2 + (bytes[1] === 0x82 ? 2 : bytes[1] === 0x81 ? 1 : 0) + 3 + 2 + community.length + 2
      for (let i = at + 4; i < at + 8; i += 1) changed[i] = (changed[i] as number) ^ 0x15
      socket.send(changed, to.port, to.address)
    },
  },
  garbage: { send: (_, to, socket) => socket.send(Buffer.alloc(60_000, 0x30), to.port, to.address) },
}

test('a discovery among hostile agents ends, tells what they do, and finds the others', async () => {
  const service = await startService({ 'ask-seconds': '0', 'ask-rate': '20000' })
  await addProfile(service, port, '127.0.52.0/28', { timeoutSeconds: 2 })
  for (const [index, [name, options]] of Object.entries(hostile).entries()) {
    const values = switchValues(facts(name))
    const host = `127.0.52.${index + 1}`
    const agent = await TestAgent.start({ values, community, host, port, ...options })
    after(() => agent[Symbol.asyncDispose]())
  }
  await using honest = await Switch.start('127.0.52.14', port, facts('honest'))
  assert(honest)
  const made = await service.sendJson('POST', '/plat/discovery', {
    name: 'hostile',
    addressRange: ['127.0.52.0/28'],
  })
  const where = `/plat/discovery/${/\d+$/.exec(String(made.headers.location))?.[0]}`
  await service.sendJson('POST', `${where}/start`, {})
  const read = async (path: string) =>
    (await service.get(path, { Accept: 'application/json' })).json() as Record<string, unknown>
  await until('it is over', async () => (await read(where)).state === 'complete')
  const { discovered } = (await read(`/plat/discovered?discoveryId=${where.split('/').at(-1)}&size=100`)) as {
    discovered: Record<string, string>[]
  }
  const problemOf = (name: string) =>
    discovered.find(({ sysName }) => sysName === name)?.problem ?? 'not found'
  assert.match(problemOf('endless'), /given up/)
  assert.match(problemOf('circles'), /goes round in circles/)
  assert.match(problemOf('huge'), /no answer|given up|circles|more values/)
  assert.match(problemOf('mute'), /no answer/)
  assert.equal(problemOf('honest'), '')
  for (const name of ['elsewhere', 'wrongIds', 'garbage']) assert.equal(problemOf(name), 'not found', name)
})
