import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readNote } from '../../src/store/data-folder.ts'
import { eventually } from '../push/station.ts'
import { temporaryFolder } from '../support.ts'
import { fail, program, type Service, serve, stop, succeed } from './running.ts'

test('a start says where it listens, where the console is and where traps go, and nothing else, and a stop ends with 0', async () => {
  const data = temporaryFolder()
  const service = await serve(['--data', data, '--log-level', 'warn'])
  const health = await fetch(`${service.url}/health`)
  assert.equal(health.status, 200)
  await health.body?.cancel()
  const { stdout, stderr } = await stop(service)
  assert.match(
    stdout,
    /^Belfry \d+\.\d+\.\d+ listens on http:\/\/127\.0\.0\.1:\d+ and keeps its data in .+\n.+\n$/,
  )
  assert(
    stdout.includes(
      `The console is at ${service.url}/console; SNMP traps are received on 127.0.0.1, UDP port `,
    ),
  )
  assert(stdout.includes(data))
  assert.equal(stderr, '')
  assert(!existsSync(join(data, 'service.json')), 'it took its note with it')
})

test('the log is lines of JSON on standard error, never on standard output', async () => {
  const service = await serve(['--data', temporaryFolder(), '--log-level', 'trace'])
  const { stdout, stderr } = await stop(service)
  assert.equal(stdout.split('\n').length, 3)
  for (const line of stderr.trim().split('\n')) assert.doesNotThrow(() => JSON.parse(line), line)
})

test('a log that nobody reads any more, or that finds its disk full, does not stop the service', {
  skip: !existsSync('/dev/full') && 'there is no /dev/full here',
}, async () => {
  const full = openSync('/dev/full', 'w')
  const data = temporaryFolder()
  const flags = ['--listen', '127.0.0.1:0', '--traps', '127.0.0.1:0', '--log-level', 'trace', '--data']
  const run = (name: string, out: number | 'pipe') =>
    spawn(process.execPath, [program, 'serve', ...flags, join(data, name)], { stdio: ['ignore', out, out] })
  const children = [run('full', full), run('closed', 'pipe')]
  after(() => children.map((child) => child.kill('SIGKILL')))
  for (const stream of [children[1]?.stdout, children[1]?.stderr]) stream?.destroy()
  for (const [index, name] of ['full', 'closed'].entries()) {
    const folder = join(data, name)
    await eventually(() => readNote(folder) !== undefined, `${name}: it runs`)
    const note = readNote(folder)
    assert.ok(typeof note === 'object')
    assert.equal((await fetch(`${note.url}/ram/zone`)).status, 200)
    children[index]?.kill('SIGTERM')
    const [code] = await once(children[index] ?? assert.fail(), 'exit')
    assert.equal(code, 0, name)
  }
  closeSync(full)
})

test('SIGINT stops it too', async () => {
  const service = await serve(['--data', temporaryFolder()])
  service.signal('SIGINT')
  assert.equal((await service.ended).code, 0)
})

/** A request whose body comes in two parts. */
function halfRequest(service: Service): Promise<Socket> {
  const { hostname, port } = new URL(service.url)
  const socket = connect(Number(port), hostname)
  const body = '<zone><name>In two parts</name></zone>'
  const head = `POST /ram/zone HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/xml\r\nContent-Length: ${body.length}\r\n\r\n`
  socket.write(head + body.slice(0, 10))
  return once(socket, 'connect').then(() => socket)
}

test('SIGTERM lets a request under way finish, waits seconds for one that does not, and ends with 0', async () => {
  const data = temporaryFolder()
  const service = await serve(['--data', data])
  const [slow, stuck] = await Promise.all([halfRequest(service), halfRequest(service)])
  stuck.on('error', () => undefined)
  // Both are under way once a request that came later is answered.
  await (await fetch(`${service.url}/ram/zone`)).text()
  service.signal('SIGTERM')
  await service.logged('"stopping"')
  slow.write('<zone><name>In two parts</name></zone>'.slice(10))
  const [answer] = await once(slow, 'data')
  assert.match(String(answer), /^HTTP\/1\.1 201 /)
  assert.equal((await service.ended).code, 0)

  const again = await serve(['--data', data])
  const list = await (await fetch(`${again.url}/ram/zone?name=in+two+parts`)).text()
  assert.match(list, /<name>In two parts<\/name>/, 'what was answered is kept')
  await stop(again)
})

