// Asks devices with the credentials of a profile.

import type { Keys } from '../keys/key-ring.ts'
import { type AskProfile, isBare, profileSecrets } from '../resources/inventory/ask-profile.ts'
import type { AuthAlgorithm, PrivAlgorithm } from '../snmp/usm-keys.ts'
import { UsmUser } from '../snmp/usm-user.ts'
import type { Reader } from '../store/database.ts'
import { AskFault } from './ask-fault.ts'
import { askSystem, type SystemFacts } from './device-facts.ts'
import { type Credentials, DeviceSession } from './device-session.ts'
import { explainSilence } from './port-probe.ts'
import type { QuestionSocket, RetryPolicy } from './question-socket.ts'

/** Undefined where it has none, or the key of its secrets is lost: they must be entered again. */
export async function profileCredentials(
  keys: Keys,
  profile: AskProfile,
  reader?: Reader,
): Promise<Credentials | undefined> {
  if (isBare(profile)) return undefined
  const secrets = await profileSecrets(keys, profile.id, reader)
  if (profile.secretSet.some((name) => secrets[name as keyof typeof secrets] === undefined)) return undefined
  const { community, authPassword, privPassword } = secrets
  const { version, userName, authAlgorithm, privAlgorithm } = profile
  if (version !== '3') return { version: version === '1' ? '1' : '2c', community: community ?? '' }
  const user = new UsmUser({
    name: userName ?? '',
    ...(authPassword !== undefined && {
      auth: { algorithm: authAlgorithm as AuthAlgorithm, password: authPassword },
    }),
    ...(privPassword !== undefined && {
      priv: { algorithm: privAlgorithm as PrivAlgorithm, password: privPassword },
    }),
  })
  return { version: '3', user }
}

export const lostSecrets = 'its secrets cannot be read, since their key is lost: they must be entered again'

export const sessionOf = (
  socket: QuestionSocket,
  address: string,
  profile: AskProfile,
  credentials: Credentials,
): DeviceSession =>
  new DeviceSession(socket, socket.deviceAt(address, profile.port), credentials, retryPolicyOf(profile))

export const retryPolicyOf = ({ timeoutSeconds, tries }: AskProfile): RetryPolicy => ({
  timeout: timeoutSeconds * 1000,
  attempts: tries,
})

/** What came of asking one device. */
export type Trial =
  | { readonly system: SystemFacts; readonly milliseconds: number }
  | { readonly reason: AskFault['reason']; readonly text: string }

/** Asks one device, to see whether the profile works; never throws because of what the device does. */
export async function tryDevice(session: DeviceSession): Promise<Trial> {
  const began = performance.now()
  try {
    const system = await askSystem(session)
    return { system, milliseconds: Math.round(performance.now() - began) }
  } catch (error) {
    if (!(error instanceof AskFault)) throw error
    const fault = error.reason === 'silent' ? await explainSilence(session.device, [error.message]) : error
    return { reason: fault.reason, text: fault.message }
  }
}
