// belfry trap: sends a test trap.

import { isIPv4 } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../config/config.ts'
import { type Address, readAddress } from '../../config/forms.ts'
import { nearest } from '../../config/nearest.ts'
import { type StandardEvent, standardEvents } from '../../events/event-file.ts'
import { Fault, shown } from '../../fault.ts'
import { type SendOptions, type TestTrap, TrapSender } from '../../snmp/trap-sender.ts'
import { readUsers } from '../../snmp/users.ts'
import { AUTH_ALGORITHMS, PRIV_ALGORITHMS } from '../../snmp/usm-keys.ts'
import type { User } from '../../snmp/usm-user.ts'
import { type Command, type Option, ProgressBar } from '../command.ts'
import { type Assignment, readAssignment, typeHelp, variablesOf } from '../traps/trap-variables.ts'

const options: Record<string, Option> = {
  to: { form: 'host:port', help: 'Where to send it. Default: the setting traps.' },
  v1: { help: 'SNMP version 1 instead of 2c.' },
  v3: {
    help: 'SNMP version 3, as the user that --user names; --user, --auth and --priv alone mean it, too.',
  },
  community: {
    form: 'WORD',
    help: 'The community, in versions 1 and 2c. Default: the first of trap-communities.',
  },
  user: { form: 'NAME', help: 'The user of version 3; its passwords are read from the file trap-users.' },
  auth: {
    form: 'ALGORITHM:PASSWORD',
    help: `For a user that is in no file. ${Object.keys(AUTH_ALGORITHMS).join(', ')}. Others on the machine can read a command line.`,
  },
  priv: { form: 'ALGORITHM:PASSWORD', help: `Likewise. ${Object.keys(PRIV_ALGORITHMS).join(', ')}.` },
  inform: { help: 'Waits for the answer, and sends again where none comes. Exit code 1 without an answer.' },
  'from-agent': { form: 'IP', help: 'The device that the trap is about, where that is not the sender.' },
  count: { form: 'N', help: 'Sends N of them; {n} in a variable is the running number, from 1. Default 1.' },
  rate: { form: 'R', help: 'So many a second. Default: as fast as they go.' },
  list: { help: 'Lists the events that have names, or those with a word in name or text, and ends.' },
}

const usage = 'belfry trap NAME|OID [VARIABLE=VALUE…] [options] [settings]'

const text = `Sends a test trap. NAME is that of a standard event (belfry trap --list shows them). Its variables are given
by name, with plausible values for those that are left out; others by OID, with a type before the value:
${typeHelp}.
Without a type, the value decides.

  belfry trap linkDown                          an alarm: interface 1 is down
  belfry trap linkUp                            and its end
  belfry trap linkDown ifIndex=7 --from-agent 10.10.1.5
  belfry trap upsTrapOnBattery upsSecondsOnBattery=120 --v1
  belfry trap 1.3.6.1.4.1.32473.9.0.1 1.3.6.1.4.1.32473.9.1.0=s:hello
  belfry trap linkDown ifIndex={n} --count 10000 --rate 2000
  belfry trap coldStart --inform --v3 --user ops --trap-users users.json
  belfry trap --list ups

Exit codes: 0 sent (an inform: answered), 1 not sent or not answered, 2 wrong arguments.`

