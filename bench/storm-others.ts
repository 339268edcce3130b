// Fifty devices that send now and then: informs, so that each knows when its own was kept. A process of its own.

import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { readAnswer } from '../src/snmp/send.ts'
import { answer } from './children.ts'
import { inform } from './trap-datagram.ts'

export interface Talk {
  readonly port: number
  /** Their addresses: 127.0.0.`first` and on. */
  readonly first: number
  readonly devices: number
  /** Informs a second, of each. */
  readonly rate: number
  readonly seconds: number
  /** The first ifIndex: each number is an alarm of its own. */
  readonly from: number
}

export interface Heard {
  readonly sent: number
  /** Milliseconds from each inform to its answer; those without an answer are missing. */
  readonly answers: readonly number[]
}

async function talk({ port, first, devices, rate, seconds, from }: Talk): Promise<Heard> {
  const answers: number[] = []
  const open = async (index: number) => {
    const socket = createSocket('udp4')
    const asked = new Map<number, number>()
    socket.on('message', (bytes) => {
      const { requestId = 0 } = readAnswer(bytes) ?? {}
      const at = asked.get(requestId)
      if (at !== undefined) answers.push(performance.now() - at)
      asked.delete(requestId)
    })
    socket.bind(0, `127.0.0.${first + index}`)
    await once(socket, 'listening')
    return { socket, asked }
  }
  const all: { socket: Socket; asked: Map<number, number> }[] = []
  for (let index = 0; index < devices; index += 1) all.push(await open(index))
  const count = devices * rate * seconds
  const began = performance.now()
  for (let sent = 0; sent < count; ) {
    // Spread evenly, device after device.
    const due = Math.min(count, Math.ceil(((performance.now() - began) / 1000) * devices * rate))
    for (; sent < due; sent += 1) {
      const { socket, asked } = all[sent % devices] as (typeof all)[number]
      const index = from + Math.floor(sent / devices)
      asked.set(index, performance.now())
      socket.send(inform(index), port, '127.0.0.1')
    }
    await sleep(1)
  }
  for (let wait = 0; answers.length < count && wait < 50; wait += 1) await sleep(100)
  for (const { socket } of all) socket.close()
  return { sent: count, answers }
}

answer({ talk })
