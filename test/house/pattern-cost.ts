// How long a regular expression may take, derived from its syntax. Node's engine backtracks: a text that can be divided
// in several ways is tried in all of them before it is refused, which takes the square of its length, or worse.
//
// A pattern is turned into an automaton, one state for each character it can consume. Two states p and q, and a text
// that leads from p to p, from p to q and from q to q, are what makes a refusal slow: the step from p to q can be
// anywhere. Where p is q, and there are two paths around, the number of paths doubles with each character.

import { type AST, RegExpParser } from '@eslint-community/regexpp'

interface State {
  readonly number: number
  readonly takes: ReadonlySet<number>
  /** Each with the number of paths that lead there without consuming anything. */
  readonly next: Map<State, number>
  /** The match ends here, whatever follows. */
  accepts: boolean
}

/** A part of a pattern: where it begins and ends, and whether it can match without consuming anything. */
interface Part {
  readonly first: readonly State[]
  /** Each with whether the part surely ends there: a word boundary, for instance, may still fail. */
  readonly last: ReadonlyMap<State, boolean>
  readonly empty: 'no' | 'perhaps' | 'yes'
}

const nothing: Part = { first: [], last: new Map(), empty: 'yes' }
/** What is repeated more often than this counts as repeated for ever. */
const bounded = 64
/** Copies of what is repeated a number of times: the exact number makes no difference to the result. */
const copies = 3
// All of Latin-1, and what classes such as \s, \p{…} and the dot treat apart beyond it.
const alphabet = [
  ...Array.from({ length: 0x180 }, (_, code) => String.fromCharCode(code)),
  ...'\u2028\u3000\u4e00\ud800\ufeff\ufffd\uffff',
]

/** Why the pattern may be slow, or nothing. */
export function slowness(source: string, flags: string): string | undefined {
  const unicodeSets = flags.includes('v')
  const tree = new RegExpParser().parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets,
  })
  try {
    return new Automaton(tree, flags).slowness()
  } catch (error) {
    if (error instanceof Undecided) return `${error.message} is more than can be decided by looking`
    throw error
  }
}

class Undecided extends Error {}

class Automaton {
  readonly #states: State[] = []
  readonly #flags: string

  constructor(tree: AST.Pattern, flags: string) {
    this.#flags = flags
    const body = this.#any(tree.alternatives)
    const whole = this.#sequence([this.#before(tree), body])
    for (const [state, isSure] of whole.last) state.accepts = isSure
  }

  /** A pattern without an anchor is tried at each place, as if anything might come before it. */
  #before(tree: AST.Pattern): Part {
    if (this.#flags.includes('y')) return nothing
    const tied = tree.alternatives.every(startsAtStart)
    if (tied && !this.#flags.includes('m')) return nothing
    const anything = this.#loop(this.#state(new Set(alphabet.keys())))
    if (!tied) return anything
    return { ...this.#sequence([anything, this.#state(new Set([10]))]), empty: 'yes' }
  }

  slowness(): string | undefined {
    if (this.#states.some((state) => this.#forks(state))) {
      return 'it can go around in two ways: the time doubles with each character'
    }
    const cycles = this.#states.filter((state) => this.#leads(state, state))
    const slides = cycles.some((p) => cycles.some((q) => p !== q && !q.accepts && this.#slides(p, q)))
    return slides ? 'the same text can be cut in many places' : undefined
  }

  /** Whether one text leads p → p, p → q and q → q. */
  #slides(p: State, q: State): boolean {
    if (!this.#leads(p, q)) return false
    return this.#walk([p, p, q], ([a, b, c]) => a === p && b === q && c === q)
  }

  /** Whether one text leads back here on two paths. */
  #forks(p: State): boolean {
    for (const [next, ways] of p.next) if (ways > 1 && (next === p || this.#leads(next, p))) return true
    const apart: (readonly State[])[] = []
    this.#walk([p, p], (states) => {
      if (states[0] !== states[1]) apart.push(states)
      return false
    })
    return apart.some((states) => this.#walk(states, ([a, b]) => a === p && b === p))
  }

  #leads(from: State, to: State): boolean {
    return this.#walk([from], ([state]) => state === to)
  }

  /** Steps that several states take at once, with the same character, until a place is found. */
  #walk(from: readonly State[], found: (states: readonly State[]) => boolean): boolean {
    const seen = new Set<string>()
    const waiting: (readonly State[])[] = [from]
    for (let states = waiting.pop(); states; states = waiting.pop()) {
      for (const next of together(states)) {
        if (found(next)) return true
        const key = next.map(({ number }) => number).join()
        if (!seen.has(key)) waiting.push(next)
        seen.add(key)
      }
    }
    return false
  }

  #state(takes: ReadonlySet<number>): Part {
    const state: State = { number: this.#states.length, takes, next: new Map(), accepts: false }
    this.#states.push(state)
    return { first: [state], last: new Map([[state, true]]), empty: 'no' }
  }

  #any(alternatives: readonly AST.Alternative[]): Part {
    const parts = alternatives.map(({ elements }) => this.#sequence(elements.map((one) => this.#part(one))))
    const empty = parts.map((part) => part.empty)
    return {
      first: parts.flatMap(({ first }) => first),
      last: new Map(parts.flatMap(({ last }) => [...last])),
      empty: empty.includes('yes') ? 'yes' : empty.includes('perhaps') ? 'perhaps' : 'no',
    }
  }

  #sequence(parts: readonly Part[]): Part {
    return parts.reduce((before, behind) => {
      connect(before.last, behind.first)
      const passed = [...before.last].map(
        ([state, isSure]) => [state, isSure && behind.empty === 'yes'] as const,
      )
      return {
        first: before.empty === 'no' ? before.first : [...before.first, ...behind.first],
        last: new Map([...(behind.empty === 'no' ? [] : passed), ...behind.last]),
        empty: least(before.empty, behind.empty),
      }
    }, nothing)
  }

  #loop(part: Part): Part {
    connect(part.last, part.first)
    return { ...part, empty: 'yes' }
  }