export const trap: Command = {
  name: 'trap',
  summary: 'sends test traps',
  usage,
  text,
  options,
  listed: ['traps', 'trap-communities', 'trap-users'],
  takesFiles: true,
  async run({ files, options, config }) {
    if (options.list !== undefined) {
      list(files.join(' '))
      return 0
    }
    const [what, ...written] = files
    if (what === undefined) throw new Fault('invalid', 'name the event to send. Try belfry trap --help')
    const event = eventOf(what)
    const order: Order = {
      name: typeof event === 'string' ? event : event.name,
      make: maker(event, written.map(readAssignment), agentOf(options['from-agent'])),
      inform: options.inform !== undefined,
      count: numberOf('count', options.count, 1),
      rate: options.rate === undefined ? undefined : numberOf('rate', options.rate, 1),
    }
    // Everything is checked before anything is sent.
    order.make(1)
    const to = options.to === undefined ? ownReceiver(config) : addressOf(options.to)
    const sendOptions = sendOptionsOf(options, config)
    if (order.inform && sendOptions.version === '1') throw new Fault('invalid', 'version 1 has no informs')
    const sender = await TrapSender.open(to, sendOptions)
    try {
      await send(sender, order, `${to.host.includes(':') ? `[${to.host}]` : to.host}:${to.port}`)
    } finally {
      sender.close()
    }
    return 0
  },
}

/** The trap to send, and how often. */
interface Order {
  readonly name: string
  readonly make: (n: number) => TestTrap
  readonly inform: boolean
  readonly count: number
  readonly rate: number | undefined
}

const oidForm = /^\.?\d+(\.\d+)+$/

function maker(
  event: StandardEvent | string,
  variables: readonly Assignment[],
  agent: string | undefined,
): (n: number) => TestTrap {
  const known = typeof event === 'string' ? undefined : event
  const oid = typeof event === 'string' ? event : event.eventOid
  const numbered = variables.some(({ name, value }) => `${name}${value}`.includes('{n}'))
  const fill = (n: number) => (part: string) => part.replaceAll('{n}', String(n))
  const make = (n: number) => {
    const full = variables.map(({ name, value }) => ({ name: fill(n)(name), value: fill(n)(value) }))
    return { oid, variables: variablesOf(known, full), agent }
  }
  if (numbered) return make
  let only: TestTrap | undefined
  return () => {
    only ??= make(1)
    return only
  }
}

/** The event of that name; for an OID the event it belongs to, or the OID itself where none is known. */
function eventOf(what: string): StandardEvent | string {
  if (oidForm.test(what)) {
    const oid = what.replace(/^\./, '')
    return standardEvents.find(({ eventOid }) => eventOid === oid) ?? oid
  }
  const wanted = what.toLowerCase()
  const event = standardEvents.find(({ name }) => name.toLowerCase() === wanted)
  if (event) return event
  const near = nearest(
    wanted,
    standardEvents.map(({ name }) => name),
  )
  const advice = near.length > 0 ? `did you mean ${near.join(', ')}?` : 'belfry trap --list shows all names'
  throw new Fault('invalid', `${shown(what)} is no event that is known by name: ${advice}`)
}

function list(word: string): void {
  const wanted = word.toLowerCase()
  const found = standardEvents.filter(({ name, alarmDesc }) =>
    `${name} ${alarmDesc}`.toLowerCase().includes(wanted),
  )
  if (found.length === 0) throw new Fault('invalid', `no event has ${shown(word)} in its name or text`)
  for (const { name, eventOid, parameter = [] } of found) {
    const names = new Set(parameter.map((one) => one.name))
    console.log(`${name}  ${eventOid}${names.size > 0 ? `\n    ${[...names].join(', ')}` : ''}`)
  }
}

const anyHost: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** A service that listens on all addresses also listens on this one. */
function ownReceiver({ traps: [first] }: Config): Address {
  const { host = '127.0.0.1', port = 0 } = first ?? {}
  return { host: anyHost[host] ?? host, port }
}

function addressOf(value: string): Address {
  try {
    return readAddress(value)
  } catch (cause) {
    throw new Fault('invalid', `--to ${shown(value)}: ${(cause as Error).message}`, { cause })
  }
}

function agentOf(value: string | undefined): string | undefined {
  if (value !== undefined && !isIPv4(value)) {
    throw new Fault('invalid', `--from-agent ${shown(value)}: expected an IPv4 address, such as 10.10.1.5`)
  }
  return value
}

