// XML as it is read and written: what is accepted, what is refused, and the limits of a document.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../support.ts'
import { pathOf, refused, value, values } from './reading.ts'

const service = await startService()
const post = (body: string | Buffer) =>
  service.ask('POST', '/ram/zone', { body, headers: { 'Content-Type': 'application/xml' } })

let count = 0
/** Sends a document with a name of its own in the place of NAME; returns what was stored. */
async function stored(xml: string): Promise<string> {
  const answer = await post(xml.replace('NAME', `zone ${count++}`))
  assert.equal(answer.status, 201, `${xml.slice(0, 200)} ${answer.text}`)
  return (await service.get(pathOf(answer))).text
}
async function refusedAs(xml: string | Buffer, message: RegExp, field?: string): Promise<void> {
  const before = await service.get('/plat/data/zone')
  const refusal = refused(await post(xml), 400, field)
  assert.match(refusal.message, message)
  assert.equal((await service.get('/plat/data/zone')).text, before.text, 'the store is unchanged')
}

test('elements may come in any order', async () => {
  const text = await stored('<zone><description>d</description><name>NAME</name></zone>')
  assert.match(text, /<zoneId>\d+<\/zoneId><name>zone \d+<\/name><description>d<\/description>/)
})

test('an unknown element is refused with its name', async () => {
  await refusedAs('<zone><name>x</name><descripton>typo</descripton></zone>', /"descripton"/, 'descripton')
  await refusedAs('<zone><name>x</name><Name>X</Name></zone>', /"Name"/, 'Name')
  await refusedAs('<zone><name>x</name><constructor/></zone>', /"constructor"/, 'constructor')
  const inside = await service.send(
    'POST',
    '/res/access/macAccessBind',
    '<macAccessBind><terminalMac>00:00:00:00:00:01</terminalMac><bindType>2</bindType><ifInfo><deviceId>1</deviceId><ifIndex>1</ifIndex><port>1</port></ifInfo></macAccessBind>',
  )
  refused(inside, 400, 'ifInfo[1]/port')
})

test('another root element is refused', async () => {
  await refusedAs('<zones><name>x</name></zones>', /root element is "zones": expected "zone"/, 'zones')
  await refusedAs('<list><zone><name>x</name></zone></list>', /expected "zone"/)
})

test('known read-only elements, what a GET returned, are accepted and ignored', async () => {
  assert.doesNotMatch(await stored('<zone><zoneId>987654</zoneId><name>NAME</name></zone>'), /987654/)
  const path = pathOf(await service.send('POST', '/ram/zone', '<zone><name>Round trip</name></zone>'))
  const { text } = await service.get(path)
  assert.equal((await service.send('PUT', path, text)).status, 204, 'what was read can be sent back')
  assert.equal((await service.get(path)).text, text)
})

test('every resource takes back what its GET returned', async () => {
  await service.send(
    'POST',
    '/res/access/assignedIpScope',
    '<assignedIpScope><startIp>10.0.0.0</startIp><endIp>10.0.0.9</endIp><name>S</name></assignedIpScope>',
  )
  await service.ask('POST', '/res/access/assignedIpScope/ip?ipScopeId=1')
  for (const path of [
    '/res/access/assignedIpScope/1',
    '/res/access/assignedIpScope/ip/1',
    '/fault/trapRule/1',
    '/report/reportTemplate/1',
  ]) {
    const { text } = await service.get(path)
    assert.equal((await service.send('PUT', path, text)).status, 204, path)
    assert.equal((await service.get(path)).text, text)
  }
})

test('white space around a scalar is trimmed, inside it is kept', async () => {
  const text = await stored(
    '<zone>\n\t<name>\r\n  NAME  </name>\n <description> two  words\t</description>\n</zone>\n',
  )
  assert.match(text, /<name>zone \d+<\/name><description>two {2}words<\/description>/)
})

test('comments, CDATA, character references and the five entities are fine', async () => {
  const text = await stored(
    '<!-- a --><zone><!-- b --><name>NA<!-- c -->ME</name><description>a<![CDATA[<b>&]]>&#99;&#x1F600;&lt;&gt;&amp;&apos;&quot;</description></zone><!-- d -->'.replace(
      'NA<!-- c -->ME',
      '<!-- c -->NAME<!-- -->',
    ),
  )
  assert.equal(value(text, 'description'), 'a<b>&c😀<>&\'"')
})

