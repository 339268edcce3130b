// Patterns for syslog messages, in which {port}, {address} and {mac} stand for what these look like.

import { Fault, shown } from '../fault.ts'
import { type PartFinder, partFinderOf } from './pattern.ts'
import { type Scalar, text } from './scalar.ts'

const maxLength = 400
/** Instructions of a compiled pattern: searching a text takes time in proportion to them. */
const maxInstructions = 500

const accepted = `a regular expression in the syntax of RE2, of at most ${maxLength} characters`

const shapes: Readonly<Record<string, string>> = {
  port: String.raw`(?:[a-z][a-z-]* {1,2}\d[\w/:.-]*\w|[a-z][a-z-]* {1,2}\d|\w[\w/:.-]*\w|\w)`,
  address: `[0-9a-f]+(?:[.:]+[0-9a-f]+)+`,
  mac: `[0-9a-f]{2,4}(?:[.:-][0-9a-f]{2,4}){2,7}`,
}

/** `isKnown`: the pattern is known to be accepted, and is compiled when a text may match it. */
export function messageFinderOf(source: string, isKnown = false): PartFinder {
  if (source.length > maxLength)
    throw new Fault(
      'invalid',
      `a pattern of ${source.length} characters is not accepted: expected ${accepted}`,
    )
  const written = source.replace(/\{([a-z]+)\}/g, (whole, name) => shapes[name] ?? whole)
  return partFinderOf(written, isKnown, accepted)
}

const plain = text({ maxLength: maxLength })

/** A pattern that a user writes. */
export const messagePattern: Scalar<string> = {
  ...plain,
  accepted,
  read(value) {
    const source = plain.read(value)
    const { size, names } = messageFinderOf(source)
    if (size > maxInstructions)
      throw new Fault(
        'invalid',
        `${shown(source)} is too expensive, with ${size} instructions: expected at most ${maxInstructions}, by smaller numbers of repetitions`,
      )
    // Names are read from the text where a pattern is not compiled yet.
    const written = messageFinderOf(source, true).names
    if (written.toSorted().join() !== names.toSorted().join())
      throw new Fault(
        'invalid',
        `${shown(source)} is not accepted: expected a (?P<name>…) only where it names a part`,
      )
    return source
  },
}
