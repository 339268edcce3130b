// The modules of a store with resolved names, rebuilt when the modules change. The service has one instance, because
// it is large.

import { Library } from '../mibs/module-library.ts'
import type { ModuleText } from '../mibs/module-text.ts'
import { TimeSlice } from '../pacing/time-slice.ts'
import { readDefinitions, sizeOfModules } from '../resources/alarms/mib-module.ts'
import type { Database } from '../store/database.ts'

export type ModuleStore = Pick<Database, 'version' | 'all'>

/** Objects and notifications. To build a library of more takes longer than traps should wait for. */
const largeSize = 5000

export class MibLibrary {
  readonly #store: ModuleStore
  #library = new Library([])
  #version = -1
  #building: Promise<void> | undefined

  constructor(store: ModuleStore) {
    this.#store = store
  }

  /** As it was at the last refresh. */
  get current(): Library {
    return this.#library
  }

  /** Brings it up to date, and returns it. Others have the thread between small steps. */
  async refresh(): Promise<Library> {
    while (this.#isOld) {
      this.#building ??= this.#build().finally(() => {
        this.#building = undefined
      })
      await this.#building
    }
    return this.#library
  }

  get #isOld(): boolean {
    return this.#version !== this.#store.version('mib_definition')
  }

  async #build(): Promise<void> {
    const version = this.#store.version('mib_definition')
    const pace = new TimeSlice()
    const texts: ModuleText[] = []
    for await (const content of readDefinitions(this.#store)) {
      texts.push(JSON.parse(content))
      await pace.step()
    }
    this.#library = await Library.inSteps(texts, () => pace.step())
    this.#version = version
  }

  /** The same for callers that must not be held up: a large one is brought up to date while they go on without it. */
  async refreshSoon(): Promise<void> {
    if (!this.#isOld) return
    const known = this.#version !== -1
    if (known && (await sizeOfModules(this.#store)) > largeSize) {
      // What fails now is tried again the next time.
      this.refresh().catch(() => undefined)
    } else await this.refresh()
  }
}
