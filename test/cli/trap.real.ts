import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { variablesOf } from '../../src/cli/traps/trap-variables.ts'
import { standardEvents } from '../../src/events/event-file.ts'
import { until } from '../intake/sending.ts'
import { sendRequest, startService, temporaryFolder, texts } from '../support.ts'
import { fail, succeed } from './running.ts'

const users = [
  { name: 'plain' },
  {
    name: 'ops',
    auth: { algorithm: 'sha256', password: 'authentication' },
    priv: { algorithm: 'aes128', password: 'private words' },
  },
]

const userFile = join(temporaryFolder(), 'users.json')
writeFileSync(userFile, JSON.stringify(users))
const service = await startService({ 'trap-users': userFile, 'trap-communities': 'public,lab' })
const to = ['--to', `127.0.0.1:${service.trapPort}`]

const read = (path: string) => sendRequest(service.url, 'GET', path, {})

/** The newest trap once this many more have come than before. */
async function trapsAfter(send: () => Promise<unknown>, more = 1): Promise<string> {
  const known = await count()
  await send()
  await until('the traps arrive', async () => (await count()) >= known + more)
  return (await read('/fault/trap?size=1&desc=true')).text
}

/** How many have been processed. */
const count = async () => {
  const { text } = await read('/metrics')
  const bins = text.matchAll(/^belfry_traps_binned_total\{[^}]*\} (\d+)/gm)
  return bins.reduce((sum, [, n]) => sum + Number(n), 0)
}

const alarmTexts = async (query = '') =>
  texts((await read(`/fault/alarm?size=100${query}`)).text, 'alarmDesc')

describe('by name', () => {
  test('a name alone makes an alarm, and the name of its end ends it', async () => {
    await trapsAfter(async () => {
      const { stdout } = await succeed(['trap', 'linkDown', ...to])
      assert.equal(stdout, `linkDown sent to 127.0.0.1:${service.trapPort}\n`)
    })
    const text = 'Interface GigabitEthernet0/1 (index 1) is down'
    assert((await alarmTexts('&recStatus=0')).includes(text))
    await trapsAfter(() => succeed(['trap', 'linkUp', ...to]))
    assert(!(await alarmTexts('&recStatus=0')).includes(text))
  })

  test('variables go by name, also with words for numbers, and their row is the index that was given', async () => {
    const args = ['trap', 'linkDown', 'ifIndex=7', 'ifOperStatus=lowerLayerDown', ...to]
    const trap = await trapsAfter(() => succeed(args))
    assert.deepEqual(texts(trap, 'oid').slice(0, 2), ['1.3.6.1.2.1.2.2.1.1.7', '1.3.6.1.2.1.2.2.1.2.7'])
    assert.deepEqual(texts(trap, 'value'), ['7', 'GigabitEthernet0/7', '1', '7'])
  })

  test('letter case does not matter, and the OID of a known event is as good as its name', async () => {
    assert.match((await succeed(['trap', 'LINKDOWN', ...to])).stdout, /^linkDown sent/)
    assert.match((await succeed(['trap', '.1.3.6.1.6.3.1.1.5.3', ...to])).stdout, /^linkDown sent/)
  })

  test('every standard event can be sent with nothing but its name', async () => {
    for (const event of standardEvents) {
      for (const { oid, value } of variablesOf(event, [])) {
        assert.match(oid, /^\d+(\.\d+)+$/, event.name)
        assert.notEqual(value, '', event.name)
      }
    }
  })

  test('an unknown name is refused with similar names', async () => {
    assert.match(await fail(2, ['trap', 'linkdwn', ...to]), /did you mean linkDown\?$/)
    assert.match(await fail(2, ['trap', 'ups', ...to]), /upsTrapOnBattery/)
    assert.match(await fail(2, ['trap', 'qqqqqqqq', ...to]), /--list/)
  })

  test('the list shows names, OIDs and variables', async () => {
    const { stdout } = await succeed(['trap', '--list', 'battery'])
    assert.match(stdout, /^upsTrapOnBattery {2}1\.3\.6\.1\.2\.1\.33\.2\.1\n {4}upsEstimated/)
    assert(!stdout.includes('linkDown'))
  })
})

