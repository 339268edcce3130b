// belfry demo: runs a service with the sample network, whose devices report faults.

import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../app.ts'
import type { Config } from '../../config/config.ts'
import { standardEvents } from '../../events/event-file.ts'
import { Fault, shown } from '../../fault.ts'
import { TrapSender } from '../../snmp/trap-sender.ts'
import { readCounter, sampleCounter, setCounter } from '../../store/counter.ts'
import { allSettings, type Command, type Option } from '../command.ts'
import { demoCommunity } from '../demo/demo-agent.ts'
import { DemoAgents, StandIns } from '../demo/demo-agents.ts'
import { type Chance, type ShownDevice, type Step, type StoryDevice, seeded } from '../demo/demo-incident.ts'
import { DemoMessages, withMessages } from '../demo/demo-messages.ts'
import { devicesOf, loadSample } from '../demo/demo-network.ts'
import { hasNoStore, makePast } from '../demo/demo-past.ts'
import { movePhones, setUpPeople } from '../demo/demo-people.ts'
import { DemoPhone } from '../demo/demo-phone.ts'
import { storySteps } from '../demo/demo-story.ts'
import { noticesOf, type ShownBinding, sendSightings } from '../demo/demo-terminals.ts'
import { addressOf, askJson } from '../service-connection.ts'
import { variablesOf } from '../traps/trap-variables.ts'
import { runService } from './serve-command.ts'

/** All files of the sample are loaded, but terminals are not at their ports: switches report them to the running service. */
const pastMark = 'past of the demo'
const peopleMark = 'people of the demo'

const options: Record<string, Option> = {
  pace: { form: 'SECONDS', help: 'About one incident in this time. 0: none. Default 3.' },
  past: {
    form: 'DAYS',
    help: 'Days that a new store begins with, made up from the same incidents, 60 at most. Default 14; with --pace 0 none.',
  },
  seed: { form: 'NUMBER', help: 'The same number gives the same incidents. Default: others each time.' },
}

const text = `Runs the service with a sample network loaded: devices, IP segments, addresses, bindings, zones, rules and
report templates. Keeps its data in ./data-demo unless --data says otherwise, and loads the sample when that is new.
The days before the first start are made up, too, where the store is a file of that folder.
Its devices have incidents: links flap, a switch reboots, the power fails. They report them by SNMP traps and syslog
messages, which become alarms; each trap is a line on standard output. They answer questions, too: agents on loopback
addresses stand for them. Now and then a firewall gets new software, in a maintenance window.
People are told of severe faults: a page whose address is printed stands for their phones.`

export const demo: Command = {
  name: 'demo',
  summary: 'runs the service with a sample network',
  usage: 'belfry demo [options] [settings]',
  text,
  options,
  listed: allSettings,
  runsService: true,
  defaults: {
    ...{ BELFRY_DATA: './data-demo', BELFRY_NOTIFY_LOOPBACK: 'yes' },
    // Soon enough for somebody who watches.
    ...{ BELFRY_ASK_SECONDS: '20', BELFRY_LEARN_SECONDS: '300' },
  },
  async run({ options, config }, environment) {
    const pace = numberOf('pace', options.pace ?? '3') * 1000
    const chance = chanceOf(options.seed)
    const days = options.past === undefined ? (pace > 0 ? defaultDays : 0) : daysOf(options.past)
    await preparePast(config, days, chanceOf(options.seed))
    const standIns = new StandIns()
    const own = withOwnAddress(config)
    const settings = pace > 0 ? withMessages(own) : own
    return runService(settings, environment, { standIn: standIns.at }, async (app) => {
      await prepare(app, config, pace > 0)
      if (pace === 0) return undefined
      const phone = config['notify-loopback'] === 'yes' ? await startPhone(app, config) : undefined
      const agents = await startAgents(app, standIns)
      console.log(`Things happen: try curl '${app.url}/fault/alarm?recStatus=0&desc=true&size=3'`)
      const endStory = startStory(app, config, { pace, chance, ...(agents && { agents }) })
      return async () => {
        await endStory()
        await phone?.close()
        await agents?.close()
      }
    })
  },
}

