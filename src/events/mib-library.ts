// The modules of a store with resolved names, rebuilt when the modules change, and the catalogue of events of modules
// that nobody has loaded. The service has one instance, because it is large.

import { Library } from '../mibs/module-library.ts'
import type { ModuleText } from '../mibs/module-text.ts'
import { TimeSlice } from '../pacing/time-slice.ts'
import { readDefinitions, sizeOfModules } from '../resources/alarms/mib-module.ts'
import type { Database } from '../store/database.ts'
import { TableCache } from '../store/table-cache.ts'
import { VendorCatalogue } from './vendor-catalogue.ts'

export type ModuleStore = Pick<Database, 'version' | 'all'>

/** Objects and notifications. Building a larger library takes longer than traps should wait. */
const largeSize = 5000

export class MibLibrary {
  readonly #store: ModuleStore
  readonly #cache: TableCache<Library>
  readonly #empty = new Library([])
  readonly vendors = new VendorCatalogue()

  constructor(store: ModuleStore) {
    this.#store = store
    this.#cache = new TableCache(store, 'mib_definition')
  }

  /** The library as of the last refresh. */
  get current(): Library {
    return this.#cache.last ?? this.#empty
  }

  /** Builds the library again if modules have changed, in small steps between which other work runs. */
  async refresh(): Promise<Library> {
    while (!this.#cache.isCurrent(this.#store)) await this.#cache.get(this.#store, build)
    return this.current
  }

  /** The same for callers that must not wait: they go on with the old library while a large one is built. */
  async refreshSoon(): Promise<void> {
    if (this.#cache.isCurrent(this.#store)) return
    if (this.#cache.last && (await sizeOfModules(this.#store)) > largeSize) {
      // If it fails, the next call tries again.
      this.refresh().catch(() => undefined)
    } else await this.refresh()
  }
}

async function build(store: ModuleStore): Promise<Library> {
  const timeSlice = new TimeSlice()
  const texts: ModuleText[] = []
  for await (const text of readDefinitions(store)) {
    texts.push(text)
    await timeSlice.step()
  }
  return Library.inSteps(texts, () => timeSlice.step())
}