test('an XML declaration, a byte order mark and processing instructions are fine', async () => {
  await stored(
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?><?style x?><zone><name>NAME</name></zone>',
  )
  await stored("<?xml version='1.0' encoding='utf-8'?>\n<zone><name>NAME</name></zone>")
  await stored('\ufeff<?xml version="1.0"?><zone><name>NAME</name></zone>')
})

test('stray namespace declarations are fine', async () => {
  await stored(
    '<zone xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns=""><name>NAME</name></zone>',
  )
  await stored(
    '<zone xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><name xsi:type="xs:string">NAME</name></zone>',
  )
})

test('xsi:nil="true" means what null means in JSON: not given', async () => {
  const nil = (text: string, inside = '') =>
    `<description xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:nil="${text}">${inside}</description>`
  const created = await service.send(
    'POST',
    '/ram/zone',
    '<zone><name>Nil</name><description>Kept</description></zone>',
  )
  const path = new URL(created.headers.location ?? '').pathname
  const description = async () => value((await service.get(path)).text, 'description') ?? ''
  for (const text of ['true', '1', ' true ']) {
    const answer = await service.send('PUT', path, `<zone><name>Nil</name>${nil(text)}</zone>`)
    assert.equal(answer.status, 204, answer.text)
    assert.equal(await description(), 'Kept')
  }
  await refusedAs(
    `<zone><name>x</name>${nil('yes')}</zone>`,
    /xsi:nil "yes".*expected true or false/,
    'description',
  )
  await refusedAs(`<zone><name>x</name>${nil('true', 'text')}</zone>`, /has content/, 'description')
  const required = '<name xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:nil="true"/>'
  await refusedAs(`<zone>${required}</zone>`, /name is required/, 'name')
  await service.send('PUT', path, `<zone><name>Nil</name>${nil('false')}</zone>`)
  assert.equal(await description(), '', 'an empty element that is not nil clears')
})

test('an element in a namespace is refused', async () => {
  await refusedAs('<zone xmlns="urn:x"><name>x</name></zone>', /namespace/, 'zone')
  await refusedAs('<z:zone xmlns:z="urn:x"><z:name>x</z:name></z:zone>', /namespace/, 'z:zone')
  await refusedAs('<zone xmlns:z="urn:x"><z:name>x</z:name></zone>', /namespace/, 'z:name')
})

test('a document type declaration is refused, whatever it holds', async () => {
  for (const doctype of [
    '<!DOCTYPE zone>',
    '<!DOCTYPE zone [<!ENTITY x "y">]>',
    '<!DOCTYPE zone [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
    '<!DOCTYPE zone SYSTEM "http://127.0.0.1:1/x.dtd">',
  ]) {
    await refusedAs(`${doctype}<zone><name>x</name></zone>`, /DOCTYPE/)
  }
})

test('entities beyond the five are refused', async () => {
  await refusedAs('<zone><name>&nbsp;</name></zone>', /malformed XML/)
  await refusedAs('<zone><name>&x;</name></zone>', /malformed XML/)
})

test('malformed XML is refused, saying where', async () => {
  for (const xml of [
    '<zone>',
    '<zone><name>x</zone>',
    '<zone><name>x</name></zone><zone/>',
    '<zone><name>x & y</name></zone>',
    '<zone><name>x</name></zone> more',
    'name=x',
    '<zone name="x></zone>',
    '<zone><name>&#0;</name></zone>',
    '<zone><name>\u0001</name></zone>',
    '<zone><na me>x</na me></zone>',
    '<?xml version="1.0"?>',
    ' <?xml version="1.0"?><zone><name>x</name></zone>',
    '{"name":"x"}',
  ]) {
    await refusedAs(xml, /malformed XML|between elements/)
  }
})

test('another XML version or encoding is refused, and so are bytes that are not UTF-8', async () => {
  await refusedAs('<?xml version="1.1"?><zone><name>x</name></zone>', /XML version "1.1"/)
  await refusedAs('<?xml version="1.0" encoding="ISO-8859-1"?><zone><name>x</name></zone>', /"ISO-8859-1"/)
  await refusedAs(Buffer.from('<zone><name>Büro</name></zone>', 'latin1'), /not valid UTF-8/)
  await refusedAs(Buffer.from('\ufeff<zone><name>x</name></zone>', 'utf16le'), /not valid UTF-8/)
  await refusedAs(Buffer.from([0x3c, 0x7a, 0xc0, 0x80, 0x3e]), /not valid UTF-8/)
})