/** Enough for reports of a whole week. */
const defaultDays = 14
const maxDays = 60

const chanceOf = (seed: string | undefined): Chance =>
  seed === undefined ? Math.random : seeded(numberOf('seed', seed))

function daysOf(value: string): number {
  const days = numberOf('past', value)
  if (days <= maxDays) return days
  throw new Fault('invalid', `--past ${shown(value)}: expected 0 to ${maxDays} days`)
}

/** Only a new store has one: what is in another must stay true. */
async function preparePast(config: Config, days: number, chance: Chance): Promise<void> {
  if (days === 0 || !hasNoStore(config)) return
  console.log(`Making up the last ${days} days of the sample network`)
  await makePast(config, { days, chance }, ({ database }) =>
    database.transaction((tx) => setCounter(tx, pastMark, 1)),
  )
}

/** Messages have links by which people act, where it is known how their browsers reach the service. */
function withOwnAddress(config: Config): Config {
  const { host, port } = config.listen
  const isKnown = config['public-url'] !== '' || port === 0 || host !== '127.0.0.1'
  return isKnown ? config : { ...config, 'public-url': `http://${host}:${port}` }
}

/** Where people cannot be told, the demo goes on without them, and says why. */
async function startPhone(app: App, config: Config): Promise<DemoPhone | undefined> {
  const phone = await DemoPhone.open()
  try {
    if ((await readCounter(app.database, peopleMark)) === undefined) {
      await setUpPeople(addressOf(app), phone, config['time-zone'])
      await app.database.transaction((tx) => setCounter(tx, peopleMark, 1))
    } else await movePhones(addressOf(app), phone)
  } catch (error) {
    await phone.close()
    if (!(error instanceof Fault)) throw error
    console.error(`belfry: nobody is told of what happens: ${error.message}`)
    return undefined
  }
  console.log(`People are told of severe faults: their phones are at ${phone.url}`)
  return phone
}

/** Where this system has one loopback address only, the demo goes on without them, and says why. */
async function startAgents(app: App, standIns: StandIns): Promise<DemoAgents | undefined> {
  let agents: DemoAgents | undefined
  try {
    agents = await DemoAgents.open(addressOf(app), standIns)
    await agents.setUp(addressOf(app))
    console.log(
      `Its devices answer on loopback: try npx belfry ask ${agents.example}, community ${demoCommunity}`,
    )
    return agents
  } catch (error) {
    await agents?.close()
    console.error(`belfry: the devices do not answer questions: ${(error as Error).message}`)
    return undefined
  }
}

function numberOf(name: string, value: string): number {
  const number = Number(value)
  if (value.trim() !== '' && number >= 0 && number <= 1e9) return number
  throw new Fault('invalid', `--${name} ${shown(value)}: expected a number from 0 on`)
}

async function prepare(app: App, config: Config, withTroubles: boolean): Promise<void> {
  const { url, database } = app
  if ((await readCounter(database, sampleCounter)) !== undefined) return
  if ((await readCounter(database, pastMark)) === undefined) await loadSample(addressOf(app), config.data)
  await placeTerminals(app, config, withTroubles)
  await database.transaction((tx) => setCounter(tx, sampleCounter, 1))
  console.log(`The sample network is loaded: try curl '${url}/plat/res/device?size=3'`)
}

interface StoryOptions {
  /** Milliseconds between two traps, on average. */
  readonly pace: number
  readonly chance: Chance
  /** How often each incident happens; by default without end. */
  readonly chapters?: number
  readonly print?: (line: string) => void
  readonly agents?: DemoAgents
}

/** Returns how to end it. */
function startStory(app: App, config: Config, options: StoryOptions): () => Promise<void> {
  const over = new AbortController()
  const { signal } = over
  const { agents, chance } = options
  const said = (line: string) => console.log(`${clockText(new Date())}  ${line}`)
  const stories = [playStory(app, config, options, signal), agents?.losePower(chance, said, signal)].map(
    (one) =>
      one?.catch((error) => {
        if (!signal.aborted) console.error(`belfry: the story broke off: ${error.message}`)
      }),
  )
  return async () => {
    over.abort()
    await Promise.all(stories)
  }
}

