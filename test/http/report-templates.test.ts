// Report templates as records, as docs/interface/reports.md describes them. What is run: test/reports.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../support.ts'
import { idOf, load, pathOf, refused, value, values } from './reading.ts'

const service = await startService()
const collection = '/report/reportTemplate'
const post = (inside: string) =>
  service.send('POST', collection, `<reportTemplate>${inside}</reportTemplate>`)
const named = '<name>T</name><reportTypeName>Alarm Report</reportTypeName>'

async function list(query: string) {
  const answer = await service.get(`${collection}?${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer
}
const found = async (query: string) => values((await list(query)).text, 'name').join()

test('reportDefinedType is 1 (custom) by default; 0 lists the pre-defined, -1 all; anything else is refused', async () => {
  const [custom, preDefined, all] = ['1', '0', '-1'].map((type) => list(`reportDefinedType=${type}`))
  assert.equal((await list('')).text, (await custom)?.text)
  assert.equal((await custom)?.headers.total, '1')
  assert.equal((await preDefined)?.headers.total, '8')
  assert.equal((await all)?.headers.total, '9')
  assert.deepEqual(new Set(values((await preDefined)?.text ?? '', 'customeDef')), new Set(['0']))
  for (const type of ['2', '-2', 'custom']) {
    refused(await service.get(`${collection}?reportDefinedType=${type}`), 400, 'reportDefinedType')
  }
})

test('GET /report/reportTemplate is answered 200, application/xml, with both spellings in the order of docs/interface/reports.md', async () => {
  const answer = await post(
    '<operatorGroup><operatorGroupName>Admins</operatorGroupName><operatorGroupId>1</operatorGroupId></operatorGroup><name>Full</name><location>a/b</location><reportTypeId>44</reportTypeId><reportTypeName>Audit</reportTypeName><customeDef>1</customeDef><parameter><parameterName>begin</parameterName><dataType>date</dataType></parameter><parameter><parameterName>end</parameterName><dataType>date</dataType></parameter>',
  )
  const { headers, text } = await list('templateName=Full')
  assert.equal(headers['content-type'], 'application/xml')
  const types =
    '<reportTypeId>44</reportTypeId><reportTypeID>44</reportTypeID><reportTypeName>Audit</reportTypeName><reportType>Audit</reportType>'
  const groups =
    '<parameter><parameterName>begin</parameterName><dataType>date</dataType></parameter><parameter><parameterName>end</parameterName><dataType>date</dataType></parameter>' +
    '<operatorGroup><operatorGroupId>1</operatorGroupId><operatorGroupName>Administrator Group</operatorGroupName></operatorGroup>'
  const row = `<id>${idOf(answer)}</id><name>Full</name><location>a/b</location>${types}<customeDef>1</customeDef>${groups}`
  assert.ok(text.endsWith(`<list><reportTemplate>${row}</reportTemplate></list>`), text)
  await service.ask('DELETE', pathOf(answer))
})

test('the pre-defined have the id of their type', async () => {
  const rows = async (path: string, name: string) => {
    const { json } = await service.get(path, { Accept: 'application/json' })
    return json()[name] as Record<string, string>[]
  }
  const types = await rows('/report/reportType?size=100', 'reportType')
  const ids = new Map(types.map(({ id, name }) => [name, id]))
  const templates = await rows('/report/reportTemplate?reportDefinedType=0&size=100', 'reportTemplate')
  assert.ok(templates.length >= 8)
  for (const { name, reportTypeId, reportTypeName } of templates)
    assert.equal(reportTypeId, ids.get(reportTypeName), name)
})

test('customeDef is the integer: 0 pre-defined, 1 custom; a created template is custom unless it says otherwise', async () => {
  const path = pathOf(await post(named))
  assert.equal(value((await service.get(path)).text, 'customeDef'), '1')
  const preDefined = pathOf(await post(`${named}<customeDef>0</customeDef>`))
  assert.equal(value((await service.get(preDefined)).text, 'customeDef'), '0')
  refused(await post(`${named}<customeDef>custom</customeDef>`), 400, 'customeDef')
  for (const one of [path, preDefined]) await service.ask('DELETE', one)
})

test('either spelling of the report type is read; two that differ are refused', async () => {
  const path = pathOf(
    await post('<name>S</name><reportType>Sample</reportType><reportTypeID>9</reportTypeID>'),
  )
  const { text } = await service.get(path)
  assert.equal(value(text, 'reportTypeName'), 'Sample')
  assert.equal(value(text, 'reportTypeId'), '9')
  refused(await post(`${named}<reportType>Other</reportType>`), 400, 'reportType')
  const put = (inside: string) =>
    service.send('PUT', path, `<reportTemplate>${named}${inside}</reportTemplate>`)
  assert.equal((await put('<reportTypeID/>')).status, 204)
  const { text: changed } = await service.get(path)
  assert.equal(value(changed, 'reportTypeId'), '1', 'either spelling clears: it is the id of the type again')
  await service.ask('DELETE', path)
})

test('a type by name alone gives its id, also one that is made for it; ids that contradict are refused', async () => {
  const typeOf = async (inside: string) => {
    const answer = await post(inside)
    assert.equal(answer.status, 201, answer.text)
    const { text } = await service.get(pathOf(answer))
    await service.ask('DELETE', pathOf(answer))
    return value(text, 'reportTypeId')
  }
  const idOfType = async (name: string) =>
    value((await service.get(`/report/reportType?name=${encodeURIComponent(name)}`)).text, 'id')
  assert.equal(await typeOf(named), await idOfType('Alarm Report'))
  assert.equal(await typeOf('<name>T</name><reportType>ALARM REPORT</reportType>'), '1')
  assert.equal(await typeOf('<name>T</name><reportType>Brand new</reportType>'), await idOfType('Brand new'))
  assert.equal(
    await typeOf('<name>T</name><reportType>With id</reportType><reportTypeId>777</reportTypeId>'),
    '777',
  )
  for (const [inside, words] of [
    [`${named}<reportTypeId>2</reportTypeId>`, /has the id 1, not 2/],
    ['<name>T</name><reportType>Unheard of</reportType><reportTypeId>1</reportTypeId>', /report type 1 is/],
    [
      '<name>T</name><reportType>Unheard of</reportType><reportTypeId>-4</reportTypeId>',
      /-4 cannot be the id/,
    ],
  ] as const) {
    const answer = await post(inside)
    refused(answer, 409, 'reportTypeId')
    assert.match(answer.text, words)
  }
  assert.equal((await service.get('/report/reportType?name=Unheard+of&total=true')).headers.total, '0')
  const path = pathOf(await post(named))
  const put = (inside: string) => service.send('PUT', path, `<reportTemplate>${inside}</reportTemplate>`)
  assert.equal((await put('<name>T</name><reportTypeName>Access Report</reportTypeName>')).status, 204)
  assert.equal(value((await service.get(path)).text, 'reportTypeId'), '3')
  refused(await put(`${named}<reportTypeId>3</reportTypeId>`), 409, 'reportTypeId')
  await service.ask('DELETE', path)
})

test('a group given by its id has its name, also after it was renamed; an unknown one is refused', async () => {
  const made = await service.sendJson('POST', '/plat/operatorGroup', { operatorGroupName: 'Night shift' })
  const id = idOf(made)
  const group = (one: string) => `<operatorGroup><operatorGroupId>${one}</operatorGroupId></operatorGroup>`
  const path = pathOf(await post(`${named}${group('1')}${group(id)}`))
  const names = async (where = path) => values((await service.get(where)).text, 'operatorGroupName')
  assert.deepEqual(await names(), ['Administrator Group', 'Night shift'])
  const renamed = await service.sendJson('PUT', `/plat/operatorGroup/${id}`, {
    operatorGroupName: 'Nights & days',
  })
  assert.equal(renamed.status, 204, renamed.text)
  assert.deepEqual(await names(), ['Administrator Group', 'Nights & days'])
  assert.ok((await names(`${collection}?size=100`)).includes('Nights & days'))
  assert.match((await service.get('/plat/data/reportTemplate?format=csv')).text, /Nights & days/)
  refused(await post(`${named}${group('1')}${group('4711')}`), 409, 'operatorGroup[2]/operatorGroupId')
  const wrongly = (name: string) =>
    post(
      `${named}<operatorGroup><operatorGroupId>1</operatorGroupId><operatorGroupName>${name}</operatorGroupName></operatorGroup>`,
    )
  refused(await wrongly('nights &amp; DAYS'), 409, 'operatorGroup[1]/operatorGroupName')
  assert.equal((await wrongly('What it was called before')).status, 201)
  refused(
    await service.send('PUT', path, `<reportTemplate>${named}${group('4711')}</reportTemplate>`),
    409,
    'operatorGroup[1]/operatorGroupId',
  )
  await service.ask('DELETE', path)
})

test('a template needs a name and a report type', async () => {
  refused(await post('<reportTypeName>Alarm Report</reportTypeName>'), 400, 'name')
  refused(await post('<name>T</name>'), 400, 'reportTypeName')
})

test('a parameter needs parameterName and dataType, an operator group its id', async () => {
  refused(
    await post(`${named}<parameter><dataType>date</dataType></parameter>`),
    400,
    'parameter[1]/parameterName',
  )
  refused(
    await post(`${named}<operatorGroup><operatorGroupName>G</operatorGroupName></operatorGroup>`),
    400,
    'operatorGroup[1]/operatorGroupId',
  )
})

test('a template is modified and deleted; one that is not there answers 404, deleting it 410', async () => {
  const path = pathOf(await post(`${named}<location>here</location>`))
  const xml =
    '<reportTemplate><name>Renamed</name><reportTypeName>Alarm Report</reportTypeName></reportTemplate>'
  assert.equal((await service.send('PUT', path, xml)).status, 204)
  const { text } = await service.get(path)
  assert.deepEqual([value(text, 'name'), value(text, 'location')], ['Renamed', 'here'])
  assert.equal((await service.ask('DELETE', path)).status, 204)
  refused(await service.get(path), 404)
  refused(await service.send('PUT', path, xml), 404)
  refused(await service.ask('DELETE', path), 410)
})

test('of 25 custom templates', async (suite) => {
  const rows = Array.from(
    { length: 25 },
    (_, index) => `Page ${25 - index},${index < 5 ? 'Audit' : 'Billing'} Report`,
  )
  await load(service, 'reportTemplate', ['name,reportTypeName', ...rows])

  await suite.test('ten are listed where no size is given, by id', async () => {
    const answer = await list('templateName=Page*')
    assert.equal(answer.headers.total, '25')
    assert.equal(await found('templateName=Page*&size=3'), 'Page 25,Page 24,Page 23')
    const ids = values(answer.text, 'id').map(Number)
    assert.equal(ids.length, 10)
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => a - b),
    )
  })

  await suite.test('a size or start below 0 uses the default', async () => {
    const first = await found('templateName=Page*')
    assert.equal(await found('templateName=Page*&size=-1'), first)
    assert.equal(await found('templateName=Page*&size=-2147483648&start=-5'), first)
    assert.equal(await found('templateName=Page*&start=24&size=10'), 'Page 1')
    assert.equal(await found('templateName=Page*&size=0'), '')
    assert.equal((await found('templateName=Page*&size=1000000')).split(',').length, 25)
  })

  await suite.test('size and start beyond 32 bits are refused', async () => {
    refused(await service.get(`${collection}?size=2147483648`), 400, 'size')
    refused(await service.get(`${collection}?start=2147483648`), 400, 'start')
  })

  await suite.test(
    'total=true ignores start and size: the body is empty and Total carries the count',
    async () => {
      for (const more of ['', '&start=3&size=1', '&start=x&size=99999999999']) {
        const answer = await list(`templateName=Page*&total=true${more}`)
        assert.equal(answer.text, '')
        assert.equal(answer.headers.total, '25')
        assert.equal(answer.headers['content-type'], 'application/xml')
      }
    },
  )

  await suite.test('templateName supports wildcards', async () => {
    assert.equal(await found('templateName=page%201?&size=2'), 'Page 19,Page 18')
    assert.equal(await found('templateName=Page%207'), 'Page 7')
    assert.equal(await found('templateName=Page'), '')
  })

  await suite.test("reportType is the report type's name, with wildcards", async () => {
    assert.equal(await found('reportType=audit%20report'), 'Page 25,Page 24,Page 23,Page 22,Page 21')
    assert.equal((await list('reportType=bill*')).headers.total, '20')
    assert.equal(await found('reportType=Audit*&templateName=*4'), 'Page 24')
    assert.equal(await found('reportType=Alarm*&reportDefinedType=0'), 'Alarm Summary,Top 10 Alarm Sources')
  })

  await suite.test('orderBy and desc are unknown here and ignored: the order is by id', async () => {
    assert.equal(await found('templateName=Page*&size=2&orderBy=name&desc=true'), 'Page 25,Page 24')
  })
})
