// Shows the progress of long work as a bar on a terminal.

/** A bar on a terminal; silent where standard error is not one. */
export class ProgressBar {
  readonly #label: string
  readonly #out = process.stderr
  #lastShown = 0

  constructor(label: string) {
    this.#label = label
  }

  show(done: number, whole: number, note: string): void {
    const now = Date.now()
    if (!this.#out.isTTY || now - this.#lastShown < 100) return
    this.#lastShown = now
    const share = whole === 0 ? 1 : Math.min(1, done / whole)
    const width = 30
    const filled = Math.round(share * width)
    const bar = '#'.repeat(filled) + '-'.repeat(width - filled)
    this.#out.write(`\r\u001b[K${this.#label} [${bar}] ${Math.round(share * 100)}% ${note}`)
  }

  clear(): void {
    if (this.#out.isTTY) this.#out.write('\r\u001b[K')
  }
}
