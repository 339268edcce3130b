// A switch with a port that is down, which notes who asks it whether it still is.

import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { Variable } from '../../src/snmp/variables.ts'
import { type Asked, TestAgent } from '../ask/agent.ts'
import { switchValues } from '../ask/know-world.ts'
import { community } from '../ask/reach-world.ts'
import { ifIndex, linkDown, v2c } from '../intake/sending.ts'

const operState = '1.3.6.1.2.1.2.2.1.8.1'
const adminState = '1.3.6.1.2.1.2.2.1.7.1'

/** A fault that nobody has reported is asked about with the state that was wanted. */
const isVerification = ({ kind, oids }: Asked) =>
  kind === 'get' && oids.includes(operState) && !oids.includes(adminState)

export class AlarmedSwitch implements AsyncDisposable {
  readonly host: string
  id = ''
  readonly #values: Variable[] = []
  readonly #startedAt = performance.now() - 86_400_000
  #oper: 1 | 2 = 2
  #agent: TestAgent | undefined
  /** When it was asked about its alarm, and from which port. */
  readonly verified: { readonly at: number; readonly port: number }[] = []

  private constructor(host: string) {
    this.host = host
    this.set(this.#oper)
  }

  static async start(host: string, port: number): Promise<AlarmedSwitch> {
    const one = new AlarmedSwitch(host)
    let isAbout = false
    one.#agent = await TestAgent.start({
      ...{ values: one.#values, host, port, community },
      answer(asked, honest) {
        isAbout = isVerification(asked)
        one.set(one.#oper)
        return honest()
      },
      send(bytes, from, socket) {
        if (isAbout) one.verified.push({ at: Date.now(), port: from.port })
        isAbout = false
        socket.send(bytes, from.port, from.address)
      },
    })
    return one
  }

  /** 1: its port is up; 2: down. */
  set(oper: 1 | 2): void {
    this.#oper = oper
    const ports = [{ index: 1, name: 'Gi0/1', oper }]
    const uptime = Math.floor((performance.now() - this.#startedAt) / 10)
    this.#values.splice(0, this.#values.length, ...switchValues({ name: this.host, ports, uptime }))
  }

  async report(trapPort: number): Promise<void> {
    const sender = createSocket('udp4')
    sender.bind(0, this.host)
    await once(sender, 'listening')
    await new Promise((sent) => sender.send(v2c(linkDown, [ifIndex(1)]), trapPort, '127.0.0.1', sent))
    sender.close()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent?.[Symbol.asyncDispose]()
  }
}
