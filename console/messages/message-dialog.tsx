// One message: all of it, what the definitions make of it, and which alarm came of it.

import { hrefOf } from '../core/address.ts'
import { list } from '../core/api.ts'
import { may } from '../core/session.ts'
import { lastedText } from '../core/time-text.ts'
import type { Trap } from '../pages/alarm-why.tsx'
import { TrapReason } from '../pages/trap-reason.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Facts } from '../parts/facts.tsx'
import { useLoad, When } from '../parts/load.tsx'
import { Time } from '../parts/time.tsx'
import { definitionTexts, messageTexts as words } from '../texts/message-texts.ts'
import { trapTexts } from '../texts/trap-texts.ts'
import { clockDifference } from './device-clock.ts'
import { DeviceOf, type Message } from './message-list.tsx'

/** The variable of a stored message that has its text. */
const textOid = '1.3.6.1.4.1.32473.514.3.1'
/** A pattern is made of the beginning of a text; it travels in an address. */
const maxSampleLength = 500
/** The time of reception is rounded in two ways. */
const apart = 1

const isOf = (text: string, { version, variables }: Trap) =>
  version === 'syslog' && variables.some(({ oid, value = '' }) => oid === textOid && sameText(value, text))

/** Of a long text, either has the beginning. */
const sameText = (a: string, b: string) => a !== '' && (b.trim().startsWith(a) || a.startsWith(b.trim()))

/** What raises or ends an alarm is kept beside the traps. */
async function findTrap({ deviceId, receivedTime, text = '' }: Message, over: AbortSignal) {
  const at = Number(receivedTime)
  const query = { deviceId, startTime: at - apart, endTime: at + apart, desc: true, size: 1000 }
  const { rows } = await list<Trap>('/fault/trap', query, over)
  return { trap: rows.find((trap) => isOf(text, trap)) }
}

const Became = ({ trap }: { trap: Trap | undefined }) =>
  trap === undefined ? (
    <p>{words.noTrap}</p>
  ) : (
    <p>
      <b>{trapTexts.bins[trap.bin] ?? trap.bin}</b>: <TrapReason {...trap} />.{' '}
      {trap.alarmId && <a href={hrefOf('alarm', trap.alarmId)}>{words.toAlarm(trap.alarmId)}</a>}{' '}
      <a href={hrefOf('trap', trap.id)}>{words.trap}</a>
    </p>
  )

function FoundTrap({ message }: { message: Message }) {
  const loaded = useLoad((over) => findTrap(message, over), [message])
  return <When loaded={loaded} show={({ trap }: { trap: Trap | undefined }) => <Became trap={trap} />} />
}

/** Less is the time that a message takes, and what is written in whole seconds. */
const sameSeconds = 2

/** The time as the device wrote it, and how far its clock is from ours. */
function deviceClock(written: string, receivedAt: number): string {
  const found = clockDifference(written, receivedAt)
  if (!found) return written
  const lasted = lastedText(Math.abs(found.seconds))
  const { same, ahead, behind, zone } = words.clock
  const parts = [
    Math.abs(found.seconds) < sameSeconds ? same : found.seconds > 0 ? ahead(lasted) : behind(lasted),
  ]
  if (found.zone !== 'named') parts.push(zone[found.zone])
  return `${written} (${parts.join(', ')})`
}

export function MessageDialog({ message, close }: { message: Message; close: () => void }) {
  const { does, severity, text = '', deviceId } = message
  const origin = message.code ?? message.program ?? ''
  const isKept = does === 'raise' || does === 'clear'
  return (
    <Dialog title={words.one} onClose={close} wide>
      <p class="mono message-text">{text}</p>
      <h3>{words.became}</h3>
      <p>{words.becameOf[does]}</p>
      {isKept && deviceId !== undefined && <FoundTrap message={message} />}
      <Facts
        facts={[
          [words.definition, message.definition],
          [words.event, message.eventName],
          [words.resource, message.resource],
          [words.received, <Time at={Number(message.receivedTime)} />],
          [
            words.deviceTime,
            message.deviceTime && deviceClock(message.deviceTime, Number(message.receivedTime)),
          ],
          [words.device, <DeviceOf of={message} />],
          [words.address, message.deviceIp],
          [words.host, message.host],
          [words.severity, words.severityText(Number(severity))],
          [words.facility, message.facility],
          [words.program, message.program],
          [words.code, message.code],
          [words.node, message.node],
        ]}
      />
      {may('operator') && text !== '' && (
        <p>
          <a
            class="button"
            title={definitionTexts.defineHint}
            href={hrefOf('definition', 'new', { origin, text: text.slice(0, maxSampleLength) })}
          >
            {definitionTexts.define}
          </a>
        </p>
      )}
    </Dialog>
  )
}
