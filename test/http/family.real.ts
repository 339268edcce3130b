// Programs of the iMC interface, as they are written: Python's requests and curl, JSON below /imcrs, odd headers.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { requireValid } from '../published-schema.ts'
import { startService } from '../support.ts'
import { pythonWith, withoutTool } from '../tools.ts'
import { passwordOf, startGuarded } from './credentials.ts'
import { requireJson } from './openapi.ts'
import { refused, value, values } from './reading.ts'

const run = promisify(execFile)
const service = await startService()
const python = pythonWith('requests', 'python3-requests')
const script = fileURLToPath(new URL('./family.py', import.meta.url))
const example = fileURLToPath(new URL('../../examples/imcrs_client.py', import.meta.url))

const guarded = await startGuarded()

test(
  'scopes, addresses, devices, alarms, the board and views are created, changed and deleted with Python',
  python,
  async () => {
    const { stdout } = await run(python.program, [script, service.url])
    assert.match(stdout, /^the whole life$/m)
  },
)

test('the example of the family works through its commands', python, async () => {
  const say = async (...args: string[]) => (await run(python.program, [example, service.url, ...args])).stdout
  const post = (path: string, body: object) => service.sendJson('POST', path, body)
  const raised = await post('/fault/alarm', { OID: '1.3.6.1.4.1.5.1', alarmLevel: 1, alarmDesc: 'Smoke' })
  const id = raised.headers.location?.split('/').at(-1) ?? ''
  assert.match(await say('board'), new RegExp(`^\\[1 ${id}\\] 127.0.0.1: Smoke$`, 'm'))
  assert.equal(await say('acknowledge', id), '')
  assert.match(
    await say('alarms', 'recStatus=0'),
    new RegExp(`Smoke .*Acknowledged.*/imcrs/fault/alarm/${id}`),
  )
  assert.equal(await say('recover', id), '')
  assert.doesNotMatch(await say('board'), /Smoke/)
  await post('/plat/res/device', { ip: '10.70.0.1', label: 'edge' })
  assert.match(await say('device', '10.70.0.1'), /^\d+ 10\.70\.0\.1 edge \(Normal\)/)
  const scope = { startIp: '10.71.0.1', endIp: '10.71.0.9', name: 'Lab' }
  const made = (await post('/res/access/assignedIpScope', scope)).headers.location?.split('/').at(-1) ?? ''
  assert.equal(await say('assign', made, 'Printer'), '10.71.0.1\n')
  assert.match(
    await say('scopes'),
    new RegExp(`^${made} 10\\.71\\.0\\.1-10\\.71\\.0\\.9 Lab \\(11 %\\)$`, 'm'),
  )
  assert.equal(await say('release', made, '10.71.0.1'), '')
  assert.match(await say('views'), /^1 All devices \(Normal\), \d+ devices$/m)
  await assert.rejects(say('acknowledge', '987654321'), /404: alarm 987654321 does not exist/)
})

test(
  'curl reads lists and records, sends JSON, and gets their addresses',
  withoutTool('curl', 'curl'),
  async () => {
    const headers = [
      'Accept: application/json',
      'Content-Type: application/json',
      'Accept-Encoding: application/json',
    ]
    const curl = async (...args: string[]) => {
      const all = ['--silent', '--include', ...headers.flatMap((one) => ['--header', one]), ...args]
      const { stdout } = await run('curl', all)
      const [head = '', body = ''] = stdout.split('\r\n\r\n')
      return { status: Number(head.split(' ')[1]), head, body }
    }
    const root = `${service.url}/imcrs`
    const made = await curl(`${root}/plat/res/view/custom?total=false`, '--data', '{"name": "curl"}')
    assert.equal(made.status, 201)
    const location = /^Location: (.*?)\r?$/im.exec(made.head)?.[1] ?? ''
    assert.ok(location.startsWith(`${root}/plat/res/view/custom/`))
    assert.equal((await curl('--request', 'PUT', '--data', '{"device": [{"id": 7}]}', location)).status, 204)
    assert.deepEqual(JSON.parse((await curl(location)).body).member, ['7'])
    assert.equal((await curl('--request', 'DELETE', location)).status, 204)
    assert.equal((await curl('--request', 'DELETE', location)).status, 410)
    const total = await curl(`${root}/plat/res/view/custom?total=true`)
    assert.match(total.head, /^Total: 2\r?$/m)
    assert.equal((await curl('--digest', '--user', 'admin:admin', root)).status, 200)
  },
)

