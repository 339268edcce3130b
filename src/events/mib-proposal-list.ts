// A cache of the proposals of a store, computed once for each state of its modules and definitions.

import type { Database } from '../store/database.ts'
import { threadFile } from '../store/worker-thread.ts'
import type { ListedProposal } from './mib-proposing.ts'

const proposingModule = threadFile('./mib-proposing.ts', import.meta.url)

export class MibProposalList {
  readonly #database: Pick<Database, 'version' | 'workInBackground'>
  #made: { readonly state: string; readonly proposals: Promise<readonly ListedProposal[]> } | undefined

  constructor(database: Pick<Database, 'version' | 'workInBackground'>) {
    this.#database = database
  }

  current(): Promise<readonly ListedProposal[]> {
    const state = ['mib_definition', 'trap_event'].map((table) => this.#database.version(table)).join(' ')
    if (this.#made?.state !== state) {
      const proposals = this.#database.workInBackground<ListedProposal[]>(proposingModule, undefined, {
        ownThread: true,
      })
      const made = { state, proposals }
      this.#made = made
      // What failed is tried again by the next caller.
      proposals.catch(() => {
        if (this.#made === made) this.#made = undefined
      })
    }
    return this.#made.proposals
  }
}
