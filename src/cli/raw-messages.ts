// Prints syslog messages as they come, whatever the definitions make of them, for `belfry tail --raw`; and shapes of unknown
// ones, for `belfry syslog shapes`.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config/config.ts'
import { Fault } from '../fault.ts'
import { LocalTime } from '../resources/alarms/local-time.ts'
import { harmless, print } from './alarm-printer.ts'
import { countedNoun } from './command.ts'
import { askJson, runningService } from './service-connection.ts'

interface RawMessage {
  readonly number: string
  readonly node: string
  readonly receivedTime: string
  readonly deviceIp: string
  readonly severity: string
  readonly program?: string
  readonly code?: string
  readonly does: string
  readonly text?: string
}

interface RawTail {
  readonly config: Config
  readonly device: string | undefined
  /** Ends after so many. */
  readonly count: number
  readonly asJson: boolean
  readonly ending: AbortSignal
}

/** Milliseconds between two reads. */
const interval = 1000
/** Of those that have come before, so many are printed first. */
const before = 10
/** The service lists no more at once. */
const maxPerPoll = 1000

const keyOf = ({ node, number, receivedTime }: RawMessage) => `${node} ${number} ${receivedTime}`

export async function tailMessages({ config, device, count, asJson, ending }: RawTail): Promise<void> {
  const service = await serviceOf(config)
  const lines = new MessageLines(config['time-zone'])
  let seen = new Set<string>()
  let since: string | undefined
  for (let left = count; left > 0; ) {
    const listed = await messagesOf(service, device, since)
    if (since !== undefined && listed.length === maxPerPoll && !listed.some((one) => seen.has(keyOf(one))))
      console.error(`belfry: messages may be missing: there are more than ${maxPerPoll} a second`)
    const fresh = listed.filter((one) => !seen.has(keyOf(one))).reverse()
    for (const message of since === undefined ? fresh.slice(-before) : fresh) {
      await print(asJson ? JSON.stringify(message) : lines.of(message))
      left -= 1
      if (left === 0) return
    }
    // In the same second more may come.
    since = listed[0]?.receivedTime ?? since ?? '0'
    const last = since
    seen = new Set(listed.filter(({ receivedTime }) => receivedTime === last).map(keyOf))
    if (ending.aborted) return
    await sleep(interval, undefined, { signal: ending }).catch(() => undefined)
  }
}

async function serviceOf(config: Config): Promise<string> {
  const service = await runningService(config.data)
  if (service !== undefined) return service
  throw new Fault('unavailable', `no service runs on the folder ${config.data}: start it`)
}

async function messagesOf(
  service: string,
  device: string | undefined,
  since: string | undefined,
): Promise<readonly RawMessage[]> {
  const query = new URLSearchParams({
    size: String(maxPerPoll),
    ...(device !== undefined && { deviceIp: device }),
    ...(since !== undefined && { startTime: since }),
  })
  const answer = await askJson<{ syslogMessage: RawMessage[] }>(`${service}/fault/syslogMessage?${query}`)
  return answer.syslogMessage
}

class MessageLines {
  readonly #local: LocalTime

  constructor(timeZone: string) {
    this.#local = new LocalTime(timeZone)
  }

  of({ receivedTime, deviceIp, severity, does, code, program, text = '' }: RawMessage): string {
    const time = this.#local.text(Number(receivedTime) * 1000)
    const about = code ?? program
    const said = `${about ? `${about}: ` : ''}${text.replace(/\s+/g, ' ')}`
    return harmless(`${time}  ${deviceIp}  severity ${severity}  ${does.padEnd('unknown'.length)}  ${said}`)
  }
}

interface ListedShape {
  readonly origin?: string
  readonly shape?: string
  readonly count: string
  readonly severity: string
  readonly soundsBad: string
  readonly device?: readonly string[]
}

/** Prints the unknown shapes of the running service. */
export async function printShapes(config: Config): Promise<void> {
  const service = await serviceOf(config)
  const { syslogShape: shapes } = await askJson<{ syslogShape: ListedShape[] }>(
    `${service}/fault/syslogShape`,
  )
  if (shapes.length === 0) console.log('no messages without a definition have been received')
  for (const { origin, shape = '', count, severity, soundsBad, device = [] } of shapes) {
    const from = device.length === 1 ? device[0] : countedNoun(device.length, 'device')
    const bad = soundsBad === 'true' ? ', sounds like a fault' : ''
    await print(harmless(`${count} × severity ${severity}${bad}, ${from}, ${origin || '-'}: ${shape}`))
  }
}
