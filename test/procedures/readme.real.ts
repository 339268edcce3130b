// The README is followed to the letter, in a clone, on a Debian of its own.

import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { commandsOf } from './document.ts'
import { bootMachine, type Machine, withoutMachine } from './machine.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

suite('the README', withoutMachine(), () => {
  let machine: Machine
  const inClone = (commands: string) => `cd ${root}\n${commands}`

  /** A command that goes on until it is stopped, once it has said something; returns how to stop it. */
  const begin = async (commands: string, sign: string, file: string) => {
    await machine.run(
      inClone(`(${commands.trim()}) > /root/${file} 2>&1 &
echo $! > /root/${file}.pid
for n in $(seq 600); do grep -q '${sign}' /root/${file} && exit 0; sleep 0.2; done
cat /root/${file}; exit 1`),
    )
    return () =>
      machine.run(`pkill -TERM -P $(cat /root/${file}.pid) || true
for n in $(seq 300); do pgrep -f 'bin/belfry.js (serve|demo|tail)' > /dev/null || break; sleep 0.1; done`)
  }

  before(async () => {
    machine = await bootMachine()
    // Folders that somebody has made in this clone do not count.
    await machine.run(inClone('rm -rf data data-demo'))
  })
  after(() => machine?.stop())

  test('Start: it prints where it listens, and Ctrl-C stops it', async () => {
    const [start = ''] = commandsOf('README.md', 'Start')
    assert.match(start, /^npm install && npm start\n$/)
    const stop = await begin(start.replace('npm install && ', ''), 'The console is at', 'start')
    const said = await machine.run('cat /root/start')
    assert.match(said, /listens on http:\/\/127\.0\.0\.1:8080 and keeps its data in \.\/data/)
    assert.match(said, /SNMP traps are received on 127\.0\.0\.1, UDP port 1162/)
    await stop()
    await machine.run(inClone('rm -rf data'))
  })

  test('Five minutes: traps become alarms, and what made none has a reason', async () => {
    const [demo = ''] = commandsOf('README.md', 'Five minutes')
    const [tail = '', traps = '', curl = '', refused = ''] = commandsOf(
      'README.md',
      'A trap becomes an alarm',
    )
    const stopDemo = await begin(demo, 'The sample network is loaded', 'demo')
    const stopTail = await begin(tail, 'following', 'tail')
    await machine.run(inClone(traps))
    await machine.run(
      "for n in $(seq 300); do grep -q 'ends' tail && exit 0; sleep 0.1; done; cat tail; exit 1",
    )
    assert.match(
      await machine.run('cat tail'),
      /Major {6}ham-core1 \(10\.10\.1\.5\) +Interface GigabitEthernet0\/7 \(index 7\) is down\n.*Recovered .*is up \(ends \d+\)/,
    )
    await machine.run(`timeout 60 ${curl.trim()} > stream 2>&1 &
sleep 1
cd ${root}
${traps}
for n in $(seq 300); do grep -q nAction /root/stream && exit 0; sleep 0.1; done; exit 1`)
    assert.match(await machine.run(inClone(refused)), /<bin>refused<\/bin><reason>community<\/reason>/)
    await stopTail()
    await stopDemo()
  })

  test('Your own data: files are loaded and exported', async () => {
    const [commands = ''] = commandsOf('README.md', 'Your own data')
    await machine.run(`cp ${root}/examples/network/zone.csv ${root}/examples/network/device.csv ${root}`)
    const said = await machine.run(inClone(commands))
    assert.match(said, /zone\.csv: \d+ zones loaded/)
    assert.match(said, /"label": ?"ham-core1"/)
  })

  test('On the network: with an administrator it listens there, and asks for credentials', async () => {
    const [commands = ''] = commandsOf('README.md', 'On the network')
    const [add = '', serve = '', ask = ''] = commands.trim().split('\n')
    const refused = await machine.try(inClone(`timeout 60 ${serve}`))
    assert.notEqual(refused.code, 0)
    assert.match(refused.said, /operator/)
    assert.match(
      await machine.run(inClone(add), { input: 'correct horse staple 9\n' }),
      /alice is administrator/,
    )
    const stop = await begin(serve, 'The console is at', 'network')
    assert.match(
      await machine.run(`${ask.replace('-u alice', "-s -u 'alice:correct horse staple 9'")}`),
      /<zoneId>1<\/zoneId>/,
    )
    await stop()
  })
})
