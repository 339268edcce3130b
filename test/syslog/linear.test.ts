// Reading and matching a message takes time in proportion to its length, whatever is in it. Processor time is compared, of
// one length with four times as much: what is linear takes four times as long, and what is not sixteen times.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { foldedText, partFinderOf, searchedLength } from '../../src/schema/pattern.ts'
import { requiredTexts } from '../../src/schema/required-texts.ts'
import { FrameReader } from '../../src/syslog/frame-reader.ts'
import { MessageMatcher } from '../../src/syslog/message-matcher.ts'
import { readMessage } from '../../src/syslog/message-reader.ts'
import { readShippedDefinitions } from '../../src/syslog/syslog-definitions.ts'

const most = 10

/** The least of five times, in milliseconds of processor time. */
function least(work: () => void): number {
  const times = Array.from({ length: 5 }, () => {
    const before = process.threadCpuUsage()
    work()
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1000
  })
  // A kernel may count in steps of 4 ms.
  return Math.max(4, Math.min(...times))
}

function assertLinear(what: string, work: (length: number) => void, length: number): void {
  // On a busy machine one may lose its caches more often than the other: what is not linear is so every time.
  const measured: string[] = []
  while (measured.length < 4) {
    const [short, long] = [least(() => work(length / 4)), least(() => work(length))]
    if (long < short * most) return
    measured.push(`${long} ms, and ${short} ms for a quarter`)
  }
  assert.fail(`${what}: ${measured.join('; ')}`)
}

const matcher = new MessageMatcher(readShippedDefinitions().definitions)
const take = (bytes: Buffer) => matcher.match(readMessage(bytes))

test('64 KiB of any one octet', () => {
  const every = Array.from({ length: 256 }, (_, octet) => octet)
  assertLinear(
    'all octets',
    (length) => {
      for (const octet of every) take(Buffer.alloc(length, octet))
    },
    65_536,
  )
})

test('64 KiB of any one octet against every shipped pattern: few are run, and none takes many steps', () => {
  // Steps instead of time: a pattern takes at most as many at a character as it has instructions. The slowest took 0.2 ms where it
  // was measured, on a busy machine.
  const { definitions } = readShippedDefinitions(false)
  const all = definitions.flatMap(({ texts, unless }) => [...texts, ...(unless ? [unless] : [])])
  assert(all.length > 400, `${all.length} patterns`)
  for (let octet = 0; octet < 256; octet += 1) {
    const folded = foldedText(readMessage(Buffer.alloc(65_536, octet)).text)
    assert(folded.length <= searchedLength, `${folded.length} characters`)
    const run = all.filter((finder) => finder.mayMatch(folded))
    assert(run.length <= 40, `${run.length} patterns run on octet ${octet}`)
    for (const { size } of run)
      assert(size * folded.length <= 600_000, `${size} instructions, octet ${octet}`)
  }
})

const heads = [
  '',
  '<189>',
  '<189>1 - - - - - ',
  '<13>Nov 18 10:00:01 ',
  '%LINK-3-UPDOWN: ',
  'date=2024-11-18 ',
  '1,2024/11/18 ',
]
const bodies = [
  ...[
    'a ',
    'a=',
    'a="',
    '[a b="',
    '\\"',
    ',"',
    '%A-',
    '%',
    '<1>',
    ': ',
    '12:',
    '1.',
    'a:',
    '-> ',
    'from a to b ',
  ],
  ...[
    'link port interface fan bgp neighbor up down ',
    'Interface Gi0/1, changed state to dow',
    'İ',
    '\u202e',
    '\x1b[31m',
  ],
]

test('64 KiB of parts of headers and texts, after every kind of header', () => {
  for (const head of heads)
    assertLinear(
      JSON.stringify(head),
      (length) => {
        for (const body of bodies) take(Buffer.from((head + body.repeat(length)).slice(0, length)))
      },
      65_536,
    )
})

test('every shipped pattern, on texts that contain what it requires', () => {
  const folder = new URL('../../definitions/syslog/', import.meta.url)
  const sources: string[] = readdirSync(folder)
    .flatMap((file) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')).definitions ?? [])
    .flatMap((one) => [...(one.texts ?? []), ...(one.unless ? [one.unless] : [])])
    .map((source: string) => source.replaceAll(/\{[a-z]+\}/g, '[\\w.:/-]+'))
  const prepared = sources.map((source) => {
    const required = requiredTexts(source).flatMap((texts) => texts.map(({ text }) => text))
    const repeated = `${required.join('x 1')} a`
    const texts = new Map(
      [500, 2000, 65_536].map((length) => [
        length,
        repeated.repeat(Math.ceil(length / repeated.length)).slice(0, length),
      ]),
    )
    return { finder: partFinderOf(source), texts }
  })
  assert(prepared.length > 300, `${prepared.length} patterns`)
  const find = (length: number) => {
    for (const { finder, texts } of prepared) finder.find(texts.get(length) ?? '')
  }
  assertLinear('patterns', find, 2000)
  // Of a longer text no more than that is searched.
  const [searched, whole] = [least(() => find(2000)), least(() => find(65_536))]
  assert(whole < searched * most, `${whole} ms, and ${searched} ms for the part that is searched`)
})

test('a stream, however it is cut', () => {
  for (const octets of ['1', '1 ', '9999999 <', '<', 'a\n', '5 <1>ab', ' ', '\0'])
    for (const size of [1, 7, 4096])
      assertLinear(
        `${JSON.stringify(octets)}, ${size} at a time`,
        (length) => {
          const reader = new FrameReader()
          const stream = Buffer.from(octets.repeat(length).slice(0, length))
          for (let at = 0; at < stream.length; at += size) reader.read(stream.subarray(at, at + size))
        },
        131_072,
      )
})
