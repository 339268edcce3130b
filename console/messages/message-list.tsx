// What a list of messages shows of each.

import { timeText } from '../core/time-text.ts'
import { DeviceLink } from '../parts/device-names.tsx'
import type { Column } from '../parts/list.tsx'
import { Time } from '../parts/time.tsx'
import { messageTexts as words } from '../texts/message-texts.ts'

export interface Message {
  readonly number: string
  readonly node: string
  readonly receivedTime: string
  readonly deviceIp: string
  /** Missing where no device has the address. */
  readonly deviceId?: string
  readonly facility: string
  readonly severity: string
  readonly host?: string
  readonly deviceTime?: string
  readonly program?: string
  readonly code?: string
  readonly does: string
  readonly definition?: string
  readonly eventName?: string
  readonly resource?: string
  readonly text?: string
}

export const DeviceOf = ({ of: { deviceId = '', deviceIp } }: { of: Message }) => (
  <DeviceLink id={deviceId} otherwise={deviceIp} />
)

export const messageColumns = (open: (message: Message) => void): readonly Column<Message>[] => [
  {
    title: words.columns.time,
    cell: (message) => (
      <button
        type="button"
        class="plain"
        aria-label={words.open(timeText(Number(message.receivedTime)))}
        onClick={() => open(message)}
      >
        <Time at={Number(message.receivedTime)} />
      </button>
    ),
  },
  { title: words.columns.device, cell: (message) => <DeviceOf of={message} /> },
  {
    title: words.columns.severity,
    cell: ({ severity }) => <span class="whole">{words.severityText(Number(severity))}</span>,
  },
  { title: words.columns.origin, kind: 'mono', cell: ({ code, program }) => code ?? program },
  { title: words.columns.text, kind: 'wide', cell: ({ text }) => text },
  { title: words.columns.does, cell: ({ does }) => words.effects[does] ?? does },
]
