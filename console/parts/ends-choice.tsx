// Whether a list of faults also has what ended them. It is in the address of the page.

import { address, setQuery } from '../core/address.ts'
import { texts } from '../texts/shared-texts.ts'

const words = texts.ends

/** Nobody looks for them, as a rule: a fault and its end are two rows about the same. */
export const showsEnds = () => address.value.query.get('ends') === 'all'

export const EndsChoice = () => (
  <label class="check">
    <input
      type="checkbox"
      checked={showsEnds()}
      onChange={() => setQuery({ ends: showsEnds() ? '' : 'all', start: '' })}
    />
    {words.show}
  </label>
)

/** Where nothing was found among the faults. */
export const AmongEnds = () =>
  showsEnds() ? null : (
    <button type="button" onClick={() => setQuery({ ends: 'all', start: '' })}>
      {words.search}
    </button>
  )
