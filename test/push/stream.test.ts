// A stream by itself, over an outlet that is no HTTP answer.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { readParameters } from '../../src/http/call.ts'
import type { Outlet, OutletWatcher } from '../../src/push/outlet.ts'
import { Stream } from '../../src/push/stream.ts'
import { sharedVariant } from '../../src/push/stream-documents.ts'
import { readFilter } from '../../src/push/stream-filter.ts'

/** Takes so many pieces, and then is full. */
class Bucket implements Outlet {
  readonly pieces: string[] = []
  left: number
  isGone = false
  closedCleanly = false
  how = ''
  #watcher: OutletWatcher | undefined

  constructor(left: number) {
    this.left = left
  }

  write(piece: Buffer | string): boolean {
    this.pieces.push(String(piece))
    this.left -= 1
    return this.left > 0
  }

  get pending(): number {
    return this.left > 0 ? 0 : 1 - this.left
  }

  watch(watcher: OutletWatcher): void {
    this.#watcher = watcher
  }

  empty(left: number): void {
    this.left = left
    this.#watcher?.room()
  }

  end(): void {
    this.how = 'ended'
  }

  cut(): void {
    this.how = 'cut'
  }

  breakOff(): void {
    this.isGone = true
    this.#watcher?.gone()
  }
}

function streamOver(outlet: Outlet, uuid?: string) {
  const time = { wall: 1000, monotonic: 0 }
  const ended: Stream[] = []
  const keeper = { head: 10n, now: () => ({ ...time }), ended: (stream: Stream) => void ended.push(stream) }
  const stream = new Stream(keeper, {
    outlet,
    filter: readFilter(readParameters('')),
    variant: sharedVariant({ form: 'xml', sendRecovered: false, cursor: false }),
    query: '',
    uuid,
    holder: '',
    knowsPositions: false,
    sentFrom: 0,
    cursor: 3n,
    hasPermission: () => true,
  })
  stream.begin()
  return { stream, keeper, time, ended }
}

suite('a stream', () => {
  test('moves its cursor with what is written, and is full when its outlet is', async () => {
    const outlet = new Bucket(2)
    const { stream } = streamOver(outlet)
    stream.write('a', 4n)
    assert.deepEqual([stream.state, stream.cursor], ['reading', 4n])
    await stream.room()
    stream.write('b', 6n)
    assert.deepEqual([stream.state, stream.cursor, stream.pending], ['full', 6n, 1])
    const room = stream.room()
    outlet.empty(5)
    await room
    assert.equal(stream.state, 'reading')
    assert.deepEqual(outlet.pieces, ['a', 'b'])
  })

  test('while it waits its position is the end of the log', () => {
    const { stream, keeper } = streamOver(new Bucket(9))
    stream.pass(10n)
    stream.wait()
    keeper.head = 25n
    assert.deepEqual([stream.state, stream.cursor, stream.position], ['waiting', 10n, 25n])
    stream.writeNew(Buffer.from('x'), 26n)
    assert.deepEqual([stream.state, stream.position], ['waiting', 26n])
    keeper.head = 30n
    stream.leave()
    assert.deepEqual([stream.state, stream.cursor], ['reading', 30n])
  })

  test('when its outlet closes, it ends once, with the position it had reached', async () => {
    const outlet = new Bucket(1)
    const { stream, ended } = streamOver(outlet, 'a')
    stream.write('a', 4n)
    const room = stream.room()
    outlet.breakOff()
    outlet.breakOff()
    await room
    assert.deepEqual([stream.state, ended.length], ['ended', 1])
    stream.write('late', 5n)
    assert.deepEqual([outlet.pieces, stream.cursor], [['a'], 4n])
    const { cursor, position, connected } = stream.lastProgress(false)
    assert.deepEqual([cursor, position, connected], [3n, 4n, false], 'what was written last is in doubt')
  })

  test('is ended properly, or cut where its outlet takes nothing', () => {
    for (const [left, how] of [
      [9, 'ended'],
      [1, 'cut'],
    ] as const) {
      const outlet = new Bucket(left)
      const { stream } = streamOver(outlet)
      stream.write('a', 4n)
      stream.end()
      assert.deepEqual([outlet.how, stream.state], [how, 'ended'])
    }
  })

  test('an outlet that was closed before it began ends it', () => {
    const outlet = new Bucket(9)
    outlet.isGone = true
    assert.equal(streamOver(outlet).stream.state, 'ended')
  })

  test('reports how far its client has come only where that has changed, and only of one that can come back', () => {
    const { stream, time } = streamOver(new Bucket(9), 'a')
    const progress = () => stream.takeProgress({ ...time })
    assert.equal(progress()?.cursor, 3n)
    assert.equal(progress(), undefined)
    stream.write('a', 4n)
    assert.deepEqual([progress()?.position, progress()], [4n, undefined])
    const { stream: passing } = streamOver(new Bucket(9))
    passing.write('a', 4n)
    assert.equal(passing.takeProgress({ ...time }), undefined)
  })

  test('a clean end after an idle second says that all was received, where that is trusted', () => {
    const received = (trusted: boolean, idle: number, clean: boolean) => {
      const outlet = new Bucket(9)
      const { stream, time } = streamOver(outlet, 'a')
      stream.write('a', 4n)
      time.monotonic += idle
      outlet.closedCleanly = clean
      outlet.breakOff()
      return stream.lastProgress(trusted).cursor
    }
    assert.equal(received(true, 1000, true), 4n)
    assert.equal(received(true, 999, true), 3n)
    assert.equal(received(true, 1000, false), 3n)
    assert.equal(received(false, 1000, true), 3n)
  })

  test('a full outlet that passes nothing on stalls; one that passes on a little does not', () => {
    const outlet = new Bucket(1)
    const { stream, time } = streamOver(outlet)
    stream.write('a', 4n)
    const stalledAfter = (milliseconds: number) => {
      time.monotonic += milliseconds
      return stream.stalledFor({ ...time })
    }
    assert.equal(stalledAfter(1000), 1000)
    assert.equal(stalledAfter(1000), 2000)
    outlet.left += 1
    assert.equal(stalledAfter(1000), 0)
  })
})
