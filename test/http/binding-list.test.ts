// The list of bindings: its filters (decisions 6), orders and sizes.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../support.ts'
import { load, refused, values } from './reading.ts'

const service = await startService()
const collection = '/res/access/macAccessBind'

await load(service, 'macAccessBind', [
  'terminalMac,terminalName,bindType,maintainer,ifInfo[1]/deviceId,ifInfo[1]/ifIndex,ifInfo[2]/deviceId,ifInfo[2]/ifIndex',
  '00:00:00:00:00:0c,Printer A,2,Li Na,7,1,8,2',
  '00:00:00:00:00:0b,printer b,2,LI NA,7,2,,',
  '00:00:00:00:00:0a,Camera,1,,,,,',
  '00:00:00:00:01:00,,1,Ömer,,,,',
])

async function found(query: string): Promise<string> {
  const answer = await service.get(`${collection}?${query}`)
  assert.equal(answer.status, 200, answer.text)
  const macs = values(answer.text, 'terminalMac')
  assert.equal(answer.headers.total, String(macs.length))
  return macs.map((mac) => mac.slice(-4)).join(' ')
}

test('without a filter all bindings are listed, by id', async () => {
  assert.equal(await found(''), '0:0c 0:0b 0:0a 1:00')
})

test('terminalMac filters by MAC, in either case, with wildcards', async () => {
  assert.equal(await found('terminalMac=00:00:00:00:00:0A'), '0:0a')
  assert.equal(await found('terminalMac=*:0?'), '0:0c 0:0b 0:0a 1:00')
  assert.equal(await found('terminalMac=00:00:00:00:00:*'), '0:0c 0:0b 0:0a')
})

test('terminalName filters by name; a binding without a name has none to match, unless anything will do', async () => {
  assert.equal(await found('terminalName=PRINTER%20A'), '0:0c')
  assert.equal(await found('terminalName=printer*'), '0:0c 0:0b')
  assert.equal(await found('terminalName=?*'), '0:0c 0:0b 0:0a')
})

test('bindType filters by type; another than 1 or 2 is refused', async () => {
  assert.equal(await found('bindType=1'), '0:0a 1:00')
  assert.equal(await found('bindType=2'), '0:0c 0:0b')
  refused(await service.get(`${collection}?bindType=3`), 400, 'bindType')
})

test('maintainer filters by maintainer, whatever the letter case', async () => {
  assert.equal(await found('maintainer=li%20na'), '0:0c 0:0b')
  assert.equal(await found(`maintainer=${encodeURIComponent('öMER')}`), '1:00')
})

test('deviceId and ifIndex filter by interface: given together they speak of the same one', async () => {
  assert.equal(await found('deviceId=7'), '0:0c 0:0b')
  assert.equal(await found('ifIndex=2'), '0:0c 0:0b')
  assert.equal(await found('deviceId=7&ifIndex=2'), '0:0b')
  assert.equal(await found('deviceId=8&ifIndex=1'), '')
  refused(await service.get(`${collection}?deviceId=seven`), 400, 'deviceId')
})

test('filters of different names must all hold', async () => {
  assert.equal(await found('terminalName=printer*&deviceId=8'), '0:0c')
  assert.equal(await found('terminalName=printer*&bindType=1'), '')
})

test('orderBy takes id, terminalMac and terminalName, and desc reverses them', async () => {
  assert.equal(await found('orderBy=terminalMac'), '0:0a 0:0b 0:0c 1:00')
  assert.equal(await found('orderBy=terminalMac&desc=true'), '1:00 0:0c 0:0b 0:0a')
  assert.equal(await found('orderBy=terminalName'), '1:00 0:0a 0:0c 0:0b')
  assert.equal(await found('orderBy=id&desc=true'), '1:00 0:0a 0:0b 0:0c')
  refused(await service.get(`${collection}?orderBy=maintainer`), 400, 'orderBy')
})
