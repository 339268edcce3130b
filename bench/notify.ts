// Messages to people: how many leave in a second, how long after the change, and whether each incident is in order.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { benchmark, type Stage } from './frame.ts'
import { processorSeconds } from './processes.ts'
import { ask, until } from './requests.ts'
import { at, type Goal, type Line, whole } from './table.ts'

const full = { seconds: 10, rate: 100 }
const quick = { seconds: 5, rate: 100 }
type Plan = typeof full

const channels = 50
/** A route that opens more than ten incidents a minute has a storm, which is one message. */
const perRoute = 5
const waitGoal: Goal = { sign: '≤', first: 5, later: 2 }
const orderGoal: Goal = { sign: '≤', first: 0, later: 0 }

const meaning = [
  `Alarms are raised at a steady rate over HTTP, and recovered after all of them; each is told through one of ${channels} channels`,
  'of one webhook, which answers at once. Wait: from the answer to the change until the webhook has the message.',
  'Out of order: messages that say that an alarm is over before those that say that it was raised, or twice the same.',
]

interface Come {
  readonly alarm: string
  readonly change: string
  readonly at: number
}

/** A webhook that writes down what comes. */
async function receive(): Promise<{ url: string; come: Come[]; close(): void }> {
  const come: Come[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (piece) => {
      body += piece
    })
    request.on('end', () => {
      const { alarm, change } = JSON.parse(body)
      come.push({ alarm: alarm?.id ?? '', change, at: performance.now() })
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    come,
    close: () => server.close(),
  }
}

async function order({ plan, folder, processes }: Stage<Plan>): Promise<Line[]> {
  const count = plan.rate * plan.seconds
  console.log(`${plan.rate} messages a second for ${2 * plan.seconds} s…`)
  const child = processes.child('./measured-service.ts', folder, JSON.stringify({ 'notify-loopback': 'yes' }))
  const { port, pid } = await child.ask<{ port: number; pid: number }>('start')
  const post = async (path: string, body: object, method = 'POST') => {
    const { status, text, header } = await ask(port, path, { method, body: JSON.stringify(body) })
    if (status > 299) throw new Error(`${method} ${path}: ${status} ${text}`)
    return header('location').split('/').at(-1) ?? ''
  }
  const receiver = await receive()
  await post('/notify/gateway', { name: 'hook', kind: 'webhook', url: receiver.url })
  for (let id = 1; id <= channels; id += 1) {
    await post('/notify/channel', { gatewayId: '1', address: `room ${id}` })
    await post(`/notify/channel/${id}/confirm`, {}, 'PUT')
  }
  const ip = (device: number) => `10.0.${device >> 8}.${device & 255}`
  const devices = Math.ceil(count / perRoute)
  for (let device = 1; device <= devices; device += 1) {
    const step = [{ target: `channel:${(device % channels) + 1}` }]
    await post('/notify/route', { name: `route ${device}`, filter: `deviceIp=${ip(device)}`, step })
  }
  const raise = (index: number) =>
    post('/fault/alarm', {
      ...{ OID: '1.3.6.1.4.1.32473.7.1', alarmLevel: '2', resource: `door ${index}` },
      deviceIp: ip((index % devices) + 1),
    })
  /** Begins so many a second, and writes down when each was answered. */
  const steadily = async (work: (index: number) => Promise<string>, change: string) => {
    const answered = new Map<string, number>()
    const began = performance.now()
    const running: Promise<void>[] = []
    for (let index = 0; index < count; index += 1) {
      await sleep(Math.max(0, began + (index * 1000) / plan.rate - performance.now()))
      running.push(work(index).then((id) => void answered.set(id, performance.now())))
    }
    await Promise.all(running)
    const ofChange = () => receiver.come.filter((one) => one.change === change)
    await until(async () => ofChange().length >= count)
    const found = ofChange()
    const seconds = ((found.at(-1)?.at ?? 0) - began) / 1000
    const waits = found.map((one) => (one.at - (answered.get(one.alarm) ?? one.at)) / 1000)
    return { rate: count / seconds, waits, ids: [...answered.keys()] }
  }
  const used = processorSeconds(pid)
  const raised = await steadily(raise, 'raised')
  const recovered = await steadily(async (index) => {
    const id = raised.ids[index] ?? ''
    await ask(port, `/fault/alarm/recover/${id}`, { method: 'PUT' })
    return id
  }, 'recovered')
  const cost = (processorSeconds(pid) - used) / receiver.come.length
  receiver.close()
  const lines = (
    [
      ['raised', raised],
      ['recovered', recovered],
    ] as const
  ).flatMap(([change, { rate, waits }]) => [
    { work: `messages of ${change} alarms, of ${plan.rate}/s`, here: `${rate.toFixed(0)}/s` },
    {
      work: `wait of these messages, p99`,
      here: `longest ${at(waits, 1).toFixed(2)} s, half of them ${at(waits, 0.5).toFixed(2)} s`,
      ratio: at(waits, 0.99),
      unit: ' s',
      goal: waitGoal,
    },
  ])
  return [
    ...lines,
    { work: 'processor time of a message, with its change', here: `${(cost * 1000).toFixed(1)} ms` },
    {
      work: `messages out of order, of ${whole(receiver.come.length)}`,
      ratio: outOfOrder(receiver.come),
      unit: '',
      goal: orderGoal,
    },
  ]
}

function outOfOrder(come: readonly Come[]): number {
  const expected = ['raised', 'recovered']
  const byAlarm = Map.groupBy(come, ({ alarm }) => alarm)
  return [...byAlarm.values()].filter((some) => some.some(({ change }, index) => change !== expected[index]))
    .length
}

export default benchmark({
  summary: 'messages to people: how many a second, how late, and in order',
  title: 'Messages to people',
  meaning,
  full,
  quick,
  parts: { order },
})
