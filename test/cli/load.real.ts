import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { limits } from '../../src/config/limits.ts'
import { temporaryFolder } from '../support.ts'
import { belfry, fail, serve, stop, succeed } from './running.ts'

const folder = temporaryFolder()

function file(name: string, content: string | Buffer): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const names = async (data: string) => {
  const { stdout } = await succeed(['export', 'zone', '--format', 'json', '--data', data])
  return JSON.parse(stdout).zone.map((zone: { name: string }) => zone.name)
}

test('CSV, JSON and XML are loaded without a service, named by file or by --as', async () => {
  const data = temporaryFolder()
  const files = [
    file('zone-north.csv', 'name;description\r\nNorth;"Halls; 1 to 3"\r\n'),
    file('Zone.json', '{"zone":[{"name":"East"},{"name":"West"}]}'),
    file('zone.xml', '<list><zone><name>South</name></zone></list>'),
  ]
  const { stdout, stderr } = await succeed(['load', ...files, '--data', data])
  assert.deepEqual(stdout.trimEnd().split('\n'), [
    `${files[0]}: 1 zone loaded`,
    `${files[1]}: 2 zones loaded`,
    `${files[2]}: 1 zone loaded`,
  ])
  assert.equal(stderr, `belfry: there was no store in ${data}: made a new one\n`)
  await succeed(['load', file('sites.csv', 'name\nAnnex\n'), '--as', 'zone', '--data', data])
  assert.deepEqual(await names(data), ['Default', 'North', 'East', 'West', 'South', 'Annex'])
})

test('what the service remarks on is printed with file and line', async () => {
  const path = file(
    'macAccessBind.csv',
    'terminalMac,bindType,ifInfo[1]/deviceId,ifInfo[1]/ifIndex\n00:00:00:00:00:01,2,7,1\n',
  )
  const { stdout, stderr } = await succeed(['load', path, '--data', temporaryFolder()])
  assert.equal(stdout, `${path}: 1 binding loaded\n`)
  assert.ok(stderr.startsWith(`${path}: line 2: device 7 does not exist\n`), stderr)
})

test('beside a running service files are loaded through it', async () => {
  const data = temporaryFolder()
  const service = await serve(['--data', data])
  const before = await fetch(`${service.url}/ram/zone?total=true`)
  assert.equal(before.headers.get('total'), '1')
  await succeed(['load', file('zone.csv', 'name\nNorth\nEast\n'), '--data', data])
  const after = await fetch(`${service.url}/ram/zone?total=true`)
  assert.equal(after.headers.get('total'), '3')
  assert.deepEqual(await names(data), ['Default', 'North', 'East'])
  await stop(service)
})

test('a file is loaded whole or not at all; what is wrong is reported with line and field', async () => {
  const data = temporaryFolder()
  const service = await serve(['--data', data])
  const cases: [name: string, content: string | Buffer, reported: RegExp][] = [
    ['zone.csv', 'name\nNew\n"two\r\nlines"\nDefault\n', /line 5: name: name Default is taken by zone 1\./],
    ['zone.csv', Buffer.from('name\nNew\nM\xfcnchen\n', 'latin1'), /line 3: the file is not valid UTF-8/],
    [
      'zone.json',
      '[{"name":"New"},\n{"name":"x","colour":"red"}]',
      /line 2: colour: unknown element "colour"/,
    ],
    ['zone.xml', '<list>\n<zone><name>New</name></zone>\n<zone/>\n</list>', /line 3: name: name is required/],
    [
      'macAccessBind.csv',
      'terminalMac,bindType,ifInfo[1]/deviceId\n00:00:00:00:00:01,2,7\n',
      /line 2: ifInfo\[1\]\/ifIndex: /,
    ],
  ]
  await Promise.all(
    cases.map(async ([name, content, reported], index) => {
      const place = join(folder, String(index))
      mkdirSync(place)
      const path = join(place, name)
      writeFileSync(path, content)
      const sentence = await fail(2, ['load', path, '--data', data])
      assert.match(sentence, reported)
      assert(sentence.startsWith(`belfry: ${path}: `))
      assert(sentence.endsWith('Nothing of this file was loaded'))
    }),
  )
  assert.equal((await fetch(`${service.url}/ram/zone?total=true`)).headers.get('total'), '1')
  await stop(service)
})

