// The files of the console: what the first view needs is one script, and all of it is named in the page.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { test } from 'node:test'
import { Assets, compress, loadAssets } from '../../src/http/console/assets.ts'
import { Console } from '../../src/http/console/console.ts'
import { until } from '../intake/sending.ts'

const missing = registerHooks({
  resolve(name, context, next) {
    if (name === 'esbuild') throw new Error('not there')
    return next(name, context)
  },
})

test('a clone without its development packages says what is missing, and tries again', async () => {
  const served = new Console()
  try {
    await assert.rejects(served.prepare(), /made by esbuild, which is not installed: run npm ci/)
  } finally {
    missing.deregister()
  }
  await served.prepare()
})

const text = async (assets: Assets, name: string) =>
  (await assets.find(name))?.bodies.identity.toString() ?? assert.fail(`${name} is missing`)

test('the first view is one script, and the page names all that it needs', async () => {
  const assets = await loadAssets('en')
  const first = assets.firstFiles
  const scripts = first.filter((name) => name.endsWith('.js'))
  const sizes = await Promise.all(scripts.map(async (name) => (await text(assets, name)).length))
  assert.equal(sizes.filter((size) => size > 200).length, 1, `${scripts} of ${sizes} characters`)
  for (const name of scripts) {
    const script = await text(assets, name)
    for (const [, target = ''] of script.matchAll(/(?:^|;)import(?:\{[^}]*\}from)?"\.\/([^"]+)"/g))
      assert(first.includes(target), `${name} imports ${target}`)
  }
  const all = await Promise.all(scripts.map((name) => text(assets, name)))
  assert(!all.some((script) => script.includes('u-legend')), 'charts are loaded with the page that has some')
})

/** Programs of esbuild that this process has started, and that have not ended. */
const esbuilds = () =>
  readdirSync('/proc/self/task')
    .flatMap((task) => readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' ').filter(Boolean))
    .filter((id) => programOf(id).endsWith('/esbuild'))

/** Empty for one that has ended meanwhile. */
function programOf(id: string): string {
  try {
    return readlinkSync(`/proc/${id}/exe`)
  } catch {
    return ''
  }
}

test('several make them at once, and nothing stays beside the process', async () => {
  const making = [loadAssets('en'), loadAssets('en'), new Console().prepare().then(() => loadAssets('en'))]
  await until('a program of esbuild', async () => esbuilds().length > 0)
  const all = await Promise.all(making)
  assert.equal(new Set(all.map(({ version }) => version)).size, 1)
  await until('the end of esbuild', async () => esbuilds().length === 0)
})

test('pages take what they share with the first view from there', async () => {
  const assets = await loadAssets('en')
  const scripts = assets.names.filter((name) => name.endsWith('.js'))
  const owners = []
  for (const name of scripts) if ((await text(assets, name)).includes('"menu-foot"')) owners.push(name)
  assert.equal(owners.length, 1, `the menu is in ${owners}`)
})

test('the style is one file, with that of the charts; the phones of the demo have theirs', async () => {
  const assets = await loadAssets('en')
  const styles = assets.names.filter((name) => name.endsWith('.css'))
  assert.deepEqual(styles.sort(), ['phones.css', 'style.css'])
  const style = await text(assets, 'style.css')
  for (const rule of ['.alarm-table', '.filters', '.uplot']) assert(style.includes(rule), rule)
})

test('the address of the files changes with each of them', async () => {
  const files = new Map([['a.js', Buffer.from('1')]])
  const one = new Assets(files)
  assert.equal(new Assets(new Map(files)).version, one.version)
  assert.notEqual(new Assets(new Map([['a.js', Buffer.from('2')]])).version, one.version)
  assert.equal(await one.find('a.js'), await one.find('a.js'), 'compressed once')
  assert.equal(one.find('b.js'), undefined)
  assert.equal((await compress('x.svg', Buffer.from(''))).type, 'image/svg+xml')
})
