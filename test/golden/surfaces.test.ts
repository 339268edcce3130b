// What is seen of the service beside its operations is as recorded: the help of every command, and how the console is
// served. The published schema and OpenAPI document are in docs/generated, held by test/house/documents.test.ts.

import { mock, test } from 'node:test'
import { version } from '../../src/config/version.ts'
import { main } from '../../src/main.ts'
import { startService } from '../support.ts'
import { type Blocks, hold } from './recorded.ts'
import { transcript } from './transcript.ts'

async function printed(...args: string[]): Promise<string> {
  const log = mock.method(console, 'log', () => undefined)
  try {
    await main(args, {})
    return log.mock.calls
      .map(({ arguments: [line] }) => String(line).replaceAll(version, 'VERSION'))
      .join('\n')
  } finally {
    log.mock.restore()
  }
}

test('every command is explained as recorded', async () => {
  const all = await printed('help')
  const names = [...all.matchAll(/^ {2}(\w+) /gm)].map(([, name = '']) => name)
  const blocks: Blocks = new Map([['belfry help', new Map([['text', all]])]])
  for (const name of names)
    blocks.set(`belfry ${name} --help`, new Map([['text', await printed(name, '--help')]]))
  hold('commands', 'any', blocks)
})

const html = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
/** Without what is derived from the content of files, and without their names: how they are put together is nobody's business. */
const withoutHashes = (text: string) =>
  text
    .replaceAll(/etag: .*/g, 'etag: HASH')
    .replaceAll(/^ *<(?:link rel="(?:modulepreload|stylesheet|icon)|script) .*\n/gm, '')
    .replaceAll(/\/files\/[^"\s]*(\.\w+)/g, '/files/…$1')

test('the console is served as recorded', async () => {
  const service = await startService()
  const blocks: Blocks = new Map()
  const ask = async (path: string, headers: Record<string, string>, isShown = false) => {
    const answer = await service.get(path, headers)
    const text = transcript(answer, isShown ? answer.text : '')
    blocks.set(withoutHashes(`GET ${path}`), new Map([['text', withoutHashes(text)]]))
    return answer
  }
  await ask('/', html)
  await ask('/imcrs', html)
  const { text } = await ask('/console', html, true)
  await ask('/console/alarm/7', html)
  await ask('/console/nothing.js', html)
  const links = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link = '']) => link)
  // One of each type.
  for (const type of ['.js', '.css', '.svg']) await ask(links.find((link) => link.endsWith(type)) ?? '', {})
  hold('console', 'any', blocks)
})
