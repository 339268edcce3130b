// belfry syslog: shows how messages are read and what they mean as alarms, and sends test messages.

import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../config/config.ts'
import { type Address, readAddress } from '../../config/forms.ts'
import { Fault, shown } from '../../fault.ts'
import { type Frame, FrameReader } from '../../syslog/frame-reader.ts'
import type { SyslogMeaning } from '../../syslog/message-matcher.ts'
import { readMessage } from '../../syslog/message-reader.ts'
import { formatMessage, MessageSender, type Transport } from '../../syslog/message-sender.ts'
import { MessageShapes } from '../../syslog/message-shapes.ts'
import type { SyslogMessage } from '../../syslog/syslog-message.ts'
import { type Command, countedNoun, type Option, statReadable, verbOf } from '../command.ts'
import { KnownMessages } from '../known-messages.ts'
import { printShapes } from '../raw-messages.ts'

const waysToSend = ['udp', 'tcp', 'tls'] as const

const options: Record<string, Option> = {
  over: { form: 'udp|tcp|tls', words: waysToSend, help: 'send: how it is sent. Default: udp.' },
  to: {
    form: 'host:port',
    help: 'send: where to. Default: the setting syslog-udp, syslog-tcp or syslog-tls.',
  },
  counted: {
    help: 'send: over TCP, with its octets counted instead of a line feed at its end. TLS always counts.',
  },
  priority: {
    form: 'N',
    help: 'send: facility times eight plus severity, 0 to 191. Default 187: local7, error.',
  },
  host: {
    form: 'NAME',
    help: 'send: the host in the message, such as the address of a device behind a relay.',
  },
  authority: {
    form: 'FILE',
    help: 'send: over TLS, a PEM file with the authority of the receiver. Default: those that Node trusts.',
  },
  certificate: {
    form: 'FILE',
    help: 'send: over TLS, a PEM file with a certificate of the sender; needs --key.',
  },
  key: { form: 'FILE', help: 'send: a PEM file with the private key of that certificate.' },
  count: {
    form: 'N',
    help: 'send: sends N of them; {n} in the text is the running number, from 1. Default 1.',
  },
  rate: { form: 'R', help: 'send: so many a second. Default: as fast as they go.' },
}

const text = `explain reads messages from files, one a line or with their octets counted (RFC 6587), and prints of each what it is
about and what it does: raise an alarm, clear it, be an event, or be ignored. The definitions are those that come
with the program and, if a service uses the data folder, those of its users; what these say of devices counts for
messages with the address of a device as their host. Messages that no definition knows are listed at the end by
their shape, those first that sound like faults. "-" is the standard input. Nothing is sent, and no service is needed.

  belfry syslog explain /var/log/network.log
  tail -n 100 /var/log/network.log | belfry syslog explain -

send sends a test message, in the form of RFC 5424; a text that begins with a priority, such as <187>, is sent as it is.

  belfry syslog send '%FAN-3-FAN_FAILED: Fan 1 had a rotation error reported.' --to 127.0.0.1:5514
  belfry syslog send '%FAN-3-FAN_OK: Fan 1 is ok now' --over tcp --counted --to 127.0.0.1:5514
  belfry syslog send '<189>%SYS-5-RESTART: System restarted' --over tls --authority ca.pem --to nms.example.net:6514
  belfry syslog send 'request {n} served' --priority 190 --count 10000 --rate 2000

shapes lists the shapes of messages that the running service has received and no definition knows, what is most likely a
fault first; see GET /fault/syslogShape.

Exit codes: 0 done, 1 not sent, or no service, 2 wrong arguments or a file that cannot be read.`

const verbs = { explain, send, shapes }

export const syslog: Command = {
  name: 'syslog',
  summary: 'shows what syslog messages mean and which are unknown, and sends test messages',
  usage:
    'belfry syslog explain FILE…|- [settings]\n       belfry syslog send TEXT [options] [settings]\n       belfry syslog shapes [settings]',
  text,
  options,
  listed: ['data', 'syslog-udp', 'syslog-tcp', 'syslog-tls'],
  takesFiles: true,
  verbs: Object.keys(verbs),
  async run({ files: [verb, ...words], options, config }) {
    await verbOf(verbs, verb, 'syslog')(words, options, config)
    return 0
  },
}

type Options = Readonly<Record<string, string>>

async function shapes(words: readonly string[], _: Options, config: Config): Promise<void> {
  if (words.length > 0) throw new Fault('invalid', `${shown(words.join(' '))} is not expected after shapes`)
  await printShapes(config)
}

async function send(words: readonly string[], options: Options, config: Config): Promise<void> {
  const [written, ...more] = words
  if (written === undefined || more.length > 0)
    throw new Fault('invalid', 'expected one text to send, in quotation marks. Try belfry syslog --help')
  const priority = numberOf('priority', options.priority, 187, { min: 0, max: 191 })
  const count = numberOf('count', options.count, 1, { min: 1, max: 1_000_000_000 })
  const rate = numberOf('rate', options.rate, Number.POSITIVE_INFINITY, { min: 1, max: 1_000_000 })
  const host = hostOf(options.host)
  const transport = await transportOf(options)
  const to = receiverOf(options.to, transport.over, config)
  const make = (n: number) => {
    const text = written.replaceAll('{n}', String(n))
    return /^<\d{1,3}>/.test(text) ? text : formatMessage({ priority, host, text }, new Date())
  }
  const sender = await MessageSender.open(to, transport)
  const began = performance.now()
  for (let n = 1; n <= count; n += 1) {
    const early = began + ((n - 1) * 1000) / rate - performance.now()
    // Timers are too coarse for one per message: those that are due within a few milliseconds are sent together.
    if (early > 5) await sleep(early)
    await sender.send(make(n))
  }
  await sender.close()
  const what = countedNoun(count, 'message')
  console.log(
    `${what} sent to ${to.host.includes(':') ? `[${to.host}]` : to.host}:${to.port} over ${transport.over}`,
  )
}

