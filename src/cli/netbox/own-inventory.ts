// Reads what the service knows, for the comparison with NetBox, and writes what is taken over.

import { Fault } from '../../fault.ts'
import { ask, askJson } from '../service-connection.ts'
import type { Comparison, OwnDevice, OwnInventory, OwnLink, OwnZone } from './netbox-comparison.ts'
import type { NetBoxDevice } from './netbox-inventory.ts'

interface ShownLink {
  readonly deviceId: string
  readonly deviceName: string
  readonly ifIndex: string
  readonly otherId: string
  readonly otherName: string
  readonly otherIfIndex: string
  readonly state: string
}

interface ShownPort {
  readonly deviceId: string
  readonly ifIndex: string
  readonly name: string
  readonly description: string
}

interface ShownFacts {
  readonly deviceId: string
}

export async function readOwn(url: string): Promise<OwnInventory> {
  const devices = await exported<OwnDevice>(url, 'device')
  const zones = await exported<OwnZone>(url, 'zone')
  const links = await whole<ShownLink>(url, '/plat/link', 'link')
  const ports = links.length === 0 ? [] : await whole<ShownPort>(url, '/plat/port', 'port')
  const facts = await whole<ShownFacts>(url, '/plat/deviceFacts', 'deviceFacts')
  const labels = new Map(devices.map(({ id, label }) => [id, label]))
  const names = new Map(
    ports.map(({ deviceId, ifIndex, name, description }) => [`${deviceId} ${ifIndex}`, name || description]),
  )
  const portAt = (id: string, index: string) => names.get(`${id} ${index}`) ?? `port ${index}`
  return {
    ...{ devices, zones },
    links: links.flatMap(({ state, deviceId, ifIndex, otherId, otherIfIndex, ...heads }): OwnLink[] => {
      // Each is listed from both ends.
      if (state === 'gone' || BigInt(deviceId) > BigInt(otherId)) return []
      const ends: OwnLink['ends'] = [
        { device: heads.deviceName, port: portAt(deviceId, ifIndex) },
        { device: heads.otherName, port: portAt(otherId, otherIfIndex) },
      ]
      return [{ ends, differs: state === 'differs' }]
    }),
    asked: new Set(facts.flatMap(({ deviceId }) => labels.get(deviceId) ?? [])),
  }
}

async function exported<T>(url: string, name: string): Promise<readonly T[]> {
  const body = await ask(`${url}/plat/data/${name}?format=json`, { headers: { Accept: 'application/json' } })
  const document = JSON.parse(await new Response(body).text()) as Readonly<Record<string, readonly T[]>>
  return document[name] ?? []
}

const pageSize = 1000

async function whole<T>(url: string, path: string, name: string): Promise<readonly T[]> {
  const all: T[] = []
  for (;;) {
    const page = await askJson<Readonly<Record<string, readonly T[]>>>(
      `${url}${path}?orderBy=id&start=${all.length}&size=${pageSize}`,
    )
    const rows = page[name] ?? []
    all.push(...rows)
    if (rows.length < pageSize) return all
  }
}

/** Writes new zones, new devices and changes: all of them or, where one is refused, none. */
export async function takeOver(url: string, comparison: Comparison, own: OwnInventory): Promise<void> {
  const zones = new Map(own.zones.map(({ name, zoneId }) => [name.toLowerCase(), zoneId]))
  const added: string[] = []
  try {
    for (const name of comparison.newZones) {
      const zoneId = await addZone(url, name)
      added.push(zoneId)
      zones.set(name.toLowerCase(), zoneId)
    }
    await importDevices(url, comparison, zones)
  } catch (error) {
    for (const zoneId of added) await askJson(`${url}/ram/zone/${zoneId}`, 'DELETE')
    if (!(error instanceof Fault)) throw error
    throw new Fault(error.code, `${error.message}. Nothing was taken over`, { cause: error })
  }
}

async function addZone(url: string, name: string): Promise<string> {
  await askJson(`${url}/ram/zone`, 'POST', { name, description: 'From NetBox' })
  const { zone = [] } = await askJson<{ zone?: OwnZone[] }>(`${url}/ram/zone?size=1000`)
  const made = zone.find((one) => one.name === name)
  if (!made) throw new Fault('unavailable', `zone ${name} was added and is not there`)
  return made.zoneId
}

/** One import, which is complete or changes nothing. */
async function importDevices(
  url: string,
  { newDevices, changed }: Comparison,
  zones: ReadonlyMap<string, string>,
): Promise<void> {
  const zoneId = (site: string) => zones.get(site.toLowerCase())
  const records = [
    ...newDevices.map((device) => recordOf({}, device, zoneId(device.site))),
    ...changed.map(({ own, device }) => recordOf(own, device, zoneId(device.site))),
  ]
  if (records.length === 0) return
  const answer = await ask(`${url}/plat/data/device?replace=true`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify({ device: records }),
  })
  await answer.cancel()
}

/** What NetBox does not say stays as it is. */
function recordOf(before: Partial<OwnDevice>, device: NetBoxDevice, zoneId: string | undefined): object {
  const { name, ip, location, type, otherAddress } = device
  return {
    ...before,
    ...{ label: name, ip },
    ...(location !== '' && { location }),
    ...(type !== '' && { typeName: type }),
    ...(zoneId !== undefined && { zoneId }),
    ...(otherAddress.length > 0 && { otherAddress: otherAddress.map((one) => ({ ip: one })) }),
  }
}
