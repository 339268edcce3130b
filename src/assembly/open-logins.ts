// Sets up access control: logins, the first operator, and the summaries of logins in the audit log.

import type { Logger } from 'pino'
import { createFirstOperator, requireOperatorFor } from '../access/first-operator.ts'
import { LoginSummary } from '../access/login-summary.ts'
import { Logins } from '../access/logins.ts'
import type { Config } from '../config/config.ts'
import type { Store } from '../store/database.ts'

interface LoginParts {
  readonly database: Store
  readonly clock: () => number
  readonly summaries: ReturnType<typeof loginSummaries>
  readonly log: Logger
}

/** Access control. Without operators, the service must only be reachable from this machine. */
export async function openLogins(
  config: Config,
  adminPassword: string | undefined,
  { database, clock, summaries, log }: LoginParts,
): Promise<Logins> {
  const logins = new Logins({
    database,
    realm: config.realm,
    clock,
    sessionLimits: {
      absolute: config['session-hours'] * 3_600_000,
      idle: config['session-idle-minutes'] * 60_000,
    },
    providerTokenLife: config['openid-token-days'] * 24 * 3_600_000,
    onRefusedLogin: (refused) => {
      log.warn({ ...refused }, 'a login was refused')
      summaries.refusedLogins.add(refused)
    },
    onLogin: (login) => summaries.logins.add(login),
    onError: (error) => log.error({ err: error }, 'the time of a login could not be saved'),
  })
  const first = { file: config['admin-password-file'], fromEnvironment: adminPassword }
  await createFirstOperator(logins, database, first, log)
  await requireOperatorFor(config.listen.host, logins)
  return logins
}

/** Anyone can cause any number of these: the audit log gets summaries. */
export function loginSummaries(
  database: Store,
  clock: () => number,
  started: (() => Promise<void> | void)[],
) {
  const summaries = {
    refusedLogins: new LoginSummary(database, clock, 'login-refused'),
    logins: new LoginSummary(database, clock, 'login'),
    refusedCalls: new LoginSummary(database, clock, 'forbidden'),
  }
  started.push(async () => {
    for (const entries of Object.values(summaries)) await entries.record(true)
  })
  return summaries
}
