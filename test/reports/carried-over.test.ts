// A store of the release before reports ran: its templates are what they were, and run.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Database } from '../../src/store/database.ts'
import { migrate, readMigrations } from '../../src/store/migrate.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { checkStore } from '../../src/upkeep/checks/store-check.ts'
import { pathOf, value } from '../http/reading.ts'
import { startService, stores, temporaryFolder } from '../support.ts'

const dates =
  '[{"parameterName":"beginTime","dataType":"dateTime"},{"parameterName":"endTime","dataType":"dateTime"}]'
const administrators = '[{"operatorGroupId":"1","operatorGroupName":"Administrator Group"}]'

/** As that release seeded and kept them: pre-defined ones, one of which was renamed, and custom ones. */
const kept: readonly (readonly [number, string, string | null, number | null, string, number, string])[] = [
  [1, 'Alarm Summary', 'alarm/summary', 1, 'Alarm Report', 0, administrators],
  [2, 'Our Ten Worst', 'alarm/top-sources', 1, 'Alarm Report', 0, administrators],
  [4, 'Interface Availability', 'interface/availability', 2, 'Availability Report', 0, administrators],
  [7, 'Weekly Core Alarms', 'custom/weekly-core-alarms', 1, 'Alarm Report', 1, administrators],
  [8, 'Bills', null, null, 'Billing', 1, '[]'],
  [9, 'Bills of Lyon', 'alarm/summary', 1, 'billing', 1, '[{"operatorGroupId":"77"}]'],
]

async function fill(database: Database): Promise<void> {
  const old = readMigrations().filter(({ number }) => number < 30)
  await migrate(database, old)
  await database.transaction(async (tx) => {
    for (const [id, name, location, typeId, type, definition, groups] of kept) {
      await tx.run(
        'insert into report_template (id, name, name_key, location, report_type_id, report_type_name, report_type_name_key, custome_def, parameter, operator_group) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
        [id, name, name.toLowerCase(), location, typeId, type, type.toLowerCase(), definition, dates, groups],
      )
    }
    for (const [column, entry, n] of [
      ['', '', 6],
      ['custome_def', '0', 3],
      ['custome_def', '1', 3],
    ] as const) {
      await tx.run('insert into tally (table_name, column_name, value, n) values (?, ?, ?, ?)', [
        'report_template',
        column,
        entry,
        n,
      ])
    }
    for (const [name, n] of [
      ['report_template', 9],
      ['first data', 1],
    ] as const)
      await tx.run('insert into counter (name, value) values (?, ?)', [name, n])
  })
}

const parameters =
  '<parameter><parameterName>beginTime</parameterName><dataType>dateTime</dataType></parameter><parameter><parameterName>endTime</parameterName><dataType>dateTime</dataType></parameter>'
const rowOf = (
  id: number,
  name: string,
  location: string,
  type: string,
  typeId: string,
  def: number,
  groups: string,
) =>
  `<reportTemplate><id>${id}</id><name>${name}</name>${location}${typeId}<reportTypeName>${type}</reportTypeName><reportType>${type}</reportType><customeDef>${def}</customeDef>${parameters}${groups}</reportTemplate>`
const ofAdministrators =
  '<operatorGroup><operatorGroupId>1</operatorGroupId><operatorGroupName>Administrator Group</operatorGroupName></operatorGroup>'
const one = '<reportTypeId>1</reportTypeId><reportTypeID>1</reportTypeID>'
/** The type that was made of their names: none of the two says its id. */
const billing = '<reportTypeId>3</reportTypeId><reportTypeID>3</reportTypeID>'
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'

/** The same in JSON: every value is a text, what is repeated is an array, also where there is none. */
const textOf = (id: number, name: string, location: string, type: string, typeId: string, rest: string) =>
  `{"id":"${id}","name":"${name}","location":"${location}","reportTypeId":"${typeId}","reportTypeID":"${typeId}","reportTypeName":"${type}","reportType":"${type}",${rest}}`
const datesText =
  '"parameter":[{"parameterName":"beginTime","dataType":"dateTime"},{"parameterName":"endTime","dataType":"dateTime"}]'
