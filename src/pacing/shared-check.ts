// A check that several callers wait for at once.

/**
 * Checks that are shared by all who ask at the same time: a check that was under way already may have come too early.
 */
export class SharedCheck {
  #underWay: Promise<void> | undefined
  #next: Promise<void> | undefined

  /** Resolves when a check is over that began after the call. */
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
