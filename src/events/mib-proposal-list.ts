// A cache of the proposals of a store, computed once for each state of its modules and definitions.

import type { Database } from '../store/database.ts'
import { TableCache } from '../store/table-cache.ts'
import { threadFile } from '../store/worker-thread.ts'
import type { ListedProposal } from './mib-proposing.ts'

const proposingModule = threadFile('./mib-proposing.ts', import.meta.url)

export class MibProposalList {
  readonly #database: Pick<Database, 'version' | 'workInBackground'>
  readonly #made: TableCache<readonly ListedProposal[]>

  constructor(database: Pick<Database, 'version' | 'workInBackground'>) {
    this.#database = database
    this.#made = new TableCache(database, 'mib_definition', 'trap_event')
  }

  current(): Promise<readonly ListedProposal[]> {
    return this.#made.get(this.#database, (database) =>
      database.workInBackground<ListedProposal[]>(proposingModule, undefined, { ownThread: true }),
    )
  }
}
