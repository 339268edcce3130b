// Programs of the interface family, as they are written: Python's requests and curl, JSON below /imcrs, odd headers.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startService } from '../support.ts'
import { pythonWith, withoutTool } from '../tools.ts'

const run = promisify(execFile)
const service = await startService()
const python = pythonWith('requests', 'python3-requests')
const script = fileURLToPath(new URL('./family.py', import.meta.url))
const example = fileURLToPath(new URL('../../examples/imcrs_client.py', import.meta.url))

test(
  'scopes, addresses, devices, alarms, the board and views live their lives with Python',
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
  'curl reads lists and records, sends JSON, and learns where they are',
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
    assert.match(total.head, /^Total: 1\r?$/m)
    assert.equal((await curl('--digest', '--user', 'admin:admin', root)).status, 200)
  },
)
