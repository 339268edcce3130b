import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { after, suite, test } from 'node:test'
import { type Alarm, connect, type Gap, RefusedError, type Retry } from '../../src/client/connect.ts'
import { serviceEvents } from '../../src/events/service-events.ts'
import { pushedAlarm } from '../../src/resources/alarms/alarm.ts'
import { startService } from '../support.ts'
import { connectedClients, networkTo, raise, returning, take, takeWhole, until } from './world.ts'

const soon = { first: 0.05, longest: 0.5 }

async function answering(listener: RequestListener): Promise<string> {
  // A connection that is used again just as it is closed for being idle would be one more attempt.
  const server = createServer({ keepAliveTimeout: 300_000 }, listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

// Side by side: most of their time is waiting.
suite('the client module', { concurrency: 4 }, () => {
  test('alarms come in order, typed as they are sent, and the position moves with them', async () => {
    const service = await startService()
    const stream = connect(service.url, { onConnect: () => void raiseTwo() })
    const raiseTwo = async () => {
      await raise(service, 'one')
      await raise(service, 'two', { deviceIp: '10.0.0.7' })
    }
    assert.equal(stream.position, undefined)
    const seen: [string, string | undefined][] = []
    for await (const alarm of stream) {
      seen.push([alarm.alarmDesc, stream.position])
      assert.equal(alarm.cursor, stream.position)
      if (seen.length === 2) {
        assert.equal(alarm.deviceIp, '10.0.0.7')
        assert.equal(alarm.alarmLevelDesc, 'Major')
        break
      }
    }
    assert.deepEqual(
      seen.map(([text]) => text),
      ['one', 'two'],
    )
    assert.match(seen[0]?.[1] ?? '', /^\d+:1$/)
    assert.match(seen[1]?.[1] ?? '', /^\d+:2$/)
  })

  test('the type of an alarm names every field that is sent, in the order of the interface', () => {
    const text = readFileSync(new URL('../../src/client/alarm-types.ts', import.meta.url), 'utf8')
    const block = /interface Alarm \{([\s\S]*?)^\}/m.exec(text)?.[1] ?? ''
    const named = [...block.matchAll(/^ {2}readonly (\w+)/gm)].map(([, name]) => name)
    assert.deepEqual(named, [...Object.keys(pushedAlarm.fields), 'nAction', 'lstRecovered', 'cursor'])
  })

  test('a filter is passed on, also with several values, and a recovery names what it cleared', async () => {
    const service = await startService()
    const filter = { alarmLevel: [1, '2'], deviceIp: ['10.0.0.1', '10.0.0.2'], sendRecovered: true }
    const began = async () => {
      await raise(service, 'wrong level', { alarmLevel: 3, deviceIp: '10.0.0.1' })
      await raise(service, 'wrong device', { deviceIp: '10.0.0.3' })
      const id = await raise(service, 'right', { deviceIp: '10.0.0.2' })
      await fetch(`${service.url}/fault/alarm/recover/${id}`, { method: 'PUT' })
    }
    const [raised, recovery] = await takeWhole(
      connect(service.url, { filter, onConnect: () => void began() }),
      2,
    )
    assert.equal(raised?.alarmDesc, 'right')
    assert.equal(raised?.recoverFaultIdList, undefined)
    assert.equal(recovery?.nAction, 'Recover')
    assert.deepEqual(recovery?.recoverFaultIdList, [raised?.id])
    assert.deepEqual(recovery?.lstRecovered, { faultOid: [raised?.OID] })
  })

  test('a snapshot is followed by what happens then', async () => {
    const service = await startService()
    await raise(service, 'open')
    const stream = connect(service.url, { snapshot: true, onConnect: () => void raise(service, 'new') })
    assert.deepEqual(await take(stream, 2), ['open', 'new'])
  })

  test('while the service is down the client retries, later each time, and then goes on exactly where it was', async ({
    signal,
  }) => {
    const { first, again } = await returning()
    const retries: Retry[] = []
    const onRetry = (retry: Retry) => retries.push(retry)
    // Ended with the test, also where it fails: it would try for ever.
    const stream = connect(first.url, { backoff: soon, onRetry, signal })
    const alarms = stream[Symbol.asyncIterator]()
    const next = alarms.next()
    await until(async () => (await connectedClients(first)) === 1)
    await raise(first, 'before')
    assert.equal((await next).value?.alarmDesc, 'before')
    const later = alarms.next()
    await first.stop()
    await until(() => retries.length >= 5)
    assert.match(retries[0]?.error.message ?? '', /ended the stream|terminated|closed/)
    assert.match(retries.at(-1)?.error.message ?? '', /ECONNREFUSED/)
    for (const [index, { attempt, delay, error }] of retries.entries()) {
      assert.equal(attempt, index + 1)
      // One that is about to stop may still answer, and say itself how long to wait.
      if (!/ECONNREFUSED|ended the stream|terminated|closed/.test(error.message)) continue
      const most = Math.min(0.5, 0.05 * 2 ** index)
      assert(delay >= most / 2 && delay <= most, `${delay} after ${attempt}`)
    }
    const second = await again()
    await raise(second, 'while away')
    await raise(second, 'after')
    assert.equal((await later).value?.alarmDesc, 'while away')
    assert.equal((await alarms.next()).value?.alarmDesc, 'after', 'nothing twice')
    await alarms.return()
  })

  test('a uuid goes on where the program before it stopped, without loss or repetition after an orderly end', async () => {
    const service = await startService()
    const uuid = 'orderly'
    const began = async () => {
      for (const text of ['one', 'two', 'three']) await raise(service, text)
    }
    const texts: string[] = []
    for await (const { alarmDesc } of connect(service.url, { uuid, onConnect: () => void began() })) {
      texts.push(alarmDesc)
      // All three were received by then, and the connection has been quiet for more than a second.
      await new Promise((resolve) => setTimeout(resolve, 1500))
      break
    }
    await raise(service, 'four')
    texts.push(...(await take(connect(service.url, { uuid }), 3)))
    assert.deepEqual(texts, ['one', 'two', 'three', 'four'])
  })

  test('a loop over the stream that was left can be started again', async () => {
    const service = await startService()
    await raise(service, 'one')
    await raise(service, 'two')
    const stream = connect(service.url, { snapshot: true })
    assert.deepEqual(await take(stream, 2), ['one', 'two'])
    await raise(service, 'three')
    assert.deepEqual(await take(stream, 1), ['three'])
  })

  test('a position of another history is reported as a gap', async () => {
    const service = await startService()
    await raise(service, 'one')
    const gaps: Gap[] = []
    const stream = connect(service.url, { since: '1:5', onGap: (gap) => gaps.push(gap) })
    assert.deepEqual(await take(stream, 1), ['one'])
    assert.equal(gaps.length, 1)
    assert.equal(gaps[0]?.from, '1:5')
    assert.match(gaps[0]?.reason ?? '', /another history/)
  })

  test('without a listener a gap is written to the console, never ignored', async (t) => {
    const service = await startService()
    await raise(service, 'one')
    const warn = t.mock.method(console, 'warn', () => undefined)
    assert.deepEqual(await take(connect(service.url, { since: '1:5' }), 1), ['one'])
    assert.match(String(warn.mock.calls[0]?.arguments[0]), /^Alarms from 1:5 to .* may be missing: /)
  })

  test('what was removed while a registered client was away is reported as an alarm and as a gap', async () => {
    const service = await startService()
    const uuid = 'long-away'
    const began = () => void raise(service, 'seen')
    assert.deepEqual(await take(connect(service.url, { uuid, onConnect: began }), 1), ['seen'])
    for (const text of ['lost', 'lost too', 'kept']) await raise(service, text)
    await service.database.transaction((tx) => tx.run('delete from alarm_log where number <= 3'))
    const gaps: Gap[] = []
    const stream = connect(service.url, { uuid, onGap: (gap) => gaps.push(gap) })
    const [reported, kept] = await takeWhole(stream, 2)
    assert.equal(reported?.OID, serviceEvents.entriesMissed.eventOid)
    assert.equal(kept?.alarmDesc, 'kept')
    assert.deepEqual(
      gaps.map(({ reason }) => reason),
      [reported?.alarmDesc],
    )
  })

  test('a connection lost before any position was known is reported as a gap when there is no uuid', async () => {
    const { first, again } = await returning()
    const gaps: Gap[] = []
    let connected = 0
    const stream = connect(first.url, {
      backoff: soon,
      onConnect: () => void connected++,
      onGap: (gap) => gaps.push(gap),
    })
    const taken = take(stream, 1)
    await until(() => connected === 1)
    await first.stop()
    const second = await again()
    await until(() => connected === 2)
    await raise(second, 'one')
    assert.deepEqual(await taken, ['one'])
    assert.deepEqual(
      gaps.map(({ from, to }) => [from, to]),
      [[undefined, undefined]],
    )
  })

  test('with a uuid such a connection loses nothing, and no gap is reported', async () => {
    const { first, again } = await returning()
    let connected = 0
    const stream = connect(first.url, {
      uuid: 'kept',
      backoff: soon,
      onConnect: () => void connected++,
      onGap: ({ reason }) => assert.fail(reason),
    })
    const taken = take(stream, 1)
    await until(() => connected === 1)
    await first.stop()
    const second = await again()
    await raise(second, 'one')
    assert.deepEqual(await taken, ['one'])
  })

  test('what the service refuses is thrown with its words, and not tried again', async () => {
    const service = await startService()
    const retried = ({ error }: Retry) => assert.fail(error.message)
    const refused = (options: Parameters<typeof connect>[1], url = service.url) =>
      take(connect(url, { onRetry: retried, ...options }), 1)
    await assert.rejects(refused({ filter: { eventOid: 'link' } }), (error) => {
      assert(error instanceof RefusedError)
      assert.equal(error.status, 400)
      assert.equal(error.code, 'invalid')
      assert.equal(error.field, 'eventOid')
      assert.match(error.message, /"link".*expected an event OID/)
      return true
    })
    await assert.rejects(refused({ since: 'yesterday' }), { status: 400, field: 'since' })
    await assert.rejects(refused({}, `${service.url}/elsewhere`), { name: 'RefusedError', status: 404 })
  })

  test('a page that is not a stream of alarms is refused', async () => {
    const url = await answering((_, response) =>
      response.setHeader('Content-Type', 'text/html').end('<html>'),
    )
    await assert.rejects(take(connect(url), 1), /answers text\/html instead of a stream of alarms/)
  })

  test('a service that is not ready is asked again, no sooner than it wishes', async () => {
    let asked = 0
    const url = await answering((_, response) => {
      asked += 1
      if (asked === 1) response.writeHead(503, { 'Retry-After': '1' }).end('{"message":"starting"}')
      else if (asked === 2) response.writeHead(429).end()
      else
        response
          .writeHead(403, { 'Content-Type': 'application/json' })
          .end('{"code":"forbidden","message":"not you"}')
    })
    const retries: Retry[] = []
    const stream = connect(url, { backoff: soon, onRetry: (retry) => retries.push(retry) })
    await assert.rejects(take(stream, 1), { name: 'RefusedError', message: 'not you', code: 'forbidden' })
    assert.deepEqual(
      retries.map(({ error }) => error.message),
      ['starting', 'the service answered 429'],
    )
    assert((retries[0]?.delay ?? 0) >= 1)
  })

  test('wrong addresses and headers are thrown at once', () => {
    assert.throws(() => connect('nonsense'), TypeError)
    assert.throws(() => connect('ftp://127.0.0.1'), /not an http or https address/)
    assert.throws(() => connect('http://me:secret@127.0.0.1'), /headers/)
    assert.throws(() => connect('http://127.0.0.1', { headers: { 'no header': 'x' } }), TypeError)
  })

  test('the address may be that of the root, of /imcrs or of the stream itself, and headers are sent', async () => {
    const asked: string[] = []
    const url = await answering((request, response) => {
      asked.push(`${request.headers.authorization} ${request.url?.split('?')[0]}`)
      response.writeHead(401).end()
    })
    for (const path of ['', '/', '/imcrs', '/imcrs/', '/imcrs/events']) {
      const headers = { Authorization: 'Bearer x' }
      await assert.rejects(take(connect(url + path, { headers }), 1), { status: 401 })
    }
    assert.deepEqual(asked, [
      'Bearer x /events',
      'Bearer x /events',
      'Bearer x /imcrs/events',
      'Bearer x /imcrs/events',
      'Bearer x /imcrs/events',
    ])
  })

  test('the signal ends the loop properly, whether it waits, is connected, or has not begun', async () => {
    const service = await startService()
    const before = connect(service.url, { signal: AbortSignal.abort(), onConnect: () => assert.fail() })
    assert.deepEqual(await take(before, 1), [])

    const reading = new AbortController()
    const connected = take(connect(service.url, { signal: reading.signal }), 1)
    await until(async () => (await connectedClients(service)) === 1)
    reading.abort()
    assert.deepEqual(await connected, [])
    await until(async () => (await connectedClients(service)) === 0)

    const waiting = new AbortController()
    const onRetry = () => setTimeout(() => waiting.abort(), 20)
    const absent = connect('http://127.0.0.1:1', { signal: waiting.signal, onRetry, backoff: { first: 60 } })
    assert.deepEqual(await take(absent, 1), [])
  })

  test('an alarm that arrived with the end is not handed out after the signal, and comes to the next program', async () => {
    const service = await startService()
    const ending = new AbortController()
    const uuid = 'ended'
    const began = async () => {
      await raise(service, 'one')
      await raise(service, 'two')
    }
    const seen: Alarm[] = []
    for await (const alarm of connect(service.url, {
      uuid,
      signal: ending.signal,
      onConnect: () => void began(),
    })) {
      seen.push(alarm)
      await new Promise((resolve) => setTimeout(resolve, 300))
      ending.abort()
    }
    assert.equal(seen.length, 1)
    assert.deepEqual(await take(connect(service.url, { uuid }), 1), ['two'])
  })

  test('a remark of the service about the filter is passed on', async () => {
    const service = await startService()
    const warned = new Promise((resolve) => {
      const ending = new AbortController()
      const onConnect = (warning: string | undefined) => {
        resolve(warning)
        ending.abort()
      }
      void take(connect(service.url, { filter: { customView: 77 }, onConnect, signal: ending.signal }), 1)
    })
    assert.match(String(await warned), /customView 77 does not exist/)
  })
})

// Apart from the tests above, whose services start at the same time: one that is busy for seconds seems silent.
suite('the client module and signs of life', { concurrency: true }, () => {
  test('a network that stops delivering is noticed, and what it lost arrives on a new connection', async () => {
    const service = await startService({ 'heartbeat-seconds': '1' })
    const network = await networkTo(service)
    const retries: Retry[] = []
    const stream = connect(network.url, {
      heartbeatSeconds: 1,
      backoff: soon,
      onConnect: () => void (retries.length === 0 && raise(service, 'one')),
      onRetry: (retry) => retries.push(retry),
    })
    const texts: string[] = []
    for await (const { alarmDesc } of stream) {
      texts.push(alarmDesc)
      if (texts.length === 2) break
      network.fallSilent()
      await raise(service, 'swallowed')
    }
    assert.deepEqual(texts, ['one', 'swallowed'])
    assert.deepEqual(
      retries.map(({ error }) => error.message),
      ['nothing heard for 2.5 seconds'],
    )
  })

  test('signs of life, in each of their forms, keep a connection and move the position', async () => {
    for (const form of ['line', 'family']) {
      const service = await startService({ 'heartbeat-seconds': '1', 'heartbeat-form': form })
      const stream = connect(service.url, {
        heartbeatSeconds: 1,
        filter: { alarmLevel: 1 },
        onRetry: ({ error }) => assert.fail(error.message),
        onConnect: () => void raise(service, 'of no interest'),
      })
      const taken = take(stream, 1)
      await until(() => stream.position?.endsWith(':1') ?? false)
      await new Promise((resolve) => setTimeout(resolve, 2600))
      await raise(service, 'of interest', { alarmLevel: 1 })
      assert.deepEqual(await taken, ['of interest'])
    }
  })
})
