// Starts what asks devices: whether they are there, what they say of themselves, and whether their alarms are still so.

import type { Logger } from 'pino'
import type { AlarmEngine } from '../alarms/engine/engine.ts'
import { Learner } from '../ask/know/learner.ts'
import type { QuestionSocket } from '../ask/question-socket.ts'
import { ReachAsker } from '../ask/reach/reach-asker.ts'
import { shippedChecks } from '../ask/verify/checks.ts'
import { Surveyor } from '../ask/verify/surveyor.ts'
import { Verifier } from '../ask/verify/verifier.ts'
import type { Config } from '../config/config.ts'
import type { Keys } from '../keys/key-ring.ts'
import type { Store } from '../store/database.ts'
import type { StoreDuties } from '../upkeep/upkeep.ts'

export interface AskingParts {
  readonly database: Store
  readonly keys: Keys
  readonly log: Logger
  readonly engine: AlarmEngine
  readonly node: { readonly name: string } | undefined
  readonly questions: QuestionSocket
  readonly duties: StoreDuties
}

/** Returns a function that stops it. */
export function startAsking(
  config: Config,
  { node, duties, engine, ...parts }: AskingParts,
): () => Promise<void> {
  const everySeconds = config['learn-seconds']
  const keepDays = config['keep-terminals-days']
  const learner = everySeconds === 0 ? undefined : new Learner({ ...parts, everySeconds, keepDays })
  const verifying = {
    ...parts,
    rules: shippedChecks,
    definitions: () => engine.definitions(),
    againSeconds: config.limits.verifyAgainSeconds,
  }
  const surveyor = new Surveyor(verifying)
  const verifier = new Verifier({
    ...verifying,
    everySeconds: config['verify-seconds'],
    quietSeconds: config.limits.verifyQuietSeconds,
    turn: (id, session) => surveyor.add(id, session),
  })
  const asker = new ReachAsker({
    ...{ ...parts, node: node?.name, isLeader: () => duties.isLeader() },
    answered(id, session, hasRestarted) {
      learner?.offer(id, session, hasRestarted)
      verifier.offer(id, session, hasRestarted)
    },
    everySeconds: config['ask-seconds'],
    leaseSeconds: config['lease-seconds'],
  })
  learner?.start()
  verifier.start()
  surveyor.start()
  asker.start()
  return async () => {
    await asker.stop()
    await learner?.stop()
    await verifier.stop()
    await surveyor.stop()
  }
}
