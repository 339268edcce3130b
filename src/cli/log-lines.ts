// Writes the log to standard error: JSON for programs, readable lines on a terminal.

import { destination, type Logger, levels, pino } from 'pino'
import type { Config } from '../config/config.ts'
import { harmless } from './alarm-printer.ts'

/** What a line is made of; everything else belongs to what it says. */
interface Line extends Readonly<Record<string, unknown>> {
  readonly level: number
  readonly time: number
  readonly msg?: string
  readonly err?: { readonly type?: string; readonly message?: string; readonly stack?: string }
}

/**
 * A log whose reader is gone, or whose disk is full, is no reason to stop: log lines are written when there is room
 * again.
 */
export function openLog({ 'log-level': level, 'log-form': form }: Config): Logger {
  const lines = destination({ dest: 2, sync: true, maxLength: 2 ** 20 })
  lines.on('error', () => undefined)
  const asText = form === 'text' || (form === 'auto' && process.stderr.isTTY === true)
  if (!asText) return pino({ level }, lines)
  return pino({ level }, { write: (line: string) => void lines.write(`${readable(JSON.parse(line))}\n`) })
}

/** `2026-11-15 05:30:00  WARN   a login was refused  name="alice"`, in the time of the machine. */
export function readable({ level, time, msg = '', err, pid: _, hostname: __, ...more }: Line): string {
  const name = (levels.labels[level] ?? String(level)).toUpperCase().padEnd(5)
  const details = Object.entries(more).map(([key, value]) => `  ${key}=${JSON.stringify(value)}`)
  const text = harmless(`${localTime(time)}  ${name}  ${msg}${details.join('')}`)
  const trace = err?.stack ?? err?.message
  if (trace === undefined) return text
  return [text, ...trace.split('\n').map((line) => `    ${harmless(line.trim())}`)].join('\n')
}

function localTime(milliseconds: number): string {
  const at = new Date(milliseconds)
  return new Date(milliseconds - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19).replace('T', ' ')
}
