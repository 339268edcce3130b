// What the devices of the demo say by syslog: beside the traps of an incident, the messages that such devices send about it,
// and now and then one that has nothing to do with it. This machine is the relay that they come through.

import type { Config } from '../../config/config.ts'
import type { Address } from '../../config/forms.ts'
import { defaultSpace } from '../../schema/space.ts'
import { MessageSender } from '../../syslog/message-sender.ts'
import type { Chance, Step, StoryDevice } from './demo-incident.ts'
import { between, pick } from './demo-incident.ts'

const loopback = '127.0.0.1'

/** Where the settings say nothing of syslog, messages are received on a free port of this machine. */
export function withMessages(config: Config): Config {
  const isAsked = ['syslog-udp', 'syslog-tcp', 'syslog-tls'].some(
    (name) => config[name as 'syslog-udp'].length > 0,
  )
  if (isAsked) return config
  return {
    ...config,
    'syslog-udp': [{ host: loopback, port: 0, space: defaultSpace }],
    'syslog-relays': [loopback],
  }
}

interface Said {
  readonly device: StoryDevice
  /** Facility times eight, plus severity. */
  readonly priority: number
  readonly text: string
}

const local7 = 23 * 8
const auth = 10 * 8
const daemon = 3 * 8
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** About a step of an incident, as a switch or router says it. */
export function messagesAbout({ device, event, variables }: Step): Said[] {
  const say = (severity: number, text: string): Said => ({ device, priority: local7 + severity, text })
  const { ifDescr: port = '', bgpPeerRemoteAddr: peer = '' } = variables
  const state = event === 'linkDown' ? 'down' : 'up'
  if ((event === 'linkDown' || event === 'linkUp') && port !== '')
    return [
      say(3, `%LINK-3-UPDOWN: Interface ${port}, changed state to ${state}`),
      say(5, `%LINEPROTO-5-UPDOWN: Line protocol on Interface ${port}, changed state to ${state}`),
    ]
  if (event.startsWith('bgp') && peer !== '')
    return [
      say(5, `%BGP-5-ADJCHANGE: neighbor ${peer} ${event === 'bgpEstablishedNotification' ? 'Up' : 'Down'}`),
    ]
  if (event === 'coldStart') return [say(5, '%SYS-5-RESTART: System restarted')]
  return []
}

/** Most of what devices say is no fault, and some of it nobody has a definition for. */
const chatter: readonly ((chance: Chance) => readonly [priority: number, text: string])[] = [
  () => [local7 + 5, '%SYS-5-CONFIG_I: Configured from console by netops on vty0 (10.10.1.20)'],
  (chance) => [
    auth + 6,
    `sshd[${between(900, 9000, chance)}]: Accepted publickey for backup from 10.10.1.20 port ${between(30_000, 60_000, chance)} ssh2`,
  ],
  (chance) => [
    daemon + 6,
    `dhcpd[${between(400, 900, chance)}]: DHCPACK on 10.10.20.${between(20, 250, chance)} to 00:1b:44:11:3a:${between(16, 99, chance)} via vlan20`,
  ],
  (chance) => [daemon + 6, `invd[210]: inventory sent in ${between(20, 900, chance)} ms`],
  (chance) => [
    daemon + 4,
    `envd[97]: cabinet ${between(1, 9, chance)} door contact has been open for ${between(2, 40, chance)} minutes`,
  ],
  (chance) => [
    daemon + 3,
    `licd[318]: license server did not answer in ${between(3, 9, chance)} s: using the cached license`,
  ],
]

export function chatterOf(devices: readonly StoryDevice[], chance: Chance): Said | undefined {
  const device = pick(devices, chance)
  const made = pick(chatter, chance)?.(chance)
  return device && made && { device, priority: made[0], text: made[1] }
}

/** In the form of RFC 3164. */
export const lineOf = ({ device, priority, text }: Said, now: Date): string =>
  `<${priority}>${months[now.getMonth()]} ${String(now.getDate()).padStart(2)} ${now.toTimeString().slice(0, 8)} ${device.ip} ${text}`

export class DemoMessages {
  readonly #sender: MessageSender
  readonly #devices: readonly StoryDevice[]
  readonly #chance: Chance

  private constructor(sender: MessageSender, devices: readonly StoryDevice[], chance: Chance) {
    this.#sender = sender
    this.#devices = devices
    this.#chance = chance
  }

  static async open(to: Address, devices: readonly StoryDevice[], chance: Chance): Promise<DemoMessages> {
    return new DemoMessages(await MessageSender.open(to, { over: 'udp' }), devices, chance)
  }

  /** What is said while a step happens. */
  async tell(step: Step): Promise<void> {
    const said = [...messagesAbout(step), chatterOf(this.#devices, this.#chance)]
    for (const one of said) if (one) await this.#sender.send(lineOf(one, new Date()))
  }

  close(): Promise<void> {
    return this.#sender.close()
  }
}
