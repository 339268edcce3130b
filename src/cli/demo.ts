import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { catalog } from '../resources/catalog.ts'
import { type Command, helpText, parse } from './command.ts'
import { loadFile } from './load.ts'
import { runService } from './serve.ts'

const network = new URL('../../examples/network/', import.meta.url)

const text = `Runs the service with a sample network loaded: devices, IP segments, addresses, bindings, zones, rules and
report templates. Keeps its data in ./data-demo unless told otherwise, and loads the sample when that is new.`

export const demo: Command = {
  name: 'demo',
  summary: 'runs the service with a sample network',
  async run(args, environment) {
    const { help, config } = parse(args, { BELFRY_DATA: './data-demo', ...environment })
    if (help) {
      console.log(helpText('belfry demo [settings]', text))
      return 0
    }
    return runService(config, environment, async ({ url, database }) => {
      const [loaded] = await database.all("select 1 as one from counter where name = 'device'")
      if (loaded) return
      await loadSample(url)
      console.log(`The sample network is loaded: try curl '${url}/plat/res/device?size=3'`)
    })
  },
}

async function loadSample(url: string): Promise<void> {
  const files = readdirSync(network)
  for (const { resource } of catalog) {
    const file = files.find((name) => name === `${resource.name}.csv`)
    if (file) await loadFile(url, fileURLToPath(new URL(file, network)), resource.name, 'text/csv')
  }
}
