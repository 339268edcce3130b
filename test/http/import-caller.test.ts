// Imports act for their caller, also while they are tried: what it may not see does not exist for it, whatever the role,
// and that is found before the first record is written.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { catalog } from '../../src/resources/catalog.ts'
import { stores } from '../support.ts'
import { startGuarded } from './credentials.ts'
import { idOf, refused } from './reading.ts'

const json = { 'Content-Type': 'application/json', Accept: 'application/json' }
const templates = '/report/reportTemplate'
const data = '/plat/data/reportTemplate'

interface Tried {
  readonly refused: string
  readonly record: readonly {
    readonly outcome: string
    readonly before?: Record<string, string>
    readonly after?: Record<string, string>
  }[]
}

for (const store of stores) {
  describe(`imports of callers on ${store.name}`, async () => {
    const service = await startGuarded({}, store.name === 'SQLite' ? {} : { open: () => store.open() })
    const made = await service.asJson('administrator', 'POST', templates, {
      name: 'Salaries',
      reportTypeName: 'Custom',
      location: 'behind the door',
      operatorGroup: [{ operatorGroupId: 1 }],
    })
    assert.equal(made.status, 201, made.text)
    const hidden = idOf(made)
    const send = (name: string, query: string, rows: readonly object[]) =>
      service.as(name, 'POST', `${data}?${query}`, {
        headers: json,
        body: JSON.stringify({ reportTemplate: rows }),
      })
    const row = (id: string | number, name = 'Mine') => ({ id: String(id), name, reportTypeName: 'Custom' })
    const count = async () =>
      (await service.as('administrator', 'GET', `${templates}?reportDefinedType=-1&total=true`)).headers.total

    test('a trial that lists records shows nothing of what the caller does not see', async () => {
      const tried = await send('operator', 'replace=true&dryRun=true&records=10', [row(hidden), row(9000)])
      assert.equal(tried.status, 200, tried.text)
      assert.doesNotMatch(tried.text, /Salaries|behind the door/)
      const { record, refused: number } = tried.json() as unknown as Tried
      assert.equal(number, '1')
      assert.deepEqual(
        record.map(({ outcome }) => outcome),
        ['refused', 'new'],
      )
      const seen = await send('administrator', 'replace=true&dryRun=true&records=10', [row(hidden)])
      assert.equal((seen.json() as unknown as Tried).record[0]?.before?.name, 'Salaries')
    })

    test('a file that the caller may not write as a whole is refused before the first record, of any length', async () => {
      const before = await count()
      for (const others of [3, 250]) {
        const rows = [...Array.from({ length: others }, (_, n) => row(10_000 + n)), row(hidden)]
        for (const query of ['replace=true', 'replace=true&dryRun=true']) {
          const answer = await send('operator', query, rows)
          refused(answer, 404)
          assert.match(answer.text, new RegExp(`report template ${hidden} does not exist`))
          assert.equal(await count(), before, `${others} ${query}`)
        }
      }
    })

    test('who imports is the owner of what has one, in the trial and in the store', async () => {
      const window = { name: 'Night', minutes: '10', device: ['1'] }
      const path = '/plat/data/maintenance'
      const body = JSON.stringify({ maintenance: [window] })
      const tried = await service.as('operator', 'POST', `${path}?dryRun=true&records=1`, {
        headers: json,
        body,
      })
      assert.equal(tried.status, 200, tried.text)
      const { outcome, after } = (tried.json() as unknown as Tried).record[0] ?? {}
      assert.deepEqual([outcome, after?.owner], ['new', 'operator'], tried.text)
    })

    test('viewers import nothing, of any kind, whether it is tried or not', async () => {
      for (const { resource } of catalog) {
        for (const query of ['', '?dryRun=true', '?dryRun=true&records=5']) {
          const answer = await service.as('viewer', 'POST', `/plat/data/${resource.name}${query}`, {
            headers: json,
            body: `{"${resource.name}":[]}`,
          })
          refused(answer, 403)
        }
      }
    })

    test('what is exported by a role can be imported by it, tried in every way', async () => {
      for (const name of ['operator'] as const) {
        for (const { resource } of catalog) {
          const path = `/plat/data/${resource.name}`
          const { text: body } = await service.as(name, 'GET', path, {
            headers: { Accept: 'application/json' },
          })
          for (const query of [
            '?replace=true&dryRun=true',
            '?replace=true&dryRun=true&records=5',
            '?replace=true',
          ]) {
            const answer = await service.as(name, 'POST', path + query, { headers: json, body })
            assert.equal(answer.status, 200, `${name} ${resource.name}${query}: ${answer.text}`)
            if (query.includes('records')) assert.equal(answer.json().refused, '0', answer.text)
          }
        }
      }
    })
  })
}
