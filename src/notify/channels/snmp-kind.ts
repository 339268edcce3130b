// Messages as SNMP notifications to another management system, traps or informs. docs/notifications.md describes the
// variables.

import { Fault } from '../../fault.ts'
import type { Gateway, GatewaySecrets } from '../../resources/notify/gateway.ts'
import { type SendOptions, TrapSender, Unacknowledged } from '../../snmp/trap-sender.ts'
import type { AuthAlgorithm, PrivAlgorithm } from '../../snmp/usm-keys.ts'
import type { Variable } from '../../snmp/variables.ts'
import type { Message, SendResult } from '../message.ts'
import type { EngineClock } from './engine-clock.ts'
import type { Kind, KindParts } from './gateway-kind.ts'
import { failed, outcomeOfError } from './send-outcome.ts'

/** Below the number of the service's own events. */
const root = '1.3.6.1.4.1.32473.2'
const notification = `${root}.0.1`
/** Bytes of a text: with all of them, a message fits into one datagram of an Ethernet. */
const textBytes = 400

async function optionsOf(
  gateway: Gateway,
  secrets: GatewaySecrets,
  engine: EngineClock,
): Promise<SendOptions> {
  if (gateway.version !== '3') return { version: '2c', community: secrets.community ?? '' }
  const { authPassword, privPassword } = secrets
  const { userName, authAlgorithm, privAlgorithm, engineId } = gateway
  const user = {
    name: userName ?? '',
    ...(authPassword !== undefined && {
      auth: { algorithm: authAlgorithm as AuthAlgorithm, password: authPassword },
    }),
    ...(privPassword !== undefined && {
      priv: { algorithm: privAlgorithm as PrivAlgorithm, password: privPassword },
    }),
  }
  if (gateway.inform) return { version: '3', user }
  const moment = await engine.now()
  return { version: '3', user, engine: { id: Buffer.from(engineId ?? '', 'hex'), ...moment } }
}

/** Whole characters, as many as fit. */
function cut(text: string): string {
  const bytes = Buffer.from(text.toWellFormed(), 'utf8')
  if (bytes.length <= textBytes) return bytes.toString('utf8')
  let end = textBytes
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return bytes.toString('utf8', 0, end)
}

export function variablesOf(message: Message, address: string): Variable[] {
  const { alarm } = message
  const texts = [
    ...[message.id, message.incident, message.change, message.title, message.text],
    ...[alarm?.id, alarm?.OID, alarm?.deviceName, alarm?.deviceIp, alarm?.alarmDesc].map((one) => one ?? ''),
    address,
  ]
  const numbers = [alarm?.alarmLevel ?? 0, message.children]
  return [
    ...texts.map((text, index) => textVariable(`${root}.1.${index + 1}.0`, cut(text))),
    ...numbers.map(
      (number, index): Variable => ({
        oid: `${root}.1.${texts.length + index + 1}.0`,
        type: 'Integer32',
        value: String(number),
        hex: false,
      }),
    ),
  ]
}

const textVariable = (oid: string, value: string): Variable => ({
  oid,
  type: 'OctetString',
  value,
  hex: false,
})

export function snmpKind({ guard, engine }: Pick<KindParts, 'guard' | 'engine'>): Kind {
  return {
    async send({ gateway, secrets, address, message }): Promise<SendResult> {
      const { host, port } = gateway
      if (host === null || port === null) return failed('the gateway is not complete', { retry: false })
      const options = await optionsOf(gateway, secrets, engine)
      let sender: TrapSender | undefined
      try {
        const to = { host: await guard.resolve(host, port), port }
        sender = await TrapSender.open(to, options)
        const trap = { oid: notification, variables: variablesOf(message, address) }
        if (gateway.inform) await sender.inform(trap)
        else {
          await sender.send(trap)
          await sender.flush()
        }
        return { outcome: 'delivered', answer: gateway.inform ? 'acknowledged' : 'sent, without an answer' }
      } catch (error) {
        if (!(error instanceof Fault)) return outcomeOfError(error)
        // Its messages name the address.
        return failed(gateway.inform ? 'the receiver does not acknowledge' : 'nothing listens there', {
          answer: error.message.slice(0, 200),
          ...(error instanceof Unacknowledged && { mayHaveArrived: true }),
        })
      } finally {
        sender?.close()
      }
    },
  }
}
