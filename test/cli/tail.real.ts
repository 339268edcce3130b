import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { suite, test } from 'node:test'
import { promisify } from 'node:util'
import { clients, networkTo, raise, returning, until } from '../client/world.ts'
import { startService, temporaryFolder } from '../support.ts'
import { withoutTool } from '../tools.ts'
import { fail, program, type Started, start, succeed } from './running.ts'

/** A tail that is connected. */
async function tail(...args: string[]): Promise<Started> {
  const started = start(['tail', ...args])
  await until(() => /following/.test(started.said.stderr) || started.child.exitCode !== null)
  assert.match(started.said.stderr, /^belfry: following http\S+\n/)
  return started
}

const lines = ({ stdout }: { readonly stdout: string }) => stdout.split('\n').slice(0, -1)

const recover = ({ url }: { readonly url: string }, id: string) =>
  fetch(`${url}/fault/alarm/recover/${id}`, { method: 'PUT' })

// Side by side: most of their time is waiting.
suite('belfry tail', { concurrency: 4 }, () => {
  test('help shows options, examples and exit codes', async () => {
    const { stdout } = await succeed(['tail', '--help'])
    for (const word of ['--uuid NAME', '--since POSITION', 'belfry tail --snapshot', 'Exit codes: 0'])
      assert(stdout.includes(word), word)
  })

  test('alarms and their ends are printed in readable lines, found through the data folder', async () => {
    const service = await startService()
    const { ended } = await tail('--data', service.config.data, '--count', '3', '--recovered')
    const id = await raise(service, 'Fan 2 has failed', { deviceIp: '10.0.0.7', alarmLevel: 1 })
    await raise(service, 'Rain', { deviceIp: '10.0.0.8', deviceName: 'roof', alarmLevel: 5 })
    await recover(service, id)
    const { code, stdout, stderr } = await ended
    assert.equal(code, 0)
    const time = '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d'
    const [first = '', second = '', third = '', ...more] = lines({ stdout })
    assert.match(first, new RegExp(`^${time}  Critical   10\\.0\\.0\\.7 {20}  Fan 2 has failed$`))
    assert.match(second, new RegExp(`^${time}  Info       roof \\(10\\.0\\.0\\.8\\) {13}  Rain$`))
    assert.match(
      third,
      new RegExp(`^${time}  Recovered  10\\.0\\.0\\.7 .*\\(ends ${id}: 1\\.3\\.[\\d.]+ by anonymous\\)$`),
    )
    assert.deepEqual(more, [])
    assert.match(stderr, /^belfry: following \S+\nbelfry: ended at position \d+:3\n$/)
  })

  test('what devices write cannot steer a terminal', async () => {
    const service = await startService()
    const text = 'Door\u009b2J open\nby\u202e night'
    for (const more of [[], ['--json']]) {
      const { ended } = await tail('--url', service.url, '--count', '1', ...more)
      const id = await raise(service, 'x', { alarmDesc: text })
      const { stdout } = await ended
      assert.equal(lines({ stdout }).length, 1)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
      assert.doesNotMatch(stdout.trimEnd(), /[\u0000-\u001f\u007f-\u009f]/)
      if (more.length > 0) assert.equal(JSON.parse(stdout).alarmDesc, text)
      else assert.match(stdout, /Door\ufffd2J open by\ufffd night/)
      await recover(service, id)
    }
  })

  test('colours are for terminals', withoutTool('script', 'bsdutils'), async () => {
    const service = await startService()
    await raise(service, 'red', { alarmLevel: 1 })
    const command = `${process.execPath} ${program} tail --url ${service.url} --snapshot --count 1`
    const onTerminal = (env: Record<string, string>) =>
      promisify(execFile)('script', ['-qec', command, '/dev/null'], {
        cwd: temporaryFolder(),
        env: { PATH: process.env.PATH, TERM: 'xterm', ...env },
      })
    const esc = '\u001b'
    assert((await onTerminal({})).stdout.includes(`${esc}[1;31mCritical ${esc}[0m`))
    assert(!(await onTerminal({ NO_COLOR: '1' })).stdout.includes(esc))
  })

  test('after a restart of the service the command reconnects, and nothing is missed or repeated', async () => {
    const { first, again } = await returning()
    const { ended, said } = await tail('--url', first.url, '--count', '3', '--json')
    await raise(first, 'one')
    await until(() => said.stdout.includes('one'))
    await first.stop()
    await until(() => /trying again/.test(said.stderr))
    const second = await again()
    await raise(second, 'two')
    await raise(second, 'three')
    const { code, stdout, stderr } = await ended
    assert.equal(code, 0)
    assert.deepEqual(
      lines({ stdout }).map((line) => JSON.parse(line).alarmDesc),
      ['one', 'two', 'three'],
    )
    assert.match(stderr, /the connection is lost \(.+\): trying again in \d+\.\d s\n[\s\S]*connected again\n/)
  })

  test('a connection on which nothing arrives is given up, too', async () => {
    const service = await startService({ 'heartbeat-seconds': '1' })
    const network = await networkTo(service)
    const { said, ended, child } = await tail('--url', network.url, '--heartbeat-seconds', '1')
    await raise(service, 'one')
    await until(() => said.stdout.includes('one'))
    network.fallSilent()
    await raise(service, 'two')
    await until(() => said.stdout.includes('two'))
    assert.match(said.stderr, /nothing heard for 2\.5 seconds/)
    child.kill('SIGTERM')
    assert.equal((await ended).code, 0)
  })

  test('Ctrl-C ends it with 0 and prints the position, from which --since goes on', async () => {
    const service = await startService()
    const { child, said, ended } = await tail('--url', service.url)
    await raise(service, 'one')
    await until(() => said.stdout.includes('one'))
    child.kill('SIGINT')
    const { code, stderr } = await ended
    assert.equal(code, 0)
    const position = /ended at position (\S+)/.exec(stderr)?.[1] ?? assert.fail(stderr)
    await raise(service, 'two')
    const { stdout } = await succeed(['tail', '--url', service.url, '--since', position, '--count', '1'])
    assert.match(stdout, /two\n$/)
  })

  test('a name keeps the place between two runs', async () => {
    const service = await startService()
    const args = ['--url', service.url, '--uuid', 'night-shift', '--count', '1']
    const { ended } = await tail(...args)
    for (const text of ['one', 'two', 'three']) await raise(service, text)
    const runs = [await ended, await succeed(['tail', ...args]), await succeed(['tail', ...args])]
    assert.deepEqual(
      runs.map(({ stdout }) => stdout.trim().split(' ').at(-1)),
      ['one', 'two', 'three'],
    )
  })

  test('filters reach the service, repeated or with commas', async () => {
    const service = await startService()
    const given = [
      '--level',
      'Critical,2',
      '--level',
      'info',
      '--device',
      '10.0.0.1',
      '--segment',
      '10.0.0.1-10.0.0.9',
    ]
    const { child, said } = await tail('--url', service.url, ...given, '--oid', '1.3.6.*', '--view', '77')
    const filter = new URLSearchParams((await clients(service))[0]?.filter)
    assert.deepEqual(
      [...filter],
      [
        ['alarmLevel', '1'],
        ['alarmLevel', '2'],
        ['alarmLevel', '5'],
        ['customView', '77'],
        ['deviceIp', '10.0.0.1'],
        ['ipSegment', '10.0.0.1-10.0.0.9'],
        ['eventOid', '1.3.6.*'],
      ],
    )
    await until(() => /customView 77 does not exist/.test(said.stderr))
    child.kill('SIGINT')
  })

  test('what was missed is reported on standard error, and in JSON where the alarms are', async () => {
    const service = await startService()
    await raise(service, 'one')
    const asked = ['tail', '--url', service.url, '--since', '1:5', '--count', '1']
    const { stdout, stderr } = await succeed([...asked, '--json'])
    const [gap = '', alarm = ''] = lines({ stdout })
    assert.equal(JSON.parse(gap).gap.from, '1:5')
    assert.equal(JSON.parse(alarm).alarmDesc, 'one')
    assert.match(stderr, /alarms may be missing: .*another history/)
    const readable = await succeed(asked)
    assert.equal(lines(readable).length, 1)
    assert.match(readable.stderr, /alarms may be missing/)
  })

  test('a reader that has seen enough ends it with 0', async () => {
    const service = await startService()
    const { child, ended } = await tail('--url', service.url)
    child.stdout.destroy()
    await raise(service, 'one')
    await raise(service, 'two')
    assert.equal((await ended).code, 0)
  })

  test('wrong arguments end with 2, a service that cannot be reached with 1', async () => {
    const { url } = await startService()
    const on = ['tail', '--url', url]
    assert.match(await fail(2, [...on, '--level', 'loud']), /--level "loud": expected critical/)
    assert.match(await fail(2, [...on, '--oid', 'link']), /eventOid: "link"/)
    assert.match(await fail(2, [...on, '--count', '0']), /--count "0": expected a whole number/)
    assert.match(await fail(2, ['tail', '--url', 'nowhere']), /--url: .*nowhere/)
    assert.match(await fail(2, [...on, 'more']), /"more" is not expected here/)
    assert.match(await fail(1, ['tail', '--url', `${url}/elsewhere`]), /elsewhere/)
    assert.match(await fail(1, ['tail', '--url', 'http://127.0.0.1:1']), /127.0.0.1:1 cannot be reached: ./)
    assert.match(
      await fail(1, ['tail', '--data', temporaryFolder()]),
      /no service runs on the folder .* --url/,
    )
  })
})