describe('by OID', () => {
  test('an unknown event carries variables of every type', async () => {
    const base = '1.3.6.1.4.1.32473.9.1'
    const written = [
      `${base}.1.0=i:-5`,
      `${base}.2.0=u:4000000000`,
      `${base}.3.0=c:7`,
      `${base}.4.0=C:18446744073709551615`,
      `${base}.5.0=s:12`,
      `${base}.6.0=x:00:ff`,
      `${base}.7.0=o:1.3.6.1`,
      `${base}.8.0=a:192.0.2.7`,
      `${base}.9.0=t:100`,
      `${base}.10.0=read off the value`,
    ]
    const trap = await trapsAfter(() => succeed(['trap', '1.3.6.1.4.1.32473.9.0.1', ...written, ...to]))
    assert.deepEqual(
      texts(trap, 'type'),
      'Integer32 Gauge32 Counter32 Counter64 OctetString OctetString ObjectIdentifier IpAddress TimeTicks OctetString'.split(
        ' ',
      ),
    )
    assert.deepEqual(texts(trap, 'value').slice(3, 6), ['18446744073709551615', '12', '00:ff'])
  })

  test('what is given by its OID takes the place of what would have been filled in', async () => {
    const args = ['trap', 'linkDown', '1.3.6.1.2.1.2.2.1.2.1=s:uplink', ...to]
    const trap = await trapsAfter(() => succeed(args))
    assert.deepEqual(texts(trap, 'value').sort(), ['1', '1', '2', 'uplink'])
  })

  test('what cannot be sent is refused before anything is', async () => {
    const before = await count()
    assert.match(await fail(2, ['trap', 'linkDown', 'speed=3', ...to]), /expected one of ifIndex, ifDescr/)
    assert.match(await fail(2, ['trap', 'linkDown', 'ifIndex', ...to]), /expected NAME=VALUE/)
    assert.match(await fail(2, ['trap', 'linkDown', 'ifIndex=i:x', ...to]), /"x" is not Integer32|index/)
    assert.match(await fail(2, ['trap', 'linkDown', 'ifIndex=x', ...to]), /ifIndex="x": expected a number$/)
    assert.match(
      await fail(2, ['trap', 'linkDown', 'ifOperStatus=gone', ...to]),
      /ifOperStatus="gone": expected a number, or one of up, down, /,
    )
    assert.match(
      await fail(2, ['trap', 'upsTrapOnBattery', 'upsSecondsOnBattery=long', ...to]),
      /expected a number$/,
    )
    assert.match(await fail(2, ['trap', '1.3.6.1.4.1.9', 'ifIndex=3', ...to]), /expected an OID/)
    assert.match(await fail(2, ['trap']), /name the event/)
    assert.equal(await count(), before)
  })
})

describe('versions', () => {
  test('version 1, on behalf of a device', async () => {
    const args = ['trap', 'upsTrapOnBattery', '--v1', '--community', 'lab', '--from-agent', '10.9.8.7', ...to]
    const trap = await trapsAfter(() => succeed(args))
    assert.deepEqual(texts(trap, 'version'), ['1'])
    assert.deepEqual(texts((await read('/fault/alarm?size=1&desc=true')).text, 'deviceIp'), ['10.9.8.7'])
  })

  test('on behalf of a device in version 2c', async () => {
    await trapsAfter(() => succeed(['trap', 'coldStart', '--from-agent', '10.9.8.6', ...to]))
    assert.deepEqual(texts((await read('/fault/alarm?size=1&desc=true')).text, 'deviceIp'), ['10.9.8.6'])
  })

  test('the community is the first that the settings accept, unless one is given', async () => {
    const args = ['trap', 'coldStart', ...to]
    const accepted = await trapsAfter(() => succeed(args, { env: { BELFRY_TRAP_COMMUNITIES: 'lab' } }))
    assert.notDeepEqual(texts(accepted, 'bin'), ['refused'])
    const refused = await trapsAfter(() => succeed([...args, '--community', 'wrong']))
    assert.deepEqual(texts(refused, 'reason'), ['community'])
  })

  test('version 3, with the passwords of the file of users', async () => {
    const args = ['trap', 'coldStart', '--v3', '--user', 'ops', ...to]
    const trap = await trapsAfter(() => succeed([...args, '--trap-users', userFile]))
    assert.deepEqual(texts(trap, 'version'), ['3'])
    // A second run is not taken for a replay of the first, nor for one from the past.
    const second = await trapsAfter(() => succeed([...args, '--trap-users', userFile]))
    assert.deepEqual(texts(second, 'version'), ['3'])
    assert.match(await fail(2, ['trap', 'coldStart', '--v3', '--trap-users', userFile, ...to]), /--user/)
    const nobody = ['trap', 'coldStart', '--user', 'nobody', '--trap-users', userFile, ...to]
    assert.match(await fail(2, nobody), /has no user "nobody"/)
  })

  test('version 3, with passwords on the command line', async () => {
    const args = ['trap', 'coldStart', '--user', 'ops', '--auth', 'sha256:authentication', ...to]
    const trap = await trapsAfter(() => succeed([...args, '--priv', 'aes128:private words']))
    assert.deepEqual(texts(trap, 'version'), ['3'])
    const wrong = await fail(2, ['trap', 'coldStart', '--user', 'ops', '--auth', 'secret words', ...to])
    assert.match(wrong, /expected ALGORITHM:PASSWORD/)
    assert(!wrong.includes('secret'), 'a password is not repeated')
  })

  test('versions do not mix', async () => {
    assert.match(await fail(2, ['trap', 'coldStart', '--v1', '--v3', '--user', 'x', ...to]), /exclude/)
    assert.match(await fail(2, ['trap', 'coldStart', '--v1', '--inform', ...to]), /no informs/)
    const mixed = ['trap', 'coldStart', '--user', 'plain', '--community', 'public', ...to]
    assert.match(await fail(2, mixed), /no community/)
  })
})

