// Terminal access bindings, as docs/interface/terminals.md describes them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../support.ts'
import { idOf, load, pathOf, refused, value, values } from './reading.ts'

const service = await startService()
const collection = '/res/access/macAccessBind'

let macs = 0
const newMac = () => `02:00:00:00:00:${(macs++).toString(16).padStart(2, '0')}`

const port = (deviceId: unknown, ifIndex: unknown) =>
  `<ifInfo><deviceId>${deviceId}</deviceId><ifIndex>${ifIndex}</ifIndex></ifInfo>`
const binding = (bindType: unknown, inside = '', mac = newMac()) =>
  `<macAccessBind><terminalMac>${mac}</terminalMac><bindType>${bindType}</bindType>${inside}</macAccessBind>`
const post = (xml: string) => service.send('POST', collection, xml)

// The list: its filters and orders, on a store of its own.

const listed = await startService()
await load(listed, 'macAccessBind', [
  'terminalMac,terminalName,bindType,maintainer,ifInfo[1]/deviceId,ifInfo[1]/ifIndex,ifInfo[2]/deviceId,ifInfo[2]/ifIndex',
  '00:00:00:00:00:0c,Printer A,2,Li Na,7,1,8,2',
  '00:00:00:00:00:0b,printer b,2,LI NA,7,2,,',
  '00:00:00:00:00:0a,Camera,1,,,,,',
  '00:00:00:00:01:00,,1,Ömer,,,,',
])

test('POST answers 201 with Location {base_url}/res/access/macAccessBind/<numeric id> and an empty body', async () => {
  const answer = await post(binding(1))
  assert.equal(answer.status, 201)
  assert.equal(answer.text, '')
  assert.equal(answer.headers.location, `${service.url}${collection}/${idOf(answer)}`)
  assert.match(idOf(answer), /^\d+$/)
})

test('a binding is returned with all its fields in the order of docs/interface/terminals.md', async () => {
  const ports = port(7, 101) + port(8, 1)
  const answer = await post(
    `<macAccessBind>${ports}<maintainer>Li Na</maintainer><bindType>2</bindType><terminalName>Printer 3</terminalName><terminalMac>aa:bb:cc:dd:ee:ff</terminalMac></macAccessBind>`,
  )
  const { text } = await service.get(pathOf(answer))
  const inOrder = `<terminalMac>aa:bb:cc:dd:ee:ff</terminalMac><terminalName>Printer 3</terminalName><bindType>2</bindType><maintainer>Li Na</maintainer>${ports}`
  assert.ok(text.endsWith(`<macAccessBind><id>${idOf(answer)}</id>${inOrder}</macAccessBind>`), text)
})

test('terminalMac is required, six colon-separated hexadecimal pairs; anything else is refused', async () => {
  refused(await post('<macAccessBind><bindType>1</bindType></macAccessBind>'), 400, 'terminalMac')
  const wrong = [
    '00-1b-44-11-3a-b7',
    '001b.4411.3ab7',
    '001b44113ab7',
    '00:1b:44:11:3a',
    '00:1b:44:11:3a:b7:00',
    '0:1b:44:11:3a:b7',
    '00:1b:44:11:3a:bg',
    '00:1b:44:11:3a:b7\u0660',
  ]
  for (const mac of wrong) refused(await post(binding(1, '', mac)), 400, 'terminalMac')
})

test('terminalMac is taken in either case, stored and returned in lower case', async () => {
  const answer = await post(binding(1, '', '00:1B:44:11:3A:b7'))
  assert.equal(value((await service.get(pathOf(answer))).text, 'terminalMac'), '00:1b:44:11:3a:b7')
})

test('bindType is required and 1 or 2; anything else is refused', async () => {
  const without = `<macAccessBind><terminalMac>${newMac()}</terminalMac></macAccessBind>`
  refused(await post(without), 400, 'bindType')
  for (const type of ['0', '3', '-1', 'two', '1.0', '4294967297'])
    refused(await post(binding(type)), 400, 'bindType')
})

test('bindType 2 without ifInfo is refused', async () => {
  refused(await post(binding(2)), 400, 'ifInfo')
  refused(await post(binding(2, '<ifInfo/>')), 400, 'ifInfo')
})

