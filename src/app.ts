// Starts and stops the service. The command line starts this, and so do the tests.
//
// Little is loaded before traps are received: the rest, which takes most of a start, is loaded while their thread
// starts, and while they wait.

import { setFlagsFromString } from 'node:v8'
import { type Logger, pino } from 'pino'
import { OpenIdProvider } from './access/openid-provider.ts'
import type { App, AppOptions, Started } from './assembly.ts'
import type { Config } from './config/config.ts'
import { TlsFiles } from './http/wire/tls.ts'
import { TrapReceiver } from './intake/receiver.ts'
import type { StormSettings } from './intake/storm-guard.ts'
import type { SyslogSettings } from './intake/syslog-thread.ts'
import { DataFolder } from './store/data-folder.ts'
import { requireStoreInFolder } from './store/store-location.ts'

export type { App, AppOptions } from './assembly.ts'

/**
 * Memory is collected when it has grown to two and a half times what was in use: by itself V8 does so every few megabytes
 * while traps arrive, and each time everything waits. And new objects are made where V8 looks for garbage most often: by
 * itself it takes those of a block of traps for long-lived ones. See docs/decisions/0058-collecting.md.
 */
const collecting = ['--heap-growing-percent=150', '--no-allocation-site-pretenuring']

export async function startApp(config: Config, options: AppOptions = {}): Promise<App> {
  const { log = pino({ level: 'silent' }) } = options
  // Until the store is open, which has a clock of its own.
  let clock = options.clock ?? Date.now
  const now = () => clock()
  for (const flag of collecting) setFlagsFromString(flag)
  const started: Started = []
  const stop = async () => {
    for (const end of started.splice(0).reverse()) await end()
  }
  try {
    // Before the folder: root may read files that the owner of the folder may not.
    const tls = await TlsFiles.open({ certificate: config['tls-certificate'], key: config['tls-key'] }, now)
    const syslogTls = await openSyslogTls(config, now)
    const openid = OpenIdProvider.open(config, now)
    const folder = await DataFolder.open(config.data)
    started.push(() => folder.release())
    if (config.store === '') requireStoreInFolder(config.data)
    const receiver = startReceiver(config, syslogTls, log)
    started.push(() => receiver.stop())
    const { assemble } = await import('./assembly.ts')
    const useClock = (ofStore: () => number) => {
      clock = ofStore
    }
    const entrance = { log, tls, syslogTls, openid, folder, receiver, useClock }
    return { ...(await assemble(config, options, entrance, started)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * First of all: senders of traps do not know that the service is starting. Traps wait in memory until they can be
 * processed.
 */
function startReceiver(config: Config, tls: TlsFiles | undefined, log: Logger): TrapReceiver {
  const [source, overall] = [config['storm-source'], config['storm-overall']]
  const storm = {
    source: { engage: source, rearm: Math.ceil(source / 2) },
    overall: { engage: overall, rearm: Math.ceil(overall / 4) },
    seconds: config.limits.stormSeconds,
  }
  const keepsInformsOnce = config['duplicate-seconds'] > 0
  const sockets = config.traps.map((listener) => ({ ...listener, bufferSize: config['trap-buffer'] }))
  const syslog = syslogSettings(config, tls, timesMore(storm, messagesPerTrap))
  return new TrapReceiver(log, { sockets, storm, keepsInformsOnce }, syslog)
}

/** Where messages are received over TLS. */
const openSyslogTls = async (config: Config, now: () => number) =>
  config['syslog-tls'].length === 0
    ? undefined
    : TlsFiles.open(
        {
          certificate: config['syslog-certificate'],
          key: config['syslog-key'],
          authority: config['syslog-authority'],
        },
        now,
      )

/** Undefined if messages are not received. */
function syslogSettings(
  config: Config,
  tlsFiles: TlsFiles | undefined,
  storm: StormSettings,
): SyslogSettings | undefined {
  const { 'syslog-udp': udp, 'syslog-tcp': tcp, 'syslog-tls': tls, limits } = config
  if (udp.length + tcp.length + tls.length === 0) return undefined
  return {
    udp: udp.map((listener) => ({ ...listener, bufferSize: config['trap-buffer'] })),
    tcp,
    tls: tlsFiles && { listeners: tls, files: tlsFiles.options },
    senders: config['syslog-senders'],
    relays: config['syslog-relays'],
    storm,
    ringBytes: config['syslog-ring'],
    streamLimits: {
      connections: limits.syslogConnections,
      connectionsPerSender: limits.syslogConnectionsPerSender,
      idleTime: limits.syslogIdleSeconds * 1000,
      handshakeTime: limits.syslogHandshakeSeconds * 1000,
      messageTime: limits.syslogMessageSeconds * 1000,
      pushBackTime: limits.syslogPushBackSeconds * 1000,
    },
  }
}

/** Devices say more in messages than in traps: so many times more begin a storm. */
const messagesPerTrap = 10

const timesMore = ({ source, overall, seconds }: StormSettings, times: number): StormSettings => ({
  source: { engage: source.engage * times, rearm: source.rearm * times },
  overall: { engage: overall.engage * times, rearm: overall.rearm * times },
  seconds,
})
