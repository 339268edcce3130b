// The console's reader of the event stream, with a service that breaks off, forgets and refuses. The network is real,
// the clock is not.

import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { after, test } from 'node:test'
import { AlarmFeed, type StreamState } from '../../console/alarms/stream.ts'
import { Refused } from '../../console/core/refused.ts'
import { alarmOf } from './samples.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** A feed whose connections send, one after the other, what is given here; what the feed reports is collected. */
async function follow(
  answers: readonly Answer[],
  { open = 1, ahead }: { open?: number; ahead?: () => Promise<void> } = {},
) {
  const reported: string[] = []
  const positions: string[] = []
  const waiting = new Set<() => void>()
  const note = (what: string) => {
    reported.push(what)
    for (const check of waiting) check()
  }
  let next = 0
  const server = createServer((request, response) => {
    positions.push(String(request.headers['last-event-id'] ?? ''))
    const answer = answers[next]
    next += 1
    if (answer) answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const feed = new AlarmFeed({
    open: async (position, signal) => {
      const headers = position === '' ? {} : { 'Last-Event-ID': position }
      const response = await fetch(`http://127.0.0.1:${port}/`, { headers, signal })
      if (response.status === 401) throw new Refused(401, 'signed-out', 'Sign in')
      return response
    },
    countOpen: async () => open,
    ...(ahead && {
      ahead: async () => {
        note('ahead')
        await ahead()
      },
    }),
    listener: {
      state: ({ kind }: StreamState) => note(kind),
      alarm: ({ id }) => note(`alarm ${id}`),
      begin: () => note('begin'),
      complete: () => note('complete'),
      gap: (reason) => note(`gap ${reason}`),
    },
    clock: Date.now,
  })
  const run = feed.run()
  after(async () => {
    feed.stop()
    server.closeAllConnections()
    server.close()
    await run
  })
  /** Waits until it has reported this so many times. */
  const until = (what: string, times = 1) =>
    new Promise<void>((resolve) => {
      const check = () => {
        if (reported.filter((one) => one === what).length < times) return
        waiting.delete(check)
        resolve()
      }
      waiting.add(check)
      check()
    })
  return { feed, run, reported, positions, until }
}

const event = (id: string, alarm: string) =>
  `${id === '' ? '' : `id: ${id}\n`}data: ${JSON.stringify(alarmOf({ id: alarm }))}\n\n`

const sends =
  (...parts: readonly string[]): Answer =>
  (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    response.write(parts.join(''))
  }

const sendsAndEnds =
  (...parts: readonly string[]): Answer =>
  (_request, response) =>
    response.writeHead(200).end(parts.join(''))

test('a list is whole with the first position, and not before', async () => {
  const { reported, until } = await follow([sends(event('', '1'), event('1:5', '2'), event('1:6', '3'))])
  await until('alarm 3')
  assert.deepEqual(reported, [
    'loading',
    'loading',
    'begin',
    'alarm 1',
    'alarm 2',
    'complete',
    'live',
    'alarm 3',
  ])
})

test('an empty list has no last alarm: the number of open ones ends it', async () => {
  const { reported, until } = await follow([sends(':\n\n')], { open: 0 })
  await until('live')
  assert.deepEqual(reported.slice(-3), ['begin', 'complete', 'live'])
})

test('the first screenful is delivered before the whole list, and its failure does no harm', async () => {
  const ahead = async () => {
    throw new Error('too busy')
  }
  const { feed, reported, until } = await follow(
    [sendsAndEnds(event('1:5', '1')), sends(event('1:6', '2'))],
    {
      ahead,
    },
  )
  await until('stale')
  feed.retryNow()
  await until('alarm 2')
  assert.deepEqual(reported.slice(0, 4), ['loading', 'ahead', 'loading', 'begin'])
  assert.equal(reported.filter((one) => one === 'ahead').length, 1, 'after a break there is a position')
})

test('after a break it goes on from its position, and loads nothing anew', async () => {
  const { feed, reported, positions, until } = await follow([
    sendsAndEnds(event('1:5', '1')),
    sends(event('1:6', '2')),
  ])
  await until('stale')
  feed.retryNow()
  await until('alarm 2')
  assert.deepEqual(positions, ['', '1:5'])
  assert.deepEqual(reported.slice(-4), ['live', 'stale', 'live', 'alarm 2'])
})

test('a gap is reported, and everything is loaded anew', async () => {
  const gap = 'event: gap\nid: 1:90\ndata: {"reason":"too old"}\n\n'
  const { feed, reported, positions, until } = await follow([
    sendsAndEnds(event('1:5', '1')),
    sends(gap),
    sends(event('1:99', '7')),
  ])
  await until('stale')
  feed.retryNow()
  await until('stale', 2)
  feed.retryNow()
  await until('alarm 7')
  assert.deepEqual(positions, ['', '1:5', ''])
  assert.equal(reported.filter((one) => one === 'begin').length, 2)
  assert(reported.includes('gap too old'))
})

test('after a sign-out no further requests are made', async () => {
  const { run, reported, positions } = await follow([(_request, response) => response.writeHead(401).end()])
  await run
  assert.deepEqual([reported, positions.length], [['loading'], 1])
})

test('a feed that was stopped does not connect, and may be started again', async () => {
  const { feed, run, positions, until } = await follow([sends(event('1:5', '1')), sends(event('1:6', '2'))])
  await until('live')
  feed.stop()
  await run
  assert.equal(positions.length, 1)
  const second = feed.run()
  await until('alarm 2')
  feed.stop()
  await second
})

test('an answer that breaks off in the middle of a document is a break, not an alarm', async () => {
  const { reported, until } = await follow([sendsAndEnds('data: {"id":"1"')])
  await until('stale')
  assert(!reported.some((one) => one.startsWith('alarm')))
})