test('bindType 2 with an ifInfo that lacks deviceId or ifIndex is refused, naming which', async () => {
  const noDevice = '<ifInfo><ifIndex>1</ifIndex></ifInfo>'
  refused(await post(binding(2, noDevice)), 400, 'ifInfo[1]/deviceId')
  const noIndex = `${port(1, 1)}<ifInfo><deviceId>1</deviceId></ifInfo>`
  refused(await post(binding(2, noIndex)), 400, 'ifInfo[2]/ifIndex')
})

test('the same interface twice is refused', async () => {
  refused(await post(binding(2, port(1, 1) + port(1, 2) + port(1, 1))), 400, 'ifInfo[3]')
})

test('bindType 1 with ifInfo is refused', async () => {
  refused(await post(binding(1, port(1, 1))), 400, 'ifInfo')
})

test('one binding per MAC: a second is refused with 409, in whatever letter case', async () => {
  const mac = 'de:ad:be:ef:00:01'
  assert.equal((await post(binding(1, '', mac))).status, 201)
  refused(await post(binding(2, port(1, 1), mac.toUpperCase())), 409, 'terminalMac')
})

test('a group or broadcast address is no terminal: it is refused', async () => {
  for (const mac of ['ff:ff:ff:ff:ff:ff', '01:00:5e:00:00:01', '33:33:00:00:00:01', 'FD:00:00:00:00:00']) {
    const { message } = refused(await post(binding(1, '', mac)), 400, 'terminalMac')
    assert.match(message, /group address.*expected the address of one terminal/)
  }
  for (const mac of ['fe:ff:ff:ff:ff:ff', '00:00:00:00:00:00'])
    assert.equal((await post(binding(1, '', mac))).status, 201, mac)
})

test('a negative device id or interface number is refused, naming which', async () => {
  refused(await post(binding(2, port(-1, 1))), 400, 'ifInfo[1]/deviceId')
  refused(await post(binding(2, port(1, 1) + port(1, '-9223372036854775808'))), 400, 'ifInfo[2]/ifIndex')
  assert.equal((await post(binding(2, port(0, 0)))).status, 201)
  const path = pathOf(await post(binding(2, port(1, 1), '02:fe:00:00:00:01')))
  refused(await service.send('PUT', path, binding(2, port(1, -1), '02:fe:00:00:00:01')), 400)
})

test('a binding to a device or interface that is not known is accepted with a remark for each', async () => {
  const device = { ip: '10.0.0.7', label: 'Switch', interfaces: [{ ifIndex: 3, ifDesc: 'Gi3' }] }
  const known = idOf(await service.sendJson('POST', '/plat/res/device', device))
  const said = ({ headers }: Awaited<ReturnType<typeof post>>) => String(headers['belfry-warning'] ?? '')
  const largest = '9223372036854775807'
  const answer = await post(binding(2, port(largest, largest) + port(known, 4) + port(known, 3)))
  assert.equal(answer.status, 201)
  assert.equal(said(answer), `device ${largest} does not exist, device ${known} has no interface 4`)
  assert.equal(said(await post(binding(2, port(known, 3)))), '')
  assert.equal(said(await post(binding(1))), '')
  const mac = '02:fd:00:00:00:01'
  const path = pathOf(await post(binding(2, port(known, 3), mac)))
  assert.equal(said(await service.send('PUT', path, binding(2, port(known, 3), mac))), '')
  const moved = await service.send('PUT', path, binding(2, port(4711, 1), mac))
  assert.deepEqual([moved.status, said(moved)], [204, 'device 4711 does not exist'])
})

test('terminalName and maintainer are optional and empty when absent', async () => {
  const { text } = await service.get(pathOf(await post(binding(1))))
  assert.match(text, /<terminalName\/><bindType>1<\/bindType><maintainer\/>/)
  assert.doesNotMatch(text, /ifInfo/)
})

test('a PUT to bindType 1 clears the interfaces', async () => {
  const path = pathOf(await post(binding(2, port(1, 1), '02:ff:00:00:00:01')))
  assert.equal((await service.send('PUT', path, binding(1, '', '02:ff:00:00:00:01'))).status, 204)
  assert.doesNotMatch((await service.get(path)).text, /ifInfo/)
  assert.equal(
    (await service.get(`${collection}?terminalMac=02:ff:00:00:00:01&deviceId=1`)).headers.total,
    '0',
  )
})