test('text between elements, elements inside a scalar, and a scalar given twice are refused', async () => {
  await refusedAs('<zone>text<name>x</name></zone>', /"text" between elements/)
  await refusedAs('<zone><name><b>x</b></name></zone>', /element "b"/, 'name')
  await refusedAs('<zone><name>x</name><name>y</name></zone>', /more than once/, 'name')
})

test('a plain attribute looks like data and is refused', async () => {
  await refusedAs('<zone id="5"><name>x</name></zone>', /attribute "id"/, 'zone')
})

test('depth, the number of elements and of attributes are limited', async () => {
  await refusedAs('<zone>'.repeat(33) + '</zone>'.repeat(33), /deeper than 32/)
  await refusedAs('<a>'.repeat(100_000), /deeper than 32/)
  await refusedAs(`<zone>${'<name/>'.repeat(20_001)}</zone>`, /more than 20000 elements/)
  const attributes = Array.from({ length: 40 }, (_, index) => `xmlns:a${index}="urn:${index}"`)
  await refusedAs(`<zone ${attributes.join(' ')}><name>x</name></zone>`, /more than 32 attributes/)
})

test('an element name of any length is answered with an error of bounded size', async () => {
  const name = 'n'.repeat(500_000)
  const answer = await post(`<zone><${name}/></zone>`)
  refused(answer, 400)
  assert.ok(answer.text.length < 5000, `${answer.text.length}`)
})

test('a repeated group may stand between other elements', async () => {
  const port = (index: number) => `<ifInfo><deviceId>1</deviceId><ifIndex>${index}</ifIndex></ifInfo>`
  const answer = await service.send(
    'POST',
    '/res/access/macAccessBind',
    `<macAccessBind>${port(1)}<bindType>2</bindType>${port(2)}<terminalMac>00:00:00:00:00:99</terminalMac>${port(3)}</macAccessBind>`,
  )
  assert.deepEqual(values((await service.get(pathOf(answer))).text, 'ifIndex'), ['1', '2', '3'])
})

// XML out.

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const zone = async (name: string) => pathOf(await service.sendJson('POST', '/ram/zone', { name }))

test('every document begins with the XML declaration, and the document follows at once, in no namespace', async () => {
  for (const [path, root] of [
    ['/ram/zone', 'list'],
    ['/ram/zone/1', 'zone'],
    ['/ram/zone/999', 'error'],
    ['/', 'service'],
    ['/nowhere', 'error'],
    ['/report/reportTemplate', 'list'],
  ] as const) {
    const { text, headers } = await service.get(path)
    assert.equal(headers['content-type'], 'application/xml')
    assert.ok(text.startsWith(`${declaration}<${root}>`), text)
    assert.doesNotMatch(text, /xmlns/)
  }
})

test('markup in values is escaped, never put in CDATA', async () => {
  const name = '<b>&amp; ]]> "quoted" \'too\' <![CDATA[x]]> <!-- --> <?pi?>'
  const { text } = await service.get(await zone(name))
  assert.equal(value(text, 'name'), name)
  assert.doesNotMatch(text, /<!\[CDATA|<b>/)
  assert.match(text, /&lt;b&gt;&amp;amp; \]\]&gt;/)
})

test('line breaks and tabs inside a value survive', async () => {
  const name = 'one\ntwo\r\nthree\tfour'
  const { text } = await service.get(await zone(name))
  assert.equal(value(text, 'name'), name)
  assert.doesNotMatch(text, /[\r\n]/, 'written as references: no reader can change them')
})

test('characters that XML 1.0 cannot carry are replaced by U+FFFD', async () => {
  // No body can bring them in, so they are put into the store directly, and into a message by a JSON name.
  const path = await zone('carried')
  await service.database.transaction((tx) =>
    tx.run("update zone set description = ? where name = 'carried'", ['a\u0001b\ufffec\u000bd']),
  )
  assert.equal(value((await service.get(path)).text, 'description'), 'a\ufffdb\ufffdc\ufffdd')
  const answer = await service.ask('POST', '/ram/zone', {
    body: '{"na\\u0001me\\ud800":"x"}',
    headers: { 'Content-Type': 'application/json', Accept: 'application/xml' },
  })
  assert.equal(answer.status, 400)
  assert.equal(value(answer.text, 'field'), 'na\ufffdme\ufffd')
})

test('characters outside the first plane are written as themselves', async () => {
  const { text } = await service.get(await zone('😀 𝄞 \u{10fffd}'))
  assert.ok(text.includes('<name>😀 𝄞 \u{10fffd}</name>'))
})