function numberOf(name: string, value: string | undefined, absent: number): number {
  if (value === undefined) return absent
  if (!/^[1-9]\d{0,9}$/.test(value)) {
    throw new Fault('invalid', `--${name} ${shown(value)}: expected a whole number from 1 on`)
  }
  return Number(value)
}

function sendOptionsOf(options: Readonly<Record<string, string>>, config: Config): SendOptions {
  const third = ['v3', 'user', 'auth', 'priv'].some((name) => options[name] !== undefined)
  if (options.v1 !== undefined && third) throw new Fault('invalid', '--v1 and --v3 exclude each other')
  if (third) {
    if (options.community !== undefined) throw new Fault('invalid', 'version 3 has no community')
    return { version: '3', user: userOf(options, config['trap-users']) }
  }
  const community = options.community ?? config['trap-communities'][0] ?? 'public'
  return { version: options.v1 === undefined ? '2c' : '1', community }
}

function userOf({ user: name, auth, priv }: Readonly<Record<string, string>>, file: string): User {
  if (name === undefined) throw new Fault('invalid', 'version 3 needs --user')
  if (auth === undefined && priv === undefined && file !== '') {
    const known = readUsers(file).find((user) => user.name === name)
    if (!known) throw new Fault('invalid', `${file} has no user ${shown(name)}`)
    return known
  }
  return {
    name,
    ...(auth !== undefined && { auth: secretOf('auth', auth, AUTH_ALGORITHMS) }),
    ...(priv !== undefined && { priv: secretOf('priv', priv, PRIV_ALGORITHMS) }),
  }
}

function secretOf<A extends string>(
  option: string,
  value: string,
  known: Readonly<Record<A, unknown>>,
): { algorithm: A; password: string } {
  const cut = value.indexOf(':')
  const names = Object.keys(known) as A[]
  const algorithm = names.find((name) => name === value.slice(0, cut).toLowerCase())
  // The argument is not shown, because it may be the password.
  if (!algorithm) {
    throw new Fault('invalid', `--${option}: expected ALGORITHM:PASSWORD, with one of ${names.join(', ')}`)
  }
  return { algorithm, password: value.slice(cut + 1) }
}

async function send(sender: TrapSender, order: Order, to: string): Promise<void> {
  const { name, make, inform, count } = order
  if (count === 1) {
    if (inform) {
      const took = await sender.inform(make(1))
      console.log(`${name}: ${to} answered after ${Math.round(took)} ms`)
      return
    }
    await sender.send(make(1))
    await sender.flush()
    console.log(`${name} sent to ${to}`)
    return
  }
  const began = performance.now()
  await sendMany(sender, order, began)
  const seconds = (performance.now() - began) / 1000
  if (!inform) await sender.flush()
  const rate = Math.round(count / seconds).toLocaleString('en')
  const done = inform ? `sent to ${to} and answered` : `sent to ${to}`
  console.log(`${count.toLocaleString('en')} ${name} ${done} in ${seconds.toFixed(2)} s: ${rate}/s`)
}

/** Timers are too coarse for one per trap: all that are due are sent together. */
const tick = 5
const together = 64

async function sendMany(
  sender: TrapSender,
  { name, make, inform, count, rate }: Order,
  began: number,
): Promise<void> {
  const bar = new ProgressBar(name)
  try {
    for (let sent = 0; sent < count; ) {
      const passed = (performance.now() - began) / 1000
      const due = Math.min(count, rate === undefined ? count : Math.floor(passed * rate) + 1)
      const until = Math.min(due, sent + (inform ? 1 : together))
      const some = Array.from({ length: Math.max(0, until - sent) }, (_, index) => make(sent + index + 1))
      if (inform) for (const one of some) await sender.inform(one)
      else await Promise.all(some.map((one) => sender.send(one)))
      sent += some.length
      bar.show(sent, count, `${sent.toLocaleString('en')} of ${count.toLocaleString('en')}`)
      if (some.length === 0) await sleep(tick)
    }
  } finally {
    bar.clear()
  }
}