const administratorsText =
  '"operatorGroup":[{"operatorGroupId":"1","operatorGroupName":"Administrator Group"}]'
const json = { Accept: 'application/json' }

for (const store of stores) {
  describe(`a store of the release before, on ${store.name}`, async () => {
    // The service closes it.
    const database =
      store.name === 'SQLite' ? openSqlite(join(temporaryFolder(), 'store.db')) : await store.open()
    await fill(database)
    const service = await startService({}, { open: async () => database })

    test('its templates are answered as before, but for the ids of their types, which are right now', async () => {
      const { text, headers } = await service.get('/report/reportTemplate')
      const custom = [
        rowOf(
          7,
          'Weekly Core Alarms',
          '<location>custom/weekly-core-alarms</location>',
          'Alarm Report',
          one,
          1,
          ofAdministrators,
        ),
        rowOf(8, 'Bills', '<location/>', 'Billing', billing, 1, ''),
        rowOf(
          9,
          'Bills of Lyon',
          '<location>alarm/summary</location>',
          'billing',
          billing,
          1,
          '<operatorGroup><operatorGroupId>77</operatorGroupId><operatorGroupName/></operatorGroup>',
        ),
      ]
      assert.equal(text, `${head}<list>${custom.join('')}</list>`)
      assert.equal(headers.total, '3')
      const summary = rowOf(
        1,
        'Alarm Summary',
        '<location>alarm/summary</location>',
        'Alarm Report',
        one,
        0,
        ofAdministrators,
      )
      assert.equal((await service.get('/report/reportTemplate/1')).text, head + summary)
    })

    test('its templates are answered in JSON as before', async () => {
      const { text } = await service.get('/report/reportTemplate', json)
      const rest = (definition: number, groups: string) =>
        `"customeDef":"${definition}",${datesText},${groups}`
      const weekly = ['Weekly Core Alarms', 'custom/weekly-core-alarms', 'Alarm Report', '1'] as const
      const custom = [
        textOf(7, ...weekly, rest(1, administratorsText)),
        textOf(8, 'Bills', '', 'Billing', '3', rest(1, '"operatorGroup":[]')),
        textOf(
          ...([9, 'Bills of Lyon', 'alarm/summary', 'billing', '3'] as const),
          rest(1, '"operatorGroup":[{"operatorGroupId":"77","operatorGroupName":""}]'),
        ),
      ]
      assert.equal(text, `{"reportTemplate":[${custom.join()}]}`)
      assert.equal(
        (await service.get('/report/reportTemplate/1', json)).text,
        textOf(1, 'Alarm Summary', 'alarm/summary', 'Alarm Report', '1', rest(0, administratorsText)),
      )
    })

    test('pre-defined templates run, also renamed; custom ones run the report of their type', async () => {
      const report = async (id: number) => {
        const answer = await service.sendJson('POST', `/report/reportTemplate/${id}/run`, {})
        return answer.status === 200 ? JSON.parse(answer.text).report : answer.status
      }
      assert.deepEqual(await Promise.all([1, 2, 4, 7].map(report)), [
        'alarm/summary',
        'alarm/top-sources',
        'interface/availability',
        'alarm/summary',
      ])
      assert.equal(await report(8), 409)
    })

    test('the types of its templates are records; the new templates have the next ids', async () => {
      const { text } = await service.get('/report/reportType?size=100')
      assert.equal(value((await service.get('/report/reportType?name=billing')).text, 'templates'), '2')
      assert.ok(text.includes('<name>Alarm Report</name>'))
      const added = await service.get('/report/reportTemplate?reportDefinedType=0&start=3')
      assert.match(
        added.text,
        /<id>10<\/id><name>Top Trap Senders<\/name>.*<id>11<\/id><name>Changes by Operator<\/name>/,
      )
      const made = await service.sendJson('POST', '/report/reportTemplate', {
        name: 'N',
        reportTypeName: 'Billing',
      })
      assert.match(pathOf(made), /\/12$/)
    })

    test('the store is sound', async () => {
      const parts = await database.readSnapshot((reader) => checkStore(reader, database.kind))
      assert.deepEqual(
        parts.flatMap(({ found }) => found),
        [],
      )
    })
  })
}
