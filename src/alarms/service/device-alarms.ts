// Raises and ends alarms that the service itself has about devices, many in one transaction. They are about a device as a
// whole: at most one of an event is open.

import { serviceEvents } from '../../events/service-events.ts'
import { bulk, type Reader, type Transaction } from '../../store/database.ts'
import type { AlarmChanges } from '../engine/alarm-changes.ts'
import { type AlarmDraft, Identity, systemUser } from '../engine/alarm-draft.ts'
import type { AlarmChanger, ServiceAlarmFilter } from '../engine/engine.ts'
import { type ServiceEvent, serviceDraft } from './service-alarms.ts'

export interface AlarmedDevice {
  readonly id: bigint
  readonly ip: string
  readonly name: string
}

const identityOf = ({ id, ip }: Pick<AlarmedDevice, 'id' | 'ip'>, event: ServiceEvent) =>
  new Identity(id, ip, '', serviceEvents[event].eventOid)

/** What the device itself has reported: an alarm of one of these events that is not older. */
const reported = (oids: readonly string[]) =>
  bulk(
    `select device_id from alarm where device_id = ? and last_time >= ? and oid in (${oids.map((oid) => `'${oid}'`).join(', ')})`,
    ['bigint', 'bigint'],
  )

export class DeviceAlarms {
  readonly #changes: AlarmChanges
  readonly #tx: Transaction
  readonly #filters: ServiceAlarmFilter

  constructor(changes: AlarmChanges, tx: Transaction, { filtersServiceAlarm }: AlarmChanger) {
    this.#changes = changes
    this.#tx = tx
    this.#filters = filtersServiceAlarm
  }

  /** Reads what changes to these alarms need. */
  async gather(devices: readonly AlarmedDevice[], events: readonly ServiceEvent[]): Promise<void> {
    await this.#changes.gather(
      devices.flatMap((device) => events.map((event) => ({ identity: identityOf(device, event) }))),
    )
  }

  /** Unless one is open. */
  async raise(device: AlarmedDevice, event: ServiceEvent, text: string): Promise<void> {
    const draft = this.#draft(device, event, text)
    if (this.#changes.openAlarm(draft.identity) || (await this.#filters(draft, this.#tx))) return
    this.#changes.raise(draft)
  }

  /** Or counts a repetition of the open one. */
  async raiseAgain(device: AlarmedDevice, event: ServiceEvent, text: string): Promise<void> {
    const { identity, alarmLevel, at } = this.#draft(device, event, text)
    if (this.#changes.openAlarm(identity)) this.#changes.repeat(identity, alarmLevel, at)
    else await this.raise(device, event, text)
  }

  end(device: AlarmedDevice, events: readonly ServiceEvent[], text: string): void {
    for (const event of events) {
      const draft = this.#draft(device, event, text)
      if (this.#changes.openAlarm(draft.identity)) this.#changes.recover([draft.identity], draft, systemUser)
    }
  }

  /** The devices that have reported one of these events themselves, at that time or later. */
  async reporting(
    devices: readonly { readonly id: bigint; readonly since: number }[],
    oids: readonly string[],
  ): Promise<ReadonlySet<bigint>> {
    const keys = devices.map(({ id, since }) => [id, since])
    const rows = await this.#tx.allEach(reported(oids), keys)
    return new Set(rows.map((row) => row.device_id as bigint))
  }

  #draft(device: AlarmedDevice, event: ServiceEvent, text: string): AlarmDraft {
    return {
      ...serviceDraft(event, '', text, this.#tx.now),
      identity: identityOf(device, event),
      deviceIp: device.ip,
      deviceName: device.name,
      outOfReach: event === 'deviceUnreachable',
    }
  }
}

/** Devices with an open alarm of this event that was last raised or repeated before a time. */
export async function devicesAlarmedBefore(
  reader: Reader,
  event: ServiceEvent,
  before: number,
): Promise<AlarmedDevice[]> {
  const rows = await reader.all(
    'select device_id, device_ip, device_name from alarm where oid = ? and rec_status = 0 and last_time < ? limit 200',
    [serviceEvents[event].eventOid, before],
  )
  return rows.map((row) => ({
    id: row.device_id as bigint,
    ip: String(row.device_ip),
    name: String(row.device_name),
  }))
}
