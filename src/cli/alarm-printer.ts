// Prints alarms for `belfry tail`: a readable line for each, or a JSON object.

import { once } from 'node:events'
import type { Alarm, Gap } from '../client/connect.ts'

/** Texts come from devices, and a terminal obeys control characters: only visible characters may pass. */
export const harmless = (value: string) =>
  value.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu, (run) => (/^\s+$/.test(run) ? ' ' : '\ufffd'))

/** Waits while the reader of the output is slower than the service. */
export async function print(line: string): Promise<void> {
  if (process.stdout.write(`${line}\n`) || process.stdout.destroyed) return
  const over = new AbortController()
  await Promise.race([once(process.stdout, 'drain', over), once(process.stdout, 'close', over)]).catch(
    () => undefined,
  )
  over.abort()
}

export interface Printer {
  alarm(alarm: Alarm): Promise<void>
  gap(gap: Gap): void
}

export class JsonPrinter implements Printer {
  alarm(alarm: Alarm): Promise<void> {
    return print(this.#line(alarm))
  }

  gap(gap: Gap): void {
    void print(this.#line({ gap }))
  }

  /** JSON lets some characters pass that a terminal obeys. */
  #line(value: object): string {
    return JSON.stringify(value).replace(
      /[\u007f-\u009f]/g,
      (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
  }
}

const colours: Readonly<Record<string, string>> = { 1: '1;31', 2: '31', 3: '33', 4: '36', 5: '2' }
const green = '32'
const levelWidth = 'Recovered'.length
const deviceWidth = 28

export class LinePrinter implements Printer {
  readonly #colour: boolean

  constructor({ NO_COLOR, TERM }: NodeJS.ProcessEnv) {
    this.#colour = process.stdout.isTTY === true && !NO_COLOR && TERM !== 'dumb'
  }

  alarm(alarm: Alarm): Promise<void> {
    const { faultTimeDesc, alarmLevel, alarmLevelDesc, deviceName, deviceIp, alarmDesc, OID, nAction } = alarm
    const ends = nAction === 'Recover'
    const word = (ends ? 'Recovered' : alarmLevelDesc).padEnd(levelWidth)
    const code = ends ? green : colours[alarmLevel]
    const device = deviceName === '' || deviceName === deviceIp ? deviceIp : `${deviceName} (${deviceIp})`
    const shownLevel = this.#colour && code ? `\x1b[${code}m${word}\x1b[0m` : word
    const what = harmless(alarmDesc === '' ? OID : alarmDesc) + (ends ? endedBy(alarm) : '')
    return print(`${faultTimeDesc}  ${shownLevel}  ${harmless(device).padEnd(deviceWidth)}  ${what}`)
  }

  /** It was reported on standard error. */
  gap(): void {}
}

function endedBy({ recoverFaultIdList = [], lstRecovered, recUserName }: Alarm): string {
  const ids = recoverFaultIdList.join(', ')
  const events = lstRecovered ? `: ${lstRecovered.faultOid.join(', ')}` : ''
  // The service's own name for "by itself".
  const by = recUserName === '' || recUserName === '$SYSTEM' ? '' : ` by ${harmless(recUserName)}`
  return ` (ends ${ids}${events}${by})`
}