test('files are loaded in the order in which they depend on each other', async () => {
  const data = temporaryFolder()
  const inside = file('assignedIpInfo.csv', 'ip,parentId\n10.0.0.7,1\n')
  const around = file('assignedIpScope.csv', 'id,startIp,endIp,name\n1,10.0.0.1,10.0.0.9,Lab\n')
  const { stdout } = await succeed(['load', inside, around, '--data', data])
  assert.deepEqual(stdout.trimEnd().split('\n'), [
    `${around}: 1 IP segment loaded`,
    `${inside}: 1 assigned IP address loaded`,
  ])
})

test('a segment with a lower id than its parent is refused: its export could not be loaded again', async () => {
  const content =
    'id,startIp,endIp,name,parentId\n9,10.0.0.0,10.0.0.255,Site,-1\n5,10.0.0.0,10.0.0.9,Servers,9\n'
  const path = file('assignedIpScope.csv', content)
  const sentence = await fail(2, ['load', path, '--data', temporaryFolder()])
  assert.match(sentence, /line 3: id: the id of a segment must be larger than that of its parent, 9/)
})

test('--replace puts records in the place of those with the same id', async () => {
  const data = temporaryFolder()
  const path = file('zone-edited.csv', 'zoneId,name,description\n1,Main site,Renamed\n5,New,\n')
  assert.match(await fail(2, ['load', path, '--data', data]), /line 2: zoneId: zone 1 exists already/)
  await succeed(['load', path, '--replace', '--data', data])
  await succeed(['load', path, '--replace', '--data', data])
  assert.deepEqual(await names(data), ['Main site', 'New'])
})

test('what cannot be a file of records is refused before anything is loaded', async () => {
  const data = temporaryFolder()
  const good = file('zone-good.csv', 'name\nGood\n')
  const [unknownFile, ending, resource, as, none, directory] = await Promise.all([
    fail(2, ['load', good, join(folder, 'zone-missing.csv'), '--data', data]),
    fail(2, ['load', file('zone.txt', 'x'), '--data', data]),
    fail(2, ['load', file('buildings.csv', 'x'), '--data', data]),
    fail(2, ['load', good, '--as', 'building', '--data', data]),
    fail(2, ['load', '--data', data]),
    fail(2, ['load', folderNamed('zone-folder.csv'), '--data', data]),
  ])
  assert.match(unknownFile ?? '', /zone-missing\.csv cannot be read: ENOENT/)
  assert.match(ending ?? '', /zone\.txt: expected a file that ends in \.csv, \.json or \.xml$/)
  assert.match(resource ?? '', /"buildings" is no resource: say with --as which it is: zone, device, /)
  assert.match(as ?? '', /"building" is no resource/)
  assert.match(none ?? '', /name at least one file/)
  assert.match(directory ?? '', /is not a file$/)
  assert.deepEqual(readdirSync(data), [], 'not even a store is made')
})

function folderNamed(name: string): string {
  const path = join(folder, name)
  mkdirSync(path)
  return path
}

test('a file above the limit is refused with a sentence', async () => {
  const path = file('zone-large.csv', 'name\n')
  truncateSync(path, limits.importBytes + 1)
  const sentence = await fail(2, ['load', path, '--data', temporaryFolder()])
  assert.match(sentence, /zone-large\.csv: the file is larger than 268435456 bytes$/)
})

test('the service.json of a killed service does not lead to another service', async () => {
  const [killed, other] = [temporaryFolder(), temporaryFolder()]
  const service = await serve(['--data', other])
  writeFileSync(join(killed, 'service.json'), readFileSync(join(other, 'service.json')))
  await succeed(['load', file('zone-for-killed.csv', 'name\nMine\n'), '--data', killed])
  assert.equal((await fetch(`${service.url}/ram/zone?total=true`)).headers.get('total'), '1')
  await stop(service)
  assert.deepEqual(await names(killed), ['Default', 'Mine'])
})

test('a folder held by a service that does not answer is reported, not waited for', async () => {
  const data = temporaryFolder()
  const service = await serve(['--data', data])
  writeFileSync(join(data, 'service.json'), '{"pid":1,"url":"http://127.0.0.1:1"}')
  const { code, stderr } = await belfry(['load', file('zone-late.csv', 'name\nLate\n'), '--data', data])
  assert.equal(code, 1)
  assert.match(stderr, /^belfry: process 1 holds the data folder .* and does not answer/)
  await stop(service)
})
