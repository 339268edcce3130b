// Registers with the service under a name, and prints alarms until Ctrl-C:
//
//   node bin/node.js examples/register-and-print.ts [ADDRESS] [NAME]
//
// Stop it, raise an alarm (npx belfry trap linkDown), start it again: the alarm comes, because the name keeps the place.
// In a program of your own, with the package installed, the import is: import { connect } from 'belfry/client'

import { connect, RefusedError } from '../src/client/connect.ts'

const [url = 'http://127.0.0.1:8080', uuid = 'register-and-print'] = process.argv.slice(2)

const ending = new AbortController()
process.once('SIGINT', () => ending.abort())

const stream = connect(url, {
  uuid,
  filter: { alarmLevel: [1, 2, 3, 4], sendRecovered: true },
  signal: ending.signal,
  onConnect: () => console.log(`Registered with ${url} as ${uuid}`),
  onRetry: ({ error, delay }) =>
    console.log(`Not connected (${error.message}): again in ${delay.toFixed(1)} s`),
  // A program that keeps a picture of its own would now load it anew: GET /fault/alarm?recStatus=0
  onGap: ({ reason }) => console.log(`Alarms may be missing: ${reason}`),
})

try {
  for await (const alarm of stream) {
    const { faultTimeDesc, nAction, alarmLevelDesc, deviceName, alarmDesc } = alarm
    const what =
      nAction === 'Recover'
        ? `over: ${alarm.recoverFaultIdList?.join(', ')}`
        : `${alarmLevelDesc} ${alarm.id}`
    console.log(`${faultTimeDesc} [${what}] ${deviceName}: ${alarmDesc}`)
  }
  console.log(`Ended at ${stream.position ?? 'the beginning'}`)
} catch (error) {
  if (!(error instanceof RefusedError)) throw error
  console.error(`The service refuses: ${error.message}`)
  process.exitCode = 1
}
