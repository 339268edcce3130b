// Words in names of notifications, and severities of modules, that imply the level of an alarm.

/** More severe first. A word decides by itself, in a name more surely than in a description. */
export const levels: readonly { readonly level: 1 | 2 | 3 | 4 | 5; readonly words: readonly string[] }[] = [
  { level: 1, words: ['critical', 'crit', 'fatal', 'emergency', 'disaster', 'catastrophic', 'severe'] },
  {
    level: 2,
    words: [
      ...[
        'down',
        'fail',
        'failed',
        'fails',
        'failure',
        'failing',
        'fault',
        'faulted',
        'faulty',
        'lost',
        'loss',
      ],
      ...['major', 'dead', 'died', 'broken', 'offline', 'unreachable', 'unavailable', 'shutdown', 'overheat'],
      ...['unresponsive', 'crash', 'crashed', 'panic', 'outage', 'los', 'overtemperature', 'disconnected'],
    ],
  },
  {
    level: 3,
    words: [
      ...['minor', 'degraded', 'error', 'errors', 'invalid', 'mismatch', 'violation', 'attack', 'intrusion'],
      ...['abnormal', 'missing', 'removed', 'removal', 'absent', 'bad', 'stopped', 'blocked', 'overload'],
      ...['corrupt', 'corrupted', 'unauthorized', 'denied', 'rejected', 'conflict', 'duplicate', 'expired'],
    ],
  },
  {
    level: 4,
    words: [
      ...['warning', 'warn', 'threshold', 'exceed', 'exceeded', 'exceeds', 'high', 'low', 'above', 'below'],
      ...[
        'rising',
        'full',
        'near',
        'approaching',
        'expiring',
        'over',
        'under',
        'retry',
        'timeout',
        'battery',
      ],
      ...[
        'disabled',
        'inactive',
        'change',
        'changed',
        'changes',
        'mode',
        'switchover',
        'failover',
        'restart',
      ],
      ...['reboot', 'rebooted', 'reset', 'flapping', 'unknown'],
    ],
  },
  {
    level: 5,
    words: [
      ...['info', 'informational', 'notice', 'test', 'heartbeat', 'keepalive', 'login', 'logout', 'logged'],
      ...[
        'complete',
        'completed',
        'finished',
        'done',
        'success',
        'succeeded',
        'started',
        'start',
        'inserted',
      ],
      ...['added', 'created', 'saved', 'update', 'updated', 'upgrade', 'configured', 'hello'],
    ],
  },
]

/** The words of vendors' comments. */
export const severities: Readonly<Record<string, 1 | 2 | 3 | 4 | 5>> = {
  critical: 1,
  fatal: 1,
  severe: 1,
  major: 2,
  error: 2,
  minor: 3,
  warning: 4,
  informational: 5,
  info: 5,
  normal: 5,
  indeterminate: 4,
}
