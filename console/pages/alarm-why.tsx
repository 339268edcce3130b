// Why something is an alarm: the trap behind it, the definition of its event, and what the rules did.

import { hrefOf } from '../core/address.ts'
import { read } from '../core/api.ts'
import { definitionOf } from '../parts/event-names.tsx'
import { useLoad, When } from '../parts/load.tsx'
import { RuleLinks } from '../parts/rule-links.tsx'
import { alarmTexts as words } from '../texts/alarm-texts.ts'
import { texts } from '../texts/shared-texts.ts'

export interface Trap {
  readonly id: string
  readonly receivedTime: string
  readonly sourceIp: string
  readonly version: string
  readonly OID: string
  readonly deviceId: string
  readonly eventName?: string
  readonly bin: string
  readonly reason: string
  readonly alarmId?: string
  readonly rules?: string
  readonly variables: readonly { oid: string; type: string; name?: string; value?: string }[]
}

interface Definition {
  readonly eventOid: string
  readonly name: string
  readonly alarmLevel: string
}

interface WhyProps {
  readonly alarm: { readonly OID: string; readonly originalType: string; readonly alarmCategoryDesc: string }
  readonly trap: Trap | undefined
}

interface Reasons {
  readonly explained: Trap | undefined
  readonly definition: Definition | undefined
}

export function Why({ alarm, trap }: WhyProps) {
  const loaded = useLoad<Reasons>(
    async (over) => {
      const [explained, definition] = await Promise.all([
        trap && read<Trap>(`/fault/trap/${trap.id}`, {}, over),
        definitionOf<Definition>(alarm.OID, over),
      ])
      return { explained, definition }
    },
    [alarm.OID, trap?.id],
  )
  if (alarm.originalType === '3' && !trap) return <p>{words.byProgram}</p>
  return (
    <When
      loaded={loaded}
      show={(reasons: Reasons) => <Sentences {...reasons} category={alarm.alarmCategoryDesc} />}
    />
  )
}

function Sentences({ explained, definition, category }: Reasons & { category: string }) {
  return (
    <ol class="reasons">
      {explained ? (
        <li>
          <a href={hrefOf('trap', explained.id)}>{words.trap(explained.id)}</a>{' '}
          {words.decided(explained.reason)}
        </li>
      ) : (
        <li>{words.whyNoTrap}</li>
      )}
      <li>
        {definition
          ? words.defined(
              definition.name,
              texts.levels[Number(definition.alarmLevel)] ?? definition.alarmLevel,
              category,
            )
          : words.notDefined}
      </li>
      {explained?.rules && (
        <li>
          <RuleLinks text={explained.rules} />.
        </li>
      )}
    </ol>
  )
}