test('a list without rows is {} below /imcrs alone, and so with every kind of list', async () => {
  const json = { Accept: 'application/json' }
  for (const [path, name] of [
    ['/ram/zone?name=nowhere', 'zone'],
    ['/ram/zone?size=0', 'zone'],
    ['/res/access/assignedIpScope/ip?ipScopeId=999999', 'assignedIpInfo'],
    ['/report/reportTemplate?templateName=none', 'reportTemplate'],
    ['/fault/trapRule?trapRuleName=none', 'trapRule'],
    ['/fault/alarm?deviceId=987654', 'alarm'],
    ['/events/registrations', 'registration'],
    ['/fault/mibProposal', 'mibProposal'],
  ] as const) {
    assert.equal((await service.get(path, json)).text, `{"${name}":[]}`)
    assert.equal((await service.get(`/imcrs${path}`, json)).text, '{}')
    assert.match((await service.get(`/imcrs${path}`)).text, /<list(?:\/>|><\/list>)$/)
  }
})

test('a list of segments without rows has its key below /imcrs, too', async () => {
  const empty = await startService()
  const json = { Accept: 'application/json' }
  for (const root of ['', '/imcrs']) {
    assert.equal((await empty.get(`${root}/res/access/assignedIpScope`, json)).text, '{"assignedIpScope":[]}')
  }
})

test('below /imcrs a label matches in part, and an address by parts that end at a dot', async () => {
  for (const [ip, label] of [
    ['10.81.1.5', 'Family-Core'],
    ['10.81.10.5', 'family-edge'],
    ['192.10.81.7', 'family-core2'],
    ['110.81.1.9', 'other family'],
    ['2001:db8:81::1', 'six'],
  ]) {
    await service.sendJson('POST', '/plat/res/device', { ip, label })
  }
  const found = async (query: string, root = '/imcrs') => {
    const answer = await service.get(`${root}/plat/res/device?${query}&orderBy=ip`)
    const addresses = values(answer.text, 'ip')
    assert.equal(answer.headers.total, String(addresses.length))
    return addresses.join()
  }
  assert.equal(await found('label=family-CORE'), '10.81.1.5,192.10.81.7')
  assert.equal(await found('label=family-core', ''), '10.81.1.5', 'the whole label, elsewhere')
  assert.equal(await found('label=family-*'), '10.81.1.5,10.81.10.5,192.10.81.7')
  assert.equal(await found('ip=10.81.1'), '10.81.1.5')
  assert.equal(await found('ip=10.81.'), '10.81.1.5,10.81.10.5,192.10.81.7')
  assert.equal(await found('ip=10.81'), '10.81.1.5,10.81.10.5,192.10.81.7')
  assert.equal(await found('ip=10.81.1.5'), '10.81.1.5')
  assert.equal(await found('ip=1.5'), '', 'a part that ends at the end')
  assert.equal(await found('ip=%25'), '')
  assert.equal(await found('ip=2001:db8:81:'), '2001:db8:81::1')
  assert.equal(await found('ip=10.81.1', ''), '', 'the whole address, elsewhere')
  for (const name of ['status', 'location', 'contact', 'typeName']) {
    const refusal = refused(await service.get(`/imcrs/plat/res/device?${name}=1`), 400, name)
    assert.match(refusal.message, /is not a filter of devices: expected one of id, ip, label/)
    assert.equal((await service.get(`/imcrs/plat/res/device?${name}=`)).status, 200, 'empty is not given')
    assert.equal((await service.get(`/plat/res/device?${name}=1`)).status, 200)
  }
})

