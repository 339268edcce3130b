// The modules of a store with their names resolved, built anew when its modules change. It is large: the service has
// one, which is passed to whoever needs it.

import { Library } from '../mibs/library.ts'
import type { ModuleText } from '../mibs/module.ts'
import { readDefinitions } from '../resources/alarms/mib-module.ts'
import type { Database, Reader } from '../store/database.ts'

type Versioned = Pick<Database, 'version'>

/** A library of this many objects takes a good part of a second to build, so not every change builds one. */
const largeSize = 20_000
const patience = 5000

export class MibLibrary {
  readonly #database: Versioned
  #library = new Library([])
  #version = -1
  #builtAt = 0

  constructor(database: Versioned) {
    this.#database = database
  }

  /** As it was at the last refresh. */
  get current(): Library {
    return this.#library
  }

  /** Brings it up to date, and returns it. */
  async refresh(reader: Reader): Promise<Library> {
    const version = this.#database.version('mib_definition')
    if (version === this.#version) return this.#library
    const contents = await readDefinitions(reader)
    this.#library = new Library(contents.map((content) => JSON.parse(content) as ModuleText))
    this.#version = version
    this.#builtAt = performance.now()
    return this.#library
  }

  /**
   * The same for callers that must not be held up: while many modules are being loaded, a large one may be seconds old.
   */
  async refreshNowAndThen(reader: Reader): Promise<Library> {
    const isFresh = performance.now() - this.#builtAt < patience
    return this.#library.size > largeSize && isFresh ? this.#library : this.refresh(reader)
  }
}
