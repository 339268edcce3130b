// belfry netbox: compares the inventory with NetBox, and takes over what NetBox has.

import { Fault } from '../../fault.ts'
import { harmless } from '../alarm-printer.ts'
import { type Command, countedNoun, type Option, verbOf } from '../command.ts'
import { netBoxBase } from '../netbox/netbox-api.ts'
import { type Comparison, compareWith, type OwnInventory } from '../netbox/netbox-comparison.ts'
import { type CableEnd, type NetBoxInventory, readInventory } from '../netbox/netbox-inventory.ts'
import { readOwn, takeOver } from '../netbox/own-inventory.ts'
import { askedSecret, secretFrom } from '../secret.ts'
import { withService } from '../service-connection.ts'

const options: Record<string, Option> = {
  'token-file': { form: 'FILE', help: 'A file with a token of NetBox in its first line.' },
}

const text = `Reads sites, devices, addresses and cables from NetBox (3.3 or newer) by its REST API, and compares them with the
inventory: sites with zones by name, devices by their primary address, else by name, cables with the links that devices show.
compare lists the differences and changes nothing; import lists them and takes over zones, devices and addresses, all or
none. Nothing is removed here and nothing is written to NetBox; a token that may only read is enough. Without a file, the
command asks for the token, or reads it from standard input.

  belfry netbox compare https://netbox.example.net --token-file token.txt
  belfry netbox import https://netbox.example.net --token-file token.txt

Exit codes: 0 done, 1 NetBox, the service or its store failed, 2 wrong arguments, or refused.`

type Act = (url: string, comparison: Comparison, own: OwnInventory) => Promise<void>

const actions: Readonly<Record<string, Act>> = {
  compare: async () => undefined,
  import: async (url, comparison, own) => {
    await takeOver(url, comparison, own)
    const { newZones, newDevices, changed } = comparison
    const counts = [
      [newZones.length, 'zone'],
      [newDevices.length, 'device'],
    ] as const
    const added = counts.map(([count, noun]) => countedNoun(count, noun)).join(' and ')
    console.log(`${added} added, ${countedNoun(changed.length, 'device')} changed`)
  },
}

export const netbox: Command = {
  name: 'netbox',
  summary: 'compares the inventory with NetBox, and imports from it',
  usage: 'belfry netbox compare|import URL [options] [settings]',
  text,
  options,
  takesFiles: true,
  verbs: Object.keys(actions),
  async run({ files: [word, ...words], options: { 'token-file': file }, config }) {
    const act = verbOf(actions, word, 'netbox')
    const [address, ...more] = words
    if (address === undefined || more.length > 0)
      throw new Fault('invalid', `expected belfry netbox ${word} URL`)
    const base = netBoxBase(address)
    const token = (secretFrom('token-file', file) ?? (await askedSecret('Token'))).trim()
    if (!/^[\x21-\x7e]+$/.test(token)) throw new Fault('invalid', 'expected a token of NetBox')
    const found = await readInventory({ base, token })
    await withService(
      config,
      async (url) => {
        const own = await readOwn(url)
        const comparison = compareWith(found, own)
        print(found, comparison)
        await act(url, comparison, own)
      },
      { fills: word === 'import' },
    )
    return 0
  },
}

/** Texts of another service: nothing in them acts on a terminal. */
const say = (line: string) => console.log(harmless(line))
const endText = ({ device, port }: CableEnd) => `${device} ${port}`

function print({ devices, skipped }: NetBoxInventory, comparison: Comparison): void {
  const { newZones, newDevices, changed, onlyHere, unseen, unplanned } = comparison
  say(`${countedNoun(devices.length, 'device')} of NetBox compared`)
  for (const reason of skipped) say(`left out: ${reason}`)
  for (const name of newZones) say(`new zone     ${name}`)
  for (const { name, ip, site } of newDevices) say(`new device   ${name} (${ip})${site && ` in ${site}`}`)
  for (const { own, changes } of changed)
    for (const { field, here, there } of changes)
      say(`other        ${own.label}: ${field} is ${here || 'empty'}, in NetBox ${there}`)
  for (const { label, ip } of onlyHere) say(`only here    ${label} (${ip})`)
  for (const ends of unseen) say(`not seen     cable ${ends.map(endText).join(' – ')}`)
  for (const { ends, differs } of unplanned)
    say(`no cable     ${ends.map(endText).join(' – ')}${differs ? ', which the two ends disagree on' : ''}`)
  const lists = [newZones, newDevices, changed, onlyHere, unseen, unplanned]
  if (lists.every(({ length }) => length === 0)) say('no differences')
}