  #part(element: AST.Element): Part {
    switch (element.type) {
      case 'Group':
      case 'CapturingGroup':
        return this.#any(element.alternatives)
      case 'Quantifier':
        return this.#repeated(element)
      case 'Assertion':
        return element.kind === 'start' ? nothing : { ...nothing, empty: 'perhaps' }
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass':
      case 'ExpressionCharacterClass':
        return this.#state(this.#charactersOf(element))
      default:
        // Such as a back reference: what it consumes is known only at run time.
        throw new Undecided(element.raw)
    }
  }

  #repeated({ element, min, max }: AST.Quantifier): Part {
    const once = () => this.#part(element)
    if (max > bounded) {
      const needed = Array.from({ length: Math.max(0, Math.min(min, copies) - 1) }, once)
      const loop = this.#loop(once())
      return this.#sequence([...needed, min === 0 ? loop : { ...loop, empty: 'no' }])
    }
    const parts = Array.from({ length: Math.min(max, copies) }, (_, index): Part => {
      const part = once()
      return index < min ? part : { ...part, empty: 'yes' }
    })
    return this.#sequence(parts)
  }

  #charactersOf({ raw }: { raw: string }): Set<number> {
    const flags = this.#flags.replace(/[^iuvs]/g, '')
    const one = new RegExp(`^${raw}$`, flags)
    return new Set(alphabet.keys().filter((index) => one.test(alphabet[index] ?? '')))
  }
}

const startsAtStart = ({ elements: [first] }: AST.Alternative): boolean =>
  first?.type === 'Assertion'
    ? first.kind === 'start'
    : (first?.type === 'Group' || first?.type === 'CapturingGroup') && first.alternatives.every(startsAtStart)

const least = (a: Part['empty'], b: Part['empty']): Part['empty'] =>
  a === 'no' || b === 'no' ? 'no' : a === 'yes' ? b : a

function connect(from: ReadonlyMap<State, boolean>, to: readonly State[]): void {
  for (const state of from.keys())
    for (const next of to) state.next.set(next, (state.next.get(next) ?? 0) + 1)
}

/** Where the states can be after a character that all of them can consume. */
function together([head, ...rest]: readonly State[]): (readonly State[])[] {
  if (!head) return [[]]
  return head.next
    .keys()
    .toArray()
    .flatMap((next) =>
      together(rest)
        .filter((others) => share([next, ...others]))
        .map((others) => [next, ...others]),
    )
}

const share = ([head, ...rest]: readonly State[]) =>
  head?.takes.values().some((code) => rest.every(({ takes }) => takes.has(code))) ?? true