const trapsOf = ({ trapPort }: Pick<App, 'trapPort'>, { traps }: Config) => ({
  host: traps[0]?.host.includes(':') ? '::1' : '127.0.0.1',
  port: trapPort,
})

const communityOf = (config: Config) => config['trap-communities'][0] ?? 'public'

/** Sends the traps of the story over the loopback, on behalf of the devices of the network. */
export async function playStory(
  app: Pick<App, 'url' | 'adminSocket' | 'trapPort' | 'syslogPorts'>,
  config: Config,
  { pace, chance, chapters, print = console.log, agents }: StoryOptions,
  signal?: AbortSignal,
): Promise<void> {
  const to = trapsOf(app, config)
  const community = communityOf(config)
  // A UPS sends SNMPv1, as real ones do.
  const senders = {
    old: await TrapSender.open(to, { version: '1', community }),
    new: await TrapSender.open(to, { version: '2c', community }),
  }
  const devices = await devicesOf(addressOf(app))
  const { udp } = app.syslogPorts
  // Their own chance: the same seed tells the same story with them and without.
  const messages =
    udp === undefined
      ? undefined
      : await DemoMessages.open({ host: '127.0.0.1', port: udp }, devices, Math.random)
  try {
    for (const step of storySteps(devices, chance, chapters)) {
      await sleep(pace * (0.5 + chance()), undefined, signal && { signal })
      if (step.work) {
        await planWork(addressOf(app), step.device, step.work)
        print(lineOf(step, new Date()))
        continue
      }
      agents?.follow(step)
      const event = standardEvents.find(({ name }) => name === step.event)
      const variables = Object.entries(step.variables).map(([name, value]) => ({ name, value }))
      const sender = step.event.startsWith('ups') ? senders.old : senders.new
      await sender.send({
        oid: event?.eventOid ?? '',
        variables: variablesOf(event, variables),
        agent: step.device.ip,
      })
      await messages?.tell(step)
      print(lineOf(step, new Date()))
    }
  } finally {
    senders.old.close()
    senders.new.close()
    await messages?.close().catch(() => undefined)
  }
}

const clockText = (now: Date) => now.toTimeString().slice(0, 8)
const lineOf = ({ device, event, text: said }: Step, now: Date) =>
  `${clockText(now)}  ${device.label.padEnd(15)} ${event.padEnd(28)} ${said}`

/** Long enough for what happens in it; where the demo is stopped meanwhile, the window ends by itself. */
const workMinutes = 30

/** A window per device, which is used again the next time. */
async function planWork(url: string, device: StoryDevice, work: 'begins' | 'ends'): Promise<void> {
  const path = `${url}/fault/maintenance`
  const name = `${device.label}, new software`
  const { maintenance = [] } = await askJson<{ maintenance?: { id: string; active: string }[] }>(
    `${path}?name=${encodeURIComponent(name)}`,
  )
  const [known] = maintenance
  if (work === 'ends') {
    if (known?.active === 'true') await askJson(`${path}/end/${known.id}`, 'PUT')
    return
  }
  const window = { name, reason: 'Planned by the demo', minutes: workMinutes, device: [device.id] }
  await (known ? askJson(`${path}/${known.id}`, 'PUT', window) : askJson(path, 'POST', window))
}

/** Switches report where the terminals of the bindings are. */
export async function placeTerminals(
  app: Pick<App, 'url' | 'adminSocket' | 'trapPort'>,
  config: Config,
  withTroubles: boolean,
): Promise<void> {
  const url = addressOf(app)
  const bindings = await askJson<{ macAccessBind?: ShownBinding[] }>(
    `${url}/res/access/macAccessBind?size=1000`,
  )
  const { device = [] } = await askJson<{ device?: ShownDevice[] }>(`${url}/plat/res/device?size=1000`)
  const sender = await TrapSender.open(trapsOf(app, config), {
    version: '2c',
    community: communityOf(config),
  })
  await sendSightings(sender, noticesOf(bindings.macAccessBind ?? [], device, withTroubles))
  sender.close()
}
