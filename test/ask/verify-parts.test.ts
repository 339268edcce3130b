// What answers prove: the file of checks, the derivation from states, and random histories of a device.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readChecks, shippedChecks } from '../../src/ask/verify/checks.ts'
import { Proof, type Reading, type Subject, toReading } from '../../src/ask/verify/readings.ts'
import { standardEvents } from '../../src/events/event-file.ts'
import { VendorCatalogue } from '../../src/events/vendor-catalogue.ts'
import type { Variable, VariableType } from '../../src/snmp/variables.ts'

test('the checks that are shipped name events and keys that there are', async () => {
  const vendors = new VendorCatalogue()
  await vendors.open()
  for (const [oid, { name, key }] of shippedChecks) {
    const event = standardEvents.find(({ eventOid }) => eventOid === oid) ?? vendors.find(oid)
    assert(event, `${name}: no definition has ${oid}`)
    const keys = (event.parameter ?? []).filter(({ isKey }) => isKey).map((one) => one.name)
    for (const one of key) assert(keys.includes(one), `${name}: ${one} is no key of ${event.name}`)
  }
})

test('a mistake in a file of checks is told with its place', () => {
  const check = {
    ...{ name: 'ifOperStatus', events: ['1.3.6.1.6.3.1.1.5.3'], key: ['ifIndex'] },
    ...{ state: '1.3.6.1.2.1.2.2.1.8', labels: '1=up;2=down', over: 'up' },
  }
  const told = (more: object) => () =>
    readChecks(JSON.stringify({ about: 'x', checks: [{ ...check, ...more }] }), 'f.json')
  assert.equal(told({})().size, 1)
  assert.throws(
    told({ over: 'well' }),
    /^Fault: f\.json: check 1 \("?ifOperStatus"?\): over names well, which is no label$/,
  )
  assert.throws(told({ state: 'ifOperStatus' }), /state is "?ifOperStatus"?: an OID is expected/)
  assert.throws(told({ key: [7] }), /key\[1\] is "?7"?: a name is expected/)
  const twice = JSON.stringify({ about: 'x', checks: [check, check] })
  assert.throws(() => readChecks(twice, 'f.json'), /is checked twice$/)
})

/** The same sequence each time. */
function dice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

const second = 1000
const names = ['Gi0/1', 'Gi0/2', 'Gi0/3']

/** A device with three ports, whose indexes are dealt anew with each restart. */
class ModelDevice {
  readonly #roll: (sides: number) => number
  #startedAt: number
  /** The name of the port at each index. */
  #names = [...names]
  readonly #isUp = new Map(names.map((name) => [name, true]))

  constructor(roll: (sides: number) => number, now: number) {
    this.#roll = roll
    this.#startedAt = now - 1000 * second * (1 + roll(1000))
  }

  isUp = (name: string) => this.#isUp.get(name) === true
  indexOf = (name: string) => this.#names.indexOf(name)
  set = (name: string, isUp: boolean) => this.#isUp.set(name, isUp)

  restart(now: number): void {
    this.#startedAt = now
    for (let at = this.#names.length - 1; at > 0; at -= 1) {
      const other = this.#roll(at + 1)
      const [one, two] = [this.#names[at] as string, this.#names[other] as string]
      this.#names[at] = two
      this.#names[other] = one
    }
  }

  answer(subject: Subject, index: number, now: number): Reading {
    const value = (type: VariableType, text: string): Variable => ({
      oid: '1.3',
      type,
      value: text,
      hex: false,
    })
    const name = this.#names[index] as string
    return toReading(
      subject,
      [
        value('TimeTicks', String(Math.floor((now - this.#startedAt) / 10))),
        value('Integer32', this.isUp(name) ? '1' : '2'),
        ...subject.check.names.map(() => value('OctetString', name)),
      ],
      { sentAt: now, sentMonotonic: now },
    )
  }
}

test('ten thousand random histories: nothing is ended that is broken at the second answer', () => {
  const roll = dice(7)
  const rule = shippedChecks.get('1.3.6.1.6.3.1.1.5.3')
  assert(rule)
  const readConclusion = ({ value }: Variable) => ({ isOver: value === '1', text: value })
  let [ended, open, unclear] = [0, 0, 0]
  for (let history = 0; history < 10_000; history += 1) {
    let now = 1e12
    const device = new ModelDevice(roll, now)
    const name = names[roll(3)] as string
    const [isNamed, saysNames] = [roll(2) === 0, roll(3) > 0]
    device.set(name, false)
    const lastTime = now
    const reported = device.indexOf(name)
    const check = { oid: '1.3', names: saysNames ? ['1.3'] : [], isLasting: false, readConclusion }
    // What was learnt of its index may be true, or older than the last restart.
    const learnt = roll(2) === 0 ? () => device.indexOf(name) : () => reported
    const live = () => {
      now += second * (1 + roll(40))
      for (let events = roll(4); events > 0; events -= 1) {
        const event = roll(6)
        if (event === 0) device.restart(now - roll(second))
        else if (event < 4) device.set(name, roll(2) === 0)
        else device.set(names[roll(3)] as string, roll(2) === 0)
      }
      now += roll(second)
    }
    live()
    const index = isNamed ? learnt() : reported
    const subject = { check, lastTime, name: isNamed ? name : '', isByName: index !== reported }
    const proof = new Proof(subject)
    let conclusion: ReturnType<Proof['take']>
    for (let answers = 0; !conclusion; answers += 1) {
      assert(answers < 4)
      conclusion = proof.take(device.answer(subject, index, now))
      if (!conclusion) live()
    }
    if (conclusion.result === 'over') {
      assert(device.isUp(name), `history ${history}: ${name} is down, and its alarm ended`)
      assert(conclusion.firstAsked > lastTime)
      ended += 1
    } else if (conclusion.result === 'open') {
      assert(!device.isUp(name), `history ${history}: ${name} is up, and was found down`)
      open += 1
    } else unclear += 1
  }
  assert(ended > 500 && open > 500 && unclear > 500, `${ended} ended, ${open} open, ${unclear} unclear`)
})
