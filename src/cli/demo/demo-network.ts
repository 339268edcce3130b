// The sample network: loads it into a new store, and reads its devices.

import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Fault } from '../../fault.ts'
import { catalog } from '../../resources/catalog.ts'
import { loadFile } from '../commands/load-command.ts'
import { askJson } from '../service-connection.ts'
import { type ShownDevice, type StoryDevice, storyDevice } from './demo-incident.ts'

const network = new URL('../../../examples/network/', import.meta.url)

/** Each file is complete or missing; the folder of the store is named where it has other records already. */
export async function loadSample(url: string, folder: string): Promise<void> {
  const files = readdirSync(network)
  try {
    for (const { resource } of catalog) {
      const file = files.find((name) => name === `${resource.name}.csv`)
      if (file) await loadFile(url, fileURLToPath(new URL(file, network)), resource.name, 'text/csv')
    }
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause
    const advice = `The sample needs a new folder: delete ${folder}, or name another with --data`
    throw new Fault(cause.code, `${cause.message}. ${advice}`, { cause })
  }
}

/** The devices that the service has now: they may have been changed since they were loaded. */
export async function devicesOf(url: string): Promise<StoryDevice[]> {
  const { device = [] } = await askJson<{ device?: Partial<ShownDevice>[] }>(
    `${url}/plat/res/device?size=1000`,
  )
  return device.map(storyDevice)
}
