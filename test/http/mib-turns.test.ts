// Large modules hold nobody up: the thread that answers everybody is free again after short steps, counted in its own
// processor time, and proposals are made once for each state, in another thread.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../support.ts'

const service = await startService()
const path = '/fault/mibModule'

/** A module with this many objects and a tenth as many notifications. */
function largeModule(name: string, arc: number, objects: number): string {
  const texts = Array.from(
    { length: objects },
    (_, n) =>
      `o${arc}x${n} OBJECT-TYPE SYNTAX INTEGER { up(1), down(2), testing(3) } MAX-ACCESS read-only STATUS current DESCRIPTION "The state of number ${n}, as the device sees it." ::= { root${arc} ${n + 1} }`,
  )
  const events = Array.from({ length: objects / 10 }, (_, n) => {
    const word = n % 2 === 0 ? 'Failed' : 'Restored'
    return `part${arc}x${n >> 1}${word} NOTIFICATION-TYPE OBJECTS { o${arc}x${n} } STATUS current DESCRIPTION "Part ${n >> 1}." ::= { events${arc} ${n + 1} }`
  })
  return [
    `${name} DEFINITIONS ::= BEGIN IMPORTS OBJECT-TYPE, NOTIFICATION-TYPE, enterprises FROM SNMPv2-SMI;`,
    `root${arc} OBJECT IDENTIFIER ::= { enterprises 32473 77 ${arc} }`,
    `events${arc} OBJECT IDENTIFIER ::= { enterprises 32473 77 ${arc} 0 }`,
    ...texts,
    ...events,
    'END',
  ].join('\n')
}

/** The longest time, in processor time of this thread, between two rounds of the event loop. */
async function longestHold(work: () => Promise<void>): Promise<number> {
  let longest = 0
  let over = false
  let before = process.threadCpuUsage()
  const round = () => {
    const now = process.threadCpuUsage()
    longest = Math.max(longest, now.user + now.system - before.user - before.system)
    before = now
    if (!over) setImmediate(round)
  }
  setImmediate(round)
  try {
    await work()
  } finally {
    over = true
  }
  return longest / 1000
}

const load = async (name: string, arc: number, objects: number) => {
  const body = largeModule(name, arc, objects)
  const answer = await service.ask('POST', path, { body, headers: { 'Content-Type': 'text/plain' } })
  assert.equal(answer.status, 200, answer.text)
}
const count = async (query: string) => (await service.get(`/fault/mibProposal?${query}`)).headers.total

test('modules are loaded and read, and proposals are made, in short steps or elsewhere', async () => {
  // What is loaded and compiled once is not counted.
  await load('WARM-MIB', 1, 1000)
  await count('size=1')
  const held: Record<string, number> = {}
  held.loading = await longestHold(async () => {
    for (const arc of [2, 3, 4]) await load(`LARGE-${arc}-MIB`, arc, 5000)
  })
  held.proposing = await longestHold(async () => {
    assert.equal(await count('size=1'), '1600')
    assert.equal(await count('size=10000'), '1600')
  })
  held.reading = await longestHold(async () => {
    const { text } = await service.get(`${path}/LARGE-4-MIB`)
    assert.equal(text.match(/<object><name>/g)?.length, 5000)
    assert.equal(text.match(/<notification>/g)?.length, 500)
  })
  // Much less than it takes to do it all at once, on any machine.
  for (const [what, milliseconds] of Object.entries(held)) {
    assert.ok(milliseconds < 150, `${what} held the thread for ${milliseconds} ms of processor time`)
  }
})

test('proposals are made once for a state of modules and definitions, whoever asks', async (t) => {
  const longWork = t.mock.method(service.database, 'workInBackground')
  const made = () =>
    longWork.mock.calls.filter(({ arguments: [module] }) => /proposing/.test(String(module))).length
  await Promise.all([count('size=1'), count('size=2'), count('module=LARGE-2-MIB')])
  assert.equal(made(), 0)
  const accepted = await service.sendJson('POST', '/fault/mibProposal/accept', { choice: ['part2x0Failed'] })
  assert.equal(accepted.status, 200, accepted.text)
  assert.equal((await Promise.all([count('size=1'), count('size=1'), count('confidence=low')]))[0], '1598')
  assert.equal(made(), 1)
  assert.equal((await service.ask('DELETE', `${path}/LARGE-3-MIB`)).status, 204)
  assert.equal(await count('size=1'), '1098')
  assert.equal(made(), 2)
})