test('a second SIGTERM stops at once', async () => {
  const service = await serve(['--data', temporaryFolder()])
  const stuck = await halfRequest(service)
  stuck.on('error', () => undefined)
  await (await fetch(`${service.url}/ram/zone`)).text()
  service.signal('SIGTERM')
  await service.logged('"stopping"')
  // Within half a second it would count as the same.
  const again = setInterval(() => service.signal('SIGTERM'), 200)
  assert.equal((await service.ended).code, 1, 'an orderly stop, which waits for the request, ends with 0')
  clearInterval(again)
})

/** What a start on a data folder says when it fails. */
const failOn = (data: string) =>
  fail(1, ['serve', '--listen', '127.0.0.1:0', '--traps', '127.0.0.1:0', '--data', data])

test('a second start on the same folder is refused and names the first', async () => {
  const data = temporaryFolder()
  const service = await serve(['--data', data])
  const sentence = await failOn(data)
  assert(sentence.startsWith(`belfry: the data folder ${data} is in use by process `), sentence)
  assert(sentence.includes(service.url))
  assert.equal((await fetch(`${service.url}/health`)).status, 200, 'the first goes on')
  await stop(service)
})

test('a port in use is reported, and the folder is free again', async () => {
  const service = await serve(['--data', temporaryFolder()])
  const address = new URL(service.url).host
  const data = temporaryFolder()
  const sentence = await fail(1, ['serve', '--data', data, '--traps', '127.0.0.1:0', '--listen', address])
  assert.equal(sentence, `belfry: cannot listen on ${address}: the port is in use`)
  await stop(service)
  await stop(await serve(['--data', data]))
})

test('after kill -9 it starts again with everything that was answered', async () => {
  const data = temporaryFolder()
  const service = await serve(['--data', data])
  const created = await fetch(`${service.url}/ram/zone`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/xml' },
    body: '<zone><name>Survivor</name></zone>',
  })
  assert.equal(created.status, 201)
  service.signal('SIGKILL')
  await service.ended
  const again = await serve(['--data', data])
  await again.logged('the last stop was not an orderly one')
  assert.match(await (await fetch(`${again.url}/ram/zone`)).text(), /<name>Survivor<\/name>/)
  await stop(again)
})

test('a damaged store is reported in one sentence', async () => {
  const data = temporaryFolder()
  writeFileSync(join(data, 'belfry.db'), 'no database at all '.repeat(300))
  const sentence = await failOn(data)
  assert.equal(sentence, 'belfry: the store is damaged: file is not a database. Restore a backup')
})

test('a folder that cannot be used is reported in one sentence', async () => {
  const file = join(temporaryFolder(), 'a-file')
  writeFileSync(file, '')
  const sentence = await failOn(join(file, 'data'))
  assert.match(sentence, /^belfry: the data folder .* cannot be used: ENOTDIR/)
})

test('compiled code is kept for the next start, in a folder that nobody else can write to, or not at all', async () => {
  const temporary = temporaryFolder()
  const folder = join(temporary, `belfry-compiled-${process.getuid?.()}`)
  const run = () => succeed(['version'], { env: { TMPDIR: temporary, NODE_COMPILE_CACHE: '' } })
  mkdirSync(folder)
  chmodSync(folder, 0o777)
  await run()
  assert.deepEqual(readdirSync(folder), [], 'what others can write is not run')
  rmSync(folder, { recursive: true })
  await run()
  assert.equal(statSync(folder).mode & 0o777, 0o700)
  assert.equal(readdirSync(folder).length, 1)
})
