// Log lines for people: on a terminal by themselves, elsewhere where the setting asks for them.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { readable } from '../../src/cli/commands/serve-command.ts'
import { temporaryFolder } from '../support.ts'
import { withoutTool } from '../tools.ts'
import { program, serve, stop } from './running.ts'

const time = new Date(2026, 10, 15, 5, 30, 7).getTime()

test('a line has time, level, message and what belongs to it', () => {
  const line = readable({
    level: 40,
    time,
    pid: 7,
    hostname: 'x',
    msg: 'a login was refused',
    name: 'alice',
    count: 3,
  })
  assert.equal(line, '2026-11-15 05:30:07  WARN   a login was refused  name="alice"  count=3')
})

test('an error is shown with where it comes from, and nothing that a terminal would obey', () => {
  const err = { type: 'Error', message: 'gone', stack: 'Error: gone\u001b[2J\n    at somewhere' }
  const line = readable({ level: 50, time, msg: 'it\nfailed\u0007', err })
  assert.equal(
    line,
    '2026-11-15 05:30:07  ERROR  it failed\ufffd\n    Error: gone\ufffd[2J\n    at somewhere',
  )
})

test('log-form text writes them to a pipe, too', async () => {
  const service = await serve(['--data', temporaryFolder(), '--log-form', 'text'])
  const { stderr } = await stop(service)
  assert.match(stderr, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}INFO {3}stopping {2}signal="SIGTERM"$/m)
})

/** What a service that is stopped at once writes to a terminal. */
async function onTerminal(...more: string[]): Promise<string> {
  const data = join(temporaryFolder(), 'data')
  const flags = ['--data', data, '--listen', '127.0.0.1:0', '--traps', '127.0.0.1:0', ...more]
  const command = [process.execPath, program, 'serve', ...flags].join(' ')
  const child = spawn('script', ['-qec', command, '/dev/null'], { stdio: ['pipe', 'pipe', 'inherit'] })
  let said = ''
  let asked = false
  child.stdin.on('error', () => undefined)
  for await (const chunk of child.stdout) {
    said += chunk
    // Ctrl-C, as a person would type it.
    if (!asked && said.includes('The console is at')) child.stdin.write('\u0003')
    asked ||= said.includes('The console is at')
  }
  return said.replaceAll('\r', '')
}

test(
  'on a terminal the log is readable, unless JSON is asked for',
  withoutTool('script', 'bsdutils'),
  async () => {
    assert.match(await onTerminal(), /^\S+ \S+ {2}INFO {3}stopped$/m)
    assert.match(await onTerminal('--log-form', 'json'), /^\{"level":30.*"msg":"stopped"\}$/m)
  },
)
