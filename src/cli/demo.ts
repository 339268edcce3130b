import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Fault } from '../fault.ts'
import { catalog } from '../resources/catalog.ts'
import { type Command, helpText, parse } from './command.ts'
import { loadFile } from './load.ts'
import { runService } from './serve.ts'

const network = new URL('../../examples/network/', import.meta.url)

/** Each file is whole or not there; the mark says that all of them are. */
const mark = 'sample network'

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
      const [loaded] = await database.all('select value from counter where name = ?', [mark])
      if (loaded) return
      await loadSample(url, config.data)
      await database.transaction((tx) => tx.run('insert into counter (name, value) values (?, 1)', [mark]))
      console.log(`The sample network is loaded: try curl '${url}/plat/res/device?size=3'`)
    })
  },
}

async function loadSample(url: string, folder: string): Promise<void> {
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
