// A network for the map: sites with routers, firewalls and cores in pairs, distribution and access switches, and what hangs there.

interface SampleDevice {
  readonly id: number
  readonly label: string
  readonly zoneId: number
  readonly typeName: string
  readonly parents: readonly number[]
}

const perSite = 50

/** Every site is a zone; the routers of all but the first hang below those of the first. */
export function sampleNetwork(count: number): SampleDevice[] {
  const devices: SampleDevice[] = []
  for (let site = 0; devices.length < count; site += 1) {
    const first = devices.length + 1
    const add = (typeName: string, name: string, parents: readonly number[]) => {
      if (devices.length >= count) return 0
      const id = devices.length + 1
      devices.push({ id, label: `s${site}-${name}`, zoneId: site + 1, typeName, parents })
      return id
    }
    const up = site === 0 ? [] : [1, 2]
    const pair = (type: string, name: string, parents: readonly number[]) => [
      add(type, `${name}1`, parents),
      add(type, `${name}2`, parents),
    ]
    const core = pair('Core switch', 'core', pair('Firewall', 'fw', pair('Router', 'rtr', up)))
    const distribution = [1, 2, 3].map((n) => add('Distribution switch', `dist${n}`, core))
    for (let n = 0; devices.length < Math.min(count, first - 1 + perSite); n += 1) {
      const access = add('Access switch', `acc${n}`, [distribution[n % 3] ?? 0])
      for (const port of [1, 2].slice(0, first - 1 + perSite - devices.length))
        add('Access point', `ap${n}-${port}`, [access])
    }
  }
  return devices
}

/** As `/plat/topology` answers it. */
export const topologyOf = (count: number) => {
  const devices = sampleNetwork(count)
  return {
    zone: [...new Set(devices.map(({ zoneId }) => zoneId))].map((zoneId) => ({
      zoneId: String(zoneId),
      name: `Site ${zoneId}`,
    })),
    device: devices.map(({ id, label, zoneId, typeName }) => ({
      ...{ id: String(id), label, ip: `10.0.${id >> 8}.${id & 255}`, typeName, zoneId: String(zoneId) },
    })),
    link: devices.flatMap(({ id, parents }) =>
      parents.map((parent, index) => ({
        ...{ deviceId: String(id), ifIndex: String(index + 1), otherId: String(parent) },
        ...{ otherIfIndex: String(id), direction: 'up', origin: 'typed', state: 'typed' },
      })),
    ),
  }
}
