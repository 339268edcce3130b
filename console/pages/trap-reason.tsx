// Why a trap has its outcome: a rule that filtered it as a link, and for one that was refused the setting and the remedy.

import { hrefOf } from '../core/address.ts'
import { may } from '../core/session.ts'
import { RuleLinks } from '../parts/rule-links.tsx'
import { trapTexts as words } from '../texts/trap-texts.ts'

interface Refusal {
  readonly because: string
  /** Empty where no setting refused it. */
  readonly setting?: string
  readonly remedy: string
}

const refusals: Readonly<Record<string, Refusal>> = words.refusals

interface ReasonProps {
  readonly bin: string
  readonly reason: string
}

/** In one sentence. */
export function TrapReason({ bin, reason }: ReasonProps) {
  const refusal = bin === 'refused' && Object.hasOwn(refusals, reason) ? refusals[reason] : undefined
  if (!refusal) return <RuleLinks text={reason} />
  return <>{refusal.setting ? words.refusedBy(refusal.because, refusal.setting) : refusal.because}</>
}

/** What to do so that such traps are accepted; nothing unless it was refused. */
export function Remedy({ bin, reason }: ReasonProps) {
  if (bin !== 'refused' || !Object.hasOwn(refusals, reason)) return null
  const { setting = '', remedy } = refusals[reason] as Refusal
  return (
    <p class="remedy">
      {remedy}{' '}
      {setting !== '' && may('administrator') && (
        <a href={hrefOf('settings', '', { name: setting })}>{words.toSettings}</a>
      )}
    </p>
  )
}
