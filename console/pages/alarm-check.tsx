// Whether an open alarm is still so: what its device said when it was asked, and asking it now.

import { useState } from 'preact/hooks'
import { ask, read } from '../core/api.ts'
import { may } from '../core/session.ts'
import { Section } from '../parts/facts.tsx'
import { useEvery, useLoad, When } from '../parts/load.tsx'
import { Problem } from '../parts/problem.tsx'
import { Time } from '../parts/time.tsx'
import { alarmTexts as words } from '../texts/alarm-texts.ts'

interface Check {
  readonly askable: string
  readonly reason?: string
  readonly requested: string
  readonly asked: string
  readonly result?: string
  readonly value?: string
  readonly problem?: string
}

/** A question is answered within seconds, or not at all. */
const secondsBetweenLooks = 5

const Said = ({ asked, result = '', value = '', problem = '' }: Check) => (
  <p>
    <strong>{words.checkResults[result] ?? result}</strong>
    {value !== '' && ` (${value})`} <Time at={Number(asked)} />
    {problem !== '' && <span class="hint"> {problem}</span>}
  </p>
)

export function CheckSection({ id }: { id: string }) {
  const path = encodeURIComponent(id)
  const loaded = useLoad((over) => read<Check>(`/fault/alarm/${path}/check`, {}, over), [id])
  useEvery(secondsBetweenLooks, loaded)
  const [error, setError] = useState<unknown>()
  const request = () =>
    ask('PUT', `/fault/alarm/verify/${path}`).then(() => {
      setError(undefined)
      loaded.again()
    }, setError)
  return (
    <Section title={words.check}>
      <When
        loaded={loaded}
        show={(check: Check) => (
          <>
            {check.asked !== '0' && <Said {...check} />}
            {check.askable !== 'true' && <p class="hint">{words.checkCannot(check.reason ?? '')}</p>}
            {check.askable === 'true' && check.requested !== '0' && <p class="hint">{words.checkWaits}</p>}
            {check.askable === 'true' && check.requested === '0' && (
              <>
                {check.asked === '0' && <p class="hint">{words.checkNever}</p>}
                {may('operator') && (
                  <button type="button" onClick={() => void request()}>
                    {words.askDevice}
                  </button>
                )}
              </>
            )}
          </>
        )}
      />
      {error !== undefined && <Problem error={error} />}
    </Section>
  )
}
