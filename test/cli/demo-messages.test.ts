// What the devices of the demo say by syslog is understood as they mean it.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { seeded, storyDevice } from '../../src/cli/demo/demo-incident.ts'
import { chatterOf, lineOf, messagesAbout, withMessages } from '../../src/cli/demo/demo-messages.ts'
import { storySteps } from '../../src/cli/demo/demo-story.ts'
import { MessageMatcher } from '../../src/syslog/message-matcher.ts'
import { readMessage } from '../../src/syslog/message-reader.ts'
import { readShippedDefinitions } from '../../src/syslog/syslog-definitions.ts'
import { testConfig } from '../support.ts'

const matcher = new MessageMatcher(readShippedDefinitions().definitions)
const now = new Date(2026, 4, 1, 10, 20, 30)
const csv = readFileSync(new URL('../../examples/network/device.csv', import.meta.url), 'utf8')
const devices = csv
  .split('\n')
  .slice(1)
  .flatMap((line, at) => {
    const ip = /\b\d+\.\d+\.\d+\.\d+\b/.exec(line)?.[0]
    const label = /\b(?:ham|lyo|\w{3})-[a-z][\w-]*/.exec(line)?.[0]
    const interfaces = Array.from({ length: 24 }, (_, n) => ({ ifIndex: n + 1, ifDesc: `Gi0/${n + 1}` }))
    return ip && label ? [storyDevice({ id: String(at + 1), ip, label, interfaces })] : []
  })

test('messages about an incident raise and end the alarm that its traps do, for the device', () => {
  const meant = new Set<string>()
  for (const step of storySteps(devices, seeded(3), 2)) {
    for (const said of messagesAbout(step)) {
      const message = readMessage(Buffer.from(lineOf(said, now)))
      assert.equal(message.host, step.device.ip)
      const meaning = matcher.match(message)
      meant.add(`${step.event} ${meaning?.does} ${meaning?.definition.event?.name}`)
    }
  }
  for (const pair of ['linkDown raise linkDown', 'linkUp clear linkDown'])
    assert(meant.has(pair), [...meant].join(', '))
  assert(![...meant].some((text) => text.includes('undefined')), [...meant].join(', '))
})

test('what they say besides raises nothing, and some of it is unknown', () => {
  const chance = seeded(5)
  const meant = new Set<string>()
  for (let n = 0; n < 300; n += 1) {
    const said = chatterOf(devices, chance)
    assert(said)
    meant.add(matcher.match(readMessage(Buffer.from(lineOf(said, now))))?.does ?? 'unknown')
  }
  assert(meant.has('event') && meant.has('unknown'), [...meant].join())
  assert(!meant.has('raise') && !meant.has('clear'), [...meant].join())
})

test('the demo receives messages unless the settings say where', () => {
  const plain = withMessages(testConfig())
  assert.deepEqual(
    [plain['syslog-udp'], plain['syslog-relays']],
    [[{ host: '127.0.0.1', port: 0, space: 0 }], ['127.0.0.1']],
  )
  const own = testConfig({ 'syslog-tcp': '127.0.0.1:0' })
  assert.equal(withMessages(own), own)
})
