// Text that looks like an attack is text: stored and returned unchanged, in every text field and every filter.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../support.ts'
import { load, pathOf, values } from './reading.ts'

const service = await startService()
await load(service, 'assignedIpScope', ['startIp,endIp,name,parentId', '10.0.0.0,10.0.255.255,Segment,-1'])

const texts = [
  "Robert'); drop table zone; --",
  `" or "1"="1`,
  "' union select * from operator --",
  '$(reboot) `id` ; rm -rf / | cat > /dev/null & %PATH% $HOME',
  '../../etc/passwd',
  '<script>alert(1)</script> &amp; ]]> <!-- --> <?php ?>',
  '%_\\%%s%n%00',
  '{{7*7}} $' + '{7*7} #{7*7}',
  '😀 👩‍👩‍👧‍👦 🇨🇭 e\u0301 \u00e9',
  '中文 العربية עברית Ελληνικά ไทย',
  '\u202eoverride\u202c \u200bzero\u200bwidth',
  'null',
  'true',
  '007',
  '1e400',
  '\ufffd\u{10fffd}\u{1f4a9}',
  'line\nbreak\r\nand\ttab',
  'x'.repeat(1000),
  '😀'.repeat(1000),
]

let count = 0
const number = () => count++
/** Per resource: a fresh record with one text in all its text fields. */
const makers: [string, (text: string) => Record<string, unknown>, string[]][] = [
  ['/ram/zone', (text) => ({ name: text, description: text }), ['name']],
  [
    '/res/access/macAccessBind',
    (text) => ({
      terminalMac: `00:00:00:00:00:${number().toString(16).padStart(2, '0').slice(-2)}`,
      bindType: 1,
      terminalName: text,
      maintainer: text,
    }),
    ['terminalName', 'maintainer'],
  ],
  [
    '/res/access/assignedIpScope/ip?ipScopeId=1',
    (text) => ({ name: text, description: text }),
    ['name', 'description'],
  ],
  [
    '/res/access/assignedIpScope',
    (text) => {
      const ip = `10.1.0.${number()}`
      return { startIp: ip, endIp: ip, name: text, description: text }
    },
    ['name'],
  ],
  [
    '/fault/trapRule',
    (text) => ({
      trapRuleName: text,
      trapDevice: [{ displayName: text, devID: 0, trapFilterEventParasInfo: [{ value: text, name: text }] }],
      trapInterfaces: [{ ifDesc: text }],
    }),
    ['trapRuleName'],
  ],
  [
    '/report/reportTemplate',
    (text) => ({
      name: text,
      location: text,
      reportTypeName: text,
      parameter: [{ parameterName: text, dataType: text }],
      operatorGroup: [{ operatorGroupId: 1 }],
    }),
    ['templateName', 'reportType'],
  ],
  [
    '/plat/res/device',
    (text) => ({ ip: `10.2.0.${number()}`, label: text, interfaces: [{ ifIndex: 1, ifDesc: text }] }),
    ['label'],
  ],
]

/** Every string anywhere in a document, by the name of its field. */
function strings(value: unknown, name = ''): [string, string][] {
  if (typeof value === 'string') return [[name, value]]
  if (Array.isArray(value)) return value.flatMap((item) => strings(item, name))
  return Object.entries(value as object).flatMap(([key, item]) => strings(item, key))
}

for (const [path, make, filters] of makers) {
  const join = path.includes('?') ? '&' : '?'

  test(`${path}: legal text is stored and returned unchanged in every text field, and found by every filter`, async () => {
    for (const text of texts) {
      const sent = make(text)
      const created = await service.sendJson('POST', path, sent)
      assert.ok(created.status === 200 || created.status === 201, `${text}: ${created.text}`)
      const record = await service.get(pathOf(created), { Accept: 'application/json' })
      const fields = strings(sent).filter(([, value]) => value === text)
      const returned = new Map(strings(record.json()))
      for (const [name] of fields) assert.equal(returned.get(name), text, name)

      const xml = await service.get(pathOf(created))
      for (const [name] of fields)
        assert.ok(values(xml.text, name).includes(text), `${name} in XML: ${xml.text}`)
      assert.equal((await service.send('PUT', pathOf(created), xml.text)).status, 204)
      assert.equal((await service.get(pathOf(created))).text, xml.text, 'sent as XML it is the same text')

      // In a filter * ? are wildcards unless escaped; everything else stands for itself.
      const literal = encodeURIComponent(text.replace(/[*?]/g, '\\$&'))
      for (const filter of filters) {
        const found = await service.get(`${path}${join}${filter}=${literal}`)
        assert.equal(found.headers.total, '1', `${filter}=${text}: ${found.text}`)
      }
      await service.ask('DELETE', pathOf(created))
    }
  })
}