async function transportOf(options: Options): Promise<Transport> {
  const { over = 'udp', authority, certificate, key } = options
  const way = waysToSend.find((known) => known === over)
  if (!way) throw new Fault('invalid', `--over ${shown(over)}: expected ${waysToSend.join(', ')}`)
  const isCounted = options.counted !== undefined
  if (way === 'udp' && isCounted)
    throw new Fault('invalid', '--counted is for --over tcp: a datagram needs no count')
  if (way !== 'tls') {
    const given = ['authority', 'certificate', 'key'].find((name) => options[name] !== undefined)
    if (given) throw new Fault('invalid', `--${given} is for --over tls`)
    return way === 'udp' ? { over: way } : { over: way, isCounted }
  }
  if ((certificate === undefined) !== (key === undefined))
    throw new Fault('invalid', '--certificate and --key are given together')
  const read = async (file: string) => {
    await statReadable(file)
    return readFile(file)
  }
  return {
    over: way,
    options: {
      ...(authority !== undefined && { ca: await read(authority) }),
      ...(certificate !== undefined &&
        key !== undefined && { cert: await read(certificate), key: await read(key) }),
    },
  }
}

const anyHost: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

function receiverOf(to: string | undefined, over: Transport['over'], config: Config): Address {
  if (to === undefined) {
    const [own] = config[`syslog-${over}`]
    if (own) return { ...own, host: anyHost[own.host] ?? own.host }
    throw new Fault('invalid', `say where to send it: --to host:port, or the setting syslog-${over}`)
  }
  try {
    return readAddress(to)
  } catch (cause) {
    throw new Fault('invalid', `--to ${shown(to)}: ${(cause as Error).message}`, { cause })
  }
}

function hostOf(host: string | undefined): string | undefined {
  if (host !== undefined && !/^[\x21-\x7e]{1,255}$/.test(host))
    throw new Fault(
      'invalid',
      `--host ${shown(host)}: expected 1 to 255 visible ASCII characters without spaces`,
    )
  return host
}

function numberOf(
  name: string,
  value: string | undefined,
  absent: number,
  { min, max }: { readonly min: number; readonly max: number },
): number {
  if (value === undefined) return absent
  const number = /^\d{1,10}$/.test(value) ? Number(value) : Number.NaN
  if (number >= min && number <= max) return number
  throw new Fault('invalid', `--${name} ${shown(value)}: expected a whole number from ${min} to ${max}`)
}

async function explain(files: readonly string[], _: Options, config: Config): Promise<void> {
  if (files.length === 0) throw new Fault('invalid', 'name a file with messages, or - for the standard input')
  for (const file of files) if (file !== '-') await statReadable(file)
  const known = await KnownMessages.open(config)
  const counts = new Map<string, number>()
  const shapes = new MessageShapes()
  for (const file of files) {
    for await (const { bytes } of framesOf(file)) {
      const message = readMessage(bytes)
      const meaning = await known.match(message)
      const does = meaning?.does ?? 'unknown'
      counts.set(does, (counts.get(does) ?? 0) + 1)
      if (!meaning) shapes.add(message)
      console.log(describe(message, meaning))
    }
  }
  listShapes(shapes)
  const sum = counts.values().reduce((total, n) => total + n, 0)
  const parts = Array.from(counts, ([does, n]) => `${n.toLocaleString('en')} ${does}`)
  console.log(`${sum.toLocaleString('en')} messages${parts.length > 0 ? `: ${parts.join(', ')}` : ''}`)
}

const listedShapes = 20

function listShapes(shapes: MessageShapes): void {
  const all = shapes.list()
  if (all.length === 0) return
  console.log('Unknown, what is most likely a fault first:')
  for (const { origin, words, count, severity, devices } of all.slice(0, listedShapes)) {
    const from = countedNoun(devices.length, 'host')
    const shape = words.join(' ').slice(0, shownLength).toWellFormed()
    console.log(
      `    ${count.toLocaleString('en')} × severity ${severity}, ${from}, ${origin || '-'}: ${shape}`,
    )
  }
  const more = all.length - listedShapes
  if (more > 0) console.log(`    and ${countedNoun(more, 'more shape')}`)
  if (shapes.uncounted > 0)
    console.log(`    and ${countedNoun(shapes.uncounted, 'message')} of further shapes`)
}

async function* framesOf(file: string): AsyncGenerator<Frame> {
  const reader = new FrameReader()
  const stream = file === '-' ? process.stdin : createReadStream(file)
  for await (const chunk of stream) yield* reader.read(chunk)
  const rest = reader.end()
  if (rest) yield rest
}

const shownLength = 160

function describe(message: SyslogMessage, meaning: SyslogMeaning | undefined): string {
  const { host = '-', severity, code, program = '-', text } = message
  const what = meaning
    ? [meaning.does, meaning.definition.event?.name, meaning.resource, `(${meaning.definition.name})`]
    : ['unknown']
  const head = `${host} severity ${severity} ${code?.name ?? program}`
  // Escape sequences were removed when the message was read; lines would look like further messages.
  const line = text.replace(/\s+/g, ' ').slice(0, shownLength).toWellFormed()
  return `${what.filter(Boolean).join(' ')}\n    ${head}: ${line}`
}
