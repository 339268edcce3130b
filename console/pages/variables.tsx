// The named variables of an event: where each is in a trap, and whether it identifies the part of the device.

import { list } from '../core/api.ts'
import { useLoad } from '../parts/load.tsx'
import { type OfferProps, type RowColumn, rowsOf } from '../parts/rows.tsx'
import { eventTexts as words } from '../texts/trap-texts.ts'
import type { Trap } from './alarm-why.tsx'

const columns: readonly RowColumn[] = [
  { name: 'name', label: words.variableName, required: true },
  { name: 'oid', label: words.variableOid, required: true, placeholder: '1.3.6.1.…' },
  { name: 'labels', label: words.labels, placeholder: '1=up;2=down', size: 'wide' },
  { name: 'pattern', label: words.pattern, placeholder: 'port (\\d+)', size: 'wide' },
  { name: 'isKey', label: words.key, kind: 'check' },
  { name: 'fromIndex', label: words.fromIndex, kind: 'check' },
]

type Variable = Trap['variables'][number]

/** What every trap may carry about itself: its kind, its first sender, the community. */
const aboutTheTrap = '1.3.6.1.6.3.'

/** The variables of the newest kept trap of the event. */
function useCarried(eventOid: string): readonly Variable[] {
  const { data } = useLoad(
    async (over) =>
      eventOid === ''
        ? []
        : (await list<Trap>('/fault/trap', { OID: eventOid, desc: true, size: 1 }, over)).rows[0]?.variables,
    [eventOid],
  )
  return data ?? []
}

/**
 * A module shows where the instance begins: `ifDescr.3`. Without one, it is mostly one number long, and the name has to
 * be given.
 */
function suggested({ oid, name = '' }: Variable) {
  const [, word = '', row = ''] = /^([A-Za-z]\w*)(?:\.([\d.]+))?$/.exec(name) ?? []
  const instance = row !== '' && oid.endsWith(`.${row}`) ? row : oid.slice(oid.lastIndexOf('.') + 1)
  return { oid: oid.slice(0, -instance.length - 1), name: word }
}

/** Nobody knows OIDs by heart: they can be taken from what a trap carries. */
const carriedBy = (eventOid: string) =>
  function Carried({ rows, add }: OfferProps) {
    const isNamed = ({ oid }: Variable) =>
      oid.startsWith(aboutTheTrap) ||
      rows.some((row) => row.oid && (oid === row.oid || oid.startsWith(`${row.oid}.`)))
    const unnamed = useCarried(eventOid).filter((variable) => !isNamed(variable))
    if (unnamed.length === 0) return null
    return (
      <>
        <p class="hint">{words.inTrap}</p>
        <div class="chips picks">
          {unnamed.map((variable) => (
            <button
              key={variable.oid}
              type="button"
              class="chip"
              title={variable.oid}
              onClick={() => add(suggested(variable))}
            >
              {words.addFromTrap(variable.name || variable.oid, (variable.value ?? '').slice(0, 60))}
            </button>
          ))}
        </div>
      </>
    )
  }

/** The field of the form, for the event of this OID. */
export const variablesOf = (eventOid: string) =>
  rowsOf({
    field: 'parameter',
    title: words.parameters,
    hint: words.parametersHint,
    noun: words.variable,
    columns,
    offer: carriedBy(eventOid),
  })

/** What a trap does by the value of a variable. */
export const statesOf = rowsOf({
  field: 'state',
  title: words.states,
  hint: words.statesHint,
  noun: words.state,
  columns: [
    { name: 'parameter', label: words.stateVariable, required: true },
    { name: 'values', label: words.stateValues, required: true, placeholder: '2;3;down' },
    { name: 'handling', label: words.stateHandling, required: true, placeholder: '1' },
    { name: 'alarmLevel', label: words.stateLevel, placeholder: '1' },
  ],
})
