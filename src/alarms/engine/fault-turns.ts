// Matches what traps and syslog messages report of the same fault. Both report the same turns, from recovery to fault and
// back, each in order, the one later than the other, and either may lose some. The n-th turn of one sense is the n-th turn
// of the other, if no more than 30 seconds lie between them.

export type Sense = 'trap' | 'message'

/** Milliseconds by which one sense may be later than the other. */
export const matchWindow = 30_000
/** The times of so many turns are kept; earlier ones count as long ago. */
const keptTimes = 64

/** As it is stored. */
export interface TurnState {
  /** How many turns there were. The odd ones are faults, the even ones their ends. */
  count: number
  /** When the last ones were received, from whichever sense was first. */
  times: number[]
  /** The last turn that each sense has reported. */
  readonly reached: Record<Sense, number>
  /** When each sense last reported an end. */
  readonly endedAt: Record<Sense, number>
}

/**
 * What a reported fault is: one to be treated like any other; one whose end was reported before; or one of which its own
 * sense has reported no end since it reported the last fault, while the other sense has: a repetition, or another fault.
 */
export type FaultReport = 'counts' | 'ended' | 'unclear'

export class FaultTurns {
  readonly state: TurnState

  constructor(
    state: TurnState = {
      ...{ count: 0, times: [] },
      reached: { trap: 0, message: 0 },
      endedAt: { trap: 0, message: 0 },
    },
  ) {
    this.state = state
  }

  /** A sense reports a fault; `isOpen`: its alarm is. */
  fault(sense: Sense, at: number, isOpen: boolean): FaultReport {
    this.#catchUp(sense, at, isOpen)
    const { reached } = this.state
    if (this.#isBeforeNext(sense, at)) return isOpen ? 'counts' : 'ended'
    const isAgain = reached[sense] % 2 === 1
    if (!isAgain) reached[sense] += 1
    if (reached[sense] > this.state.count) this.#turn(at)
    // The alarm of a fault whose end nobody has reported may have been ended by an operator.
    if (this.state.count % 2 === 1 || isOpen) return 'counts'
    return isAgain ? 'unclear' : 'ended'
  }

  /** A sense reports an end; returns false if it is the end of an earlier fault than that of the open alarm. */
  end(sense: Sense, at: number, isOpen: boolean): boolean {
    this.#catchUp(sense, at, isOpen)
    const { reached, endedAt } = this.state
    if (this.#isBeforeNext(sense, at)) return !isOpen
    const isAgain = Math.abs(at - endedAt[sense]) <= matchWindow
    endedAt[sense] = Math.max(endedAt[sense], at)
    if (reached[sense] % 2 === 1) reached[sense] += 1
    // Its report of the fault was lost.
    else if (reached[sense] < this.state.count && !isAgain) reached[sense] += 2
    if (reached[sense] > this.state.count) {
      this.#turn(at)
      return true
    }
    return this.state.count % 2 === 0 || !isOpen
  }

  /** An unclear fault turns out to be another one. */
  settle(sense: Sense, at: number): void {
    if (this.state.count % 2 === 0) this.#turn(at)
    this.state.reached[sense] = this.state.count
  }

  #turn(at: number): void {
    this.state.count += 1
    this.state.times.push(at)
    if (this.state.times.length > keptTimes) this.state.times.shift()
  }

  #timeOf(turn: number): number {
    const { count, times } = this.state
    return times[times.length - 1 - (count - turn)] ?? 0
  }

  /** What a sense has not reported within the window, it does not report any more. */
  #catchUp(sense: Sense, at: number, isOpen: boolean): void {
    const { reached } = this.state
    const isOld = (turn: number) => this.#timeOf(turn) < at - matchWindow
    // Operators, other events and limits raise and end alarms, too.
    if ((this.state.count % 2 === 1) !== isOpen && isOld(this.state.count)) {
      this.#turn(this.#timeOf(this.state.count))
      reached.trap = this.state.count
      reached.message = this.state.count
    }
    while (reached[sense] < this.state.count && isOld(reached[sense] + 1)) reached[sense] += 1
  }

  /** It was received long before the next turn that the sense could report: its block has waited. */
  #isBeforeNext(sense: Sense, at: number): boolean {
    const next = this.state.reached[sense] + 1
    return next <= this.state.count && this.#timeOf(next) > at + matchWindow
  }
}
