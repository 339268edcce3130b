// What one may want to do next about an alarm: put it aside, plan maintenance, make a rule.

import { begin } from '../alarms/actions.tsx'
import type { AlarmRow } from '../alarms/row.ts'
import { hrefOf } from '../core/address.ts'
import { may } from '../core/session.ts'
import { Section } from '../parts/facts.tsx'
import { alarmTexts as words } from '../texts/alarm-texts.ts'
import type { AlarmDetail } from './alarm-related.tsx'

export function Next({ alarm, row, isOver }: { alarm: AlarmDetail; row: AlarmRow; isOver: boolean }) {
  const { deviceId, OID, id } = alarm
  const hasDevice = deviceId !== '0' && deviceId !== ''
  if (!hasDevice && !(may('operator') && (!isOver || alarm.originalType === '1'))) return null
  return (
    <Section title={words.next}>
      <ul class="next">
        {may('operator') && !isOver && (
          <li>
            <button type="button" onClick={() => begin('shelve', [row])}>
              {words.putAside}
            </button>
            <p class="hint">{words.putAsideHint}</p>
          </li>
        )}
        {may('operator') && hasDevice && (
          <li>
            <a
              class="button"
              href={hrefOf('window', 'new', {
                device: deviceId,
                event: OID,
                name: `${alarm.eventName} ${alarm.deviceName}`,
              })}
            >
              {words.maintenance}
            </a>
            <p class="hint">{words.maintenanceHint}</p>
          </li>
        )}
        {may('operator') && alarm.originalType === '1' && (
          <li>
            <a class="button" href={hrefOf('rule', 'new', { alarm: id })}>
              {words.makeRule}
            </a>
            <p class="hint">{words.makeRuleHint}</p>
          </li>
        )}
        {may('operator') && alarm.originalType === '1' && (
          <li>
            <a
              class="button"
              href={hrefOf('event', '', { oid: OID, trap: alarm.trapId === '0' ? '' : alarm.trapId })}
            >
              {words.definition}
            </a>
            <p class="hint">{words.definitionHint}</p>
          </li>
        )}
        {hasDevice && (
          <li>
            <a class="button" href={hrefOf('history', '', { deviceId })}>
              {words.deviceAlarms}
            </a>
          </li>
        )}
      </ul>
    </Section>
  )
}
