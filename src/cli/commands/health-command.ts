// belfry health: whether the service is ready, for scripts and containers.

import { existsSync } from 'node:fs'
import { Fault } from '../../fault.ts'
import type { Command } from '../command.ts'
import { ask, runningService } from '../service-connection.ts'

const text = `Asks the service that runs on the data folder whether it is ready. For containers and scripts.

Exit codes: 0 ready, 1 not ready, or no service runs, 2 wrong arguments.`

export const health: Command = {
  name: 'health',
  summary: 'checks whether the service is ready',
  usage: 'belfry health [settings]',
  text,
  async run({ config }) {
    if (!existsSync(config.data))
      throw new Fault('unavailable', `there is no data folder ${config.data}: name it with --data`)
    const url = await runningService(config.data)
    if (url === undefined)
      throw new Fault('unavailable', `no service answers for the data folder ${config.data}`)
    const answer = await ask(`${url}/health`, { signal: AbortSignal.timeout(5000) })
    process.stdout.write(await new Response(answer).text())
    return 0
  },
}
