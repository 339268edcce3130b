// The inventory compared with NetBox, by answers in the form of its REST API.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { compareWith, isSameName, type OwnLink } from '../../src/cli/netbox/netbox-comparison.ts'
import { inventoryOf } from '../../src/cli/netbox/netbox-inventory.ts'
import { startService, temporaryFolder } from '../support.ts'
import { fail, succeed } from './here.ts'

type Row = Record<string, unknown>

const nested = (id: number, name: string) => ({ id, url: `/api/x/${id}/`, display: name, name })
const address = (id: number, text: string, device?: Row, vrf: Row | null = null) => ({
  id,
  address: text,
  family: { value: text.includes(':') ? 6 : 4 },
  vrf,
  assigned_object_type: device ? 'dcim.interface' : null,
  assigned_object: device ? { ...nested(id, 'Gi0'), device } : null,
})
const device = (id: number, name: string | null, primary: Row | null, more: Row = {}) => ({
  ...{ id, name, site: nested(1, 'Lab'), location: null, rack: null, role: nested(1, 'Switch') },
  ...{ status: { value: 'active', label: 'Active' }, primary_ip: primary, primary_ip4: primary },
  ...more,
})
const end = (id: number, name: string, of: Row) => ({
  object_type: 'dcim.interface',
  object_id: id,
  object: { ...nested(id, name), device: of },
})

const [sw1, sw2] = [nested(1, 'sw1'), nested(2, 'sw2')]
const addresses = [
  address(11, '192.0.2.1/24', sw1),
  address(12, '192.0.2.2/24', sw2),
  address(13, '2001:DB8::1/64', sw1),
  address(14, '198.51.100.1/32', sw1, nested(5, 'customer')),
  address(15, '192.0.2.77/24'),
]
const lists = (): Record<string, Row[]> => ({
  'dcim/sites': [nested(1, 'Lab'), nested(2, 'Empty')],
  'dcim/devices': [
    device(1, 'sw1', addresses[0] as Row, { location: nested(3, 'Room 7') }),
    device(2, 'sw2', addresses[1] as Row),
    device(3, 'spare', null),
    device(4, null, addresses[4] as Row),
    device(5, 'old', addresses[4] as Row, { status: { value: 'decommissioning' } }),
  ],
  'ipam/ip-addresses': addresses,
  'dcim/cables': [
    { id: 1, a_terminations: [end(1, 'Gi0/1', sw1)], b_terminations: [end(2, 'Gi0/2', sw2)] },
    { id: 2, a_terminations: [{ object_type: 'dcim.powerport', object_id: 9 }], b_terminations: [] },
  ],
})

/** Its pages have two records at most, whatever is asked for. */
class FakeNetBox {
  lists = lists()
  readonly asked: { readonly path: string; readonly token: string }[] = []
  answer: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined
  readonly #server = createServer((request, response) => this.#answer(request, response))

