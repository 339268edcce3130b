import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { LocalTime } from '../../src/resources/alarms/local-time.ts'

const zones = ['UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'America/St_Johns']
const asked = (timeZone: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })

test('a time is what the system says it is, in every zone and at any moment', () => {
  for (const zone of zones) {
    const [local, system] = [new LocalTime(zone), asked(zone)]
    const moment = fc.integer({ min: 1, max: Date.UTC(2100, 0) })
    fc.assert(
      fc.property(moment, (at) => assert.equal(local.text(at), system.format(at))),
      { numRuns: 100 },
    )
  }
})

test('also where clocks were changed a minute after midnight, or were off by odd seconds', () => {
  const changes = {
    'America/St_Johns': Date.UTC(2006, 3, 2, 3, 25),
    'Africa/Monrovia': Date.UTC(1971, 5, 1, 12),
    'Europe/Berlin': Date.UTC(2026, 2, 29, 0, 50),
  }
  for (const [zone, begin] of Object.entries(changes)) {
    const [local, system] = [new LocalTime(zone), asked(zone)]
    for (let at = begin; at < begin + 1_800_000; at += 29_500) {
      assert.equal(local.text(at), system.format(at), `${zone} ${at}`)
    }
  }
})
