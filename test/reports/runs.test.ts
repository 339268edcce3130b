// Running templates over HTTP: forms, parameters, results, who sees what.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AppOptions } from '../../src/app.ts'
import { startGuarded } from '../http/credentials.ts'
import { idOf, pathOf, refused, value, values } from '../http/reading.ts'
import { startService, stores, type TestService } from '../support.ts'

const templates = '/report/reportTemplate'
const run = (id: number | string, query = '') => `${templates}/${id}/run${query}`

async function withAlarms(service: TestService): Promise<void> {
  await service.sendJson('POST', '/plat/res/device', { ip: '10.0.0.1', label: '<b>core</b> & "one"' })
  for (const [index, alarmLevel] of [1, 2, 2, 3].entries()) {
    const alarm = {
      OID: `1.3.6.1.4.1.32473.9.${index}`,
      alarmLevel,
      deviceIp: '10.0.0.1',
      alarmDesc: '=cmd|calc <script>alert(1)</script>',
    }
    assert.equal((await service.sendJson('POST', '/fault/alarm', alarm)).status, 201)
  }
}

for (const store of stores) {
  describe(`reports on ${store.name}`, async () => {
    const service = await startService({}, store.name === 'SQLite' ? {} : { open: () => store.open() })
    await withAlarms(service)
    const json = async (path: string, body?: object) => {
      const answer = await service.sendJson('POST', path, body ?? {})
      assert.equal(answer.status, 200, answer.text)
      return JSON.parse(answer.text)
    }

    test('every pre-defined template runs, in every form', async () => {
      const list = await service.get(`${templates}?reportDefinedType=0&size=100`)
      const ids = values(list.text, 'id')
      assert.equal(ids.length, 8)
      for (const id of ids) {
        for (const [format, type] of [
          ['html', 'text/html; charset=UTF-8'],
          ['csv', 'text/csv; charset=UTF-8'],
          ['json', 'application/json'],
        ]) {
          const answer = await service.ask('POST', run(id, `?format=${format}`))
          assert.equal(answer.status, 200, answer.text)
          assert.equal(answer.headers['content-type'], type)
          assert.match(answer.headers['content-security-policy'] as string, /^default-src 'none'/)
        }
      }
      const pdf = await service.ask('POST', run(1, '?format=pdf'))
      assert.equal(pdf.headers['content-type'], 'application/pdf')
      assert.ok(pdf.text.startsWith('%PDF-1.'))
    })

    test('the form is chosen by Accept, a page where anything will do; others are refused', async () => {
      const typeFor = async (Accept: string) =>
        (await service.ask('POST', run(1), { headers: { Accept } })).headers['content-type']
      assert.equal(await typeFor('*/*'), 'text/html; charset=UTF-8')
      assert.equal(await typeFor('text/csv'), 'text/csv; charset=UTF-8')
      assert.equal(await typeFor('application/json, text/html;q=0.5'), 'application/json')
      refused(await service.ask('POST', run(1), { headers: { Accept: 'image/png' } }), 406)
      refused(await service.ask('POST', run(1, '?format=doc')), 400, 'format')
    })

    test('figures are of the alarms', async () => {
      const { figure, section } = await json(run(1))
      assert.deepEqual(figure[0], { label: 'Alarms', kind: 'number', value: 4 })
      const levels = section.find(({ title }: { title: string }) => title === 'By level')
      assert.deepEqual(
        levels.row.map(({ key, raised }: Record<string, unknown>) => [key, raised]),
        [
          ['Critical', 1],
          ['Major', 2],
          ['Minor', 1],
        ],
      )
      const narrowed = await json(run(1), { level: ['2'] })
      assert.equal(narrowed.figure[0].value, 2)
      assert.deepEqual(narrowed.scope, { Levels: '2' })
    })

    test('a parameter that is wrong, unknown or not for this report is refused with what is accepted', async () => {
      const wrong = async (body: object, field: string, words: RegExp, id = 1) => {
        const answer = await service.sendJson('POST', run(id), body)
        refused(answer, 400, field)
        assert.match(answer.text, words)
      }
      await wrong({ beginTime: 'yesterday' }, 'beginTime', /yyyy-MM-dd HH:mm:ss/)
      await wrong({ beginTime: '2026-02-30' }, 'beginTime', /yyyy-MM-dd/)
      await wrong({ beginTime: '9999999999' }, 'beginTime', /is in the future/)
      await wrong({ beginTime: '2000', endTime: '1000' }, 'endTime', /behind beginTime/)
      await wrong({ period: 'year' }, 'period', /day, week or month/)
      await wrong({ period: 'day', endTime: '1000' }, 'period', /cannot be combined with beginTime/)
      await wrong({ level: ['9'] }, 'level[1]', /1 \(Critical\)/)
      await wrong({ device: ['99'] }, 'device', /device 99 does not exist/)
      await wrong({ zone: ['99'] }, 'zone', /zone 99 does not exist/)
      await wrong({ view: ['99'] }, 'view', /view 99 does not exist/)
      await wrong({ segment: ['1'] }, 'segment', /takes no parameter segment: expected beginTime/)
      await wrong({ colour: 'red' }, 'colour', /unknown element .*colour.*: expected beginTime, endTime/)
      await wrong({ level: Array(101).fill('1') }, 'level', /at most 100/)
    })

    test('a result is kept: lastResult is its address, and it is read again in any form', async () => {
      const answer = await service.ask('POST', run(2))
      const address = String(answer.headers['content-location'])
      const template = await service.get(`${templates}/2`)
      assert.equal(value(template.text, 'lastResult'), address)
      assert.equal(value(template.text, 'location'), 'alarm/top-sources')
      const { pathname } = new URL(address)
      assert.equal((await service.get(pathname)).text, answer.text)
      assert.ok((await service.get(`${pathname}?format=csv`)).text.startsWith('Top 10 Alarm Sources\r\n'))
      const results = await service.get('/report/result?templateId=2&desc=true&size=1')
      assert.equal(value(results.text, 'address'), address)
      assert.equal((await service.ask('DELETE', pathname)).status, 204)
      refused(await service.get(pathname), 404)
      refused(await service.ask('DELETE', pathname), 410)
    })

    test('programs of the iMC interface do not see which result of a template was the last', async () => {
      await service.ask('POST', run(1))
      const [own, family] = [await service.get(`${templates}/1`), await service.get(`/imcrs${templates}/1`)]
      assert.ok(own.text.includes('<lastResult>'))
      assert.equal(family.text, own.text.replace(/<lastResult>[^<]*<\/lastResult>/, ''))
    })

    test('no more results are kept than the setting says', async () => {
      for (let n = 0; n < 22; n += 1) await service.ask('POST', run(5, '?format=json'))
      const { headers } = await service.get('/report/result?templateId=5&total=true')
      assert.equal(headers.total, '20')
      const [row] = await service.database.all('select count(*) as n from report_document')
      const [all] = await service.database.all('select count(*) as n from report_result')
      assert.equal(row?.n, all?.n)
    })

    test('a custom template shows what it selects, grouped and drawn', async () => {
      const made = await service.sendJson('POST', templates, {
        name: 'Major ones',
        reportTypeName: 'Alarm Report',
        data: 'alarm',
        columns: 'alarmLevel,deviceName,alarmDesc',
        filter: 'alarmLevel=2,3',
        groupBy: 'alarmLevel',
        chart: 'bars',
      })
      assert.equal(made.status, 201, made.text)
      const { figure, section } = await json(`${pathOf(made)}/run`)
      assert.equal(figure[0].value, 3)
      assert.deepEqual(section[0].row, [
        { key: 'Major', count: 2 },
        { key: 'Minor', count: 1 },
      ])
      assert.equal(section[1].row.length, 3)
      const page = await service.ask('POST', `${pathOf(made)}/run`)
      assert.ok(page.text.includes('<svg'))
      const narrowed = await json(`${pathOf(made)}/run`, { level: ['3'] })
      assert.equal(narrowed.figure[0].value, 1)
      assert.equal((await service.ask('DELETE', pathOf(made))).status, 204)
      const left = await service.get(`/report/result?templateId=${idOf(made)}&total=true`)
      assert.equal(left.headers.total, '0')
    })

    test('a custom template counts the records of each local day, also of those without any', async () => {
      const made = await service.sendJson('POST', templates, {
        ...{ name: 'By day', reportTypeName: 'Alarm Report', data: 'alarm', groupBy: 'day', chart: 'line' },
      })
      const { section } = await json(`${pathOf(made)}/run`)
      const counts: number[] = section[0].row.map(({ count }: { count: number }) => count)
      // Seven times 24 hours touch eight days.
      assert.ok(counts.length >= 7)
      assert.equal(
        counts.reduce((sum, n) => sum + n, 0),
        4,
      )
      await service.ask('DELETE', pathOf(made))
    })

    test('what a custom template cannot select is refused with what it can', async () => {
      const post = (selection: object) =>
        service.sendJson('POST', templates, { name: 'T', reportTypeName: 'Alarm Report', ...selection })
      const wrong = async (selection: object, field: string, words: RegExp) => {
        const answer = await post(selection)
        refused(answer, 400, field)
        assert.match(answer.text, words)
      }
      await wrong({ data: 'secrets' }, 'data', /one of alarm, trap, device/)
      await wrong({ data: 'alarm', columns: 'pushed' }, 'columns', /expected id, OID/)
      await wrong({ data: 'alarm', columns: 'id,id' }, 'columns', /twice/)
      await wrong({ data: 'alarm', filter: 'a=1' }, 'filter', /expected id, deviceId/)
      await wrong({ data: 'alarm', filter: 'alarmLevel=9' }, 'filter', /alarmLevel: .*Critical/)
      await wrong({ data: 'alarm', groupBy: 'x; drop table alarm' }, 'groupBy', /expected id/)
      await wrong({ data: 'device', groupBy: 'day' }, 'groupBy', /have no time/)
      await wrong({ data: 'alarm', chart: 'pie', groupBy: 'day' }, 'chart', /none, bars, line/)
      await wrong({ data: 'alarm', chart: 'bars' }, 'chart', /groupBy/)
      await wrong({ columns: 'id' }, 'columns', /only together with data/)
    })

    test('a template that selects nothing runs the report of its type, or says what to do', async () => {
      const made = await service.sendJson('POST', templates, { name: 'Old', reportTypeName: 'Alarm Report' })
      assert.equal((await json(`${pathOf(made)}/run`)).report, 'alarm/summary')
      const other = await service.sendJson('POST', templates, { name: 'Odd', reportTypeName: 'Billing' })
      const answer = await service.ask('POST', `${pathOf(other)}/run`)
      refused(answer, 409, 'data')
      const type = await service.get('/report/reportType?name=billing')
      const id = value(type.text, 'id')
      const put = { name: 'Billing', report: 'audit/changes' }
      assert.equal((await service.sendJson('PUT', `/report/reportType/${id}`, put)).status, 204)
      assert.equal((await json(`${pathOf(other)}/run`)).report, 'audit/changes')
      for (const one of [made, other]) await service.ask('DELETE', pathOf(one))
    })

    test('a report type in use stays; a new name goes to its templates', async () => {
      refused(await service.ask('DELETE', '/report/reportType/1'), 409)
      const made = await service.sendJson('POST', templates, { name: 'T', reportTypeName: 'Before' })
      const type = values((await service.get('/report/reportType?name=before')).text, 'id')[0]
      await service.sendJson('PUT', `/report/reportType/${type}`, { name: 'After' })
      assert.equal(value((await service.get(pathOf(made))).text, 'reportTypeName'), 'After')
      await service.ask('DELETE', pathOf(made))
      assert.equal((await service.ask('DELETE', `/report/reportType/${type}`)).status, 204)
    })

    test('a pre-defined template is not deleted, and stays what it is', async () => {
      refused(await service.ask('DELETE', `${templates}/1`), 409)
      const put = { name: 'Mine', reportTypeName: 'Alarm Report' }
      refused(await service.sendJson('PUT', `${templates}/1`, { ...put, customeDef: 1 }), 409, 'customeDef')
      refused(await service.sendJson('PUT', `${templates}/1`, { ...put, data: 'alarm' }), 409, 'data')
      assert.equal((await service.sendJson('PUT', `${templates}/1`, put)).status, 204)
      assert.equal((await json(run(1))).report, 'alarm/summary')
    })
  })
}