  static async start(): Promise<FakeNetBox> {
    const one = new FakeNetBox()
    one.#server.listen(0, '127.0.0.1')
    await once(one.#server, 'listening')
    after(() => {
      one.#server.closeAllConnections()
      one.#server.close()
    })
    return one
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(request.url ?? '', this.url)
    this.asked.push({ path: pathname, token: String(request.headers.authorization) })
    if (this.answer?.(request, response)) return
    const rows = this.lists[pathname.replace(/^\/api\/|\/$/g, '')]
    if (!rows) {
      response.writeHead(404).end()
      return
    }
    const offset = Number(searchParams.get('offset'))
    const next = offset + 2 < rows.length ? 'http://internal.invalid/next' : null
    response.setHeader('Content-Type', 'application/json')
    response.end(
      JSON.stringify({ count: rows.length, next, previous: null, results: rows.slice(offset, offset + 2) }),
    )
  }
}

const netBox = await FakeNetBox.start()
const service = await startService()
const token = join(temporaryFolder(), 'token.txt')
writeFileSync(token, '0123456789abcdef0123456789abcdef01234567\n')
const args = (word: string, url = netBox.url) => [
  ...['netbox', word, url, '--token-file', token],
  ...['--data', service.config.data],
]
const read = async (path: string) =>
  JSON.parse((await service.get(path, { Accept: 'application/json' })).text) as Record<string, Row[]>

test('a comparison lists the differences and changes nothing; an import takes them over; then there are none', async () => {
  const compared = await succeed(args('compare'))
  assert.deepEqual(compared.stdout.trim().split('\n'), [
    '2 devices of NetBox compared',
    'left out: 1 device without a primary address: spare',
    'left out: 1 device without a name: device 4',
    'left out: 1 device not in operation: old',
    'new zone     Lab',
    'new device   sw1 (192.0.2.1) in Lab',
    'new device   sw2 (192.0.2.2) in Lab',
  ])
  assert.equal((await service.get('/plat/res/device')).headers.total, '0')
  const { stdout } = await succeed(args('import'))
  assert.match(stdout, /1 zone and 2 devices added, 0 devices changed\n$/)
  const { device: devices = [] } = await read('/plat/res/device?orderBy=id')
  const [first] = devices
  assert.deepEqual(
    [first?.label, first?.ip, first?.location, first?.typeName, first?.otherAddress],
    ['sw1', '192.0.2.1', 'Lab, Room 7', 'Switch', [{ ip: '2001:db8::1' }]],
    'an address of another VRF is not one of this device',
  )
  const { zone = [] } = await read('/ram/zone')
  assert.deepEqual(
    zone.map(({ name }) => name),
    ['Default', 'Lab'],
    'a site without devices is no zone',
  )
  assert.match((await succeed(args('compare'))).stdout, /no differences\n$/)
  assert.deepEqual(
    new Set(netBox.asked.map((one) => one.token)),
    new Set(['Token 0123456789abcdef0123456789abcdef01234567']),
  )
})

test('what people typed in stays where NetBox says nothing of it, and what is not in NetBox is named', async () => {
  const { device: devices = [] } = await read('/plat/res/device?label=sw2')
  const id = devices[0]?.id
  await service.sendJson('PUT', `/plat/res/device/${id}`, {
    ...{ label: 'sw2', ip: '192.0.2.2', location: 'Cellar', contact: 'alice', zoneId: devices[0]?.zoneId },
  })
  const own = { label: 'printer', ip: '192.0.2.50', zoneId: devices[0]?.zoneId }
  await service.sendJson('POST', '/plat/res/device', own)
  const { stdout } = await succeed(args('import'))
  assert.match(stdout, /^other {8}sw2: location is Cellar, in NetBox Lab$/m)
  assert.match(stdout, /^only here {4}printer \(192\.0\.2\.50\)$/m)
  assert.match(stdout, /0 devices added, 1 device changed\n$/)
  const { device: after = [] } = await read('/plat/res/device?label=sw2')
  assert.deepEqual([after[0]?.id, after[0]?.location, after[0]?.contact], [id, 'Lab', 'alice'])
})

test('where one device is refused, nothing is taken over, and no zone stays behind', async () => {
  const taken = address(20, '192.0.2.60/24')
  netBox.lists['dcim/devices']?.push(
    device(6, 'sw6', address(21, '192.0.2.61/24'), { site: nested(7, 'Annex') }),
    device(7, 'sw7', taken, { site: nested(7, 'Annex') }),
  )
  await service.sendJson('POST', '/plat/res/device', {
    ...{ label: 'other', ip: '192.0.2.59', otherAddress: [{ ip: '192.0.2.60' }] },
  })
  const before = await read('/plat/data/device?format=json')
  await assert.rejects(succeed(args('import')), (error: Error) =>
    /192\.0\.2\.60.*Nothing was taken over/.test(error.message),
  )
  assert.deepEqual(await read('/plat/data/device?format=json'), before)
  assert.equal((await service.get('/ram/zone?name=Annex')).headers.total, '0')
  netBox.lists = lists()
})

test('cables are compared with the links that devices show', () => {
  const label = (name: string) => ({ id: name, ip: name, label: name })
  const link = (a: string, b: string, differs = false) => {
    const [one, other] = [a.split(' '), b.split(' ')].map(([device = '', port = '']) => ({ device, port }))
    return { ends: [one, other] as unknown as OwnLink['ends'], differs }
  }
  const netBoxDevice = { site: '', location: '', type: '', otherAddress: [] }
  const names = ['a', 'b', 'c', 'mute1', 'mute2']
  const { unseen, unplanned } = compareWith(
    {
      ...{ sites: [], skipped: [], devices: names.map((name) => ({ ...netBoxDevice, ip: name, name })) },
      cables: [
        link('b Gi0/1', 'a Te1').ends,
        link('a Gi0/2', 'c Gi0/2').ends,
        link('mute1 1', 'mute2 1').ends,
      ],
    },
    {
      ...{ zones: [], devices: names.map(label), asked: new Set(['a', 'b']) },
      links: [link('a TenGigabit1', 'b GigabitEthernet0/1'), link('a Gi0/2', 'c Gi0/3', true)],
    },
  )
  assert.deepEqual(unseen, [link('a Gi0/2', 'c Gi0/2').ends], 'not those of devices that were never asked')
  assert.deepEqual(unplanned, [link('a Gi0/2', 'c Gi0/3', true)])
  assert(isSameName('Gi1/0/7', 'GigabitEthernet1/0/7') && isSameName('Te1/0/1', 'Ten-GigabitEthernet1/0/1'))
  assert(!isSameName('Gi1/0/7', 'Gi1/0/8') && !isSameName('Gi1/0/7', 'Te1/0/7') && isSameName('7', '7'))
})

test('answers that are not NetBox’s end in one sentence, and the token goes nowhere else', async () => {
  const told = async (answer: FakeNetBox['answer']) => {
    netBox.answer = answer
    const before = netBox.asked.length
    const ended = await fail(netBox.answer ? codeOf(answer) : 2, args('compare'))
    assert.equal(netBox.asked.length, before + 1)
    netBox.answer = undefined
    return ended
  }
  const codes = new Map<unknown, number>()
  const codeOf = (answer: unknown) => codes.get(answer) ?? 2
  const status = (code: number, exit = 2) => {
    const answer: FakeNetBox['answer'] = (_, response) => {
      response.writeHead(code, { Location: 'http://127.0.0.1:9/' }).end('{}')
      return true
    }
    codes.set(answer, exit)
    return answer
  }
  assert.match(await told(status(403)), /answers 403: the token is wrong/)
  assert.match(await told(status(302)), /answers 302: it redirects/)
  assert.match(await told(status(502, 1)), /answers 502/)
  assert.match(
    await told((_, response) => {
      response.end('<html>welcome</html>')
      return true
    }),
    /does not answer as NetBox does/,
  )
  assert.match(await fail(2, args('compare', 'http://netbox.example.net')), /in clear text/)
  assert.match(await fail(2, args('merge')), /merge/)
})

test('whatever NetBox says is read without an error', () => {
  const value: fc.Arbitrary<unknown> = fc.oneof(fc.jsonValue(), fc.constantFrom('192.0.2.1/24', 'active', 1))
  const part = fc.dictionary(
    fc.constantFrom('id', 'name', 'status', 'value', 'primary_ip', 'address', 'assigned_object', 'device'),
    value,
  )
  const record = fc.dictionary(
    fc.constantFrom(
      'name',
      'status',
      'site',
      'primary_ip',
      'role',
      'vrf',
      'a_terminations',
      'assigned_object',
    ),
    fc.oneof(part, value, fc.array(part, { maxLength: 2 })),
  )
  const list = fc.array(
    record.map((one) => ({ ...one, id: 1 })),
    { maxLength: 4 },
  )
  fc.assert(
    fc.property(list, list, list, list, (...all) => {
      const { devices } = inventoryOf(...all)
      assert(devices.every(({ name, ip }) => name !== '' && ip !== ''))
    }),
    { numRuns: 200 },
  )
})
