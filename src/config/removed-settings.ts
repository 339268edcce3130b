// Settings of earlier versions, with what applies now. Giving one is reported, and does not keep the service from
// starting.

export const removedSettings: Readonly<Record<string, string>> = {
  'storm-source-rearm': 'it is half of storm-source',
  'storm-overall-rearm': 'it is a quarter of storm-overall',
  'storm-seconds': 'it is 30 seconds',
  'flap-seconds': 'it is 300 seconds',
  'flap-rearm-seconds': 'it is 300 seconds',
  'unknown-alarms-device': 'it is 100',
  'unknown-alarms': 'it is 10,000',
  'terminal-alarm-hours': 'it is 24 hours',
  'keep-traps-bytes': 'it follows from keep-traps',
  'keep-alarms-bytes': 'it follows from keep-alarms',
  'keep-audit-bytes': 'it follows from keep-audit',
  'keep-reports': 'it is 20',
  'keep-reports-days': 'it is 90 days',
  'lag-alarm': 'it is 10,000',
  'rule-alarm': 'it is 10,000',
  'settings-alarm': 'it is 30 minutes',
  'import-limit': 'it is 256 MiB',
  'open-hosts': 'localhost, addresses and the name of public-url are accepted',
}
