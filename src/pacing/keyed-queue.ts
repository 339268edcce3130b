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
