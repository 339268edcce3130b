import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../support.ts'
import { type Client, type Connection, check, type Evidence, type Received } from './checker.ts'

const action = 'Push'
const stored = [1, 2, 3, 4, 5, 6].map(
  (number) => ({ number, alarmId: `${number}0`, action, alarmLevel: 2 }) as const,
)

/** Epoch 100 holds 1–3, epoch 200 what follows. */
const sent = (number: number, other: Partial<Extract<Received, { kind: 'alarm' }>> = {}): Received => ({
  kind: 'alarm',
  position: `${number < 4 ? 100 : 200}:${number}`,
  id: `${number}0`,
  action,
  alarmLevel: 2,
  ...other,
})

const run = (...numbers: number[]): Connection => ({ received: numbers.map((number) => sent(number)) })

const evidence = (client: Partial<Client>, more: Partial<Evidence> = {}): Evidence => ({
  acknowledged: ['10', '60'],
  stored,
  epochs: [
    { number: 100, first: 1 },
    { number: 200, first: 4 },
  ],
  head: 6,
  clients: [{ name: 'c', from: 0, until: 6, connections: [run(1, 2, 3, 4, 5, 6)], ...client }],
  ...more,
})

const named = (given: Evidence) => check(given).map(({ guarantee }) => guarantee)

suite('the checker, where nothing is wrong', () => {
  test('everything delivered once and in order passes', () => {
    assert.deepEqual(check(evidence({})), [])
  })
  test('an overlap after a resume passes', () => {
    assert.deepEqual(
      check(evidence({ connections: [run(1, 2, 3), run(2, 3, 4), run(1, 2, 3, 4, 5, 6)] })),
      [],
    )
  })
  test('entries outside the filter, or before the registration, need not be delivered', () => {
    const wants = ({ number }: { number: number }) => number % 2 === 0
    assert.deepEqual(check(evidence({ wants, connections: [run(2), run(4, 6)] })), [])
    assert.deepEqual(check(evidence({ from: 2, until: 4, connections: [run(3, 4)] })), [])
  })
  test('a gap that was reported passes', () => {
    const gone = stored.map((entry) => ({ ...entry, gone: entry.number < 4 }))
    const connections = [{ received: [{ kind: 'gap', to: 3 }, sent(4), sent(5), sent(6)] as const }]
    assert.deepEqual(check(evidence({ connections }, { stored: gone })), [])
  })
  test('an unknown position that was reported as a gap passes', () => {
    const connections = [
      { since: '150:9', received: [{ kind: 'gap', to: 3 } as const, sent(4)] },
      run(1, 2, 3, 4, 5, 6),
    ]
    assert.deepEqual(check(evidence({ connections })), [])
  })
})

suite('the checker, where a guarantee is broken', () => {
  test('Ordered: a number that comes later than a higher one, or twice', () => {
    assert(named(evidence({ connections: [run(1, 2, 3, 4, 6, 5)] })).includes('Ordered'))
    assert.deepEqual(named(evidence({ connections: [run(1, 2, 2, 3, 4, 5, 6)] })), ['Ordered'])
  })
  test('Nothing missing: an entry is left out, in one connection or between two', () => {
    assert.deepEqual(named(evidence({ connections: [run(1, 2, 4, 5, 6)] })), ['Nothing missing'])
    assert.deepEqual(named(evidence({ connections: [run(1, 2), run(4, 5, 6)] })), ['Nothing missing'])
  })
  test('Nothing missing: an entry is left out and delivered only later', () => {
    const broken = check(evidence({ connections: [run(1, 2, 4), run(3, 4, 5, 6)] }))
    assert.deepEqual(broken, [
      { guarantee: 'Nothing missing', to: 'c', detail: '3 was passed over before 4' },
    ])
  })
  test('Nothing missing: the last entries are not delivered, or a client gets nothing', () => {
    assert.deepEqual(named(evidence({ connections: [run(1, 2, 3, 4, 5)] })), ['Nothing missing'])
    assert.equal(named(evidence({ connections: [] })).length, 6)
  })
  test('Nothing missing: an alarm that was answered and is not kept', () => {
    const [broken] = check(evidence({}, { acknowledged: ['70'] }))
    assert.deepEqual([broken?.guarantee, broken?.to], ['Nothing missing', 'store'])
  })
  test('Nothing before it is on disk: a document is not in the log, or differs from it', () => {
    const seven = { connections: [run(1, 2, 3, 4, 5, 6, 7)] }
    assert.deepEqual(named(evidence(seven, { head: 7 })), ['Nothing before it is on disk'])
    for (const other of [{ id: '61' }, { action: 'Recover' }, { alarmLevel: 1 }]) {
      const connections = [run(1, 2, 3, 4, 5), { received: [sent(6, other)] }]
      assert.deepEqual(named(evidence({ connections })), ['Nothing before it is on disk'])
    }
  })
  test('Position valid: an epoch that is not in the list, or a number outside its epoch', () => {
    for (const position of ['150:6', '100:6', '300:6']) {
      const connections = [run(1, 2, 3, 4, 5), { received: [sent(6, { position })] }]
      assert.deepEqual(named(evidence({ connections })), ['Position valid'], position)
    }
  })
  test('Gap reported: entries were removed before they were delivered, and no gap was reported', () => {
    const gone = stored.map((entry) => ({ ...entry, gone: entry.number < 3 }))
    assert.deepEqual(named(evidence({ connections: [run(3, 4, 5, 6)] }, { stored: gone })), [
      'Gap reported',
      'Gap reported',
    ])
    const short = [{ received: [{ kind: 'gap', to: 1 } as const, sent(3), sent(4), sent(5), sent(6)] }]
    assert.deepEqual(
      named(evidence({ connections: short }, { stored: gone })),
      ['Gap reported'],
      'too short a gap',
    )
  })
  test('Gap reported: a position is unknown to the store, and no gap was reported', () => {
    for (const since of ['150:9', '100:5', '200:7']) {
      const connections = [{ since, ...run(1, 2, 3, 4, 5, 6) }]
      assert.deepEqual(named(evidence({ connections })), ['Gap reported'], since)
    }
  })
})

test('as a program it prints which guarantee was broken and ends with 1', () => {
  const program = fileURLToPath(new URL('checker.ts', import.meta.url))
  const file = join(temporaryFolder(), 'evidence.json')
  writeFileSync(file, JSON.stringify(evidence({ connections: [run(1, 3, 4, 5, 6)] })))
  const bad = spawnSync(process.execPath, ['--no-warnings', program, file], { encoding: 'utf8' })
  assert.deepEqual([bad.stdout, bad.status], ['Nothing missing: c: 2 was passed over before 3\n', 1])
  writeFileSync(file, JSON.stringify(evidence({})))
  const good = spawnSync(process.execPath, ['--no-warnings', program, file], { encoding: 'utf8' })
  assert.deepEqual([good.stdout, good.status], ['every guarantee was kept\n', 0])
})
