// A figure of a measurement.

/** How many of how many. */
export class Share {
  right = 0
  all = 0

  add(isRight: boolean): void {
    this.all += 1
    if (isRight) this.right += 1
  }

  toString(): string {
    const percent = this.all === 0 ? '–' : `${Math.round((this.right / this.all) * 100)} %`
    return `${percent} (${this.right} of ${this.all})`
  }
}