test('the interfaces of a device are read as the family reads them', async () => {
  const json = { Accept: 'application/json' }
  const interfaces = [
    { ifIndex: '1', ifDesc: 'Gi0/1' },
    { ifIndex: '4294967297', ifDesc: 'Vlan <1>' },
  ]
  const made = await service.sendJson('POST', '/plat/res/device', {
    ip: '10.82.0.1',
    label: 'ports',
    interfaces,
  })
  const path = `${new URL(made.headers.location ?? '').pathname}/interface`
  const all = await service.get(`/imcrs${path}/?start=0&size=1000&desc=false&total=false`, json)
  assert.equal(all.headers.total, '2')
  const rows = all.json().interface as Record<string, string>[]
  assert.deepEqual(
    rows.map(({ ifIndex, ifDescription, operationStatusDesc }) => [
      ifIndex,
      ifDescription,
      operationStatusDesc,
    ]),
    [
      ['1', 'Gi0/1', 'Unknown'],
      ['4294967297', 'Vlan <1>', 'Unknown'],
    ],
  )
  // What the family's programs look at.
  const fields =
    'ifIndex ifType ifTypeDesc ifDescription adminStatus adminStatusDesc operationStatus operationStatusDesc showStatus statusDesc ifspeed appointedSpeed ifAlias phyAddress mtu lastChange lastChangeTime filterTrapStatus'
  assert.deepEqual(Object.keys(rows[0] ?? {}), fields.split(' '))
  assert.equal(value((await service.get(`/imcrs${path}/4294967297`)).text, 'ifDescription'), 'Vlan <1>')
  assert.deepEqual(values((await service.get(`/imcrs${path}?size=1&start=1`)).text, 'ifIndex'), [
    '4294967297',
  ])
  refused(await service.get(`/imcrs${path}/2`), 404)
  refused(await service.get(`/imcrs${path}/Gi0`), 400, 'ifIndex')
  refused(await service.get('/imcrs/plat/res/device/987654321/interface'), 404)
  const bare = await service.sendJson('POST', '/plat/res/device', { ip: '10.82.0.2', label: 'none' })
  const { pathname } = new URL(bare.headers.location ?? '')
  assert.equal((await service.get(`/imcrs${pathname}/interface`, json)).text, '{}')
  assert.equal((await service.get(`${pathname}/interface`, json)).text, '{"interface":[]}')
})

test('what only the family reads is not written elsewhere, and what is written is as published', async () => {
  const json = { Accept: 'application/json' }
  const device = { ip: '10.72.0.1', label: 'x' }
  const path = new URL((await service.sendJson('POST', '/plat/res/device', device)).headers.location ?? '')
    .pathname
  const plain = (await service.get(path, json)).json()
  assert.equal('categoryId' in plain || 'link' in plain, false)
  const wide = (await service.get(`/imcrs${path}`, json)).json()
  assert.equal(wide.link, `${service.url}/imcrs${path}`)
  requireJson('device', plain)
  requireJson('device', wide)
  for (const list of ['/plat/res/device', '/plat/res/view/custom', '/res/access/assignedIpScope']) {
    requireValid((await service.get(`/imcrs${list}`)).text)
    requireValid((await service.get(list)).text)
  }
  requireValid((await service.get('/imcrs/plat/res/view/custom/1')).text)
  assert.equal((await service.sendJson('PUT', path, wide)).status, 204, 'and is taken back')
})

test('a field of theirs that is empty is written in XML too, in records, lists and views', async () => {
  const made = await service.sendJson('POST', '/plat/res/device', { ip: '10.72.0.9', label: 'y' })
  const path = new URL(made.headers.location ?? '').pathname
  for (const place of ['/plat/res/device', '/plat/res/view/custom/1', path]) {
    const { text } = await service.get(`/imcrs${place}`)
    for (const name of ['categoryId', 'topoIconName', 'devCategoryImgSrc']) {
      assert.ok(text.includes(`<${name}/>`), `${place} has ${name}`)
    }
  }
  assert.ok((await service.get('/imcrs/plat/res/view/custom')).text.includes('<statusImgSrc/>'))
})

/** A program that knows one algorithm passes over the challenge of the other. */
const loginWith = `
import sys, requests
from requests.auth import HTTPDigestAuth
url, user, password, wanted = sys.argv[1:]
asked = requests.get(url + '/imcrs', timeout=30).raw.headers.getlist('WWW-Authenticate')
chosen = [line for line in asked if 'algorithm=' + wanted in line][0]
auth = HTTPDigestAuth(user, password)
auth.init_per_thread_state()
auth._thread_local.chal = requests.utils.parse_dict_header(chosen.split(' ', 1)[1])
header = auth.build_digest_header('GET', url + '/imcrs')
print(requests.get(url + '/imcrs', headers={'Authorization': header}, timeout=30).status_code, wanted)
`