test('a PUT that mentions no ifInfo leaves the interfaces as they were; one that does replaces them all', async () => {
  const mac = '02:ff:00:00:00:02'
  const path = pathOf(await post(binding(2, port(1, 1) + port(1, 2), mac)))
  assert.equal((await service.send('PUT', path, binding(2, '', mac))).status, 204)
  assert.deepEqual(values((await service.get(path)).text, 'ifIndex'), ['1', '2'])
  assert.equal((await service.send('PUT', path, binding(2, port(3, 4), mac))).status, 204)
  assert.deepEqual(values((await service.get(path)).text, 'ifIndex'), ['4'])
  refused(await service.send('PUT', path, binding(2, '<ifInfo/>', mac)), 400, 'ifInfo')
  refused(await service.send('PUT', path, binding(1, port(3, 4), mac)), 400, 'ifInfo')
})

test('a PUT to a MAC that another binding has is refused with 409', async () => {
  const path = pathOf(await post(binding(1, '', '02:ff:00:00:00:03')))
  await post(binding(1, '', '02:ff:00:00:00:04'))
  refused(await service.send('PUT', path, binding(1, '', '02:FF:00:00:00:04')), 409, 'terminalMac')
})

test('reading or modifying a binding that is not there answers 404, deleting one 410', async () => {
  const path = pathOf(await post(binding(1, '', '02:ff:00:00:00:05')))
  assert.equal((await service.ask('DELETE', path)).status, 204)
  refused(await service.get(path), 404)
  refused(await service.send('PUT', path, binding(1)), 404)
  refused(await service.ask('DELETE', path), 410)
  const again = await post(binding(1, '', '02:ff:00:00:00:05'))
  assert.equal(again.status, 201, 'the MAC is free again')
})

async function found(query: string): Promise<string> {
  const answer = await listed.get(`${collection}?${query}`)
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

test('terminalMac filters by MAC in every notation that the list of terminals takes', async () => {
  for (const mac of ['00-00-00-00-00-0A', '0000.0000.000a', '0000-0000-000A', '00000000000a'])
    assert.equal(await found(`terminalMac=${mac}`), '0:0a', mac)
  assert.equal(await found('terminalMac=0000.0000.*'), '0:0c 0:0b 0:0a 1:00')
  assert.equal(await found('terminalMac=*10*'), '1:00', 'over the separator')
  assert.equal(await found('terminalMac=*000c'), '0:0c')
  assert.equal(await found('terminalMac=*0010*'), '1:00')
  assert.equal(await found('terminalMac=printer'), '')
})

test('terminalName filters by name; a binding without a name matches only *', async () => {
  assert.equal(await found('terminalName=PRINTER%20A'), '0:0c')
  assert.equal(await found('terminalName=printer*'), '0:0c 0:0b')
  assert.equal(await found('terminalName=?*'), '0:0c 0:0b 0:0a')
})

test('bindType filters by type; another than 1 or 2 is refused', async () => {
  assert.equal(await found('bindType=1'), '0:0a 1:00')
  assert.equal(await found('bindType=2'), '0:0c 0:0b')
  refused(await listed.get(`${collection}?bindType=3`), 400, 'bindType')
})

test('maintainer filters by maintainer, whatever the letter case', async () => {
  assert.equal(await found('maintainer=li%20na'), '0:0c 0:0b')
  assert.equal(await found(`maintainer=${encodeURIComponent('öMER')}`), '1:00')
})

test('deviceId and ifIndex filter by interface: given together they apply to the same one', async () => {
  assert.equal(await found('deviceId=7'), '0:0c 0:0b')
  assert.equal(await found('ifIndex=2'), '0:0c 0:0b')
  assert.equal(await found('deviceId=7&ifIndex=2'), '0:0b')
  assert.equal(await found('deviceId=8&ifIndex=1'), '')
  refused(await listed.get(`${collection}?deviceId=seven`), 400, 'deviceId')
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
  refused(await listed.get(`${collection}?orderBy=maintainer`), 400, 'orderBy')
})
