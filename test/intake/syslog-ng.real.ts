// syslog-ng as a relay, over UDP, TCP with both framings, and TLS. It is fetched by test/material.ts, since it cannot be
// installed beside rsyslog.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { freePort } from '../free-port.ts'
import { Authority } from '../http/certificates.ts'
import { syslogNg } from '../material.ts'
import { startService, type TestService, temporaryFolder } from '../support.ts'
import { relays, requireRelayed } from './relaying.ts'

const program = join(syslogNg, 'usr/sbin/syslog-ng')
const skip = existsSync(program) ? false : 'syslog-ng is not there: run `node test/material.ts`'
const [modules = ''] = globSync(join(syslogNg, 'usr/lib/syslog-ng/[0-9]*'))
const libraries = [join(modules, '..'), ...globSync(join(syslogNg, 'usr/lib/*-linux-gnu'))]

/** Sends a message to a syslog-ng that forwards it to the service. */
async function relay(service: TestService, destination: string): Promise<void> {
  const folder = temporaryFolder()
  const port = await freePort()
  const settings = join(folder, 'syslog-ng.conf')
  writeFileSync(
    settings,
    `@version: 3.35
options { stats-freq(0); keep-hostname(yes); };
source s_in { network(ip("127.0.0.1") port(${port}) transport("udp")); };
destination d_belfry { ${destination}; };
log { source(s_in); destination(d_belfry); };
`,
  )
  const files = { '--persist-file': 'persist', '--pidfile': 'pid', '--control': 'control' }
  const named = Object.entries(files).flatMap(([flag, name]) => [flag, join(folder, name)])
  const started = spawn(program, ['-F', '-f', settings, '--no-caps', '--module-path', modules, ...named], {
    env: { ...process.env, LD_LIBRARY_PATH: libraries.join(':') },
    stdio: 'ignore',
  })
  after(async () => {
    started.kill()
    if (started.exitCode === null) await once(started, 'exit')
  })
  await requireRelayed(service, port, '--rfc3164')
}

for (const [name, way, destination] of [
  ['UDP', 'udp', (port: number) => `network("127.0.0.1" port(${port}) transport("udp"))`],
  ['TCP, with line feeds', 'tcp', (port: number) => `network("127.0.0.1" port(${port}) transport("tcp"))`],
  ['TCP, with counts', 'tcp', (port: number) => `syslog("127.0.0.1" port(${port}) transport("tcp"))`],
] as const)
  test(`syslog-ng as a relay over ${name}`, { skip }, async () => {
    const service = await startService({ ...relays, [`syslog-${way}`]: '127.0.0.1:0' })
    await relay(service, destination(service.syslogPorts[way] ?? 0))
  })

test('syslog-ng as a relay over TLS, with a certificate of its own', { skip }, async () => {
  const authority = new Authority()
  const [own, ofRelay] = [authority.issue(), authority.issue({ name: 'relay' })]
  const service = await startService({
    ...relays,
    'syslog-tls': '127.0.0.1:0',
    'syslog-certificate': own.certificate,
    'syslog-key': own.key,
    'syslog-authority': authority.root,
  })
  const files = `key-file("${ofRelay.key}") cert-file("${ofRelay.certificate}") ca-file("${authority.root}")`
  const tls = `tls(${files} peer-verify(required-trusted))`
  await relay(service, `syslog("localhost" port(${service.syslogPorts.tls}) transport("tls") ${tls})`)
})
