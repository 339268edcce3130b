// Whether machines are there that are asked for nothing else: by a connection over TCP, or by an echo.

import { type AskProfile, byIcmp } from '../../resources/inventory/ask-profile.ts'
import { AskFault } from '../ask-fault.ts'
import type { SystemFacts } from '../device-facts.ts'
import { retryPolicyOf, type Trial } from '../profile-session.ts'
import type { QuestionSocket } from '../question-socket.ts'
import { FpingReach } from './fping-reach.ts'
import { TcpReach } from './tcp-reach.ts'

export class BareReach {
  readonly #questions: QuestionSocket
  readonly #tcp: TcpReach
  readonly #fping: FpingReach

  constructor(questions: QuestionSocket) {
    this.#questions = questions
    this.#tcp = new TcpReach(questions)
    this.#fping = new FpingReach({ perSecond: questions.perSecond })
  }

  /** The milliseconds of the round trip if the machine is there; else throws an `AskFault`. */
  ask(ip: string, profile: AskProfile): Promise<number> {
    const device = this.#questions.deviceAt(ip, profile.port)
    const retryPolicy = retryPolicyOf(profile)
    return profile.version === byIcmp
      ? this.#fping.ask(device.address, retryPolicy)
      : this.#tcp.ask(device, retryPolicy)
  }

  /** Ends runs that are under way. */
  stop(): void {
    this.#fping.stop()
  }
}

const nothingSaid: SystemFacts = {
  ...{ description: undefined, objectId: undefined, uptime: undefined },
  ...{ contact: undefined, name: undefined, location: undefined },
}

/** What came of asking one machine. */
export async function tryBare(
  questions: QuestionSocket,
  address: string,
  profile: AskProfile,
): Promise<Trial> {
  try {
    const milliseconds = await new BareReach(questions).ask(address, profile)
    return { system: nothingSaid, milliseconds: Math.round(milliseconds) }
  } catch (error) {
    if (!(error instanceof AskFault)) throw error
    return { reason: error.reason, text: error.message }
  }
}
