// Translates the configuration into the settings of the engine, terminals, reports and push.

import type { EngineSettings } from '../alarms/engine/engine.ts'
import type { Config } from '../config/config.ts'
import type { OutboundSettings } from '../notify/channels/outbound-guard.ts'
import type { PushSettings } from '../push/push.ts'
import type { ReportSettings } from '../reports/runs.ts'
import type { TerminalSettings } from '../terminals/terminals.ts'

export const reportSettings = (config: Config): ReportSettings => ({
  timeZone: config['time-zone'],
  keep: config.limits.reportResults,
  keepDays: config.limits.reportResultDays,
})

export const engineSettings = (config: Config): EngineSettings => ({
  timeZone: config['time-zone'],
  unknownTraps: config['unknown-traps'],
  unknownSenders: config['unknown-senders'],
  flapping: {
    count: config['flap-count'],
    seconds: config.limits.flapSeconds,
    rearmSeconds: config.limits.flapSeconds,
  },
  deviceLimit: config['device-limit'],
  unknownAlarms: {
    perDevice: config.limits.unknownAlarmsPerDevice,
    overall: config.limits.unknownAlarms,
  },
  causeWaitSeconds: config['cause-wait'],
  openAlarms: { perDevice: config['open-alarms-device'], overall: config['open-alarms'] },
})

export const terminalSettings = (config: Config): TerminalSettings => ({
  unknownTerminals: config['unknown-terminals'],
  alarmHours: config.limits.terminalAlarmHours,
  keep: config['keep-terminals'],
  keepDays: config['keep-terminals-days'],
})

export const pushSettings = (config: Config): PushSettings => ({
  keepRegistrationsDays: config['keep-registrations-days'],
  heartbeatSeconds: config['heartbeat-seconds'],
  imcHeartbeat: config['heartbeat-form'] === 'family',
  stallSeconds: config['stall-seconds'],
  trustCleanClose: config['clean-close'] === 'trust',
})

export const outboundSettings = (config: Config): OutboundSettings => ({
  loopback: config['notify-loopback'] === 'yes',
  privateNetworks: config['notify-private-networks'],
  proxy: config['notify-proxy'],
  proxyHosts: config['notify-proxy-hosts'],
})
