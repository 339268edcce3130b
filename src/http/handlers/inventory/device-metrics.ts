// What is known of devices, in the text form of Prometheus. The values of one metric stand together, so each metric is one
// pass over the devices, in pages: many devices need little memory.

import { readStanding, type Standing } from '../../../ask/reach/reachability.ts'
import { type DeviceHead, readHeadsAfter } from '../../../resources/inventory/device.ts'
import { type DeviceFacts, deviceFactsList } from '../../../resources/inventory/device-facts.ts'
import { Statuses } from '../../../resources/inventory/device-status.ts'
import { type PortStanding, portName, portsOf } from '../../../resources/inventory/port.ts'
import { oneScalar } from '../../../schema/list.ts'
import { bool, long } from '../../../schema/scalar.ts'
import type { Database } from '../../../store/database.ts'
import { findAll } from '../../../store/table.ts'
import type { Handler } from '../../call.ts'
import { startStream, writePiece } from '../../responses.ts'

/** Lines without the labels of the device. */
interface Sample {
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

interface Metric {
  readonly name: string
  readonly help: string
  /** The samples of each device of a page. */
  read(database: Database, ids: readonly bigint[]): Promise<(id: bigint) => readonly Sample[]>
}

const pageSize = 1000
const upStatus = 1

/** A metric of devices that are asked. */
const ofReach = (name: string, help: string, take: (one: Standing) => number | undefined): Metric => ({
  ...{ name, help },
  async read(database, ids) {
    const found = await readStanding(database, ids)
    return (id) => {
      const one = found.get(id)
      const value = one && take(one)
      return value === undefined ? [] : [{ value }]
    }
  },
})

const seconds = (milliseconds: number) => (milliseconds > 0 ? milliseconds / 1000 : undefined)

const ofDevices: readonly Metric[] = [
  {
    name: 'belfry_device_status',
    help: 'By the worst open alarm: 1 normal, 2 warning, 3 minor, 4 major, 5 critical',
    async read(database, ids) {
      const statuses = await Statuses.read(database, ids)
      return (id) => [{ value: statuses.of(id) }]
    },
  },
  ofReach('belfry_device_answers', 'Whether a device that is asked answers', ({ state }) =>
    state === 'answering' ? 1 : 0,
  ),
  ofReach(
    'belfry_device_round_trip_seconds',
    'The round trip to a device that is asked; up to ten minutes old',
    ({ roundTrip, state }) => (state === 'answering' && roundTrip > 0 ? roundTrip / 1_000_000 : undefined),
  ),
  ofReach(
    'belfry_device_last_answer_time_seconds',
    'When a device answered last, in seconds since 1970; up to ten minutes old',
    ({ lastAnswer }) => seconds(lastAnswer),
  ),
  ofReach(
    'belfry_device_agent_start_time_seconds',
    'Since when the SNMP agent of a device runs, as it says, in seconds since 1970',
    ({ agentStart }) => seconds(agentStart),
  ),
  {
    name: 'belfry_device_info',
    help: 'What a device says of itself; the value is 1',
    async read(database, ids) {
      const found = (await findAll(database, deviceFactsList.table, ids)) as DeviceFacts[]
      const byId = new Map(found.map((one) => [one.deviceId, one]))
      return (id) => {
        const one = byId.get(id)
        if (!one) return []
        const { sysName, model, software, serialNumber, sysOid } = one
        const labels = { sys_name: sysName, model, software, serial_number: serialNumber, sys_oid: sysOid }
        return [{ labels, value: 1 }]
      }
    },
  },
]

const ofPort = (name: string, help: string, take: (one: PortStanding) => number): Metric => ({
  ...{ name, help },
  async read(database, ids) {
    const found = await portsOf(database, ids)
    return (id) =>
      (found.get(id) ?? []).map((one) => ({
        labels: { if_index: String(one.ifIndex), port: portName(one), alias: one.alias },
        value: take(one),
      }))
  },
})

const ofPorts: readonly Metric[] = [
  ofPort('belfry_device_port_up', 'Whether a port was up when its device was last asked', ({ operStatus }) =>
    operStatus === upStatus ? 1 : 0,
  ),
  ofPort('belfry_device_port_enabled', 'Whether a port is switched on', ({ adminStatus }) =>
    adminStatus === upStatus ? 1 : 0,
  ),
  ofPort('belfry_device_port_speed_bits', 'Bits a second', ({ speed }) => Number(speed)),
]

export const answerDeviceMetrics: Handler = async ({ database, parameters, response, measurements }) => {
  const zoneId = oneScalar(parameters, 'zoneId', long)
  const metrics = oneScalar(parameters, 'ports', bool) ? [...ofDevices, ...ofPorts] : ofDevices
  startStream(response, 200, measurements.contentType, {})
  for (const metric of metrics) {
    let piece = `# HELP ${metric.name} ${metric.help}\n# TYPE ${metric.name} gauge\n`
    for await (const heads of pages(database, zoneId)) {
      const samplesOf = await metric.read(
        database,
        heads.map(({ id }) => id),
      )
      for (const head of heads)
        for (const sample of samplesOf(head.id)) piece += lineOf(metric.name, head, sample)
      if (!(await writePiece(response, piece))) return
      piece = ''
    }
    if (piece !== '' && !(await writePiece(response, piece))) return
  }
  response.end()
}

async function* pages(database: Database, zoneId: bigint | undefined): AsyncGenerator<DeviceHead[]> {
  for (let last = 0n; ; ) {
    const heads = await readHeadsAfter(database, last, pageSize, zoneId)
    if (heads.length > 0) yield heads
    if (heads.length < pageSize) return
    last = heads.at(-1)?.id ?? last
  }
}

function lineOf(name: string, { id, ip, label }: DeviceHead, { labels = {}, value }: Sample): string {
  const all = { device_id: String(id), device: label, ip, ...labels }
  const text = Object.entries(all).map(([key, one]) => `${key}="${escaped(one)}"`)
  return `${name}{${text.join(',')}} ${value}\n`
}

const escaped = (text: string) => text.replace(/["\\\n]/g, (one) => (one === '\n' ? '\\n' : `\\${one}`))