suite('where operators exist', () => {
  const digest = (role: string) => [role, passwordOf(role)]

  test('the same works with Digest, and operators are managed as the family does it', python, async () => {
    const { stdout } = await run(python.program, [script, guarded.url, ...digest('administrator')])
    assert.match(stdout, /^operators$/m)
    assert.match(stdout, /^the whole life$/m)
  })

  test('an operator works with the example; a viewer reads and changes nothing', python, async () => {
    const say = async (role: string, ...args: string[]) => {
      const [user = '', password = ''] = digest(role)
      const all = [example, '--user', user, '--password', password, guarded.url, ...args]
      return (await run(python.program, all)).stdout
    }
    const body = { OID: '1.3.6.1.4.1.5.1', alarmLevel: 1, alarmDesc: 'Smoke' }
    const raised = await guarded.asJson('operator', 'POST', '/fault/alarm', body)
    const id = raised.headers.location?.split('/').at(-1) ?? ''
    assert.match(await say('viewer', 'board'), /: Smoke$/m)
    await assert.rejects(say('viewer', 'acknowledge', id), /403: /)
    assert.equal(await say('operator', 'acknowledge', id), '')
    assert.match(await say('viewer', 'board'), /: Smoke \(seen by operator\)$/m)
    assert.match(await say('administrator', 'operators'), /^\d+ viewer$/m)
    await assert.rejects(say('viewer', 'operators'), /403: /)
  })

  test('operator groups 1, 2 and 3 are administrators, operators and viewers; a role takes precedence', async () => {
    const create = (name: string, more: object) => {
      const body = { name, password: passwordOf(name), desc: 'By a program', authType: '0', ...more }
      return guarded.asJson('administrator', 'POST', '/plat/operator', body)
    }
    const cases = [
      ['ann', { operatorGroupId: '1' }, 'administrator', '1'],
      ['ben', { operatorGroupId: 2 }, 'operator', '2'],
      ['cas', { operatorGroupId: '3' }, 'viewer', '3'],
      ['dan', { operatorGroupId: '1', role: 'viewer' }, 'viewer', '3'],
    ] as const
    for (const [name, more, role, operatorGroupId] of cases) {
      const made = await create(name, more)
      assert.equal(made.status, 201, made.text)
      const path = new URL(made.headers.location ?? '').pathname
      const read = async () => (await guarded.as('administrator', 'GET', path)).text
      assert.deepEqual(
        [value(await read(), 'role'), value(await read(), 'operatorGroupId')],
        [role, operatorGroupId],
      )
      assert.equal(value(await read(), 'description'), 'By a program')
      const password = { password: `${passwordOf(name)}-new`, authType: '0' }
      assert.equal((await guarded.asJson('administrator', 'PUT', path, password)).status, 204)
      assert.equal(value(await read(), 'role'), role, 'what is not mentioned stays')
      assert.equal((await guarded.as('administrator', 'DELETE', path)).status, 204)
    }
    refused(await create('eve', { operatorGroupId: '4' }), 400, 'operatorGroupId')
    refused(await create('eve', {}), 400, 'role')
    refused(await create('eve', { operatorGroupId: '3', surprise: '1' }), 400, 'surprise')
  })

  test('requests logs in with either algorithm', python, async () => {
    for (const algorithm of ['MD5', 'SHA-256']) {
      const args = ['-c', loginWith, guarded.url, ...digest('viewer'), algorithm]
      assert.equal((await run(python.program, args)).stdout, `200 ${algorithm}\n`)
    }
  })

  test(
    'curl reads, creates and deletes with Digest; wrong credentials get 401',
    withoutTool('curl', 'curl'),
    async () => {
      const curl = async (user: string, ...args: string[]) => {
        const shown = ['--silent', '--output', '/dev/null', '--write-out', '%{http_code} %header{location}']
        const typed = ['--header', 'Accept: application/json', '--header', 'Content-Type: application/json']
        const { stdout } = await run('curl', [...shown, ...typed, '--digest', '--user', user, ...args])
        return stdout.split(' ')
      }
      const views = `${guarded.url}/imcrs/plat/res/view/custom?resPrivilegeFilter=false`
      const operator = digest('operator').join(':')
      const viewer = digest('viewer').join(':')
      assert.deepEqual((await curl(viewer, views))[0], '200')
      assert.deepEqual((await curl(viewer, views, '--data', '{"name": "No"}'))[0], '403')
      const [status, location = ''] = await curl(operator, views, '--data', '{"name": "By curl"}')
      assert.equal(status, '201')
      assert.deepEqual((await curl(operator, '--request', 'DELETE', location))[0], '204')
      assert.deepEqual((await curl('viewer:not-the-password', views))[0], '401')
    },
  )
})