async function checkGroups(options: AppOptions): Promise<void> {
  const service = await startGuarded({}, options, ['viewer', 'operator'])
  const group = await service.asJson('administrator', 'POST', '/plat/operatorGroup', {
    operatorGroupName: 'Night shift',
    member: [value((await service.as('administrator', 'GET', '/plat/operator?name=viewer')).text, 'id')],
  })
  assert.equal(group.status, 201, group.text)
  const make = async (name: string, ...groups: string[]) => {
    const operatorGroup = groups.map((operatorGroupId) => ({ operatorGroupId }))
    const body = { name, reportTypeName: 'Alarm Report', operatorGroup }
    return pathOf(await service.asJson('administrator', 'POST', templates, body))
  }
  const all = await make('all')
  const night = await make('night', idOf(group))
  const operators = await make('operators', '2')
  const seen = async (who: string) =>
    values((await service.as(who, 'GET', `${templates}?size=50`)).text, 'name').join()
  assert.equal(await seen('administrator'), 'Weekly Core Alarms,all,night,operators')
  assert.equal(await seen('viewer'), 'all,night')
  assert.equal(await seen('operator'), 'all,operators')
  for (const [who, path, status] of [
    ['viewer', all, 200],
    ['viewer', night, 200],
    ['viewer', operators, 404],
    ['operator', night, 404],
    ['operator', operators, 200],
    ['administrator', night, 200],
    // Pre-defined ones are for all, but what only administrators may know.
    ['viewer', `${templates}/1`, 200],
    ['viewer', `${templates}/9`, 403],
    ['administrator', `${templates}/9`, 200],
  ] as const) {
    const answer = await service.as(who, 'POST', `${path}/run`)
    assert.equal(answer.status, status, `${who} ${path} ${answer.text.slice(0, 200)}`)
    if (status === 404) {
      refused(await service.as(who, 'GET', path), 404)
      const put = { name: 'mine', reportTypeName: 'Alarm Report' }
      if (who === 'operator') refused(await service.asJson(who, 'PUT', path, put), 404)
      if (who === 'operator') refused(await service.as(who, 'DELETE', path), 410)
    }
  }
  const results = async (who: string) =>
    (await service.as(who, 'GET', '/report/result?total=true')).headers.total
  assert.equal(await results('administrator'), '6')
  assert.equal(await results('viewer'), '4')
  const confined = await service.as('administrator', 'GET', '/report/result?templateId=9')
  const id = value(confined.text, 'id')
  refused(await service.as('viewer', 'GET', `/report/result/${id}`), 404)
  const exported = await service.as('viewer', 'GET', '/plat/data/reportTemplate?format=csv')
  assert.ok(exported.text.includes('night') && !exported.text.includes('operators'))
  refused(await service.as('administrator', 'DELETE', `/plat/operatorGroup/${idOf(group)}`), 409)
  refused(await service.as('administrator', 'DELETE', '/plat/operatorGroup/2'), 409)
  const viewer = value((await service.as('administrator', 'GET', '/plat/operator?name=viewer')).text, 'id')
  await service.as('administrator', 'DELETE', `/plat/operator/${viewer}`)
  const left = await service.as('administrator', 'GET', `/plat/operatorGroup/${idOf(group)}`)
  assert.equal(value(left.text, 'member'), undefined, 'who goes is in no group any more')
}

for (const store of stores) {
  test(`a custom template with groups is seen and run by them and by administrators alone, on ${store.name}`, () =>
    checkGroups(store.name === 'SQLite' ? {} : { open: () => store.open() }))
}
