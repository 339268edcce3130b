// Traps and messages about the same fault: whatever the order in which they arrive, and whichever of them is lost.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { FaultTurns, matchWindow, type Sense } from '../../src/alarms/engine/fault-turns.ts'
import { chance } from '../acceptance/chance.ts'

/** One report, and when it is received. */
interface Heard {
  readonly sense: Sense
  readonly does: 'raise' | 'clear'
  readonly at: number
}

/** The alarm of one fault, as the engine treats it; returns how often it was raised and whether it is open at the end. */
function play(heard: readonly Heard[], trace: string[] = []) {
  const turns = new FaultTurns()
  let isOpen = false
  let raised = 0
  let held: Heard | undefined
  const settle = (now: number) => {
    if (!held || now < held.at + matchWindow) return
    trace.push(`held since ${held.at} raised`)
    if (!isOpen) raised += 1
    isOpen = true
    turns.settle(held.sense, held.at)
    held = undefined
  }
  for (const one of heard) {
    settle(one.at)
    const { sense, does, at } = one
    const { count } = turns.state
    if (does === 'raise') {
      const report = turns.fault(sense, at, isOpen)
      trace.push(`${at} ${sense} raise: ${report}`)
      if (turns.state.count > count) held = undefined
      if (report === 'unclear') held ??= one
      if (report !== 'counts') continue
      if (!isOpen) raised += 1
      isOpen = true
    } else {
      if (held?.sense === sense) held = undefined
      const ends = turns.end(sense, at, isOpen)
      trace.push(`${at} ${sense} clear: ${ends}`)
      if (ends) isOpen = false
    }
  }
  settle(Number.MAX_SAFE_INTEGER)
  return { isOpen, raised }
}

const heard = (text: string): Heard[] =>
  text.split(' ').map((one, index) => ({
    sense: one.startsWith('t') ? 'trap' : 'message',
    does: one.endsWith('+') ? 'raise' : 'clear',
    at: 1_000_000 + index * 1000,
  }))

describe('reports of one fault, t for trap, m for message, + raises, - clears', () => {
  const expected: readonly (readonly [string, number, boolean])[] = [
    ['t+ m+ t- m-', 1, false],
    ['m+ t+ t- m-', 1, false],
    // The other sense is late with everything.
    ['t+ t- m+ m-', 1, false],
    ['m+ m- t+ t-', 1, false],
    ['t+ t- t+ m+ m- m+', 2, true],
    ['t+ t- t+ t- m+ m- m+ m-', 2, false],
    ['t+ t- t+ m+ m- t- m+ m-', 2, false],
    // One report is lost.
    ['t+ m+ m-', 1, false],
    ['t+ m+ t-', 1, false],
    ['t- m+ m-', 1, false],
    ['m+ t- m-', 1, false],
    ['t+ t- m-', 1, false],
    ['t+ t- m+', 1, false],
    ['t+ t- m+ m- m+', 2, true],
    ['t+ m+ m- m+ t+', 2, true],
    // Two messages report what one trap does.
    ['t+ t- m+ m+ m- m-', 1, false],
    ['t+ m+ m+ m- m- t-', 1, false],
    ['m+ t+ t- m+ m- m- m+ t+', 2, true],
    // Of the second outage only a trap arrives, and of the first one no end by trap: it may not be dropped.
    ['t+ m+ m- t+', 2, true],
    ['t+ m+ m- t+ t-', 1, false],
  ]
  for (const [text, raised, isOpen] of expected) {
    test(text, () => assert.deepEqual(play(heard(text)), { raised, isOpen }))
  }
})

test('an operator who ends the alarm does not keep the next fault from being raised', () => {
  const turns = new FaultTurns()
  assert.equal(turns.fault('trap', 1000, false), 'counts')
  assert.equal(turns.fault('message', 2000, true), 'counts')
  assert.equal(turns.fault('trap', 3000, false), 'counts')
})

test('what was received long before is not matched with what came later', () => {
  const turns = new FaultTurns()
  assert.equal(turns.fault('message', 100_000, false), 'counts')
  assert.equal(turns.fault('trap', 10_000, true), 'counts')
  assert.equal(turns.end('trap', 15_000, true), false)
  assert.equal(turns.end('message', 101_000, true), true)
})

/** The turns of a device, and what each sense makes of them: delayed, in order, perhaps twice each. */
function history(random: () => number, mayLose: boolean) {
  const turns = 1 + Math.floor(random() * 9)
  const pauses = random() < 0.5 ? 3000 : 60_000
  let at = 1_000_000
  const times = Array.from({ length: turns }, () => {
    at += 1 + Math.floor(random() * pauses)
    return at
  })
  const reports: Heard[] = []
  const doubled = random() < 0.4
  for (const sense of ['trap', 'message'] as const) {
    // The two senses differ by less than the window.
    const delays = random() * (matchWindow - 1000)
    let last = 0
    for (const [index, time] of times.entries()) {
      const does = index % 2 === 0 ? ('raise' as const) : ('clear' as const)
      for (let copy = 0; copy < (doubled && sense === 'message' ? 2 : 1); copy += 1) {
        last = Math.max(last + 1, Math.floor(time + random() * delays))
        reports.push({ sense, does, at: last })
      }
    }
  }
  const kept = mayLose ? reports.toSpliced(Math.floor(random() * reports.length), 1) : reports
  return {
    heard: kept.toSorted((a, b) => a.at - b.at),
    outages: Math.ceil(turns / 2),
    isDown: turns % 2 === 1,
  }
}

test('in any order of arrival there is one alarm for each outage', () => {
  const random = chance(7)
  for (let round = 0; round < 20_000; round += 1) {
    const { heard, outages, isDown } = history(random, false)
    const trace: string[] = []
    const { raised, isOpen } = play(heard, trace)
    assert.deepEqual({ raised, isOpen }, { raised: outages, isOpen: isDown }, trace.join('\n'))
  }
})

test('one lost report neither leaves the alarm open nor hides the last outage', () => {
  const random = chance(11)
  for (let round = 0; round < 20_000; round += 1) {
    const { heard, isDown, outages } = history(random, true)
    const trace: string[] = []
    const { isOpen, raised } = play(heard, trace)
    assert.equal(isOpen, isDown, trace.join('\n'))
    assert(raised >= outages - 1 && raised <= outages, trace.join('\n'))
  }
})
