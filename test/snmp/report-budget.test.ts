import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ReportBudget } from '../../src/snmp/report-budget.ts'

test('900 forged discoveries a second do not keep a genuine sender from its reports', () => {
  const budget = new ReportBudget()
  let [genuine, forged] = [0, 0]
  for (let tick = 0; tick < 9000; tick += 1) {
    const now = tick * (1000 / 900)
    // From one socket; from the address of the device; from addresses that are made up.
    if (tick % 3 === 0 && budget.maySend('192.0.2.1', 4000, now)) forged += 1
    if (tick % 3 === 1) budget.maySend('10.0.0.7', 20_000 + tick, now)
    if (tick % 3 === 2) budget.maySend(`203.0.${tick % 256}.${(tick >> 8) % 256}`, 4000, now)
    if (tick % 900 === 450 && budget.maySend('10.0.0.7', 161, now)) genuine += 1
  }
  assert.equal(genuine, 10)
  assert.ok(forged <= 10 + 5 * 10 + 1, `${forged} in ten seconds`)
})

test('unknown senders share a budget, and senders that have proved a key do not wait for them', () => {
  const budget = new ReportBudget()
  budget.noteGenuine('10.0.0.7')
  let sent = 0
  for (let index = 0; index < 5000; index += 1)
    if (budget.maySend(`203.0.${index >> 8}.${index % 256}`, index, 0)) sent += 1
  assert.equal(sent, 1000)
  assert.ok(budget.maySend('10.0.0.7', 161, 0))
  assert.ok(!budget.maySend('10.0.0.8', 161, 0))
})