describe('informs', () => {
  test('an inform reports how long its answer took', async () => {
    const { stdout } = await succeed(['trap', 'coldStart', '--inform', ...to])
    assert.match(stdout, /^coldStart: 127\.0\.0\.1:\d+ answered after \d+ ms\n$/)
  })

  test('in version 3 the receiving engine is found out first', async () => {
    for (const user of ['plain', 'ops']) {
      const args = ['trap', 'coldStart', '--inform', '--user', user, '--trap-users', userFile, ...to]
      assert.match((await succeed(args)).stdout, /answered/)
    }
  })

  test('a wrong password is reported as what it is', async () => {
    const args = ['trap', 'coldStart', '--inform', '--user', 'ops', '--auth', 'sha256:not this one', ...to]
    assert.match(await fail(1, [...args, '--priv', 'aes128:private words']), /authentication password/)
    const unknown = ['trap', 'coldStart', '--inform', '--user', 'nobody', ...to]
    assert.match(await fail(1, unknown), /does not know the user/)
  })

  test('one that stays unanswered is sent again, and ends with 1', async () => {
    const silent = createSocket('udp4')
    after(() => silent.close())
    let received = 0
    silent.on('message', () => {
      received += 1
    })
    silent.bind(0, '127.0.0.1')
    await once(silent, 'listening')
    const args = ['trap', 'coldStart', '--inform', '--to', `127.0.0.1:${silent.address().port}`]
    assert.match(await fail(1, args), /no answer from 127\.0\.0\.1:\d+: 4 attempts/)
    assert.equal(received, 4)
  })
})

describe('many traps', () => {
  test('--count traps are sent at --rate, numbered, with a summary', async () => {
    const open = (await alarmTexts('&recStatus=0')).length
    const began = performance.now()
    await trapsAfter(async () => {
      const args = ['trap', 'newRoot', '--from-agent', '10.7.7.7', '--count', '50', '--rate', '100', ...to]
      const { stdout } = await succeed(args)
      assert.match(stdout, /^50 newRoot sent to 127\.0\.0\.1:\d+ in \d\.\d\d s: \d+\/s\n$/)
    }, 50)
    assert(performance.now() - began > 450, 'it kept to the rate')
    assert.equal((await alarmTexts('&recStatus=0')).length, open + 1, 'they are one alarm')
    const numbered = ['ifIndex={n}', 'ifDescr=port {n}', '--from-agent', '10.7.7.8', '--count', '5']
    await trapsAfter(() => succeed(['trap', 'linkDown', ...numbered, ...to]), 5)
    assert((await alarmTexts('&recStatus=0')).includes('Interface port 5 (index 5) is down'))
  })

  test('many informs', async () => {
    const { stdout } = await succeed(['trap', 'coldStart', '--inform', '--count', '20', ...to])
    assert.match(stdout, /^20 coldStart sent to .* and answered in/)
  })

  test('something that is no number is refused', async () => {
    assert.match(await fail(2, ['trap', 'coldStart', '--count', '0', ...to]), /--count "0"/)
    assert.match(await fail(2, ['trap', 'coldStart', '--rate', 'fast', ...to]), /--rate "fast"/)
  })
})

describe('where traps are sent', () => {
  test('without --to it goes to the setting', async () => {
    const env = { BELFRY_TRAPS: `0.0.0.0:${service.trapPort}` }
    const trap = await trapsAfter(() => succeed(['trap', 'coldStart'], { env }))
    assert.deepEqual(texts(trap, 'eventName'), ['coldStart'])
  })

  test('where nothing listens, that is reported', async () => {
    const idle = createSocket('udp4')
    idle.bind(0, '127.0.0.1')
    await once(idle, 'listening')
    const { port } = idle.address()
    idle.close()
    assert.match(await fail(1, ['trap', 'coldStart', '--to', `127.0.0.1:${port}`]), /nothing listens/)
    assert.match(await fail(1, ['trap', 'coldStart', '--to', 'no.such.host.invalid:162']), /is not known/)
    assert.match(await fail(2, ['trap', 'coldStart', '--to', 'nowhere']), /expected host:port/)
    assert.match(
      await fail(2, ['trap', 'coldStart', '--from-agent', '10.1.1', ...to]),
      /--from-agent .*IPv4 address/,
    )
  })

  test('the help has examples', async () => {
    const { stdout } = await succeed(['trap', '--help'])
    assert.match(stdout, /belfry trap linkDown ifIndex=\{n\} --count 10000 --rate 2000/)
    assert.match(stdout, /Exit codes/)
  })
})
