// Which messages are read: those that are as severe as the thresholds say, by device and facility.

import type { DeviceThresholds } from '../resources/alarms/message-threshold.ts'
import type { SyslogMessage } from '../syslog/syslog-message.ts'

export class MessageThresholds {
  #thresholds: DeviceThresholds | undefined

  /** Until this is called for the first time, all messages are read. */
  set(thresholds: DeviceThresholds): void {
    this.#thresholds = thresholds
  }

  passes(deviceIp: string, { facility, severity }: SyslogMessage): boolean {
    if (!this.#thresholds) return true
    const limits = this.#thresholds.byAddress.get(deviceIp) ?? this.#thresholds.overall
    return severity <= (limits[facility] ?? 7)
  }
}
