// All loaded modules with resolved names: the object of an OID, the labels of its values, the objects of a
// notification. Rebuilt when a module is added or removed.

import { Builder, type LibraryModule, type MibNotification, stepSize } from './module-resolver.ts'
import type { ModuleText } from './module-text.ts'
import { type Found, OidTree } from './oid-tree.ts'

export class Library {
  /** By key. */
  readonly modules = new Map<string, LibraryModule>()
  #tree: OidTree | undefined
  readonly #notifications = new Map<string, MibNotification>()

  constructor(texts: readonly ModuleText[]) {
    for (const _ of this.#read(texts));
  }

  /** The same in small steps, where others need the thread: `step` lets them have it. */
  static async inSteps(
    texts: readonly ModuleText[],
    step: () => Promise<void> | undefined,
  ): Promise<Library> {
    const library = new Library([])
    for (const _ of library.#read(texts)) await step()
    return library
  }

  /** Each time it yields, a step is done. */
  *#read(texts: readonly ModuleText[]): Generator<undefined> {
    const builder = new Builder(texts)
    for (const module of builder.build()) {
      if (module) this.modules.set(module.key, module)
      yield
    }
    // Where nothing was loaded OIDs are shown, also of the few objects that are known anyway.
    if (texts.length > 0) {
      this.#tree = yield* OidTree.of(builder.leaves(), stepSize)
    }
    for (const module of this.modules.values()) {
      for (const one of module.notifications) this.#notifications.set(one.oid, one)
      yield
    }
  }

  /** The object that a variable is an instance of. */
  find(oid: string): Found | undefined {
    return this.#tree?.find(oid)
  }

  /** Those that have this name, the latest first. */
  named(name: string): LibraryModule[] {
    return [...this.modules.values()].filter((module) => module.name === name).reverse()
  }

  notification(oid: string): MibNotification | undefined {
    return this.#notifications.get(oid)
  }
}
