// The examples are run as a newcomer would: the sample network in a demo service, the walk, the README's tour.

import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { networkFiles } from '../../examples/network/make.ts'
import { temporaryFolder } from '../support.ts'
import { withoutTool } from '../tools.ts'

const root = new URL('../../', import.meta.url)
const run = promisify(execFile)

interface Demo {
  readonly url: string
  /** The lines it wrote until it was ready. */
  readonly lines: readonly string[]
  /** Returns the exit code. */
  stop(): Promise<number>
}

/** A demo in a process of its own; ready when it has said its last line. */
async function startDemo(data: string, lastLine: RegExp): Promise<Demo> {
  const args = [
    'bin/belfry.js',
    'demo',
    '--pace',
    '0',
    '--listen',
    '127.0.0.1:0',
    '--traps',
    '127.0.0.1:0',
    '--data',
    data,
    '--log-level',
    'warn',
  ]
  const demo = spawn(process.execPath, args, {
    cwd: fileURLToPath(root),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = once(demo, 'exit')
  const stop = async () => {
    demo.kill('SIGTERM')
    const [code] = await exit
    return code
  }
  after(stop)
  const lines: string[] = []
  for await (const line of createInterface({ input: demo.stdout })) {
    lines.push(line)
    const url = /listens on (\S+)/.exec(lines.join('\n'))?.[1]
    if (url && lastLine.test(line)) return { url, lines, stop }
  }
  assert.fail(`the demo ended after saying ${lines.join('\n')}`)
}

const loaded = /The sample network is loaded/
const shared = temporaryFolder()
const demo = await startDemo(shared, loaded)

for (const [name, expected] of networkFiles()) {
  test(`examples/network/${name} is what make.ts writes`, () => {
    const kept = readFileSync(new URL(`examples/network/${name}`, root), 'utf8')
    assert.equal(kept, expected, 'run node bin/node.js examples/network/make.ts')
  })

  test(`the demo holds every row of ${name}`, async () => {
    const answer = await fetch(`${demo.url}/plat/data/${name.replace('.csv', '')}?format=csv`)
    const held = new Set((await answer.text()).split(/\r?\n/))
    assert.deepEqual(
      expected.split('\n').filter((row) => !held.has(row)),
      [],
    )
  })
}

/** A command with the lines that the page shows below it. */
interface Step {
  readonly command: string
  readonly shown: string[]
}

/** The commands (`$ …`, continued on indented lines) in the blocks of a page that are marked as console. */
function steps(page: string): Step[] {
  const found: Step[] = []
  for (const [, block = ''] of page.matchAll(/^```console\n([\s\S]*?)^```$/gm)) {
    for (const line of block.trimEnd().split('\n')) {
      const last = found.at(-1)
      if (line.startsWith('    ') && last)
        found.splice(-1, 1, { ...last, command: `${last.command}\n${line}` })
      else if (line.startsWith('$ ')) found.push({ command: line.slice(2), shown: [] })
      else if (line !== '') last?.shown.push(line)
    }
  }
  return found
}

const documented = 'http://127.0.0.1:8080'

// Outputs may leave lines out (headers of no interest here), but may not show any that do not come.
const hasCommands = (page: string) => /^\$ curl /m.test(readFileSync(new URL(page, root), 'utf8'))
const pages = globSync('docs/{,interface/}*.md', { cwd: root }).filter(hasCommands)

for (const page of ['README.md', ...pages]) {
  test(`the curl commands of ${page} answer what it shows`, withoutTool('curl', 'curl'), async () => {
    const asked = steps(readFileSync(new URL(page, root), 'utf8')).filter(({ command }) =>
      command.startsWith('curl '),
    )
    assert.ok(asked.length > 0, 'the page has no commands')
    // A new one for each page: what the outputs show depends on what was done before.
    const { url } = await startDemo(temporaryFolder(), loaded)
    for (const { command, shown } of asked) {
      const { stdout } = await run('bash', ['-c', command.replaceAll(documented, url)])
      const lines = stdout.replaceAll('\r', '').replaceAll(url, documented).split('\n')
      let from = 0
      for (const line of shown) {
        const at = lines.indexOf(line, from)
        assert.ok(at >= 0, `${command}\nshould answer\n${line}\nbut answers\n${lines.slice(from).join('\n')}`)
        from = at + 1
      }
    }
  })
}

test(
  'the example script that uses every operation gets the expected answers',
  withoutTool('curl', 'curl'),
  async () => {
    const { stdout } = await run('bash', [fileURLToPath(new URL('examples/walk.sh', root)), demo.url])
    assert.match(stdout, /Every answer was as expected/)
  },
)

test('a demo stops when asked, and started again does not load its sample twice', async () => {
  assert.equal(await demo.stop(), 0)
  const again = await startDemo(shared, /listens on/)
  const answer = await fetch(`${again.url}/plat/res/device?total=true`)
  assert.equal(answer.headers.get('total'), '99')
  assert.equal(await again.stop(), 0)
})

test('a demo on a folder with other data says what to do, and ends', async () => {
  const data = temporaryFolder()
  const belfry = (...args: string[]) =>
    run(process.execPath, ['bin/belfry.js', ...args, '--data', data], { cwd: fileURLToPath(root) })
  await belfry('load', 'examples/network/zone.csv')
  await assert.rejects(
    belfry('demo', '--listen', '127.0.0.1:0', '--traps', '127.0.0.1:0'),
    (error: { code: number; stderr: string }) => {
      assert.match(error.stderr, /zone 2 exists already.*delete .* or name another with --data/)
      return error.code !== 0
    },
  )
})
