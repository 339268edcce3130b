// Tasks that run one after the other: all of them, or those of the same name.

/** Runs tasks one after the other, in the order they came; a failed task does not stop the next. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve()

  run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#last.then(task)
    this.#last = result.catch(() => undefined)
    return result
  }

  idle(): Promise<unknown> {
    return this.#last
  }
}

/** Runs tasks of the same name one after the other; those of different names do not wait for each other. */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<unknown>>()

  async run<T>(name: string, task: () => Promise<T>): Promise<T> {
    const result = (this.#last.get(name) ?? Promise.resolve()).then(task)
    const end = result.catch(() => undefined)
    this.#last.set(name, end)
    try {
      return await result
    } finally {
      if (this.#last.get(name) === end) this.#last.delete(name)
    }
  }
}

/**
 * Shares a check among all who ask at the same time. A check that was already running does not count, because it may
 * have read too early.
 */
export class SharedCheck {
  #underWay: Promise<void> | undefined
  #next: Promise<void> | undefined

  /** Resolves when a check that began after the call is over. */
  after(check: () => Promise<void>): Promise<void> {
    if (!this.#underWay) return this.#begin(check)
    this.#next ??= this.#underWay
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined
        return this.#begin(check)
      })
    return this.#next
  }

  #begin(check: () => Promise<void>): Promise<void> {
    const checking = check().finally(() => {
      if (this.#underWay === checking) this.#underWay = undefined
    })
    this.#underWay = checking
    return checking
  }
}
