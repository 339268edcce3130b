import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const lock = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'))

test('the lock file has a hash for every package on every platform, and no address to fetch it from', () => {
  const packages = Object.entries<{ integrity?: string; resolved?: string }>(lock.packages).slice(1)
  assert(packages.length > 20)
  for (const [name, { integrity, resolved }] of packages) {
    assert.match(integrity ?? 'none', /^sha512-/, name)
    assert.equal(resolved, undefined, name)
  }
})

test('the package contains the lock file as its shrinkwrap: users install the versions that were tested', () => {
  const { files, scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  assert(files.includes('npm-shrinkwrap.json'))
  assert.match(scripts.prepack, /copyFileSync\('package-lock.json', 'npm-shrinkwrap.json'\)/)
  assert.match(scripts.postpack, /rmSync\('npm-shrinkwrap.json'/)
})
